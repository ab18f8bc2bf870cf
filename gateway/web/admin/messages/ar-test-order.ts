// Words about the test order, in Arabic.
import type { enTestOrder } from './en-test-order.ts'

export const arTestOrder = {
  title: 'طلب تجريبي',
  send: 'أرسل طلبًا تجريبيًا',
  paperOf: 'التذكرة في',
} satisfies typeof enTestOrder
