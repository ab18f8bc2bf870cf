// When a screen may fetch the page of a newer program: at night, when nobody works with it. Pure.

/** Hours of the restaurant's clock in which no kitchen cooks. */
const FROM_HOUR = 3
const UNTIL_HOUR = 5
const UNTOUCHED_MS = 30 * 60_000

export interface PageUse {
  nowMs: number
  /** IANA zone of the restaurant. */
  timeZone: string
  /** Orders on the board. */
  open: number
  waitingTaps: number
  /** For how long nobody has touched the screen. */
  untouchedMs: number
  /** The box answers: there is a page to fetch. */
  isLive: boolean
}

/** A page that is fetched anew has lost its right to sound until somebody starts the shift: so never in service. */
export function mayFetchNewPage({ nowMs, timeZone, open, waitingTaps, untouchedMs, isLive }: PageUse): boolean {
  // Chrome 70 does not know hourCycle. Midnight is 24 or 0.
  const hour = Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hour12: false, timeZone }).format(nowMs)) % 24
  const isNight = hour >= FROM_HOUR && hour < UNTIL_HOUR
  return isLive && isNight && open === 0 && waitingTaps === 0 && untouchedMs >= UNTOUCHED_MS
}
