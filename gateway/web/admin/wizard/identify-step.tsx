// Which printer is which: a number comes out of each; typed in, it says that this printer is that one, and gets its name.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { PrinterTest } from '#gateway/web/admin/parts/printer-test.tsx'
import { Form, NameField } from '#shared/ui/parts/fields.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { usePrintNumbers } from './print-numbers.ts'

export function IdentifyStep() {
  const { t } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  const numbers = usePrintNumbers()
  if (printers.length === 0) return <p className="soft">{t.printers.none}</p>
  return (
    <div className="stack">
      <Group>
        <Button onClick={() => void numbers.printAll()} loading={numbers.isPending}>
          {t.wizard.printAll}
        </Button>
      </Group>
      <Problem error={numbers.error} />
      <ul className="cards wide">
        {printers.map((printer) => (
          <li key={printer.printerId} className="card">
            <h2>{printer.name}</h2>
            <p className="soft">
              {printer.host}:{printer.port}
            </p>
            <PrinterTest printer={printer} isBrief />
            <Rename key={printer.name} printer={printer} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Rename({ printer }: { printer: PrinterAnswer }) {
  const { t } = useSpeech()
  const say = useNotice()
  const [name, setName] = useState(printer.name)
  const update = useChange('printers.update', () => say(t.common.saved))
  return (
    <Form label={t.common.save} act={() => update.mutate({ printer: printer.printerId, name })} change={update}>
      <NameField label={t.printer.name} value={name} set={setName} />
    </Form>
  )
}
