// How a month ends if it goes on as it did so far. Pure.
import { monthOf, rangeOf } from './months.ts'

/** From this much of the month on: before, a few calls would be taken for a habit. */
const LEAST_MS = 86_400_000

/**
 * Calls of the whole month, rounded; null for a month that has not begun or has ended, and on its first day.
 * @param month `2026-11`
 * @param calls of the month so far
 */
export function projectedCalls(month: string, calls: number, nowMs: number): number | null {
  if (month !== monthOf(nowMs)) return null
  const { fromMs, toMs } = rangeOf(month)
  const passedMs = nowMs - fromMs
  return passedMs < LEAST_MS ? null : Math.round((calls * (toMs - fromMs)) / passedMs)
}
