// Words about the test order, in Simplified Chinese.
import type { enTestOrder } from './en-test-order.ts'

export const zhHansTestOrder = {
  title: '测试订单',
  send: '发送测试订单',
  paperOf: '小票所在打印机',
} satisfies typeof enTestOrder
