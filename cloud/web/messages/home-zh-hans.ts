// The words of the first page, in Simplified Chinese.
import type { HomeWords } from './home-en.ts'

export const words: HomeWords = {
  needsYou: (count) => `有 ${count} 件事需要您处理`,
  allPrints: '一切正常打印',
  allPrintsHint: '没有未解决的警报。',
  notKnown: '未知：无连接',
  severities: { critical: '立即', warning: '尽快' },
  since: (ago) => `始于${ago}`,
  goTo: {
    kitchens: '前往厨房',
    orders: '前往订单',
    webhooks: '前往 Webhook',
    usage: '前往用量',
    outbox: '前往发件箱',
  },
  orders: '当前订单',
  open: '进行中',
  toPrint: '尚未打印',
  ready: '可取餐',
  scheduled: '稍后',
  online: '在线',
  silent: '无响应',
  noKitchen: '没有已连接的厨房。',
  webhooks: 'Webhook',
  taking: '正常接收',
  failing: '失败',
  disabled: '已关闭',
  noWebhooks: '还没有服务器在监听。',
  firstSteps: '这里还没有任何内容。第一个订单只需两分钟。',
  toQuickStart: '从这里开始',
  all: '查看全部',
}
