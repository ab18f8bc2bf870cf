// What routing needs of a printer, and the tickets that it returns.
import type { PaperType, PrinterSettings } from '#shared/printer-settings.ts'
import { withoutTurning } from '#shared/turning-marks.ts'
import type { RouteStep } from './routing-rules.ts'

/** A printer, as routing needs it. */
export interface Route {
  printerId: string
  name: string
  stations: readonly string[]
  isDefault: boolean
  /** Absent: kitchen tickets only, one for each order. */
  settings?: Pick<PrinterSettings, 'papers' | 'split' | 'copies'> & Partial<Pick<PrinterSettings, 'backupPrinterId'>>
}

/** The part of a job that one printer gets: one ticket. */
export interface TicketPart {
  /** NO_PRINTER while none is set up. */
  printerId: string
  /** Null: several stations, or none. */
  station: string | null
  /** Indices of the order's items. Empty for a job that is not an order. */
  items: readonly number[]
  /** Names of the other printers with a kitchen ticket of this order. */
  alsoAt: readonly string[]
  /** Indices of this printer's lines that are held until their course is fired. Absent: none. */
  later?: readonly number[]
  /** On a VOID slip: the reason, in the client's words. */
  voidReason?: string
  /** The number of the course, if it was fired. */
  course?: number
  /** Absent: kitchen. */
  paper?: PaperType
  /** Which of several tickets: one of a line's labels, or one of a printer that prints one ticket for each line. */
  piece?: { n: number; of: number }
  /** Absent if there is only one. */
  copy?: { n: number; of: number }
  /** Present if the ticket has one line only because of the printer's setting. */
  split?: 'per-item'
  /** Why it goes there. */
  trace?: readonly RouteStep[]
}

/** The printer id of tickets while no printer is set up. The first printer that is set up gets them. */
export const NO_PRINTER = ''

/** A printer with a station of this name gets the print jobs of that kind that have no target printer or station. */
export const PAPER_STATION = { note: 'kitchen', receipt: 'receipt', label: 'label' } as const

/** Returns whether the printer prints this paper without a rule. */
export function prints({ settings }: Pick<Route, 'settings'>, paper: PaperType): boolean {
  return settings === undefined ? paper === 'kitchen' : settings.papers.includes(paper)
}

/** Returns whether the printer serves the station. Case is ignored. */
export function serves(route: Pick<Route, 'stations'>, station: string | null): boolean {
  return station !== null && route.stations.some((served) => fold(served) === fold(station))
}

/**
 * The default printer, otherwise the first one.
 * @returns null only if there is no printer at all
 */
export function defaultOf<R extends Route>(routes: readonly R[]): R | null {
  return routes.find((route) => route.isDefault) ?? routes[0] ?? null
}

/** The printers that get kitchen tickets without a rule. All printers if there is none, since a ticket must be printed. */
export function kitchenRoutes<R extends Route>(routes: readonly R[]): readonly R[] {
  const willing = routes.filter((route) => prints(route, 'kitchen'))
  return willing.length > 0 ? willing : routes
}

/** Folds a name for comparison. */
export function fold(text: string): string {
  return withoutTurning(text).trim().toLowerCase()
}
