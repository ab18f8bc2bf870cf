// Times on paper: in the merchant's zone, 24 hours, with the date only when it is not the day of printing.

/** The zone is read once per ticket. An unknown zone prints UTC, and says so. */
export class TicketTimes {
  readonly #format: Intl.DateTimeFormat
  readonly #suffix: string
  readonly #nowMs: number
  readonly #today: string

  constructor(timeZone: string, nowMs: number) {
    const options = {
      hourCycle: 'h23',
      month: 'short',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    } as const
    const local = formatIn(timeZone, options)
    this.#format = local ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
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

  /** `18:02:31`. */
  timeWithSeconds(ms: number = this.#nowMs): string {
    const { hour, minute, second } = this.#parts(ms)
    return `${hour}:${minute}:${second}${this.#suffix}`
  }

  #parts(ms: number): { date: string; hour: string; minute: string; second: string } {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
    for (const { type, value } of this.#format.formatToParts(ms)) part[type] = value
    const { day = '', month = '', hour = '', minute = '', second = '' } = part
    return { date: `${day} ${month}`, hour, minute, second }
  }
}

function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  } catch {
    return null
  }
}
