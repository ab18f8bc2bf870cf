// Words about the test order, in German.
import type { enTestOrder } from './en-test-order.ts'

export const deTestOrder = {
  title: 'Testbestellung',
  send: 'Testbestellung senden',
  paperOf: 'Bon von',
} satisfies typeof enTestOrder
