// Times on paper: in the merchant's zone, 24 hours, with the date only if it is not the day of printing.

/** Creating a formatter takes longer than laying out a ticket, so there is a cache by zone. */
const FORMATS = new Map<string, Intl.DateTimeFormat | null>()
const MAX_FORMATS = 32
/**
 * Formatting is slow too, and the tickets of a minute print the same times, so the results are cached by zone. Zones differ by whole
 * minutes.
 */
const MINUTES = new WeakMap<Intl.DateTimeFormat, Map<number, Minute>>()
const MAX_MINUTES = 64
const MINUTE_MS = 60_000
const OPTIONS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
} as const

/** Formats times of one zone. An unknown zone is printed as UTC, marked as such. */
export class TicketTimes {
  readonly #format: Intl.DateTimeFormat
  readonly #suffix: string
  readonly #nowMs: number
  readonly #today: string

  constructor(timeZone: string, nowMs: number) {
    const local = formatIn(timeZone)
    this.#format = local ?? formatIn('UTC') ?? new Intl.DateTimeFormat('en-GB', OPTIONS)
    this.#suffix = local === null ? ' UTC' : ''
    this.#nowMs = nowMs
    this.#today = this.#parts(nowMs).date
  }

  /** `18:02`, or `20 Nov 18:02` if that is not the day of printing. */
  time(ms: number): string {
    const { date, hour, minute } = this.#parts(ms)
    const time = `${hour}:${minute}${this.#suffix}`
    return date === this.#today ? time : `${date} ${time}`
  }

  /** `21 Nov 2026 18:02`, for paper that people keep. */
  dateAndTime(ms: number): string {
    const { date, year, hour, minute } = this.#parts(ms)
    return `${date} ${year} ${hour}:${minute}${this.#suffix}`
  }

  /** `18:02:31`. */
  timeWithSeconds(ms: number = this.#nowMs): string {
    const { hour, minute, second } = this.#parts(ms)
    return `${hour}:${minute}:${second}${this.#suffix}`
  }

  #parts(ms: number): Minute & { second: string } {
    const at = Math.floor(ms / MINUTE_MS)
    const second = String(Math.floor((ms - at * MINUTE_MS) / 1_000)).padStart(2, '0')
    return { ...minuteOf(this.#format, at), second }
  }
}

interface Minute {
  date: string
  year: string
  hour: string
  minute: string
}

function minuteOf(format: Intl.DateTimeFormat, at: number): Minute {
  const known = MINUTES.get(format) ?? new Map<number, Minute>()
  MINUTES.set(format, known)
  const found = known.get(at)
  if (found) return found
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of format.formatToParts(at * MINUTE_MS)) part[type] = value
  const { day = '', month = '', year = '', hour = '', minute = '' } = part
  const parts = { date: `${day} ${month}`, year, hour, minute }
  if (known.size >= MAX_MINUTES) known.clear()
  known.set(at, parts)
  return parts
}

function formatIn(timeZone: string): Intl.DateTimeFormat | null {
  const known = FORMATS.get(timeZone)
  if (known !== undefined) return known
  const format = makeFormat(timeZone)
  if (FORMATS.size < MAX_FORMATS) FORMATS.set(timeZone, format)
  return format
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-GB', { ...OPTIONS, timeZone })
  } catch {
    return null
  }
}
