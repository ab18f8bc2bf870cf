// The manager's report: times of orders and what printers printed, from the box's own history.
import { fromIso } from '#shared/clock.ts'
import type { ControlContext } from './context.ts'
import type { Asking, ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { ReportQuery } from './kitchen-report.ts'
import type { LookingLine } from './looking-line.ts'
import type { ReportAnswer } from './report-answers.ts'

const DAY_MS = 86_400_000
/** So long the box keeps it. */
const MOST_DAYS = 400

export function reportOperations(
  { report }: ControlContext,
  line: LookingLine,
): Pick<ControlHandlers, 'report.get' | 'report.csv'> {
  const made = (query: ReportQuery, asking?: Asking) => line.take(() => report.report(query), asking?.signal)
  return {
    'report.get': async (query, asking) => await made(checked(query), asking),
    'report.csv': async (query, asking) => {
      const { by, from, to } = query
      const text = reportCsv(await made(checked(query), asking))
      return { fileName: `report-by-${by}-${from}-to-${to}.csv`, mediaType: 'text/csv;charset=utf-8', text }
    },
  }
}

/** @throws ControlRefusal */
function checked(query: ReportQuery): ReportQuery {
  const days = ((fromIso(query.to) ?? 0) - (fromIso(query.from) ?? 0)) / DAY_MS + 1
  if (days >= 1 && days <= MOST_DAYS) return query
  const message = days < 1 ? 'must not be before from' : `must be at most ${MOST_DAYS} days after from`
  throw new ControlRefusal('invalid', `to: ${message}`, {
    errors: [{ field: 'to', message }],
    said: { key: 'report.days' },
  })
}

// The manager's report as a CSV file: RFC 4180, UTF-8 with its mark, so that spreadsheets read names right and take none of them for a formula. Pure.
const SECOND_MS = 1_000
/** A spreadsheet takes a cell that begins so for a formula; some take the full-width signs for the others. */
const FORMULA = /^[\s\u200b-\u200f\ufeff]*[=+\-@＝＋－＠]|^[\t\r\n]/u
/** Where a spreadsheet may end a cell: in some countries at a semicolon, whatever the file uses. */
const SEPARATORS = /[",;\t\r\n]/
const BYTE_ORDER_MARK = '\ufeff'

type Cell = string | number | null

export function reportCsv({ by, rows, printers }: ReportAnswer): string {
  const lines: Cell[][] =
    by === 'printer'
      ? [
          ['printer', 'tickets', 'copies', 'doubts', 'failed', 'half_to_paper_s', 'nine_of_ten_to_paper_s'],
          ...printers.map(({ name, printed, copies, doubts, failed, p50Ms, p90Ms }) => [
            ...[name, printed, copies, doubts, failed],
            ...[seconds(p50Ms), seconds(p90Ms)],
          ]),
        ]
      : [
          [by, 'orders', 'timed', 'half_s', 'nine_of_ten_s', 'late', 'late_percent', 'called_off'],
          ...rows.map(({ key, orders, timed, p50Ms, p90Ms, late, voided }) => [
            ...[key, orders, timed, seconds(p50Ms), seconds(p90Ms)],
            ...[late, timed === 0 ? null : Math.round((1_000 * late) / timed) / 10, voided],
          ]),
        ]
  return BYTE_ORDER_MARK + lines.map((line) => `${line.map(cellText).join(',')}\r\n`).join('')
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / (SECOND_MS / 10)) / 10
}

/** Numbers are ours; texts come from outside. */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return SEPARATORS.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
