// One line of an order: whether its customer was told by text message, or by mail, that it is ready.
import type { ToldAnswer } from '#cloud/control/text-list.ts'
import { textsWords } from '#cloud/web/messages/texts.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { toldSentence } from './text-words.ts'

export function OrderTold({ told }: { told: ToldAnswer }) {
  const t = usePageWords(textsWords)
  const { formats } = useSpeech()
  return <p>{toldSentence(t, told, formats.time(told.at))}</p>
}
