// The report as a spreadsheet reads it: no cell becomes a formula, no comma a column.
import { describe, expect, it } from 'vitest'
import type { ReportAnswer } from './report-answers.ts'
import { reportCsv } from './report-operations.ts'

const TOTAL = { key: '', orders: 3, timed: 2, p50Ms: 301_000, p90Ms: 612_340, late: 1, voided: 1 }
const REPORT: ReportAnswer = {
  ...{ from: '2026-11-01', to: '2026-11-30', by: 'station', timeZone: 'UTC', today: '2026-11-30', knownFrom: null },
  thresholds: { usual: { soonMin: 5, lateMin: 10 } },
  ...{ total: TOTAL, rows: [], printers: [] },
}

/** Without the mark at the beginning. */
const linesOf = (report: ReportAnswer): string[] => reportCsv(report).slice(1).split('\r\n')

describe('a report as CSV', () => {
  it('starts with the byte order mark that marks UTF-8 for spreadsheets, and ends each line as RFC 4180 requires', () => {
    const text = reportCsv({ ...REPORT, rows: [{ ...TOTAL, key: 'Plancha ñ' }] })
    expect(text).toBe(
      '\ufeffstation,orders,timed,half_s,nine_of_ten_s,late,late_percent,called_off\r\nPlancha ñ,3,2,301,612.3,1,50,1\r\n',
    )
  })

  it.each([
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', `"'\t=1"`],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    [' =1', "' =1"],
    ["x;=cmd|' /C calc'!A0;", `"x;=cmd|' /C calc'!A0;"`],
    ['a\tb', '"a\tb"'],
    ['a - b', 'a - b'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
  ])('keeps %j as text', (key, cell) => {
    expect(linesOf({ ...REPORT, rows: [{ ...TOTAL, key }] })[1]).toBe(`${cell},3,2,301,612.3,1,50,1`)
  })

  it('leaves empty what is not known', () => {
    const row = { ...TOTAL, key: 'bar', timed: 0, p50Ms: null, p90Ms: null, late: 0 }
    expect(linesOf({ ...REPORT, rows: [row] })[1]).toBe('bar,3,0,,,0,,1')
  })

  it('names printers by their names', () => {
    const counts = { printed: 12, copies: 1, doubts: 2, failed: 0, p50Ms: 800, p90Ms: null }
    const report: ReportAnswer = { ...REPORT, by: 'printer', printers: [{ printerId: 'p', name: '=Grill', ...counts }] }
    expect(linesOf(report)).toEqual([
      'printer,tickets,copies,doubts,failed,half_to_paper_s,nine_of_ten_to_paper_s',
      "'=Grill,12,1,2,0,0.8,",
      '',
    ])
  })
})
