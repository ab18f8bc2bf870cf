// What is wrong, worst first.
import type { FindingAnswer } from '#gateway/control/health-answers.ts'
import { FindingItem } from './finding-item.tsx'

const ORDER = { critical: 0, warning: 1, advice: 2 } as const

/** Sorts as the box does: by severity, then by effect. The live feed delivers findings in any order. */
export function sorted(findings: readonly FindingAnswer[]): FindingAnswer[] {
  return [...findings].sort(
    (a, b) => ORDER[a.severity] - ORDER[b.severity] || (b.cost?.count ?? 0) - (a.cost?.count ?? 0),
  )
}

export function FindingList({ findings }: { findings: readonly FindingAnswer[] }) {
  return (
    <ul className="cards">
      {sorted(findings).map((finding) => (
        <FindingItem key={finding.id} finding={finding} />
      ))}
    </ul>
  )
}
