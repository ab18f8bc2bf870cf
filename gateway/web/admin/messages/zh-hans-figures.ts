// Words about the box itself, in simplified Chinese.
import type { enFigures } from './en-figures.ts'

export const zhHansFigures = {
  latency: '从下单到出票',
  lastHours: '时间范围',
  hours: (n: number) => `最近 ${n} 小时`,
  nothingPrinted: (n: number) => `最近 ${n} 小时没有打印订单。`,
  latencySummary: (half: string, nearlyAll: string, tickets: number) =>
    `一半在 ${half} 内，20 张中 19 张在 ${nearlyAll} 内（共 ${tickets} 张）`,
  half: '一半',
  nearlyAll: '20 张中 19 张',
  box: '本机',
  disk: '磁盘',
  free: (free: string, total: string) => `剩余 ${free}，共 ${total}`,
  memory: '内存',
  of: (used: string, limit: string) => `${used}，上限 ${limit}`,
  temperature: '温度',
  wear: '存储卡',
  worn: (percent: number) => `寿命最多已用 ${percent}%`,
  clock: '时钟',
  clockRight: (apart: string) => `准确（与服务器相差 ${apart}）`,
  clockBehind: (apart: string) => `比服务器慢 ${apart}`,
  clockAhead: (apart: string) => `比服务器快 ${apart}`,
  clockRestored: (apart: string) => `启动时慢 ${apart}：从上次已知时间继续`,
  clockUnchecked: '未核对：服务器尚未应答',
  notTold: '此设备不提供',
  notToldCard: '此卡不提供磨损信息',
} satisfies typeof enFigures
