// Calendar months in UTC, written as `2026-11`.
import { fromIso, toIso } from '#shared/clock.ts'

/** The month that the instant lies in. */
export function monthOf(ms: number): string {
  return toIso(ms).slice(0, 7)
}

/** Epoch ms of the month's first instant and of the next month's. */
export function rangeOf(month: string): { fromMs: number; toMs: number } {
  return { fromMs: startOf(month), toMs: startOf(nextMonth(month)) }
}

export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** From `first` to `last`, both included; none when `first` is later. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last; month = nextMonth(month)) months.push(month)
  return months
}

function startOf(month: string): number {
  const ms = fromIso(`${month}-01T00:00:00.000Z`)
  if (ms === null) throw new Error(`${month} is not a month`)
  return ms
}
