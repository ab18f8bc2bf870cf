// Amounts of the relay's own prices, which are in US dollars, and names of months.
import { fromIso, toIso } from '#shared/clock.ts'

const DAY_MS = 86_400_000

/** @param amount in dollars; null: `byContract` */
export function dollars(amount: number | null, lang: string, byContract: string): string {
  return amount === null
    ? byContract
    : new Intl.NumberFormat(lang, { style: 'currency', currency: 'USD' }).format(amount)
}

/** `2026-11` -> `November 2026` */
export function monthName(month: string, lang: string): string {
  return new Intl.DateTimeFormat(lang, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(startOf(month))
}

/** Epoch ms of its first instant, UTC; 0 for what is no month. */
export function startOf(month: string): number {
  return fromIso(`${month}-01T00:00:00.000Z`) ?? 0
}

export function daysIn(month: string): number {
  return Math.round((startOf(moved(month, 1)) - startOf(month)) / DAY_MS)
}

/** The month of this instant and the eleven before it, newest first. */
export function lastMonths(nowMs: number): string[] {
  const now = toIso(nowMs).slice(0, 7)
  return Array.from({ length: 12 }, (_, back) => moved(now, -back))
}

/** `2026-11`, 2 -> `2027-01` */
function moved(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const count = year * 12 + number - 1 + by
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`
}
