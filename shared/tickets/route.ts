// What routing knows of a printer, and what a printer gets of a job.
import type { PaperType, PrinterSettings } from '#shared/printer-settings.ts'
import { withoutTurning } from '#shared/turning-marks.ts'
import type { RouteStep } from './routing-rules.ts'

/** A printer as routing sees it. */
export interface Route {
  printerId: string
  name: string
  stations: readonly string[]
  isDefault: boolean
  /** Absent: kitchen tickets only, one for each order. */
  settings?: Pick<PrinterSettings, 'papers' | 'split' | 'copies'> & Partial<Pick<PrinterSettings, 'backupPrinterId'>>
}

/** What one printer gets of a job: one ticket. */
export interface TicketPart {
  /** NO_PRINTER while none is set up. */
  printerId: string
  /** Null: more than one station, or none. */
  station: string | null
  /** Indices into the order's items; empty for a job that is no order. */
  items: readonly number[]
  /** Names of the other printers that get a kitchen ticket of this order. */
  alsoAt: readonly string[]
  /** Indices of its printer's lines that wait until their course is fired; absent: none. */
  later?: readonly number[]
  /** On a VOID slip: why, in the client's words. */
  voidReason?: string
  /** It was fired: the course that it is. */
  course?: number
  /** Absent: kitchen. */
  paper?: PaperType
  /** One of several tickets: of a line's labels, or of a printer that makes one ticket for each line. */
  piece?: { n: number; of: number }
  /** Absent when there is one only. */
  copy?: { n: number; of: number }
  /** Present on a ticket that holds one line because its printer wants them so. */
  split?: 'per-item'
  /** Why it goes there. */
  trace?: readonly RouteStep[]
}

/** Stands for "the first printer that is set up" while there is none. */
export const NO_PRINTER = ''

/** A printer that serves a station of this name gets the print jobs of that kind that name neither printer nor station. */
export const PAPER_STATION = { note: 'kitchen', receipt: 'receipt', label: 'label' } as const

/** Whether the printer prints this paper of its own accord. */
export function prints({ settings }: Pick<Route, 'settings'>, paper: PaperType): boolean {
  return settings === undefined ? paper === 'kitchen' : settings.papers.includes(paper)
}

/** Whether the printer serves the station; names are compared without regard to case. */
export function serves(route: Pick<Route, 'stations'>, station: string | null): boolean {
  return station !== null && route.stations.some((served) => fold(served) === fold(station))
}

/** The default printer, else the first. @returns null only when there is no printer at all */
export function defaultOf<R extends Route>(routes: readonly R[]): R | null {
  return routes.find((route) => route.isDefault) ?? routes[0] ?? null
}

/** Those that take kitchen tickets without being told by a rule; all of them when none does, for a ticket must go somewhere. */
export function kitchenRoutes<R extends Route>(routes: readonly R[]): readonly R[] {
  const willing = routes.filter((route) => prints(route, 'kitchen'))
  return willing.length > 0 ? willing : routes
}

/** How names are compared. */
export function fold(text: string): string {
  return withoutTurning(text).trim().toLowerCase()
}
