// Waiting for a lock of another program without standing still: a try every few milliseconds, by a timer.
import type { Clock } from '#shared/clock.ts'

/** So long a unit or a read waits, from its arrival on. */
export const LOCK_WAIT_MS = 3_000
const FIRST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 50

export type LockClock = Pick<Clock, 'monotonicMs' | 'sleep'>

/**
 * Calls `attempt` until it gives something other than null.
 * @param sinceMs when the wait began, on the monotonic clock
 * @returns null when `waitMs` have passed since then
 */
export async function untilUnlocked<T>(
  clock: LockClock,
  attempt: () => T | null,
  { sinceMs, waitMs = LOCK_WAIT_MS }: { sinceMs: number; waitMs?: number },
): Promise<T | null> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const got = attempt()
    if (got !== null || clock.monotonicMs() - sinceMs >= waitMs) return got
    await clock.sleep(pauseMs)
  }
}
