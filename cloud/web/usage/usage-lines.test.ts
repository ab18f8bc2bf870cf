// The lines of a month's chart, from the days that had calls.
import { expect, test } from 'vitest'
import type { UsageAnswer } from '#cloud/control/usage-list.ts'
import { daysIn, lastMonths } from './money.ts'
import { usageLines } from './usage-lines.ts'

const month = (days: Record<string, number>, more: { included?: number | null; projected?: number } = {}) =>
  ({
    report: {
      month: '2026-11',
      included: more.included ?? null,
      days: Object.entries(days).map(([day, calls]) => ({ day: `2026-11-${day}`, calls })),
    },
    projection: more.projected === undefined ? null : { calls: more.projected, overageAmount: 0 },
  }) as unknown as Pick<UsageAnswer, 'report' | 'projection'>

test('calls are added up to today, and continue from there to the projection', () => {
  const lines = usageLines(month({ '03': 10, '09': 20 }, { projected: 90, included: 50 }), Date.UTC(2026, 10, 10, 12))
  expect(lines.soFar.slice(0, 11)).toEqual([0, 0, 10, 10, 10, 10, 10, 10, 30, 30, null])
  expect(lines.projected.slice(8, 12)).toEqual([null, 30, 33, 36])
  expect([lines.projected.at(-1), lines.soFar.at(-1), lines.today]).toEqual([90, null, 9])
  expect(lines.included).toEqual(Array.from({ length: 30 }, () => 50))
})

test('a month that is over is drawn to its end, without a projection', () => {
  const lines = usageLines(month({ '30': 5 }), Date.UTC(2027, 0, 3))
  expect([lines.soFar.length, lines.soFar.at(-1), lines.today]).toEqual([30, 5, 29])
  expect(lines.projected.every((value) => value === null)).toBe(true)
})

test('on the last day nothing is left to project', () => {
  const lines = usageLines(month({ '30': 5 }, { projected: 6 }), Date.UTC(2026, 10, 30, 12))
  expect(lines.projected.every((value) => value === null)).toBe(true)
})

test('twelve months end with this one, and February is short', () => {
  const months = lastMonths(Date.UTC(2027, 1, 28))
  expect([months[0], months.at(-1), months.length]).toEqual(['2027-02', '2026-03', 12])
  expect([daysIn('2027-02'), daysIn('2028-02')]).toEqual([28, 29])
})
