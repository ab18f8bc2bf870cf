// Chinese texts of the runner's display, the guests' board and the drawers.
import type { enScreens } from './en-screens.ts'

export const zhHansScreens: typeof enScreens = {
  preparing: '制作中',
  pickUpReady: '请取餐',
  pickUpStale: '自 {time} 起未更新，请到柜台询问。',
  nothingReady: '还没有出餐',
  runnerStale: '自 {time} 起未连接，之后出的餐这里不显示：请看出餐口。',
  moreToCome: '第 {n} 道等叫',
  readyToCarry: '待上菜',
  carried: '已上菜',
  combine: '合并',
  combineNext: '接下来 {n} 单',
  combineNone: '没有未完成的单',
  onTickets: '共 {n} 单',
  onOne: '只有一单',
  noStation: '无工位',
  lateOf: '{n} 份超时',
  lastActs: '本屏最近操作',
  readyAndPickedUp: '已完成和已取餐',
}
