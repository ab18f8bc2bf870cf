// Times on paper: in the merchant's zone, 24 hours, with the date only when it is not the day of printing.

/** Making a formatter takes longer than laying out a ticket, and a kitchen has one zone: each zone's is kept. */
const FORMATS = new Map<string, Intl.DateTimeFormat | null>()
const MAX_FORMATS = 32
const OPTIONS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const

/** An unknown zone prints UTC, and says so. */
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

  /** `18:02`, or `20 Nov 18:02` when that is not the day of printing. */
  time(ms: number): string {
    const { date, hour, minute } = this.#parts(ms)
    const time = `${hour}:${minute}${this.#suffix}`
    return date === this.#today ? time : `${date} ${time}`
  }

  /** `21 Nov 2026 18:02`: for paper that people keep. */
  dateAndTime(ms: number): string {
    const { date, year, hour, minute } = this.#parts(ms)
    return `${date} ${year} ${hour}:${minute}${this.#suffix}`
  }

  /** `18:02:31`. */
  timeWithSeconds(ms: number = this.#nowMs): string {
    const { hour, minute, second } = this.#parts(ms)
    return `${hour}:${minute}:${second}${this.#suffix}`
  }

  #parts(ms: number): { date: string; year: string; hour: string; minute: string; second: string } {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
    for (const { type, value } of this.#format.formatToParts(ms)) part[type] = value
    const { day = '', month = '', year = '', hour = '', minute = '', second = '' } = part
    return { date: `${day} ${month}`, year, hour, minute, second }
  }
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
