// A tablet becomes a kitchen screen: name, QR code, green when it is there. What it shows is asked with the stations.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { CodeAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { DisplayCode } from '#gateway/web/admin/parts/add-display.tsx'
import { NameField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'

const ASK_EVERY_MS = 2_000

export function DisplayStep() {
  const { t } = useSpeech()
  const [waiting, setWaiting] = useState<{ displayId: string; code: CodeAnswer } | null>(null)
  const displays = useRead('displays.list', {}, { everyMs: ASK_EVERY_MS })
  const newest = displays.data?.find(({ displayId }) => displayId === waiting?.displayId)
  const isWaiting = waiting !== null && !newest?.isAlive
  return (
    <div className="stack">
      <ul className="cards">
        {(displays.data ?? []).map((display) => (
          <li key={display.displayId} className="card">
            <h2>
              <bdi>{display.name}</bdi>
            </h2>
            <Mark tone={display.isAlive ? 'ok' : 'idle'}>{display.isAlive ? t.displays.alive : t.displays.notYet}</Mark>
          </li>
        ))}
      </ul>
      {isWaiting ? (
        <>
          <DisplayCode code={waiting.code} />
          <Group>
            <Button variant="default" onClick={() => setWaiting(null)}>
              {t.wizard.another}
            </Button>
          </Group>
        </>
      ) : (
        <NewScreen added={(displayId, code) => setWaiting({ displayId, code })} />
      )}
    </div>
  )
}

function NewScreen({ added }: { added: (displayId: string, code: CodeAnswer) => void }) {
  const { t, language } = useSpeech()
  const [name, setName] = useState('')
  const printers = Object.values(useLive().topics.printers)
  // While the screen is silent nothing may be lost: until somebody decides otherwise, what it does not show comes out with the rest.
  const backup = printers.find(({ isDefault }) => isDefault) ?? printers[0]
  const add = useChange('displays.add', ({ displayId, ...code }) => {
    setName('')
    added(displayId, code)
  })
  const facts = { name, language, backupPrinter: backup?.printerId ?? null }
  return (
    <Form label={t.displays.add} act={() => add.mutate(facts)} change={add}>
      <NameField size="md" label={t.displays.name} value={name} set={setName} />
    </Form>
  )
}
