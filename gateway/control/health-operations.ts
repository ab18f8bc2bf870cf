// The health of this box as of now, with words, and what its findings offer to do about screens.
import { healthOf, unheardOf } from '#gateway/care/health.ts'
import { HeldFindings } from '#gateway/care/held-findings.ts'
import { toIso } from '#shared/clock.ts'
import { type Finding, verdictOf } from '#shared/health.ts'
import { englishOf } from '#shared/health-english.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { gatherHealth, type HealthSources, SeenStations } from './gather-health.ts'
import type { FindingAnswer } from './health-answers.ts'
import { isOperation, OPERATIONS } from './operations.ts'

/** Pages of the technician. */
const TECHNICIANS_PAGES = ['/care', '/logs', '/users']

export function healthOperations(
  context: ControlContext,
  handlers: HealthSources,
): Pick<ControlHandlers, 'health.list'> {
  const { clock } = context
  const held = new HeldFindings()
  const seen = new SeenStations(context)
  return {
    'health.list': async () => {
      const facts = await gatherHealth(context, handlers, seen)
      const findings = held.look(healthOf(facts), clock.monotonicMs(), clock.now())
      const unheard = unheardOf(facts)
      return { verdict: verdictOf(findings, unheard), unheard, findings: findings.map(findingAnswer) }
    },
  }
}

export function findingAnswer(finding: Finding): FindingAnswer {
  const { sinceMs, cost, act, ...rest } = finding
  const words = englishOf(finding)
  return {
    ...rest,
    title: words.title,
    text: words.text,
    since: sinceMs === null ? null : toIso(sinceMs),
    cost: cost && { ...cost, text: words.cost },
    act: act && { ...act, label: words.act, role: roleFor(act) },
  }
}

/** Nothing that only the console may do mends anything by a button. */
function roleFor(act: NonNullable<Finding['act']>): 'manager' | 'technician' {
  if (act.kind === 'open') return TECHNICIANS_PAGES.includes(act.to) ? 'technician' : 'manager'
  return isOperation(act.operation) && OPERATIONS[act.operation].role === 'manager' ? 'manager' : 'technician'
}
