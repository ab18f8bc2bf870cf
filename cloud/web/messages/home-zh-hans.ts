// The words of the first page, in Simplified Chinese.
import type { HomeWords } from './home-en.ts'

export const words: HomeWords = {
  account: '账户',
  plan: '套餐',
  role: '您的角色',
  environment: '环境',
  keys: 'API 密钥',
  liveAllowed: '正式密钥',
  allowed: '允许',
  notYet: '尚未：请申请正式访问',
}
