// Opening hours of a profile in the restaurant's time zone: whether it is open, and what a caller who asks hears.
import { fromIso } from '#shared/clock.ts'
import { type ReceptionistProfile, type SpokenLanguage, WEEKDAYS } from './profile.ts'
import { plain, type SpokenWords } from './words/spoken-words.ts'
import { wordsIn } from './words/words-in.ts'

type Span = Readonly<ReceptionistProfile['hours']['monday'][number]>
type Weekday = (typeof WEEKDAYS)[number]

/** A moment on the restaurant's clock. */
interface Local {
  /** Days since 1970-01-01 of its calendar. */
  day: number
  /** Since midnight. */
  minutes: number
}

export interface HoursAt {
  profile: Pick<ReceptionistProfile, 'hours' | 'holidays'>
  timeZone: string
  nowMs: number
}

const DAY_MS = 86_400_000
/** How far ahead an opening is looked for. */
const DAYS_AHEAD = 62

/** Without hours of the week it is always open, except on a day that differs. */
export function isOpen(at: HoursAt): boolean {
  return spansOf(at.profile, localOf(at).day) === null || spanNow(at) !== null
}

/** Whether it is open now, and until when or from when on. Empty: nothing was set. */
export function hoursNow(at: HoursAt, language: SpokenLanguage): string {
  const words = wordsIn(language)
  if (spansOf(at.profile, localOf(at).day) === null) return ''
  const span = spanNow(at)
  if (span !== null) return words.isOpen(words.time(span.to))
  const next = nextOpening(at)
  return words.isClosed(
    next && { day: dayName(words, { day: next.day, today: localOf(at).day }), at: words.time(next.from) },
  )
}

/** The answer to a question about the hours; null: it asks for something else, or nothing was set. */
export function hoursAnswer(question: string, at: HoursAt, language: SpokenLanguage): string | null {
  const words = wordsIn(language)
  const { means, weekdays } = words
  const text = plain(question)
  const { profile } = at
  if (!means.hours.test(text)) return null
  const today = localOf(at).day
  const named = holidayIn(text, { words, holidays: profile.holidays, today })
  if (named !== null) return ofDay(words, { profile, day: dayOf(named.day), name: words.onHoliday(named.name) })
  const asked = WEEKDAYS.filter((day) => new RegExp(`\\b${plain(weekdays[day])}s?\\b`).test(text))
  if (asked.length > 0)
    return ofDays(
      words,
      profile,
      asked.map((name) => nextDay(words, name, today)),
    )
  if (means.tomorrow.test(text)) return ofDay(words, { profile, day: today + 1, name: words.tomorrow })
  if (spansOf(profile, today) === null) return null
  if (means.today.test(text) || profile.holidays.some(({ day }) => dayOf(day) === today))
    return `${hoursNow(at, language)} ${ofDay(words, { profile, day: today, name: words.today })}`
  return `${hoursNow(at, language)} ${wholeWeek(words, profile)}`
}

/** The next day with a name that was said whole: of `Christmas` and `Christmas Eve` the longer one. Null: none, or it is over. */
function holidayIn(
  text: string,
  { words, holidays, today }: { words: SpokenWords; holidays: HoursAt['profile']['holidays']; today: number },
): HoursAt['profile']['holidays'][number] | null {
  const said = holidays.filter(({ day, name }) => {
    const parts = plain(name).split(' ')
    // `May` and a name of signs alone say nothing of a day.
    const isName = parts.some((part) => part !== '' && !words.stopWords.has(part))
    return isName && dayOf(day) >= today && ` ${text} `.includes(` ${parts.join(' ')} `)
  })
  const [best] = said.toSorted(
    (one, other) => plain(other.name).length - plain(one.name).length || one.day.localeCompare(other.day),
  )
  return best ?? null
}

function ofDays(
  words: SpokenWords,
  profile: HoursAt['profile'],
  days: readonly { day: number; name: string }[],
): string | null {
  const parts = days.flatMap((one) => ofDay(words, { profile, ...one }) ?? [])
  return parts.length === 0 ? null : parts.join(' ')
}

function nextDay(words: SpokenWords, name: Weekday, today: number): { day: number; name: string } {
  const ahead = (WEEKDAYS.indexOf(name) - weekdayOf(today) + 7) % 7
  return { day: today + ahead, name: ahead === 0 ? words.today : words.on(words.weekdays[name]) }
}

/** Null: nothing was set of this day. */
function ofDay(
  words: SpokenWords,
  { profile, day, name }: { profile: HoursAt['profile']; day: number; name: string },
): string | null {
  const spans = spansOf(profile, day)
  if (spans === null) return null
  return spans.length === 0 ? words.closedOn(name) : words.openOn(name, spoken(words, spans))
}

function spoken(words: SpokenWords, spans: readonly Span[]): string {
  return spans.map(({ from, to }) => words.span(words.time(from), words.time(to))).join(` ${words.and} `)
}

/** Days that follow each other with the same hours are said together. Days without hours are left out. */
function wholeWeek(words: SpokenWords, { hours }: HoursAt['profile']): string {
  const groups: { first: Weekday; last: Weekday; text: string }[] = []
  for (const day of WEEKDAYS) {
    const text = spoken(words, hours[day])
    const before = groups.at(-1)
    if (before?.text === text) before.last = day
    else groups.push({ first: day, last: day, text })
  }
  const parts = groups
    .filter(({ text }) => text !== '')
    .map(({ first, last, text }) => {
      const { [first]: from, [last]: to } = words.weekdays
      return `${first === last ? words.on(from) : words.through(from, to)} ${text}`
    })
  return parts.length === 0 ? '' : words.week(parts.join(', '))
}

/** The span that is running; one may have begun the day before. */
function spanNow(at: HoursAt): Span | null {
  const { day, minutes } = localOf(at)
  const runs = ({ from, to }: Span): boolean =>
    minutes >= minutesOf(from) && (isOverMidnight({ from, to }) || minutes < minutesOf(to))
  const ranOn = (span: Span): boolean => isOverMidnight(span) && minutes < minutesOf(span.to)
  return spansOf(at.profile, day)?.find(runs) ?? spansOf(at.profile, day - 1)?.find(ranOn) ?? null
}

function nextOpening(at: HoursAt): { day: number; from: string } | null {
  const { day: today, minutes } = localOf(at)
  for (let day = today; day <= today + DAYS_AHEAD; day++) {
    const spans = spansOf(at.profile, day)
    if (spans === null) return null
    const [first] = spans
      .map(({ from }) => from)
      .filter((from) => day > today || minutesOf(from) > minutes)
      .toSorted()
    if (first !== undefined) return { day, from: first }
  }
  return null
}

function dayName(words: SpokenWords, { day, today }: { day: number; today: number }): string {
  if (day === today) return words.today
  if (day === today + 1) return words.tomorrow
  const weekday = words.weekdays[WEEKDAYS[weekdayOf(day)] ?? 'monday']
  // "On Tuesday" would be the next one.
  return words.on(day < today + 7 ? weekday : `${weekday}, ${dateOf(words, day)}`)
}

/** `December 15`. */
function dateOf({ tag }: SpokenWords, day: number): string {
  return new Intl.DateTimeFormat(tag, { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(day * DAY_MS)
}

/** Null: nothing was set of this day, so that it is open. */
function spansOf({ hours, holidays }: HoursAt['profile'], day: number): readonly Span[] | null {
  const holiday = holidays.find((one) => dayOf(one.day) === day)
  if (holiday !== undefined) return holiday.open
  const hasWeek = WEEKDAYS.some((name) => hours[name].length > 0)
  return hasWeek ? hours[WEEKDAYS[weekdayOf(day)] ?? 'monday'] : null
}

const isOverMidnight = ({ from, to }: Span): boolean => minutesOf(to) <= minutesOf(from)

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** `2026-12-24` as days since 1970. */
function dayOf(date: string): number {
  return Math.floor((fromIso(`${date}T00:00:00Z`) ?? 0) / DAY_MS)
}

/** 0 is Monday; 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return (day + 3) % 7
}

const formats = new Map<string, Intl.DateTimeFormat>()

function localOf({ timeZone, nowMs }: Pick<HoursAt, 'timeZone' | 'nowMs'>): Local {
  let format = formats.get(timeZone)
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone, ...parts, hourCycle: 'h23' })
    formats.set(timeZone, format)
  }
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]))
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  return {
    day: dayOf(`${of('year')}-${of('month')}-${of('day')}`),
    minutes: Number(of('hour')) * 60 + Number(of('minute')),
  }
}
