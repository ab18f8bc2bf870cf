// A conversation, turn by turn: the receptionist at one side, the caller at the other.
import { callsWords } from '#cloud/web/messages/receptionist-calls.ts'
import { usePageWords } from '#cloud/web/speech.tsx'

/** Below it a text may be misheard, and says so. */
const SURE = 0.6

interface TalkTurn {
  who: 'caller' | 'receptionist' | 'event'
  text: string
  /** From 0 to 1; null: not known. */
  confidence?: number | null
}

export function Talk({ turns }: { turns: readonly TalkTurn[] }) {
  const t = usePageWords(callsWords)
  return (
    <ol className="talk">
      {turns.map(({ who, text, confidence }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added
        <li key={at} className={who}>
          {who !== 'event' && <span className="soft">{t.who[who]}</span>}
          <bdi>{text}</bdi>
          {typeof confidence === 'number' && confidence < SURE && <span className="soft">{t.unsure}</span>}
        </li>
      ))}
    </ol>
  )
}
