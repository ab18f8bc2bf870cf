// Everything that is wrong, worst first.
import { Loader } from '@mantine/core'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { Mark } from '#gateway/web/admin/parts/mark.tsx'
import { Page } from '#gateway/web/admin/parts/page.tsx'
import { RepairItem } from '#gateway/web/admin/parts/repair-item.tsx'

const ORDER = { error: 0, warning: 1, info: 2 } as const

export function Repairs() {
  const { t } = useSpeech()
  const { topics, hasData } = useLive()
  if (!hasData) return <Loader aria-label={t.common.loading} />
  const repairs = Object.values(topics.repairs).sort((a, b) => ORDER[a.severity] - ORDER[b.severity])
  return (
    <Page title={t.nav.repairs}>
      {repairs.length === 0 && (
        <p className="all-well">
          <Mark tone="ok">{t.overview.allWell}</Mark>
        </p>
      )}
      <ul className="cards">
        {repairs.map((repair) => (
          <RepairItem key={repair.id} repair={repair} />
        ))}
      </ul>
    </Page>
  )
}
