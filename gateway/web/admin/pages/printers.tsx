// All printers, and the way to one more.
import { Button, Loader } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { PrinterCard } from '#gateway/web/admin/parts/printer-card.tsx'
import { ReceiptLogo } from '#gateway/web/admin/parts/receipt-logo.tsx'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import { Page, Part } from '#shared/ui/parts/page.tsx'

export function Printers() {
  const { t } = useSpeech()
  const { topics, hasData } = useLive()
  const isTechnician = useIsTechnician()
  if (!hasData) return <Loader aria-label={t.common.loading} />
  const printers = Object.values(topics.printers)
  const add = isTechnician && (
    <Button component={Link} to="/printers/add">
      {t.printers.add}
    </Button>
  )
  return (
    <Page title={t.nav.printers} actions={add}>
      {printers.length === 0 && <p className="soft">{t.printers.none}</p>}
      <div className="cards">
        {printers.map((printer) => (
          <PrinterCard key={printer.printerId} printer={printer} />
        ))}
      </div>
      {isTechnician && (
        <Part title={t.logo.title}>
          <ReceiptLogo />
        </Part>
      )}
    </Page>
  )
}
