// The manager's report: what is counted already, and what is newer, put together by day, hour, weekday, type, station or printer.
import {
  addOrderCounts,
  addPrintCounts,
  type Counted,
  noOrders,
  noPrints,
  type OrderBucket,
  type OrderCounts,
  orderBuckets,
  type PrintBucket,
  type PrintCounts,
  printBuckets,
  type ReportBuckets,
} from '#gateway/storage/report-buckets.ts'
import { countingOf } from '#gateway/storage/report-facts.ts'
import { percentile } from '#gateway/storage/report-histogram.ts'
import type { ReportSource } from '#gateway/storage/report-source.ts'
import { type Clock, type EpochMs, fromIso, toIso } from '#shared/clock.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import { Slices } from '#shared/slices.ts'
import { fold } from '#shared/tickets/route.ts'
import type { PrinterReportRow, ReportAnswer, ReportBy, ReportRow } from './report-answers.ts'

export interface KitchenReportDeps {
  buckets: ReportBuckets
  source: ReportSource
  site: Pick<SiteFacts, 'timeZone' | 'ownThresholds'>
  clock: Clock
  /** Relay time. */
  time: { now(): EpochMs }
}

export interface ReportQuery {
  /** Days of the restaurant, both included. */
  from: string
  to: string
  by: ReportBy
}

const DAY_MS = 86_400_000
const DAYS_AT_ONCE = 7
const ORDERS_AT_ONCE = 20
/** Orders and attempts that are newer than what is counted. */
const MOST_NEW = 20_000
/** Counting went on meanwhile: read again. */
const MOST_TRIES = 4

interface Sums {
  total: OrderCounts
  /** By the key of a row, folded; with the key as it is shown. */
  rows: Map<string, { key: string; counts: OrderCounts }>
  printers: Map<string, { name: string; counts: PrintCounts }>
}

export class KitchenReport {
  readonly #deps: KitchenReportDeps

  constructor(deps: KitchenReportDeps) {
    this.#deps = deps
  }

  async report(query: ReportQuery): Promise<ReportAnswer> {
    const { buckets, site, time } = this.#deps
    let sums = await this.#sums(query)
    for (let tries = 1; !sums.isWhole && tries < MOST_TRIES; tries++) sums = await this.#sums(query)
    const { hourOf, thresholds } = countingOf(site)
    const { total, rows, printers } = sums
    return {
      ...query,
      timeZone: site.timeZone,
      today: hourOf(time.now()).day,
      thresholds,
      knownFrom: buckets.firstDay() ?? (total.orders > 0 ? query.from : null),
      total: rowOf('', total),
      rows: [...rows.values()].map(({ key, counts }) => rowOf(key, counts)).sort(inOrderOf(query.by)),
      printers: [...printers].map(([id, { name, counts }]) => printerRowOf(id, name, counts)).sort(byName),
    }
  }

  async #sums(query: ReportQuery): Promise<Sums & { isWhole: boolean }> {
    const { buckets } = this.#deps
    const counted = buckets.counted()
    const sums: Sums = { total: noOrders(), rows: new Map(), printers: new Map() }
    const slices = new Slices(this.#deps.clock)
    const last = epochDay(query.to)
    for (let first = epochDay(query.from); first <= last; first += DAYS_AT_ONCE) {
      const from = isoDay(first)
      const to = isoDay(Math.min(first + DAYS_AT_ONCE - 1, last))
      addOrders(sums, query, buckets.orders(from, to, false))
      if (query.by === 'station') addOrders(sums, query, buckets.orders(from, to, true))
      if (query.by === 'printer') addPrints(sums, query, buckets.prints(from, to))
      await slices.breathe()
    }
    await this.#addNew(sums, query, { counted, slices })
    return { ...sums, isWhole: JSON.stringify(buckets.counted()) === JSON.stringify(counted) }
  }

  async #addNew(
    sums: Sums,
    query: ReportQuery,
    { counted, slices }: { counted: Counted; slices: Slices },
  ): Promise<void> {
    const { source, site } = this.#deps
    const how = countingOf(site)
    let left = MOST_NEW
    for (let after: Pick<Counted, 'settledMs' | 'position'> | null = counted; after !== null && left > 0; ) {
      const batch = source.settled(after, { untilMs: Number.MAX_SAFE_INTEGER, limit: ORDERS_AT_ONCE, how })
      addOrders(sums, query, orderBuckets(batch.facts))
      after = batch.isMore ? batch.last : null
      left -= ORDERS_AT_ONCE
      await slices.breathe()
    }
    for (let after: number | null = 0; after !== null && left > 0; ) {
      const batch = source.open(after, ORDERS_AT_ONCE, how)
      addOrders(sums, query, orderBuckets(batch.facts))
      after = batch.isMore ? (batch.last?.position ?? null) : null
      left -= ORDERS_AT_ONCE
      await slices.breathe()
    }
    if (query.by !== 'printer') return
    for (let after: Pick<Counted, 'attemptId' | 'attemptMs'> | null = counted; after !== null && left > 0; ) {
      const batch = source.prints(after, ORDERS_AT_ONCE, how)
      addPrints(sums, query, printBuckets(batch.facts))
      after = batch.isMore ? batch.last : null
      left -= ORDERS_AT_ONCE
      await slices.breathe()
    }
  }
}

function addOrders(sums: Sums, { from, to, by }: ReportQuery, buckets: readonly OrderBucket[]): void {
  for (const bucket of buckets) {
    if (bucket.day < from || bucket.day > to) continue
    if (bucket.station === null) addOrderCounts(sums.total, bucket)
    const key = keyOf(bucket, by)
    if (key === null) continue
    const row = sums.rows.get(fold(key)) ?? { key, counts: noOrders() }
    sums.rows.set(fold(key), row)
    addOrderCounts(row.counts, bucket)
  }
}

/** Null: the bucket is of no row. */
function keyOf({ day, hour, station, orderType }: OrderBucket, by: ReportBy): string | null {
  if (by === 'station') return station
  if (station !== null) return null
  if (by === 'day') return day
  if (by === 'hour') return String(hour)
  if (by === 'weekday') return String(weekdayOf(day))
  return by === 'type' ? orderType : null
}

function addPrints(sums: Sums, { from, to }: ReportQuery, buckets: readonly PrintBucket[]): void {
  for (const bucket of buckets) {
    if (bucket.day < from || bucket.day > to) continue
    const row = sums.printers.get(bucket.printerId) ?? { name: '', counts: noPrints() }
    // As it is called now, or was last.
    row.name = bucket.name
    sums.printers.set(bucket.printerId, row)
    addPrintCounts(row.counts, bucket)
  }
}

function rowOf(key: string, { orders, timed, late, voided, times }: OrderCounts): ReportRow {
  return { key, orders, timed, p50Ms: percentile(times, 0.5), p90Ms: percentile(times, 0.9), late, voided }
}

function printerRowOf(printerId: string, name: string, { times, ...counts }: PrintCounts): PrinterReportRow {
  const { printed, copies, doubts, failed } = counts
  const shares = { p50Ms: percentile(times, 0.5), p90Ms: percentile(times, 0.9) }
  return { printerId, name, printed, copies, doubts, failed, ...shares }
}

function inOrderOf(by: ReportBy): (a: ReportRow, b: ReportRow) => number {
  if (by === 'hour' || by === 'weekday') return (a, b) => Number(a.key) - Number(b.key)
  if (by === 'day') return (a, b) => (a.key < b.key ? -1 : 1)
  return (a, b) => b.orders - a.orders || (a.key < b.key ? -1 : 1)
}

function byName(a: PrinterReportRow, b: PrinterReportRow): number {
  return a.name < b.name ? -1 : 1
}

/** @param days since 1970-01-01 */
function isoDay(days: number): string {
  return toIso(days * DAY_MS).slice(0, 10)
}

/** 1 is Monday; the first day of the epoch was a Thursday. */
function weekdayOf(day: string): number {
  return ((epochDay(day) + 3) % 7) + 1
}

/** Days since 1970-01-01. */
function epochDay(day: string): number {
  return Math.floor((fromIso(`${day}T00:00:00Z`) ?? 0) / DAY_MS)
}
