// When the day of a restaurant ends: at 4 in the morning of its own clock, because many still serve at midnight.
const DAY_ENDS = '04:00'
const STEP_MS = 15 * 60_000
/** A day has 25 hours once a year. */
const MOST_STEPS = (26 * 3_600_000) / STEP_MS

/** The next one after this instant, epoch ms. @param timeZone IANA */
export function endOfDay(nowMs: number, timeZone: string): number {
  const local = new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  // Every zone is whole quarters of an hour away from UTC.
  const first = (Math.floor(nowMs / STEP_MS) + 1) * STEP_MS
  for (let step = 0; step < MOST_STEPS; step++) {
    const at = first + step * STEP_MS
    if (local.format(at) === DAY_ENDS) return at
  }
  // The clock was put forward over this very time.
  return nowMs + 24 * 3_600_000
}
