// Outgoing mail in words: states as marks, errors as sentences. Pure.
import type { NoticeState } from '#cloud/control/notice-list.ts'
import type { OutboxWords } from '#cloud/web/messages/outbox-en.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'

export const MAIL_TONES: Readonly<Record<NoticeState, Tone>> = {
  queued: 'idle',
  sending: 'idle',
  sent: 'ok',
  failed: 'bad',
  uncertain: 'warn',
  kept: 'warn',
  dropped: 'bad',
}

/** The words of an error. A class that this page does not have is shown as it is. */
export function mailErrorWords({ errors }: Pick<OutboxWords, 'errors'>, error: string): string {
  if (error === 'smtp_535') return errors.sign_in
  const [, digit] = /^smtp_([45])\d\d$/.exec(error) ?? []
  if (digit !== undefined) return `${digit === '4' ? errors.later : errors.refused} (${error.slice('smtp_'.length)})`
  return Object.hasOwn(errors, error) ? errors[error as keyof typeof errors] : error
}
