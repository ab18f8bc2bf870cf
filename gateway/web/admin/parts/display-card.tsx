// One screen of the kitchen: whether it is connected, what it shows, its settings, a new code, its removal.

import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { CodeAnswer, DisplayAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive, useNow } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { LANGUAGES } from '#shared/languages.ts'
import { listed } from '#shared/ui/isolation.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { DisplayCode } from './add-display.tsx'
import { DisplayFields, displayDraftOf, displayOf } from './display-fields.tsx'
import { screenKindOf } from './screen-purpose.ts'

interface DisplayCardProps {
  display: DisplayAnswer
  /** A code that was just made for it. */
  code: CodeAnswer | null
  showCode: (code: CodeAnswer) => void
}

export function DisplayCard({ display, code, showCode }: DisplayCardProps) {
  const { t } = useSpeech()
  const say = useNotice()
  const [isOpen, setOpen] = useState(false)
  const { displayId, name, isAlive } = display
  const newCode = useChange('displays.code', showCode)
  const remove = useChange('displays.remove', () => say(t.common.done))
  return (
    <li className="card">
      <h2>{name}</h2>
      <DisplayFacts display={display} />
      {code && !isAlive && <DisplayCode code={code} />}
      <Group>
        <Button
          variant="default"
          aria-expanded={isOpen}
          aria-label={`${t.displays.edit}: ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          {t.displays.edit}
        </Button>
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
      {isOpen && <EditDisplay display={display} saved={() => setOpen(false)} />}
      <Problem error={newCode.error ?? remove.error} />
    </li>
  )
}

function DisplayFacts({ display }: { display: DisplayAnswer }) {
  const { t, formats } = useSpeech()
  const now = useNow()
  const printers = useLive().topics.printers
  const { stations, isAlive, isOnShift, signedInAt, lastHeardAt, backupPrinterId, language, showNames } = display
  const kind = screenKindOf(display)
  const isKitchen = kind === 'station' || kind === 'expo'
  const backup = backupPrinterId === null ? undefined : printers[backupPrinterId]
  const lastHeard = lastHeardAt === null ? t.displays.notHeard : t.displays.lastHeard(formats.ago(lastHeardAt, now))
  const facts = [
    kind === 'station' ? t.printer.serves(listed(stations, t.common.comma)) : t.displays.kinds[kind],
    showNames ? t.displays.showsNames : '',
    !isKitchen ? '' : backup ? t.displays.backupIs(backup.name) : t.displays.noBackup,
    t.displays.speaks(LANGUAGES.find(({ id }) => id === language)?.name ?? language),
    isAlive || signedInAt === null ? '' : lastHeard,
  ]
  return (
    <>
      {isAlive ? (
        <Mark tone="ok">{isOnShift ? t.displays.onShift : t.displays.alive}</Mark>
      ) : (
        <Mark tone={signedInAt === null ? 'idle' : 'bad'}>
          {signedInAt === null ? t.displays.notYet : t.displays.silent}
        </Mark>
      )}
      {facts
        .filter((fact) => fact !== '')
        .map((fact) => (
          <p key={fact} className="soft">
            {fact}
          </p>
        ))}
    </>
  )
}

function EditDisplay({ display, saved }: { display: DisplayAnswer; saved: () => void }) {
  const { t } = useSpeech()
  const say = useNotice()
  const [draft, setDraft] = useState(() => displayDraftOf(display))
  const update = useChange('displays.update', () => {
    say(t.common.saved)
    saved()
  })
  return (
    <Form
      label={t.common.save}
      act={() => update.mutate({ displayId: display.displayId, ...displayOf(draft) })}
      change={update}
    >
      <DisplayFields draft={draft} set={(part) => setDraft((before) => ({ ...before, ...part }))} />
    </Form>
  )
}
