// Words about the test order, in Spanish.
import type { enTestOrder } from './en-test-order.ts'

export const esTestOrder = {
  title: 'Pedido de prueba',
  send: 'Enviar un pedido de prueba',
  paperOf: 'El ticket de',
} satisfies typeof enTestOrder
