// The rows of the manager's report: figures, each with its bar. Bars show nothing that the figures do not.
import type { ReactNode } from 'react'
import type { PrinterReportRow, ReportAnswer, ReportRow } from '#gateway/control/report-answers.ts'
import { type Speech, useSpeech } from '#gateway/web/admin/i18n.tsx'
import { languageFacts } from '#shared/languages.ts'
import { orderTypeWords } from './order-words.ts'
import { dayWords, hourWords, minutesWords, percentWords, weekdayWords } from './report-days.ts'

const FULL = 100

export function OrderReportTable({ report }: { report: ReportAnswer }) {
  const speech = useSpeech()
  const { t, formats } = speech
  const { by, rows } = report
  const most = Math.max(1, ...rows.map(({ orders }) => orders))
  const longest = Math.max(1, ...rows.map(({ p90Ms }) => p90Ms ?? 0))
  return (
    <Table
      label={t.report.groups[by]}
      columns={[t.report.orders, t.report.half, t.report.most, t.report.late, t.report.voided]}
    >
      {rows.map((row) => (
        <tr key={row.key}>
          <th scope="row">
            <bdi>{rowName(row, report, speech)}</bdi>
          </th>
          <td>
            {formats.number(row.orders)}
            <Bar share={row.orders / most} />
          </td>
          <Time ms={row.p50Ms} longest={longest} />
          <Time ms={row.p90Ms} longest={longest} />
          <td>
            <Late row={row} />
          </td>
          <td>{formats.number(row.voided)}</td>
        </tr>
      ))}
    </Table>
  )
}

function Time({ ms, longest }: { ms: number | null; longest: number }) {
  return (
    <td>
      {ms === null ? '–' : minutesWords(ms)}
      {ms !== null && <Bar share={ms / longest} />}
    </td>
  )
}

function Late({ row: { late, timed } }: { row: ReportRow }) {
  const { language } = useSpeech()
  if (timed === 0) return '–'
  return (
    <>
      {percentWords(late / timed, languageFacts(language).locale)}
      <Bar share={late / timed} name="late" />
    </>
  )
}

export function PrinterReportTable({ printers }: { printers: readonly PrinterReportRow[] }) {
  const { t, formats } = useSpeech()
  const words = t.report
  const most = Math.max(1, ...printers.map(({ printed }) => printed))
  return (
    <Table
      label={words.groups.printer}
      columns={[words.tickets, words.copies, words.doubts, words.failed, words.half, words.most]}
    >
      {printers.map(({ printerId, name, printed, copies, doubts, failed, p50Ms, p90Ms }) => (
        <tr key={printerId}>
          <th scope="row">
            <bdi>{name}</bdi>
          </th>
          <td>
            {formats.number(printed)}
            <Bar share={printed / most} />
          </td>
          <td>{formats.number(copies)}</td>
          <td>{formats.number(doubts)}</td>
          <td>{formats.number(failed)}</td>
          <td>{p50Ms === null ? '–' : formats.duration(p50Ms)}</td>
          <td>{p90Ms === null ? '–' : formats.duration(p90Ms)}</td>
        </tr>
      ))}
    </Table>
  )
}

/** @param label of the table and of its first column */
function Table({ label, columns, children }: { label: string; columns: readonly string[]; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways on a phone is reached by the keyboard
    <section className="report-table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {[label, ...columns].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

function Bar({ share, name }: { share: number; name?: string }) {
  return (
    <svg viewBox={`0 0 ${FULL} 4`} preserveAspectRatio="none" aria-hidden="true">
      <rect className={name} width={Math.round(FULL * Math.min(1, Math.max(0, share)))} height="4" />
    </svg>
  )
}

function rowName({ key }: ReportRow, { by }: ReportAnswer, { t, language }: Speech): string {
  const { locale } = languageFacts(language)
  switch (by) {
    case 'day':
      return dayWords(key, locale)
    case 'hour':
      return hourWords(Number(key), locale)
    case 'weekday':
      return weekdayWords(Number(key), locale)
    case 'type':
      return key === '' ? t.report.noType : orderTypeWords(key, t)
    default:
      return key === '' ? t.report.noStation : key
  }
}
