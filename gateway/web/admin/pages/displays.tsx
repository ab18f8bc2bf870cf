// The kitchen's screens: which live, what each shows, a new one by QR code.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { CodeAnswer, DisplayAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { AddDisplay, DisplayCode } from '#gateway/web/admin/parts/add-display.tsx'
import { AskButton } from '#gateway/web/admin/parts/ask-button.tsx'
import { Mark } from '#gateway/web/admin/parts/mark.tsx'
import { useNotice } from '#gateway/web/admin/parts/notices.tsx'
import { Page, Part } from '#gateway/web/admin/parts/page.tsx'
import { Problem } from '#gateway/web/admin/parts/problem.tsx'

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
          <Display
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

interface DisplayProps {
  display: DisplayAnswer
  code: CodeAnswer | null
  showCode: (code: CodeAnswer) => void
}

function Display({ display, code, showCode }: DisplayProps) {
  const { t } = useSpeech()
  const say = useNotice()
  const printers = useLive().topics.printers
  const { displayId, name, stations, isAlive, isOnShift, signedInAt, backupPrinterId } = display
  const newCode = useChange('displays.code', showCode)
  const remove = useChange('displays.remove', () => say(t.common.done))
  const backup = backupPrinterId === null ? undefined : printers[backupPrinterId]
  return (
    <li className="card">
      <h2>{name}</h2>
      {isAlive ? (
        <Mark tone="ok">{isOnShift ? t.displays.onShift : t.displays.alive}</Mark>
      ) : (
        <Mark tone={signedInAt === null ? 'idle' : 'bad'}>
          {signedInAt === null ? t.displays.notYet : t.displays.silent}
        </Mark>
      )}
      <p className="soft">{stations.length === 0 ? t.displays.expo : t.printer.serves(stations.join(', '))}</p>
      <p className="soft">{backup ? t.displays.backupIs(backup.name) : t.displays.noBackup}</p>
      {code && !isAlive && <DisplayCode code={code} />}
      <Group>
        <Button
          variant="default"
          loading={newCode.isPending}
          onClick={() => newCode.mutate({ displayId })}
          aria-label={`${t.displays.newCode}: ${name}`}
        >
          {t.displays.newCode}
        </Button>
        <AskButton
          color="red"
          label={t.displays.remove}
          question={t.displays.removeQuestion(name)}
          act={() => remove.mutate({ displayId })}
        />
      </Group>
      <Problem error={newCode.error ?? remove.error} />
    </li>
  )
}
