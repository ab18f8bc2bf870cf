// A tablet becomes a kitchen screen: its name and what it is for, QR code, green when it is there.
import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CodeAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { DisplayCode } from '#gateway/web/admin/parts/add-display.tsx'
import { PurposeFields } from '#gateway/web/admin/parts/purpose-fields.tsx'
import { purposeOfNew, type ScreenPurpose, screenOf } from '#gateway/web/admin/parts/screen-purpose.ts'
import { NameField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

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
  const queries = useQueryClient()
  const stations = useRead('stations.list', {})
  const [own, setOwn] = useState<Partial<ScreenPurpose & { name: string }>>({})
  const printers = Object.values(useLive().topics.printers)
  // A disconnected screen must lose nothing: unless a person chooses otherwise, its orders print on the default printer.
  const backup = printers.find(({ isDefault }) => isDefault) ?? printers[0]
  const add = useChange('displays.add', ({ displayId, ...code }) => {
    setOwn({})
    void queries.invalidateQueries({ queryKey: ['stations'] })
    added(displayId, code)
  })
  if (!stations.data) return <Problem error={stations.error} />
  const { name, ...purpose } = { name: '', ...purposeOfNew(stations.data.stations), ...own }
  const screen = screenOf(purpose)
  const backupPrinter = screen.kind === 'kitchen' ? (backup?.printerId ?? null) : null
  const set = (part: typeof own) => setOwn((before) => ({ ...before, ...part }))
  return (
    <Form label={t.displays.add} act={() => add.mutate({ name, ...screen, language, backupPrinter })} change={add}>
      <NameField size="md" label={t.displays.name} value={name} set={(next) => set({ name: next })} />
      <PurposeFields purpose={purpose} set={set} />
    </Form>
  )
}
