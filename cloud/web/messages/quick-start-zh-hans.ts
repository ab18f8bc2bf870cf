// The words of the page that leads to the first order, in Simplified Chinese.
import type { QuickStartWords } from './quick-start-en.ts'

export const words: QuickStartWords = {
  intro: '从密钥到纸质小票和 Webhook：约两分钟，在沙盒中完成。',
  key: {
    title: '密钥',
    make: '创建密钥',
    explain: '程序用密钥调用 API。此密钥属于沙盒，会填入下面的代码。',
    made: '您的密钥已填入下面的代码。如需保留请复制：关闭此页面后不再显示。',
    label: 'API 密钥',
  },
  order: {
    title: '订单',
    explain: (restaurant) => `发送到 ${restaurant}。在终端运行，或在此运行。`,
    language: '语言',
    languages: { curl: 'curl', javascript: 'JavaScript' },
    label: '订单',
    run: '在此运行',
    again: '再发一个',
    taken: '已接受。',
    see: '查看订单',
    noMenu: '此餐厅的菜单是空的。请选择其他餐厅，或重置沙盒。',
  },
  paper: {
    title: '小票',
    explain: '与厨房打印机收到的逐字节相同。',
    waiting: '打印到纸上后立即显示在这里：通常在下单后一两秒内。',
  },
  webhook: {
    title: 'Webhook',
    explain: '您的服务器会得知每一步。这里由检查器代替您的服务器。',
    open: '打开检查器',
    waiting: '检查器正在监听。发送订单：收到的内容会显示在这里。',
    received: (type) => `已收到：${type}`,
    signed: '签名正确。',
    wrong: '签名错误。',
    label: 'Webhook',
    next: '前往您的 Webhook',
  },
  onlySandbox: '第一步在沙盒中进行：那里不计费。',
  goSandbox: '前往沙盒',
  done: '接下来',
  keys: '密钥及其权限',
  docs: '完整的 API',
}
