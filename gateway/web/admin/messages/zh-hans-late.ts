// Words of when an order is late, in simplified Chinese.
import type { enLate } from './en-late.ts'

export const zhHansLate = {
  title: '订单何时超时',
  /** @param others types that are late at another minute, or nothing */
  state: (usual: number, others: string) => `${usual} 分钟后${others === '' ? '' : `。${others}`}`,
  explain: '没有自己设置的显示屏和报表都按此计算。留空：按灰色显示的分钟数。有承诺时间的订单，过了承诺时间即为超时。',
  usual: '其他订单',
  soonAfter: '即将超时（分钟）',
  lateAfter: '超时（分钟）',
} satisfies typeof enLate
