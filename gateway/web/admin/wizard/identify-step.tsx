// Identifies printers: each prints a number; the person at a printer gives it its name and types the number.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { CodeField, NameField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function IdentifyStep() {
  const { t } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  const numbers = usePrintNumbers()
  if (printers.length === 0) return <p className="soft">{t.printers.none}</p>
  return (
    <div className="stack">
      <Group>
        <Button size="md" onClick={() => void numbers.printAll()} loading={numbers.isPending}>
          {t.wizard.printAll}
        </Button>
      </Group>
      <Problem error={numbers.error} />
      <p className="soft">{t.wizard.placedHint}</p>
      <ul className="cards wide">
        {printers.map((printer) => (
          <li key={printer.printerId} className="card">
            <Placed printer={printer} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Placed({ printer }: { printer: PrinterAnswer }) {
  const { t, formats } = useSpeech()
  const say = useNotice()
  const { printerId, host, port, testedAt } = printer
  const [name, setName] = useState(printer.name)
  const [code, setCode] = useState('')
  const verify = useChange('printers.verify', () => {
    setCode('')
    say(t.printer.test.right)
  })
  const update = useChange('printers.update', () => verify.mutate({ printer: printerId, code }))
  // Its name first: a number that was read before a rename proves nothing about the printer's place.
  const act = () =>
    name.trim() === printer.name
      ? verify.mutate({ printer: printerId, code })
      : update.mutate({ printer: printerId, name })
  return (
    <>
      <h2>
        <bdi>{printer.name}</bdi>
      </h2>
      <p className="soft">
        {host}:{port}
      </p>
      {testedAt !== null && <Mark tone="ok">{t.printer.test.done(formats.dateTime(testedAt))}</Mark>}
      <Form
        label={t.wizard.saveAndCheck}
        act={act}
        change={{ error: update.error ?? verify.error, isPending: update.isPending || verify.isPending }}
      >
        <NameField label={t.printer.name} value={name} set={setName} />
        <CodeField
          label={t.printer.test.code}
          description={t.printer.test.codeHint}
          inputMode="numeric"
          pattern="[0-9]{4}"
          maxLength={4}
          value={code}
          set={setCode}
        />
      </Form>
    </>
  )
}

// A test ticket with its number on every printer, one after another; a printer that cannot print now keeps its own for later.
function usePrintNumbers() {
  const { t } = useSpeech()
  const say = useNotice()
  const printers = Object.values(useLive().topics.printers)
  const test = useChange('printers.test')
  const printAll = async () => {
    for (const { printerId } of printers) await test.mutateAsync({ printer: printerId }).catch(() => null)
    say(t.printer.test.sent)
  }
  return { printAll, isPending: test.isPending, error: test.error }
}
