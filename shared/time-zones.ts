// Time zones: whether two names mean the same one (zones have several), and the next occurrence of a time of day in one.

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
/** A day has 25 hours once a year. */
const MOST_QUARTERS = 25 * 4

/** A name that this program does not have is equal only to itself. */
export function isSameZone(one: string, other: string): boolean {
  return one === other || nameOf(one) === nameOf(other)
}

function nameOf(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return zone
  }
}

/** @param time `18:30` @param timeZone IANA @returns epoch ms, after `nowMs`; null: no such time comes within a day, since the clock jumps over it */
export function nextTimeOfDay(nowMs: number, time: string, timeZone: string): number | null {
  const local = new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  // Every zone is whole quarters of an hour away from UTC.
  const pastQuarterMs = (Number(time.slice(3, 5)) * MINUTE_MS) % QUARTER_MS
  const first = (Math.floor((nowMs - pastQuarterMs) / QUARTER_MS) + 1) * QUARTER_MS + pastQuarterMs
  for (let quarter = 0; quarter < MOST_QUARTERS; quarter++) {
    const at = first + quarter * QUARTER_MS
    if (local.format(at) === time) return at
  }
  return null
}
