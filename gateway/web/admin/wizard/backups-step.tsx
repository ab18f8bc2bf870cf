// Backup printers: one choice for each printer, which applies at once.
import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { PrinterField } from '#gateway/web/admin/parts/printer-field.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function BackupsStep() {
  const { t } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  if (printers.length === 0) return <p className="soft">{t.printers.none}</p>
  if (printers.length === 1)
    return (
      <div className="stack">
        <p>{t.wizard.oneOnly}</p>
        <Group>
          <Button variant="default" component={Link} to={'/setup/printers' as '/'}>
            {t.printers.add}
          </Button>
        </Group>
      </div>
    )
  return (
    <div className="stack narrow">
      {printers.map((printer) => (
        <Backup key={printer.printerId} printer={printer} />
      ))}
    </div>
  )
}

function Backup({ printer: { printerId, name, settings } }: { printer: PrinterAnswer }) {
  const { t } = useSpeech()
  const say = useNotice()
  // The person's choice, until the box answers otherwise.
  const [chosen, setChosen] = useState(settings.backupPrinterId ?? '')
  const update = useChange('printers.update', () => say(t.common.saved))
  const choose = (next: string) => {
    setChosen(next)
    update.mutate({ printer: printerId, settings: { backupPrinterId: next === '' ? null : next } })
  }
  return (
    <>
      <PrinterField
        name="backupPrinterId"
        size="md"
        label={t.wizard.backupOf(name)}
        none={t.wizard.noBackup}
        except={printerId}
        value={chosen}
        set={choose}
      />
      <Problem error={update.error} />
    </>
  )
}
