// The printer reports that fit into a status: the rest is left out, because a relay that cannot read a status gets no printer at all. Pure.
import { type PrinterReport, printerReport, STATUS_LIMITS } from '#shared/wire/gateway-link.ts'

export interface Fitting {
  printers: PrinterReport[]
  /** What was left out or shortened, in words for the log; empty: nothing. */
  cut: readonly string[]
}

export function fittingReports(reports: readonly PrinterReport[]): Fitting {
  const cut: string[] = []
  const printers = reports.slice(0, STATUS_LIMITS.printers).flatMap((report) => {
    if (printerReport.safeParse(report).success) return [report]
    const { name, stations, reasons } = report
    const shorter = {
      ...report,
      name: shortened(name),
      stations: [...new Set(stations.map(shortened))].slice(0, STATUS_LIMITS.stations),
      reasons: reasons.slice(0, STATUS_LIMITS.reasons),
    }
    const isReadable = printerReport.safeParse(shorter).success
    cut.push(isReadable ? `${shorter.name}: ${stations.length} stations, or a name too long` : `all of ${shorter.name}`)
    return isReadable ? [shorter] : []
  })
  const others = reports.length - STATUS_LIMITS.printers
  return { printers, cut: others > 0 ? [...cut, `${others} printers`] : cut }
}

/** Without half of a character at its end. */
function shortened(text: string): string {
  return text.slice(0, STATUS_LIMITS.characters).replace(/[\uD800-\uDBFF]$/, '')
}
