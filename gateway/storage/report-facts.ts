// What the manager's report counts of an order and of an attempt to print, by the day and hour of the restaurant. Pure; nothing of a guest.
import type { EpochMs } from '#shared/clock.ts'
import { type AgeThresholds, thresholdOf, thresholdsOf } from '#shared/kitchen-times.ts'
import { type KitchenOrder, ORDER_TYPES } from '#shared/order.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import { laterCourses } from '#shared/tickets/courses.ts'
import { fold } from '#shared/tickets/route.ts'
import { isTimeZone } from '#shared/ui/languages.ts'

/** Day of the restaurant's calendar, `2026-11-25`, and hour, 0 to 23. */
export interface LocalHour {
  day: string
  hour: number
}

/** An order as a whole, or the part of it that one station made. */
export interface MadeFact extends LocalHour {
  /** As the menu writes it, '' for lines without one; null: the whole order. */
  station: string | null
  /** One of ORDER_TYPES, `other` for any other word, '' if absent. */
  orderType: string
  /** From the time when it was due to ready; null: it was never marked as ready. */
  tookMs: number | null
  isLate: boolean
  isVoided: boolean
}

/** The clock of the report, and what is late if no time was promised. */
export interface Counting {
  hourOf: (ms: EpochMs) => LocalHour
  thresholds: AgeThresholds
}

export function countingOf({ timeZone, ownThresholds = {} }: Pick<SiteFacts, 'timeZone' | 'ownThresholds'>): Counting {
  return { hourOf: localHours(timeZone), thresholds: thresholdsOf(ownThresholds) }
}

export interface ReportedOrder {
  order: KitchenOrder
  notBeforeMs: EpochMs | null
  voidedAtMs: EpochMs | null
  readyAtMs: EpochMs | null
  stations: readonly { key: string; readyAtMs: EpochMs | null }[]
  courses: readonly { course: number; firedAtMs: EpochMs }[]
}

/** The whole order first, then its stations. A voided order counts only as voided. */
export function madeFacts(reported: ReportedOrder, { hourOf, thresholds }: Counting): MadeFact[] {
  const { order, notBeforeMs, voidedAtMs, readyAtMs } = reported
  const dueAtMs = Math.max(order.queuedAtMs, notBeforeMs ?? order.fireAtMs ?? 0)
  const at = { ...hourOf(dueAtMs), orderType: typeOf(order) }
  if (voidedAtMs !== null) return [{ ...at, station: null, tookMs: null, isLate: false, isVoided: true }]
  // The promised time decides; without one, the duration.
  const fact = (station: string | null, sinceMs: EpochMs, endMs: EpochMs | null): MadeFact => {
    const isMade = endMs !== null && endMs >= sinceMs
    const lateMs = thresholdOf(at.orderType, thresholds).lateMin * MINUTE_MS
    const isLate = isMade && (order.readyByMs === null ? endMs - sinceMs >= lateMs : endMs > order.readyByMs)
    return { ...at, station, tookMs: isMade ? endMs - sinceMs : null, isLate, isVoided: false }
  }
  return [
    fact(null, Math.max(dueAtMs, ...firesOf(reported, null)), readyAtMs),
    ...stationsOf(order).map(({ key, name }) => {
      const endMs = reported.stations.find((one) => one.key === key)?.readyAtMs ?? null
      return fact(name, Math.max(dueAtMs, ...firesOf(reported, key)), endMs)
    }),
  ]
}

/** When later courses were fired in which the station, or any station, has lines. */
function firesOf({ order, courses }: ReportedOrder, key: string | null): EpochMs[] {
  const later = laterCourses(order.items)
  const own = new Set(
    order.items.flatMap(({ course, station }) =>
      course !== undefined && later.includes(course) && (key === null || fold(station ?? '') === key) ? course : [],
    ),
  )
  return courses.flatMap(({ course, firedAtMs }) => (own.has(course) ? firedAtMs : []))
}

function stationsOf({ items }: KitchenOrder): { key: string; name: string }[] {
  const names = new Map<string, string>()
  for (const { station } of items) {
    const name = station?.trim() ?? ''
    if (!names.has(fold(name))) names.set(fold(name), name)
  }
  return [...names].map(([key, name]) => ({ key, name }))
}

/** An unknown word from outside must not create a row of its own for each order. */
function typeOf({ orderType }: KitchenOrder): string {
  if (orderType === undefined || orderType === '') return ''
  return (ORDER_TYPES as readonly string[]).includes(orderType) ? orderType : 'other'
}

const MINUTE_MS = 60_000
const QUARTER_MS = 900_000
const MOST_KNOWN = 2_000

/** Instants as the restaurant's clocks show them. All zones differ by whole quarters of an hour. An unknown zone counts as UTC. */
export function localHours(timeZone: string): (ms: EpochMs) => LocalHour {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: isTimeZone(timeZone) ? timeZone : 'UTC', hourCycle: 'h23', calendar: 'gregory' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
  })
  const known = new Map<number, LocalHour>()
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS)
    const found = known.get(quarter)
    if (found) return found
    if (known.size >= MOST_KNOWN) known.clear()
    const parts = new Map(format.formatToParts(quarter * QUARTER_MS).map(({ type, value }) => [type, value]))
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
    const day = `${part('year')}-${part('month')}-${part('day')}`
    const made = { day, hour: Number(part('hour')) }
    known.set(quarter, made)
    return made
  }
}
