// 设置页面的各部分，以及每部分一行的状态（简体中文）。
import type { enFolds } from './en-folds.ts'

export const zhHansFolds = {
  name: '名称、时间和语言',
  pairing: '餐厅',
  https: '加密连接（https）',
  httpsStates: {
    off: '已关闭',
    starting: '正在启动',
    on: '已开启',
    failed: '无法使用',
  },
  until: (date) => `证书有效期至 ${date}`,
  sources: {
    'self-signed': '由本机自己生成：浏览器会警告一次',
    provided: '由本机的所有者安装',
  },
  source: '证书',
  validUntil: '有效期至',
  port: '端口',
  version: '版本和更新',
  versionNow: (version) => `版本 ${version}`,
  updates: '从软件源安装的机器会在夜间自动更新。新版本如果无法启动，会自动恢复旧版本。',
  people: '人员',
  peopleNow: (count, names) => `${count} 人：${names}`,
  password: '您的密码',
  signedIn: (name) => `已登录：${name}`,
  care: '诊断、备份、恢复',
  logs: '本机的记录，最新的在前',
} satisfies typeof enFolds
