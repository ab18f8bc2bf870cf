// Findings of the box since the check began: each fault and warning with the action that resolves it, or left out by a named person.
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
