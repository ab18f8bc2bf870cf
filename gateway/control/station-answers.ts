// What the operations on stations answer: every station with its printers and screens, and what has no place.
import type { PrinterWork } from '#shared/tickets/printer-work.ts'

/** Why a printer gets the kitchen tickets of a station. `also`: by a rule that adds exactly this. */
export type PaperBy = 'station' | 'also' | 'rule' | 'default'

/**
 * `no-place`: no printer and no screen of its own. `no-printer`: it prints at the default printer, though there are several printers.
 * `no-screen`: there are screens, and none of them is for it.
 */
export type StationFault = 'no-place' | 'no-printer' | 'no-screen'

export interface StationAnswer {
  /** As it is written where it was found first. */
  name: string
  /** Lines of it in the last seven days. */
  lines: number
  /** Printers that get a line of it of which no more is known; none while no printer is set up. */
  paper: { printerId: string; by: PaperBy }[]
  /** Ids of printers that name it, but another one comes first: they get nothing of it. */
  passedOver: string[]
  screens: { displayId: string; by: 'station' | 'expo' }[]
  /** Names of rules that contain it. */
  rules: string[]
  faults: StationFault[]
  /** Another station that may be meant: this one looks like a typing error. */
  like: string | null
}

export interface StationPrinter {
  printerId: string
  name: string
  isDefault: boolean
  work: PrinterWork
  /** Its backups, in the order in which they take over, by name; ends with its own name where they go in a circle. */
  backups: string[]
}

export interface StationScreen {
  displayId: string
  name: string
  stations: string[]
  /** It shows every station. */
  isExpo: boolean
  /** `no-overlap`: no printer, rule or order has one of its stations: it will show nothing. */
  fault: 'no-overlap' | null
}

/** `gone`: none of its printers is there. `part-gone`: one of them is not. `never`: an earlier rule ends the way of all that it asks for. */
export type RuleFault = 'gone' | 'part-gone' | 'never'

export interface StationRule {
  name: string
  fault: RuleFault | null
}

export interface StationsAnswer {
  stations: StationAnswer[]
  /** What has no station, and what no printer serves. */
  rest: { lines: number; printerId: string | null }
  printers: StationPrinter[]
  displays: StationScreen[]
  rules: StationRule[]
}

/** An order that was here, for trying rules. */
export interface RecentOrder {
  /** Of one of its tickets. */
  ticketId: string
  /** What people call it. */
  number: string
  receivedAt: string
}
