// What sends a printer paper, if anything: its own stations, the rest, rules, receipts and labels, or only the outage of another one. Pure.
import { defaultOf, fold, kitchenRoutes, PAPER_STATION, prints, type Route, serves } from './route.ts'
import type { RoutingRule } from './routing-rules.ts'
import { printersOf } from './station-printers.ts'

/**
 * `stations`: of its own. `rest`: what no other printer serves. `rules`: by a rule only. `papers`: receipts or labels only.
 * `backup`: only while another one is away. `passed-over`: all of its stations go to printers before it. `nothing`: nothing sends it paper.
 */
export type PrinterWork = 'stations' | 'rest' | 'rules' | 'papers' | 'backup' | 'passed-over' | 'nothing'

interface Known {
  /** The default one first. */
  printers: readonly Route[]
  /** Screens on which cooks work. */
  displays: readonly { backupPrinterId?: string | null }[]
  rules: readonly RoutingRule[]
}

/** @param printerId one of the printers; of one that is not there nothing is known, so `nothing` */
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

/** `receipt` and `label` at a printer choose the paper of print jobs, not cooks. */
export function isOfCooks(station: string): boolean {
  return fold(station) !== '' && fold(station) !== PAPER_STATION.receipt && fold(station) !== PAPER_STATION.label
}
