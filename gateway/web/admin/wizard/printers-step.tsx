// The printers of the network, found or added by address.
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { AddByAddress } from '#gateway/web/admin/parts/add-by-address.tsx'
import { FindPrinters } from '#gateway/web/admin/parts/find-printers.tsx'
import { PrinterCard } from '#gateway/web/admin/parts/printer-card.tsx'
import { Part } from '#shared/ui/parts/page.tsx'

export function PrintersStep() {
  const { t } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  return (
    <>
      <FindPrinters />
      <details>
        <summary>{t.wizard.byAddress}</summary>
        <AddByAddress />
      </details>
      {printers.length > 0 && (
        <Part title={t.nav.printers}>
          <div className="cards">
            {printers.map((printer) => (
              <PrinterCard key={printer.printerId} printer={printer} />
            ))}
          </div>
        </Part>
      )}
    </>
  )
}
