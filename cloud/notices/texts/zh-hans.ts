// Mail in simplified Chinese.
import { alertWords } from './alert-words.ts'
import { dollarsIn, linkIf, minuteOf, nameIn, PRODUCT, scopesIn } from './letter.ts'
import type { NoticeWords } from './words.ts'

const ROLES = { staff: '员工', developer: '开发者', manager: '经理', owner: '所有者', operator: '运营方' }
const METHODS = { password: '密码', passkey: '通行密钥', code: '邮件验证码', link: '邮件链接' }
const DEEDS = { made: '已创建', rotated: '已轮换', revoked: '已吊销' }
const SIGN_IN = {
  'password-set': '设置了新密码',
  'passkey-added': '添加了通行密钥',
  'passkey-removed': '移除了通行密钥',
}
const ACCESS = {
  approved: '您已获得餐厅的访问权限：',
  narrowed: '您在餐厅的访问权限已缩小：',
  declined: '餐厅拒绝了您的访问请求：',
  removed: '您在餐厅的访问权限已被收回：',
}
const REQUESTS = { live: '可以使用正式密钥', plan: '的套餐已更改', refused: '的请求未获批准' }
const ENVIRONMENTS = { sandbox: '沙盒', live: '正式' }
const PURPOSES = { 'sign-up': '注册', 'sign-in': '登录', reset: '设置新密码' }
const WAITING = { mail: '邮件', webhooks: 'webhook 投递', channels: '点餐平台的更改' }

const alerts: NoticeWords['alerts'] = {
  'box-silent': ({ place }) => ({
    title: `${nameIn(place)} 的设备未连接`,
    act: '请检查设备是否通电、网络能否访问互联网。已收到的订单会继续打印，新订单会等待它恢复。',
  }),
  'printer-away': ({ place, printer, waiting }) => ({
    title: `${nameIn(place)} 的打印机 ${nameIn(printer)} 无法打印`,
    act: `请检查电源、纸张、盖子和线缆。有 ${waiting} 张小票在等待。`,
  }),
  'ticket-late': ({ place, tickets }) => ({
    title: `${nameIn(place)} 有 ${tickets} 张小票未按时打印`,
    act: '请在控制台查看这些订单并告知厨房，然后检查设备和打印机。',
  }),
  'ticket-uncertain': ({ place, tickets }) => ({
    title: `${nameIn(place)} 有 ${tickets} 张小票不确定是否已打印`,
    act: '请查看打印机处是否有这张小票。没有就在设备上重新打印，有就在设备上确认。',
  }),
  'endpoint-failing': ({ site }) => ({
    title: `webhook 端点 ${nameIn(site)} 出错`,
    act: '请在控制台的 Webhooks 页查看它最近的响应。事件会等待并重新发送。',
  }),
  'endpoint-failing-long': ({ site }) => ({
    title: `webhook 端点 ${nameIn(site)} 已出错一天`,
    act: '请尽快修复：每个事件尝试六次后放弃，持续出错的端点会被停用。',
  }),
  'endpoint-disabled': ({ site }) => ({
    title: `webhook 端点 ${nameIn(site)} 已停用`,
    act: '它不再收到事件。请修复后在控制台的 Webhooks 页启用，并重新发送错过的事件。',
  }),
  'clock-off': ({ place, seconds }) => ({
    title: `${nameIn(place)} 的设备时钟${seconds > 0 ? '快了' : '慢了'} ${Math.abs(seconds)} 秒`,
    act: '请检查设备能否访问时间服务器（UDP 端口 123）。在此之前小票上的时间不正确。',
  }),
  'usage-high': ({ percent, month }) => ({
    title: `${month} 的调用量已用 ${percent} %`,
    act: '请查看控制台的用量页。超出套餐的调用另行计费。',
  }),
  'usage-full': ({ percent, month }) => ({
    title: `${month} 套餐内的调用量已用完（${percent} %）`,
    act: '请查看控制台的用量页。之后的每次调用另行计费，更大的套餐可能更便宜。',
  }),
  'outbox-old': ({ what, waiting }) => ({
    title: `此服务器的${WAITING[what]}：${waiting} 项等待超过 10 分钟`,
    act: '请查看原因：邮件用 admin notices list，其余用 admin server report。',
  }),
}

export const CHINESE: NoticeWords = {
  alerts,
  footer: `${PRODUCT}。本邮件由系统发送，请勿回复。`,
  code: ({ purpose, code, minutes }) => ({
    subject: `您的 ${PRODUCT} 验证码`,
    parts: [
      `请输入此验证码以${PURPOSES[purpose]}：`,
      { code },
      `${minutes} 分钟内有效，只能使用一次。`,
      '如果不是您本人操作，无需处理：没有验证码就不会发生任何事。请勿告诉任何人。',
    ],
  }),
  'already-known': ({ link }) => ({
    subject: `您已有 ${PRODUCT} 登录账号`,
    parts: [
      '有人（可能是您）想用此邮箱注册。该邮箱已注册过，因此没有创建新账号。',
      { link, words: '请在此登录或设置新密码：' },
      '如果不是您本人操作，无需处理。',
    ],
  }),
  invitation: ({ link, accountName, role, invitedBy, expiresAtMs }) => ({
    subject: `${nameIn(invitedBy)} 邀请您加入 ${nameIn(accountName)}`,
    parts: [
      `您被邀请加入 ${PRODUCT} 的一个账户。`,
      {
        facts: [
          ['账户', accountName],
          ['您的角色', ROLES[role]],
          ['邀请人', invitedBy],
        ],
      },
      { link, words: '在此接受：' },
      `链接在 ${minuteOf(expiresAtMs)} 之前有效，只能使用一次。如果您不认识邀请人，无需处理。`,
    ],
  }),
  'new-device': ({ atMs, address, agent, method, link }) => ({
    subject: `有新浏览器登录 ${PRODUCT}`,
    parts: [
      '有人用您的账号从一个未见过的浏览器登录。',
      {
        facts: [
          ['时间', minuteOf(atMs)],
          ['来自', address],
          ['浏览器', agent],
          ['方式', METHODS[method]],
        ],
      },
      { link, words: '如果是您本人，无需处理。如果不是，请在此结束该登录并设置新密码：' },
    ],
  }),
  'sign-in-changed': ({ deed, name, atMs, link }) => ({
    subject: `您的 ${PRODUCT} 登录方式已更改：${SIGN_IN[deed]}`,
    parts: [
      `此地址的登录方式已更改：${SIGN_IN[deed]}。`,
      { facts: [...(name === null ? [] : [['通行密钥', name] as const]), ['时间', minuteOf(atMs)]] },
      {
        link,
        words:
          '如果是您本人，无需处理。如果不是，请在此通过邮件验证码设置新密码，移除不属于您的通行密钥，并告知账号所有者：',
      },
    ],
  }),
  key: ({ deed, environment, endsWith, name, accountName, by, atMs }) => ({
    subject: `${nameIn(accountName)} 的一个${ENVIRONMENTS[environment]}密钥${DEEDS[deed]}`,
    parts: [
      `一个 API 密钥${DEEDS[deed]}。`,
      {
        facts: [
          ['账户', accountName],
          ['密钥', `${ENVIRONMENTS[environment]}，末四位 ${endsWith}`],
          ...(name === null ? [] : [['名称', name] as const]),
          ['操作人', by],
          ['时间', minuteOf(atMs)],
        ],
      },
      '如果不是你们的人操作，请在控制台的密钥页吊销该密钥，并更换密码。',
    ],
  }),
  'access-asked': ({ merchantId, merchantName, partnerId, partnerName, scopes, atMs }) => ({
    subject: `${nameIn(partnerName)} 请求访问 ${nameIn(merchantName)}`,
    parts: [
      '有合作伙伴请求访问您的餐厅。在您批准之前，对方没有任何权限。',
      {
        facts: [
          ['餐厅', `${nameIn(merchantName)} (${merchantId})`],
          ['合作伙伴', `${nameIn(partnerName)} (${partnerId})`],
          ['请求的权限', scopes.join(', ')],
          ['时间', minuteOf(atMs)],
        ],
      },
      '请在控制台的合作伙伴页批准或拒绝。如果您不认识对方，请拒绝。',
    ],
  }),
  'access-answered': ({ deed, merchantId, accountName, scopes, atMs }) => ({
    subject: `${ACCESS[deed]}${merchantId}`,
    parts: [
      `${ACCESS[deed]}${merchantId}。`,
      {
        facts: [
          ['您的账户', accountName],
          ...scopesIn(deed, scopes, ['您的权限', '密钥所拥有的全部权限']),
          ['时间', minuteOf(atMs)],
        ],
      },
      '请在控制台的合作伙伴页查看您的权限，或请求更多权限。',
    ],
  }),
  'request-answered': ({ answer, plan, accountName, atMs }) => ({
    subject: `${nameIn(accountName)} ${REQUESTS[answer]}`,
    parts: [
      answer === 'refused' ? '运营方没有批准您的请求。您可以再次请求。' : '运营方已答复。',
      {
        facts: [
          ['账户', accountName],
          ['套餐', plan],
          ['时间', minuteOf(atMs)],
        ],
      },
      answer === 'live' ? '请在控制台的密钥页创建正式密钥。计费已开始。' : '请在控制台的用量页查看您的套餐。',
    ],
  }),
  'alert-began': ({ alert, sinceMs, link }) => {
    const { title, act } = alertWords(alerts, alert)
    return {
      subject: `警报：${title}`,
      parts: [`${title}。`, { facts: [['开始', minuteOf(sinceMs)]] }, act, ...linkIf(link, '控制台中的详情：')],
    }
  },
  'alert-ended': ({ alert, sinceMs, endedMs, link }) => {
    const { title } = alertWords(alerts, alert)
    const from: [string, string] = ['开始', minuteOf(sinceMs)]
    return {
      subject: `已结束：${title}`,
      parts: [
        '此事已结束，您无需处理。',
        `${title}。`,
        { facts: [from, ['结束', minuteOf(endedMs)]] },
        ...linkIf(link, '控制台中的详情：'),
      ],
    }
  },
  invoice: ({ accountName, month, totalCents, link }) => ({
    subject: `${nameIn(accountName)} 的 ${month} 账单`,
    parts: [
      `${month} 的账单已出。`,
      {
        facts: [
          ['账户', accountName],
          ['合计', dollarsIn(totalCents, '按合同')],
        ],
      },
      ...linkIf(link, '在控制台查看：'),
    ],
  }),
  'order-ready': ({ restaurant, number }) => ({
    subject: `${nameIn(restaurant)}：订单 ${nameIn(number)} 已备好`,
    parts: [`您在 ${nameIn(restaurant)} 的订单 ${nameIn(number)} 已备好，可以取餐。`],
  }),
  test: ({ by }) => ({
    subject: `${PRODUCT} 测试邮件`,
    parts: [`${nameIn(by)} 发送此邮件以测试能否收到。您已收到。`],
  }),
}
