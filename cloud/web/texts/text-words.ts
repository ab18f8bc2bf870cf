// Text messages in words: states as marks, reasons as sentences. Pure.
import type { TextAnswer, ToldAnswer } from '#cloud/control/text-list.ts'
import type { TextsWords } from '#cloud/web/messages/texts-en.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'

type Standing = Pick<TextAnswer, 'state' | 'deliveredAt'>

const TONES: Readonly<Record<TextAnswer['state'], Tone>> = {
  queued: 'idle',
  sending: 'idle',
  sent: 'ok',
  failed: 'bad',
  uncertain: 'warn',
  kept: 'idle',
  dropped: 'bad',
}

export const textTone = ({ state }: Standing): Tone => TONES[state]

export function textState(t: TextsWords, { state, deliveredAt }: Standing): string {
  return deliveredAt === null ? t.states[state] : t.delivered
}

/** What an order says of its customer. @param when the time of it, as it is shown */
export function toldSentence(t: TextsWords, told: ToldAnswer, when: string): string {
  const { state, error } = told
  const by = t.by[told.by]
  if (state === 'kept') return t.keptOfOrder(by)
  if (state === 'uncertain') return t.maybeTold(by)
  if (state === 'queued' || state === 'sending') return t.waits(by)
  if (state === 'sent') return t.told(by, when, textState(t, told).toLocaleLowerCase())
  return t.notTold(by, error === null ? '' : told.by === 'mail' ? mailReason(t, error) : textReason(t, error))
}

/** As `textReason`, of mail: what this page does not have is the mail server's, such as `smtp_550`. */
function mailReason({ errors, server }: TextsWords, error: string): string {
  const { company: _, ...known } = errors
  return reasonIn(known, server, error)
}

/** The sentence of a text message's reason. */
export function textReason({ errors }: Pick<TextsWords, 'errors'>, error: string): string {
  const { company, ...known } = errors
  return reasonIn(known, company, error)
}

/** The sentence of a reason. One that `known` does not have is the other side's own code, and is shown as it is. */
export function reasonIn(
  known: Readonly<Record<string, string>>,
  others: (reason: string) => string,
  error: string,
): string {
  const sentence = Object.hasOwn(known, error) ? known[error] : undefined
  return sentence ?? others(error.replace(/^code_/, ''))
}
