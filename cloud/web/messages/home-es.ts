// The words of the first page, in Spanish.
import type { HomeWords } from './home-en.ts'

export const words: HomeWords = {
  needsYou: (count) => (count === 1 ? 'Una cosa le necesita' : `${count} cosas le necesitan`),
  allPrints: 'Todo se imprime',
  allPrintsHint: 'No hay ninguna alerta abierta.',
  notKnown: 'No se sabe: sin conexión',
  severities: { critical: 'Ahora', warning: 'Pronto' },
  since: (ago) => `empezó ${ago}`,
  goTo: {
    kitchens: 'A las cocinas',
    orders: 'A los pedidos',
    webhooks: 'A los webhooks',
    usage: 'Al consumo',
    outbox: 'A la bandeja de salida',
  },
  orders: 'Pedidos ahora',
  open: 'abiertos',
  toPrint: 'aún sin papel',
  ready: 'listos para entregar',
  scheduled: 'para más tarde',
  online: 'conectadas',
  silent: 'en silencio',
  noKitchen: 'No hay ninguna cocina conectada.',
  webhooks: 'Webhooks',
  taking: 'reciben',
  failing: 'fallan',
  disabled: 'apagados',
  noWebhooks: 'Todavía no escucha ningún servidor.',
  firstSteps: 'Aquí todavía no ha pasado nada. El primer pedido lleva dos minutos.',
  toQuickStart: 'Empezar aquí',
  all: 'Ver todo',
}
