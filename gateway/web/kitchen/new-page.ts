// When a display may reload itself for a newer version: at night, when nobody uses it. Pure.

/** Hours of the restaurant's clock in which kitchens are closed. */
const FROM_HOUR = 3
const UNTIL_HOUR = 5
const UNTOUCHED_MS = 30 * 60_000

export interface PageUse {
  nowMs: number
  /** IANA time zone of the restaurant. */
  timeZone: string
  /** Number of orders on the board. */
  open: number
  waitingTaps: number
  /** Time since the last touch. */
  untouchedMs: number
  /** True if the gateway answers, so that there is a page to load. */
  isLive: boolean
}

/** A reloaded page may not play sounds until somebody starts the shift, so it never reloads during service. */
export function mayFetchNewPage({ nowMs, timeZone, open, waitingTaps, untouchedMs, isLive }: PageUse): boolean {
  // Chrome 70 does not support hourCycle. Midnight is 24 or 0.
  const hour = Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hour12: false, timeZone }).format(nowMs)) % 24
  const isNight = hour >= FROM_HOUR && hour < UNTIL_HOUR
  return isLive && isNight && open === 0 && waitingTaps === 0 && untouchedMs >= UNTOUCHED_MS
}
