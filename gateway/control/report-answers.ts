// What the operations of the manager's report answer, as JSON. Times are milliseconds.
import type { AgeThresholds } from '#shared/kitchen-times.ts'

export interface ReportRow {
  /** By `day`: 2026-11-25. `hour`: 0 to 23. `weekday`: 1 (Monday) to 7. `type`: one of ORDER_TYPES, `other`, or ''. `station`: as the menu writes it, or ''. */
  key: string
  orders: number
  /** How many were marked ready: times and late ones are of these. */
  timed: number
  /** Half of them took at most so long from when they were due to ready; null: there are none. */
  p50Ms: number | null
  /** Nine of ten. */
  p90Ms: number | null
  late: number
  /** Called off. */
  voided: number
}

export interface PrinterReportRow {
  printerId: string
  name: string
  /** Tickets that came out, copies among them. */
  printed: number
  copies: number
  /** How often a ticket was in doubt. */
  doubts: number
  failed: number
  /** Half of the first tickets took at most so long from the order's arrival to paper. */
  p50Ms: number | null
  p90Ms: number | null
}

export type ReportBy = 'day' | 'hour' | 'weekday' | 'type' | 'station' | 'printer'

export interface ReportAnswer {
  from: string
  to: string
  by: ReportBy
  timeZone: string
  /** Today in the restaurant. */
  today: string
  /** By which orders without a promised time are late from now on; days that were counted before a change keep theirs. */
  thresholds: AgeThresholds
  /** The first day of which anything is known; null: nothing is. */
  knownFrom: string | null
  /** Whole orders of these days. */
  total: ReportRow
  /** By `printer`: none. */
  rows: ReportRow[]
  /** Only by `printer`. */
  printers: PrinterReportRow[]
}

export interface CsvAnswer {
  fileName: string
  mediaType: string
  text: string
}
