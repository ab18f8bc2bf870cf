// Everything that is wrong, worst first, with advice.
import { Loader } from '@mantine/core'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { FindingList } from '#gateway/web/admin/parts/finding-list.tsx'
import { HealthVerdict } from '#gateway/web/admin/parts/health-verdict.tsx'
import { Page } from '#shared/ui/parts/page.tsx'

export function Repairs() {
  const { t } = useSpeech()
  const { topics, hasData } = useLive()
  if (!hasData) return <Loader aria-label={t.common.loading} />
  return (
    <Page title={t.nav.repairs}>
      <HealthVerdict />
      <FindingList findings={Object.values(topics.findings)} />
    </Page>
  )
}
