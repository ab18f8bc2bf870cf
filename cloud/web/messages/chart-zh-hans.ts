// The words of charts, in simplified Chinese.
import type { ChartWords } from './chart-en.ts'

export const words: ChartWords = {
  keys: '方向键逐点移动，Home 和 End 跳到第一个和最后一个。',
  table: '以表格显示数字',
  time: '时间',
}
