// The health of a box as one list: every finding of every part, the worst first, each once. Nothing else decides what is wrong. Pure.
import { type Finding, SEVERITIES, type UnheardPart } from '#shared/health.ts'
import { boxFindings } from './health-box.ts'
import { displayFindings } from './health-displays.ts'
import type { HealthFacts } from './health-facts.ts'
import { linkFindings } from './health-link.ts'
import { printerFindings } from './health-printers.ts'
import { stationFindings } from './health-stations.ts'

/** Sorted by severity, then by what it costs. */
export function healthOf(facts: HealthFacts): Finding[] {
  const found = [
    ...displayFindings(facts),
    ...printerFindings(facts),
    ...linkFindings(facts),
    ...stationFindings(facts),
    ...boxFindings(facts),
  ]
  return worstFirst([...new Map(found.map((one) => [one.id, one])).values()])
}

export function worstFirst(findings: readonly Finding[]): Finding[] {
  const rank = ({ severity }: Finding): number => SEVERITIES.indexOf(severity)
  const count = ({ cost }: Finding): number => cost?.count ?? 0
  return [...findings].sort((a, b) => rank(a) - rank(b) || count(b) - count(a))
}

/** Parts without a report within twice their period: without them "everything is fine" must not be shown. */
export function unheardOf({ printers, displays, board, box, link, nowMs }: HealthFacts): UnheardPart[] {
  const isWaiting = link.state === 'connecting'
  const used = displays.filter(({ signedInAt }) => signedInAt !== null)
  return [
    // A printer that is not online is listed even during its grace period, so that "everything is fine" is not shown.
    ...printers
      .filter(({ isUnheard, state }) => isUnheard || state !== 'online')
      .map(({ name }) => ({ part: 'printer' as const, name })),
    ...used.filter(({ isAlive }) => !isAlive).map(({ name }) => ({ part: 'display' as const, name })),
    ...(board === null ? [{ part: 'board' as const, name: '' }] : []),
    ...(isWaiting && nowMs >= link.sinceMs ? [{ part: 'relay' as const, name: '' }] : []),
    ...box.unheard,
  ]
}
