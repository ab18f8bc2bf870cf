// A printer more: found on the network, or by its address.
import { useNavigate } from '@tanstack/react-router'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { AddByAddress } from '#gateway/web/admin/parts/add-by-address.tsx'
import { FindPrinters } from '#gateway/web/admin/parts/find-printers.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'

export function AddPrinterPage() {
  const { t } = useSpeech()
  const navigate = useNavigate()
  const open = (printerId: string) => void navigate({ to: '/printers/$printerId', params: { printerId } as never })
  return (
    <Page title={t.printers.add}>
      <Part title={t.find.title}>
        <FindPrinters added={open} />
      </Part>
      <Part title={t.find.byAddress}>
        <AddByAddress added={open} />
      </Part>
    </Page>
  )
}
