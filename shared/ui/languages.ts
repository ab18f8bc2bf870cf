// How each language of the pages writes numbers, dates and plurals. Uses Intl, no library.
import { fromIso } from '#shared/clock.ts'
import { type LanguageId, languageFacts } from '#shared/languages.ts'
import { type DayClock, dayClock } from './day-clock.ts'
import { isolated } from './isolation.ts'

/** `{ one: '# ticket', other: '# tickets' }`. `#` is replaced by the number as the language writes it. */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** Selects the plural form for a number. */
export function pluralOf(language: LanguageId): (count: number, forms: PluralForms) => string {
  const { locale } = languageFacts(language)
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count))
}

/** Instants are ISO 8601 or epoch milliseconds. An invalid one is shown as a dash. */
export interface Formats {
  /** Text of others, made safe inside a sentence of this language (isolation.ts). */
  text(text: string): string
  number(value: number): string
  bytes(value: number): string
  /** Hours, minutes, seconds. */
  time(instant: string | number): string
  /** With milliseconds. */
  exactTime(instant: string | number): string
  dateTime(instant: string | number): string
  /** The date without the time. */
  date(instant: string | number): string
  /** `3 hours ago`, for past events. Never `in 1 second`, even if two clocks differ or a page updates slowly. */
  ago(instant: string | number, nowMs: number): string
  /** A technical duration: `12 ms`, `3.4 s`, `5 min`. */
  duration(ms: number): string
  /** A duration for people, without a fraction and in the language's own letters: `40 sec`, `2 min`, `3 days`. */
  span(ms: number): string
  /** Joins names or words as the language does. Each is made safe inside a sentence. */
  list(texts: readonly string[]): string
  /** The same, joined by arrows in the reading direction. */
  chain(texts: readonly string[]): string
}

const NO_INSTANT = '–'
const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

export function formatsFor(language: LanguageId, timeZone?: string): Formats {
  const { locale, direction, byte = 'B' } = languageFacts(language)
  const zone = isTimeZone(timeZone) ? { timeZone } : {}
  const dates = (options: Intl.DateTimeFormatOptions) => dayClock(locale, { ...options, ...zone })
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const time = dates(clock)
  const exact = dates({ ...clock, fractionalSecondDigits: 3 })
  const dateTime = dates({ dateStyle: 'medium', timeStyle: 'short' } as Intl.DateTimeFormatOptions)
  const date = dates({ dateStyle: 'medium' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const plain = new Intl.NumberFormat(locale)
  const listing = new Intl.ListFormat(locale, { type: 'conjunction' })
  const apart = (texts: readonly string[]) => texts.map((text) => isolated(text, direction === 'rtl'))
  // Cached: creating one takes longer than drawing the rest of a list row.
  const wholes = new Map<string, Intl.NumberFormat>()
  const whole = (value: number, unit: 'second' | 'minute' | 'hour' | 'day') => {
    const format =
      wholes.get(unit) ??
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 })
    wholes.set(unit, format)
    return format.format(value)
  }
  const one = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  /** Units are Latin letters: a number precedes its unit also in right-to-left languages. */
  const withUnit = (number: string, unit: string) =>
    direction === 'rtl' ? `\u2066${number} ${unit}\u2069` : `${number} ${unit}`
  const show = (format: DayClock, instant: string | number): string => {
    const ms = epochMsOf(instant)
    return ms === null ? NO_INSTANT : format.format(ms)
  }
  return {
    text: (text) => isolated(text, direction === 'rtl'),
    number: (value) => plain.format(value),
    bytes(value) {
      if (value >= 1e9) return withUnit(one.format(value / 1e9), `G${byte}`)
      return value >= 1e6
        ? withUnit(one.format(value / 1e6), `M${byte}`)
        : withUnit(one.format(value / 1e3), `k${byte}`)
    },
    time: (instant) => show(time, instant),
    exactTime: (instant) => show(exact, instant),
    dateTime: (instant) => show(dateTime, instant),
    date: (instant) => show(date, instant),
    ago(instant, nowMs) {
      const ms = epochMsOf(instant)
      if (ms === null) return NO_INSTANT
      const size = Math.max(0, nowMs - ms)
      if (size < 90 * SECOND) return relative.format(-Math.round(size / SECOND), 'second')
      if (size < 90 * MINUTE) return relative.format(-Math.round(size / MINUTE), 'minute')
      if (size < 36 * HOUR) return relative.format(-Math.round(size / HOUR), 'hour')
      return relative.format(-Math.round(size / DAY), 'day')
    },
    duration(ms) {
      if (ms < SECOND) return withUnit(plain.format(Math.round(ms)), 'ms')
      if (ms < 2 * MINUTE) return withUnit(one.format(ms / SECOND), 's')
      return ms < 2 * HOUR ? withUnit(one.format(ms / MINUTE), 'min') : withUnit(one.format(ms / HOUR), 'h')
    },
    span(ms) {
      if (ms < 2 * MINUTE) return whole(ms / SECOND, 'second')
      if (ms < 2 * HOUR) return whole(ms / MINUTE, 'minute')
      return ms < 2 * DAY ? whole(ms / HOUR, 'hour') : whole(ms / DAY, 'day')
    },
    list: (texts) => listing.format(apart(texts)),
    chain: (texts) => apart(texts).join(direction === 'rtl' ? ' ← ' : ' → '),
  }
}

/** Null for an invalid instant, and for the epoch itself, which stands for "never". */
export function epochMsOf(instant: string | number): number | null {
  const ms = typeof instant === 'number' ? instant : fromIso(instant)
  return ms !== null && Number.isFinite(ms) && ms !== 0 ? ms : null
}

/** Returns whether Intl supports the zone, which throws otherwise. */
export function isTimeZone(zone: string | undefined): zone is string {
  if (zone === undefined || zone === '') return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
