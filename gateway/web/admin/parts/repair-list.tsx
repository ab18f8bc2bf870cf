// What is wrong, worst first; or that nothing is.
import type { RepairAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { RepairItem } from './repair-item.tsx'

const ORDER = { error: 0, warning: 1, info: 2 } as const

export function RepairList({ repairs }: { repairs: readonly RepairAnswer[] }) {
  const { t } = useSpeech()
  if (repairs.length === 0)
    return (
      <p className="all-well">
        <Mark tone="ok">{t.overview.allWell}</Mark>
      </p>
    )
  return (
    <ul className="cards">
      {[...repairs]
        .sort((a, b) => ORDER[a.severity] - ORDER[b.severity])
        .map((repair) => (
          <RepairItem key={repair.id} repair={repair} />
        ))}
    </ul>
  )
}
