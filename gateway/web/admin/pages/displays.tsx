// The kitchen's screens: which are connected, what each shows, a new one by QR code.
import { useState } from 'react'
import type { CodeAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { AddDisplay } from '#gateway/web/admin/parts/add-display.tsx'
import { DisplayCard } from '#gateway/web/admin/parts/display-card.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const ASK_EVERY_MS = 3_000

export function Displays() {
  const { t } = useSpeech()
  const [code, setCode] = useState<{ displayId: string; code: CodeAnswer } | null>(null)
  const displays = useRead('displays.list', {}, { everyMs: ASK_EVERY_MS })
  return (
    <Page title={t.nav.displays}>
      <Problem error={displays.error} />
      {displays.data?.length === 0 && <p className="soft">{t.displays.none}</p>}
      <ul className="cards">
        {(displays.data ?? []).map((display) => (
          <DisplayCard
            key={display.displayId}
            display={display}
            code={code?.displayId === display.displayId ? code.code : null}
            showCode={(next) => setCode({ displayId: display.displayId, code: next })}
          />
        ))}
      </ul>
      <Part title={t.displays.add}>
        <AddDisplay added={(displayId, next) => setCode({ displayId, code: next })} />
      </Part>
    </Page>
  )
}
