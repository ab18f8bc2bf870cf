// The test order on a page of its own: for every day after the guide.
import '#gateway/web/admin/stations.css'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import { TestOrder } from './test-order.tsx'

export function TestOrderPage() {
  const { t } = useSpeech()
  return (
    <Page title={t.testOrder.title}>
      <TestOrder />
    </Page>
  )
}
