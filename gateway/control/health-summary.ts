// What is wrong with the box, counted for the relay. Pure.
import { fromIso } from '#shared/clock.ts'
import type { HealthSummary } from '#shared/wire/gateway-standing.ts'
import type { RepairAnswer } from './answers.ts'

const MOST_LETTERS = 64

/** @param repairs worst first */
export function healthSummary(repairs: readonly Pick<RepairAnswer, 'severity' | 'key' | 'since'>[]): HealthSummary {
  const count = (wanted: RepairAnswer['severity']) => repairs.filter(({ severity }) => severity === wanted).length
  const [worst] = repairs
  return {
    critical: count('error'),
    warning: count('warning'),
    advice: count('info'),
    worst: worst?.key.slice(0, MOST_LETTERS) ?? null,
    sinceMs: worst?.since ? fromIso(worst.since) : null,
  }
}
