// When a certificate's end is worth a line in the log: three weeks, one week and one day before it, and every day after it.
import type { EpochMs } from '#shared/clock.ts'

const DAY_MS = 86_400_000
const WARN_DAYS_BEFORE = [1, 7, 21]

/**
 * The line that is due: `in-21-days`, `in-7-days`, `in-1-days`, `ended-0-days-ago`; null while there is time. A line is written each time
 * that this changes.
 */
export function expiryStage(untilMs: EpochMs, nowMs: EpochMs): string | null {
  const leftMs = untilMs - nowMs
  if (leftMs <= 0) return `ended-${Math.floor(-leftMs / DAY_MS)}-days-ago`
  const within = WARN_DAYS_BEFORE.find((days) => leftMs <= days * DAY_MS)
  return within === undefined ? null : `in-${within}-days`
}

/** Whole days that are left, rounded down; 0 when it has ended. */
export function daysLeft(untilMs: EpochMs, nowMs: EpochMs): number {
  return Math.max(0, Math.floor((untilMs - nowMs) / DAY_MS))
}
