// The lines of the chart of a month's calls: added up so far, as it goes on, and what the plan includes. Pure.
import type { UsageAnswer } from '#cloud/control/usage-list.ts'
import { daysIn, startOf } from './money.ts'

const DAY_MS = 86_400_000

export interface UsageLines {
  /** The end of each day of the month, epoch ms. */
  times: number[]
  /** Added up to that day; null: it is still to come. */
  soFar: (number | null)[]
  /** From the last day that is known to the end; all null: nothing is projected. */
  projected: (number | null)[]
  /** Null: the plan has no limit. */
  included: number[] | null
  /** The last day that is known. */
  today: number
}

/** @param nowMs the relay's time as estimated by the page */
export function usageLines(
  { report, projection }: Pick<UsageAnswer, 'report' | 'projection'>,
  nowMs: number,
): UsageLines {
  const { month, days, included } = report
  const count = daysIn(month)
  const firstMs = startOf(month)
  const isOver = nowMs >= firstMs + count * DAY_MS
  const today = isOver ? count - 1 : Math.min(Math.max(0, Math.floor((nowMs - firstMs) / DAY_MS)), count - 1)
  const calls = new Map(days.map((day) => [Number(day.day.slice(8)), day.calls]))
  let sum = 0
  const soFar = Array.from({ length: count }, (_, day) => {
    if (day > today) return null
    sum += calls.get(day + 1) ?? 0
    return sum
  })
  const left = count - 1 - today
  const projected = soFar.map((_, day) => {
    if (projection === null || left <= 0 || day < today) return null
    return Math.round(sum + ((projection.calls - sum) * (day - today)) / left)
  })
  return {
    times: Array.from({ length: count }, (_, day) => firstMs + day * DAY_MS),
    soFar,
    projected,
    included: included === null ? null : soFar.map(() => included),
    today,
  }
}
