// The next moment with a typed time of day at the restaurant. Pure.
const MINUTE_MS = 60_000
/** A day has 25 hours once a year. */
const MOST_MINUTES = 25 * 60

/** @param time `18:30` @param timeZone of the restaurant, IANA @returns epoch ms; null: no such time comes within a day */
export function nextTimeOfDay(nowMs: number, time: string, timeZone: string): number | null {
  const local = new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const first = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS
  for (let minute = 0; minute < MOST_MINUTES; minute++) {
    const at = first + minute * MINUTE_MS
    if (local.format(at) === time) return at
  }
  return null
}
