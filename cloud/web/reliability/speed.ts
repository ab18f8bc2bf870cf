// In which of five classes the slow end of an hour falls. Pure.
import type { Figure } from '#cloud/control/slice-list.ts'

export const SPEEDS = ['fast', 'good', 'slow', 'late', 'few'] as const
export type Speed = (typeof SPEEDS)[number]

/** Milliseconds up to which an hour is of the class; the target of 2 s ends `good`. */
export const SPEED_MS = { fast: 1_000, good: 2_000, slow: 6_000 } as const

/** Null: no order at all. */
export function speedOf({ count, p95Ms }: Figure): Speed | null {
  if (count === 0) return null
  if (p95Ms === null) return 'few'
  if (p95Ms <= SPEED_MS.fast) return 'fast'
  if (p95Ms <= SPEED_MS.good) return 'good'
  return p95Ms <= SPEED_MS.slow ? 'slow' : 'late'
}
