// Days of the restaurant's calendar for the report: today, yesterday, the last week; and how its rows are called. Pure.

import { type EpochMs, fromIso, toIso } from '#shared/clock.ts'
import { dayClock } from '#shared/ui/day-clock.ts'
import { isTimeZone } from '#shared/ui/languages.ts'

export const PERIODS = ['today', 'yesterday', 'week', 'month', 'year', 'own'] as const
export type Period = (typeof PERIODS)[number]

export interface Days {
  from: string
  to: string
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** The first Monday of the epoch. */
const A_MONDAY_MS = 4 * DAY_MS
const BACK: Readonly<Record<Exclude<Period, 'own'>, [from: number, to: number]>> = {
  today: [0, 0],
  yesterday: [1, 1],
  week: [6, 0],
  month: [29, 0],
  year: [364, 0],
}

/** `2026-11-25`. An unknown zone counts as the browser's. */
export function dayOf(ms: EpochMs, timeZone: string): string {
  const zone = isTimeZone(timeZone) ? { timeZone } : {}
  const format = new Intl.DateTimeFormat('en-US', { ...zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

/** @param own what a person chose, for the period `own` */
export function daysOf(period: Period, today: string, own: Days): Days {
  if (period === 'own') return own
  const [from, to] = BACK[period]
  return { from: dayBefore(today, from), to: dayBefore(today, to) }
}

function dayBefore(day: string, days: number): string {
  return toIso(startOf(day) - days * DAY_MS).slice(0, 10)
}

function startOf(day: string): EpochMs {
  return fromIso(`${day}T00:00:00Z`) ?? 0
}

/** `Wed, Nov 25, 2026`. */
export function dayWords(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...{ timeZone: 'UTC', weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
  }).format(startOf(day))
}

/** 1 is Monday. */
export function weekdayWords(weekday: number, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'long' })
  return format.format(A_MONDAY_MS + (weekday - 1) * DAY_MS)
}

/** `08:00`. */
export function hourWords(hour: number, locale: string): string {
  return dayClock(locale, { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' }).format(hour * HOUR_MS)
}

/** `5:07`, as clocks in kitchens count; hours too where there are any: `1:02:07`. */
export function minutesWords(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  const two = (n: number): string => String(n).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const tail = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`
}

/** `9%`, as the language writes it. @param share 0 to 1 */
export function percentWords(share: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share)
}
