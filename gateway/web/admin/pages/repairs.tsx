// Everything that is wrong, worst first.
import { Loader } from '@mantine/core'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { RepairList } from '#gateway/web/admin/parts/repair-list.tsx'
import { Page } from '#shared/ui/parts/page.tsx'

export function Repairs() {
  const { t } = useSpeech()
  const { topics, hasData } = useLive()
  if (!hasData) return <Loader aria-label={t.common.loading} />
  return (
    <Page title={t.nav.repairs}>
      <RepairList repairs={Object.values(topics.repairs)} />
    </Page>
  )
}
