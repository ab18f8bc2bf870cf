// Which work sends paper to a printer: its stations, the remaining lines, rules, receipts and labels, or only the failure of another printer. Pure.
import { defaultOf, fold, kitchenRoutes, PAPER_STATION, prints, type Route, serves } from './route.ts'
import type { RoutingRule } from './routing-rules.ts'
import { printersOf } from './station-printers.ts'

/**
 * `stations`: its own stations. `rest`: lines that no other printer serves. `rules`: routing rules only. `papers`: receipts or labels only.
 * `backup`: only while another printer cannot print. `passed-over`: printers before it get all of its stations. `nothing`: nothing sends it
 * paper.
 */
export type PrinterWork = 'stations' | 'rest' | 'rules' | 'papers' | 'backup' | 'passed-over' | 'nothing'

interface Known {
  /** The default printer first. */
  printers: readonly Route[]
  /** Displays on which cooks work. */
  displays: readonly { backupPrinterId?: string | null }[]
  rules: readonly RoutingRule[]
}

/** @param printerId one of the printers; an unknown id gives `nothing` */
export function printerWork(printerId: string, { printers, displays, rules }: Known): PrinterWork {
  const printer = printers.find((one) => one.printerId === printerId)
  if (printer === undefined) return 'nothing'
  const routes = kitchenRoutes(printers)
  const cooks = printer.stations.filter(isOfCooks)
  const gets = (station: string): boolean =>
    routes.find((one) => serves(one, station)) === printer && printersOf(station, { printers, rules }).includes(printer)
  if (cooks.some(gets)) return 'stations'
  if (defaultOf(routes) === printer) return 'rest'
  if (rules.some(({ print }) => print.printerIds.includes(printerId))) return 'rules'
  const hasPapers = printer.settings?.papers.some((paper) => paper !== 'kitchen') ?? false
  if (hasPapers || cooks.length < printer.stations.length) return 'papers'
  if (cooks.length > 0 && prints(printer, 'kitchen')) return 'passed-over'
  const isBackup = printers.some((other) => other !== printer && other.settings?.backupPrinterId === printerId)
  return isBackup || displays.some(({ backupPrinterId }) => backupPrinterId === printerId) ? 'backup' : 'nothing'
}

/** The stations `receipt` and `label` of a printer select print jobs by their kind. They are no stations of cooks. */
export function isOfCooks(station: string): boolean {
  return fold(station) !== '' && fold(station) !== PAPER_STATION.receipt && fold(station) !== PAPER_STATION.label
}
