// Words about the test order, in Simplified Chinese.
import type { enTestOrder } from './en-test-order.ts'

export const zhHansTestOrder = {
  title: '测试订单',
  explain: '标有 TEST ORDER 的订单会发送到每台打印机和每块屏幕。请勿制作；餐厅账户不会收到任何信息。',
  send: '发送测试订单',
  again: '再发送一个',
  sent: (number: string) => `订单 ${number} 已发出。`,
  green: '一切正常：订单已从每台打印机打出，并显示在每块屏幕上。',
  notYet: '还有项目未变绿。',
  after: (duration: string) => `用时 ${duration}`,
  noPrinter: '还没有设置打印机。设置后会打印。',
  waiting: '等待打印机',
  shown: '已显示在屏幕上',
  notShown: '尚未显示',
  screenOff: '屏幕已关闭或未登录',
  screenOffHint: '请在平板上打开厨房页面并开始值班。',
  ready: '屏幕上的“完成”',
  isReady: '已点按',
  tapReady: '请在订单上点按“完成”',
  paperOf: '小票所在打印机',
} satisfies typeof enTestOrder
