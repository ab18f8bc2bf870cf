// Why an attempt at a telephone company or a mail server failed, in Simplified Chinese: of numbers and of text messages.
import type { AttemptReasons } from './attempt-reasons-en.ts'

export const attemptReasons: AttemptReasons = {
  timeout: '没有及时得到答复。',
  connection: '连接失败。',
  connection_refused: '连接被拒绝。',
  dns: '找不到服务器的名称。',
  tls: '服务器的证书不受信任。',
  redirect: '无法读取答复。',
  bad_answer: '无法读取答复。',
  too_long: '无法读取答复。',
  too_many: '同时的请求太多。',
  provider_error: '电话公司出现故障。',
  refused: '电话公司拒绝了。',
  not_found: '电话公司不认识它。',
  not_supported: '此中继无法通过这家电话公司做到。',
  stopped: '中继在此期间结束。',
}
