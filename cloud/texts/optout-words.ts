// The words by which people end text messages and begin them again, and what telephone companies say of those who have. Pure.

/** As one message of its own. The English ones are those that telephone companies in North America obey too. */
const STOP = new Set([
  ...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT', 'OPT OUT'],
  ...['ARRET', 'ARRETER', 'ALTO', 'PARAR', 'BAJA', 'CANCELAR', 'TD', '退订', '停止'],
])
const START = new Set(['START', 'UNSTOP', 'YES', 'SUBSCRIBE', 'COMENZAR', 'INICIAR', 'ALTA', '订阅', '开始'])
/** "Stop texting me" is meant as it is written; "cancel my order" is not about messages. */
const FIRST = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'ARRET', 'ALTO'])

export function wishOf(text: string): 'stop' | 'start' | null {
  const words = text
    .slice(0, 1_600)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  if (STOP.has(words) || FIRST.has(words.split(' ', 1)[0] ?? '')) return 'stop'
  return START.has(words) ? 'start' : null
}

/** Twilio's and Telnyx's codes for a number that has written STOP to ours. */
export function isUnsubscribed(reason: string): boolean {
  return /(?:^|\D)(?:21610|40300)$|unsubscribed|opted_out/.test(reason)
}
