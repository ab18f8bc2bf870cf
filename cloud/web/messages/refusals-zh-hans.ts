// Why the relay did not do what was asked, in Simplified Chinese.
import type { Messages } from './en.ts'

export const zhHansRefusals: Messages['refusals'] = {
  codes: {
    unreachable: '没有收到应答。请检查网络并重试。',
    'signed-out': '您已退出登录。请重新登录。',
    throttled: '尝试次数过多。请等待 {seconds} 秒后重试。',
    busy: '许多人正在登录。请稍后重试。',
    internal: '中继内部出错。其日志有更多信息。',
  },
  cases: {
    'right.operator': '只有运营此中继的人可以这样做。',
    'right.viewing': '您正在查看他人的账户：无法更改任何内容。',
    'right.member': '您不是此账户的成员。',
    'right.role': '您的角色不能这样做。以下角色可以：{roles}。',
    'right.owner-account': '只有拥有此餐厅的账户可以这样做。',
    'right.elevate': '未做任何更改：请先证明是您本人。',
    'order.sandbox-only': '控制台仅在沙盒中接单。真实订单通过 API 进入。',
    'tap.mismatch': '此操作之前已以其他内容发送。请重新加载页面后重试。',
  },
  rules: {
    required: '必须填写',
    'wrong-form': '格式不正确',
    'at-least': '必须不小于 {limit}',
    'at-most': '必须不大于 {limit}',
    'at-least-characters': '至少需要 {limit} 个字符',
    'at-most-characters': '最多 {limit} 个字符',
    number: '必须是数字',
  },
  forms: {
    email: '必须是电子邮件地址',
    code: '必须是邮件中的 8 个字符',
    name: '必须是一行以内的名称',
  },
}
