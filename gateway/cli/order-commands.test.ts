// The report at the command line says below its table what counts as late.
import { expect, it } from 'vitest'
import type { ReportAnswer } from '#gateway/control/report-answers.ts'
import { reportText } from './order-commands.ts'

const row = { key: '18', orders: 3, timed: 2, p50Ms: 301_000, p90Ms: 612_340, late: 1, voided: 1 }
const REPORT: ReportAnswer = {
  ...{ from: '2026-11-01', to: '2026-11-30', by: 'hour', timeZone: 'UTC', today: '2026-11-30', knownFrom: null },
  thresholds: { usual: { soonMin: 6, lateMin: 12 }, delivery: { soonMin: 8, lateMin: 15 } },
  ...{ total: row, rows: [row], printers: [] },
}

it('shows the minutes that it counted by, and which of them are overrides', () => {
  expect(reportText(REPORT).split('\n').at(-1)).toBe(
    'Late: after the promised time, or without one after 12 minutes, delivery 15, as the box is set now.',
  )
})

it('omits them without orders, and in the report of printers', () => {
  expect(reportText({ ...REPORT, total: { ...row, orders: 0 }, rows: [] })).not.toContain('Late:')
  expect(reportText({ ...REPORT, by: 'printer' })).not.toContain('Late:')
})
