// Text messages in words: states as marks, reasons as sentences. Pure.
import type { TextAnswer } from '#cloud/control/text-list.ts'
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

/** As `textReason`, of mail: what this page does not have is the mail server's, such as `smtp_550`. */
export function mailReason(t: Pick<TextsWords, 'errors' | 'server'>, error: string): string {
  return textReason({ errors: { ...t.errors, company: t.server } }, error)
}

/** The sentence of a reason. One that this page does not have is the telephone company's, and shown as it is. */
export function textReason({ errors }: Pick<TextsWords, 'errors'>, error: string): string {
  const { company, ...known } = errors
  return Object.hasOwn(known, error) ? known[error as keyof typeof known] : company(error.replace(/^code_/, ''))
}
