// The manager's report: times of orders and what printers printed, from the box's own history.
import { fromIso } from '#shared/clock.ts'
import type { ControlContext } from './context.ts'
import type { Asking, ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { ReportQuery } from './kitchen-report.ts'
import type { LookingLine } from './looking-line.ts'
import { reportCsv } from './report-csv.ts'

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
