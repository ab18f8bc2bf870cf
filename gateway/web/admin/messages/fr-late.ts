// Words of when an order is late, in French.
import type { enLate } from './en-late.ts'

export const frLate = {
  title: 'Quand une commande est en retard',
  /** @param others types that are late at another minute, or nothing */
  state: (usual: number, others: string) => `Après ${usual} minutes${others === '' ? '' : `. ${others}`}`,
  explain:
    'Tous les écrans sans minutes propres les suivent, et le rapport aussi. Vide : les minutes en gris. Une commande avec heure promise est en retard dès que cette heure est passée.',
  usual: 'Autres commandes',
  soonAfter: 'Bientôt en retard après (min)',
  lateAfter: 'En retard après (min)',
} satisfies typeof enLate
