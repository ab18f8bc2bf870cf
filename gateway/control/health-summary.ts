// What is wrong with the box, counted for the relay. Pure.
import { fromIso } from '#shared/clock.ts'
import type { HealthSummary } from '#shared/wire/gateway-standing.ts'
import type { Control } from './control.ts'
import type { FindingAnswer, HealthAnswer } from './health-answers.ts'

const MOST_LETTERS = 64

/** @param findings worst first */
export function healthSummary(findings: readonly Pick<FindingAnswer, 'severity' | 'key' | 'since'>[]): HealthSummary {
  const count = (wanted: FindingAnswer['severity']) => findings.filter(({ severity }) => severity === wanted).length
  const [worst] = findings
  return {
    critical: count('critical'),
    warning: count('warning'),
    advice: count('advice'),
    worst: worst?.key.slice(0, MOST_LETTERS) ?? null,
    sinceMs: worst?.since ? fromIso(worst.since) : null,
  }
}

/** Checks now. */
export async function healthFor(control: Pick<Control, 'perform'>): Promise<HealthSummary> {
  return healthSummary(((await control.perform('health.list', {}, { asker: 'relay' })) as HealthAnswer).findings)
}
