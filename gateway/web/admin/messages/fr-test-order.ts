// Words about the test order, in French.
import type { enTestOrder } from './en-test-order.ts'

export const frTestOrder = {
  title: 'Commande de test',
  send: 'Envoyer une commande de test',
  paperOf: 'Le bon de',
} satisfies typeof enTestOrder
