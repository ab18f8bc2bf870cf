// One line of an order: whether its customer was told by text message, or by mail, that it is ready.
import type { ToldAnswer } from '#cloud/control/text-list.ts'
import { textsWords } from '#cloud/web/messages/texts.ts'
import type { TextsWords } from '#cloud/web/messages/texts-en.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { mailReason, textReason, textState } from './text-words.ts'

export function OrderTold({ told }: { told: ToldAnswer }) {
  const t = usePageWords(textsWords)
  const { formats } = useSpeech()
  return <p>{sentence(t, told, formats.time(told.at))}</p>
}

function sentence(t: TextsWords, told: ToldAnswer, when: string): string {
  const { state, error } = told
  const by = t.by[told.by]
  if (state === 'kept') return t.keptOfOrder(by)
  if (state === 'uncertain') return t.maybeTold(by)
  if (state === 'queued' || state === 'sending') return t.waits(by)
  if (state === 'sent') return t.told(by, when, textState(t, told).toLocaleLowerCase())
  return t.notTold(by, error === null ? '' : told.by === 'mail' ? mailReason(t, error) : textReason(t, error))
}
