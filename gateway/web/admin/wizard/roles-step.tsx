// What each printer takes: stations, kinds of paper, backup.
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { PrinterSettingsForm } from '#gateway/web/admin/parts/printer-settings-form.tsx'
import { Part } from '#shared/ui/parts/page.tsx'

export function RolesStep() {
  const { t } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  if (printers.length === 0) return <p className="soft">{t.printers.none}</p>
  return printers.map((printer) => (
    <Part key={printer.printerId} title={printer.name}>
      <PrinterSettingsForm printer={printer} sections={['takes', 'failing']} />
    </Part>
  ))
}
