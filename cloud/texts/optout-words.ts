// The words by which people end text messages and begin them again, and what telephone companies say of those who have. Pure.

/** As one message of its own. The English ones are those that telephone companies in North America obey too. */
const STOP = new Set([
  ...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT', 'OPT OUT'],
  ...['ARRET', 'ARRETER', 'ALTO', 'PARAR', 'BAJA', 'CANCELAR', 'TD', '退订', '停止'],
])
const START = new Set(['START', 'UNSTOP', 'YES', 'SUBSCRIBE', 'COMENZAR', 'INICIAR', 'ALTA', '订阅', '开始'])
/** At the beginning of a sentence about messages. "Stop by at five?" and "cancel my order" are about something else. */
const FIRST = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'ARRET', 'ALTO'])
const ABOUT_MESSAGES = /^(?:TEXT(?:S|ING)?|MESSAG(?:E|ES|ING)|SMS|SPAM(?:MING)?|MENSAJES?)$/
/** What only stresses the word before it. */
const STRESS = new Set(['IT', 'NOW', 'PLEASE', 'THANKS', 'POR', 'FAVOR', 'YA', 'SVP'])

export function wishOf(text: string): 'stop' | 'start' | null {
  const words = text
    .slice(0, 1_600)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  if (STOP.has(words)) return 'stop'
  const [first = '', ...others] = words.split(' ')
  const isMeant = others.some((word) => ABOUT_MESSAGES.test(word)) || others.every((word) => STRESS.has(word))
  if (FIRST.has(first) && isMeant) return 'stop'
  return START.has(words) ? 'start' : null
}

/** Twilio's and Telnyx's codes for a number that has written STOP to ours. */
export function isUnsubscribed(reason: string): boolean {
  return /(?:^|\D)(?:21610|40300)$|unsubscribed|opted_out/.test(reason)
}
