// A tablet becomes a kitchen screen: name, QR code, green when it is there.
import { useState } from 'react'
import type { CodeAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { AddDisplay, DisplayCode } from '#gateway/web/admin/parts/add-display.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'

const ASK_EVERY_MS = 2_000

export function DisplayStep() {
  const { t } = useSpeech()
  const [waiting, setWaiting] = useState<{ displayId: string; code: CodeAnswer } | null>(null)
  const displays = useRead('displays.list', {}, { everyMs: ASK_EVERY_MS })
  const newest = displays.data?.find(({ displayId }) => displayId === waiting?.displayId)
  return (
    <div className="stack">
      <ul className="cards">
        {(displays.data ?? []).map((display) => (
          <li key={display.displayId} className="card">
            <h2>{display.name}</h2>
            <Mark tone={display.isAlive ? 'ok' : 'idle'}>{display.isAlive ? t.displays.alive : t.displays.notYet}</Mark>
          </li>
        ))}
      </ul>
      {waiting && !newest?.isAlive ? (
        <DisplayCode code={waiting.code} />
      ) : (
        <AddDisplay added={(displayId, code) => setWaiting({ displayId, code })} />
      )}
    </div>
  )
}
