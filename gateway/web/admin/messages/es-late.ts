// Words of when an order is late, in Spanish.
import type { enLate } from './en-late.ts'

export const esLate = {
  title: 'Cuándo un pedido va tarde',
  /** @param others types that are late at another minute, or nothing */
  state: (usual: number, others: string) => `A los ${usual} minutos${others === '' ? '' : `. ${others}`}`,
  explain:
    'Lo siguen todas las pantallas sin minutos propios, y el informe. Vacío: los minutos que se ven en gris. Un pedido con hora prometida va tarde cuando esa hora pasa.',
  usual: 'Otros pedidos',
  soonAfter: 'Aviso desde, minutos',
  lateAfter: 'Tarde desde, minutos',
} satisfies typeof enLate
