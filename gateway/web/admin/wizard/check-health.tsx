// What Health says of this box within the last check: each fault and warning with the act that mends it, or left out by name.
import type { CheckFinding } from '#gateway/control/check-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { FindingItem } from '#gateway/web/admin/parts/finding-item.tsx'
import { findingWords } from '#gateway/web/admin/parts/finding-words.ts'
import { Part } from '#shared/ui/parts/page.tsx'
import { LeaveOut } from './leave-out.tsx'

export function CheckHealth({ health }: { health: readonly CheckFinding[] }) {
  const speech = useSpeech()
  const { t } = speech
  if (health.length === 0) return null
  return (
    <Part title={t.check.health}>
      <ul className="cards">
        {health.map(({ finding, leftOutBy }) => (
          <FindingItem key={finding.id} finding={finding}>
            {leftOutBy !== null && <p className="soft">{t.check.leftOut(leftOutBy)}</p>}
            <LeaveOut line={{ kind: 'health', id: finding.id, leftOutBy }} name={findingWords(finding, speech).title} />
          </FindingItem>
        ))}
      </ul>
    </Part>
  )
}
