// The manager's report on disk: counts and times by day and hour for 400 days, and the position up to which the history was counted.
import type { Statement } from 'better-sqlite3'
import type { GatewayDatabase } from './database.ts'
import type { LocalHour, MadeFact } from './report-facts.ts'
import { addHistogram, count, type Histogram, histogramOf, histogramText } from './report-histogram.ts'
import { parseOrNull } from './ticket-rows.ts'

/** Outcomes of orders of an hour, of a day, or of all. */
export interface OrderCounts {
  /** Includes those without a ready time, and voided ones. */
  orders: number
  /** How many times there are. */
  timed: number
  late: number
  voided: number
  times: Histogram
}

export interface OrderBucket extends LocalHour, OrderCounts {
  /** Null: whole orders. */
  station: string | null
  orderType: string
}

export interface PrintCounts {
  /** Printed tickets, including copies. */
  printed: number
  /** Copies requested by a person. */
  copies: number
  /** Tickets that were in doubt. */
  doubts: number
  failed: number
  /** From order to paper. */
  times: Histogram
}

export interface PrintBucket extends LocalHour, PrintCounts {
  printerId: string
  name: string
}

/** An attempt as the report counts it. */
export interface PrintFact extends LocalHour {
  printerId: string
  name: string
  outcome: 'printed' | 'doubt' | 'failed'
  isCopy: boolean
  tookMs: number | null
}

/** The last entry that is in the buckets. */
export interface Counted {
  settledMs: number
  /** Of the job: several may have settled in one millisecond. */
  position: number
  attemptId: number
  attemptMs: number
}

interface OrderRow {
  day: string
  is_station: number
  hour: number
  station: string
  order_type: string
  orders: number
  timed: number
  late: number
  voided: number
  times: string
}

interface PrintRow {
  day: string
  hour: number
  printer_id: string
  name: string
  printed: number
  copies: number
  doubts: number
  failed: number
  times: string
}

export class ReportBuckets {
  readonly #db: GatewayDatabase
  readonly #counted: Statement<[], { value: string }>
  readonly #putCounted: Statement<[string]>
  readonly #orders: Statement<[string, string, number], OrderRow>
  readonly #order: Statement<[string, number, number, string, string], OrderRow>
  readonly #putOrder: Statement<[OrderRow]>
  readonly #prints: Statement<[string, string], PrintRow>
  readonly #print: Statement<[string, number, string], PrintRow>
  readonly #putPrint: Statement<[PrintRow]>
  readonly #firstDay: Statement<[], { day: string | null }>
  readonly #prune: readonly Statement<[string]>[]

  constructor(db: GatewayDatabase) {
    this.#db = db
    const sql = db.sqlite
    this.#counted = sql.prepare("select value from meta where key = 'report_counted'")
    this.#putCounted = sql.prepare("insert or replace into meta (key, value) values ('report_counted', ?)")
    this.#orders = sql.prepare(
      'select * from report_orders where day >= ? and day <= ? and is_station = ? order by day',
    )
    this.#order = sql.prepare(
      'select * from report_orders where day = ? and is_station = ? and hour = ? and station = ? and order_type = ?',
    )
    this.#putOrder = sql.prepare(
      `insert or replace into report_orders (day, is_station, hour, station, order_type, orders, timed, late, voided, times)
       values (@day, @is_station, @hour, @station, @order_type, @orders, @timed, @late, @voided, @times)`,
    )
    this.#prints = sql.prepare('select * from report_prints where day >= ? and day <= ? order by day')
    this.#print = sql.prepare('select * from report_prints where day = ? and hour = ? and printer_id = ?')
    this.#putPrint = sql.prepare(
      `insert or replace into report_prints (day, hour, printer_id, name, printed, copies, doubts, failed, times)
       values (@day, @hour, @printer_id, @name, @printed, @copies, @doubts, @failed, @times)`,
    )
    this.#firstDay = sql.prepare(
      'select min(day) as day from (select min(day) as day from report_orders union all select min(day) from report_prints)',
    )
    this.#prune = [
      sql.prepare('delete from report_orders where day < ?'),
      sql.prepare('delete from report_prints where day < ?'),
    ]
  }

  counted(): Counted {
    const kept = parseOrNull(this.#counted.get()?.value ?? '') as Partial<Counted> | null
    const whole = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : 0)
    return {
      settledMs: whole(kept?.settledMs),
      position: whole(kept?.position),
      attemptId: whole(kept?.attemptId),
      attemptMs: whole(kept?.attemptMs),
    }
  }

  /** One commit: counts these, and stores the position. */
  add(made: readonly MadeFact[], printed: readonly PrintFact[], counted: Counted): void {
    this.#db.transaction(() => {
      for (const bucket of orderBuckets(made)) this.#addOrders(bucket)
      for (const bucket of printBuckets(printed)) this.#addPrints(bucket)
      this.#putCounted.run(JSON.stringify(counted))
    })
  }

  /** Of whole orders, or of stations. Days from and to, both included. */
  orders(from: string, to: string, ofStations: boolean): OrderBucket[] {
    return this.#orders.all(from, to, ofStations ? 1 : 0).map(orderBucketOf)
  }

  prints(from: string, to: string): PrintBucket[] {
    return this.#prints.all(from, to).map(printBucketOf)
  }

  /** The first day of which anything is counted. */
  firstDay(): string | null {
    return this.#firstDay.get()?.day ?? null
  }

  /** Deletes the days before this one. */
  prune(beforeDay: string): void {
    if ((this.firstDay() ?? beforeDay) >= beforeDay) return
    this.#db.transaction(() => {
      for (const statement of this.#prune) statement.run(beforeDay)
    })
  }

  #addOrders(bucket: OrderBucket): void {
    const { day, hour, station, orderType } = bucket
    const key = [day, station === null ? 0 : 1, hour, station ?? '', orderType] as const
    const row = this.#order.get(...key)
    const sum = row ? orderBucketOf(row) : bucket
    if (row) addOrderCounts(sum, bucket)
    const { orders, timed, late, voided, times } = sum
    this.#putOrder.run({
      ...{ day, is_station: key[1], hour, station: key[3], order_type: orderType },
      ...{ orders, timed, late, voided, times: histogramText(times) },
    })
  }

  #addPrints(bucket: PrintBucket): void {
    const { day, hour, printerId, name } = bucket
    const row = this.#print.get(day, hour, printerId)
    const sum = row ? printBucketOf(row) : bucket
    if (row) addPrintCounts(sum, bucket)
    const { printed, copies, doubts, failed, times } = sum
    this.#putPrint.run({
      ...{ day, hour, printer_id: printerId, name, printed, copies, doubts, failed, times: histogramText(times) },
    })
  }
}

export function noOrders(): OrderCounts {
  return { orders: 0, timed: 0, late: 0, voided: 0, times: new Map() }
}

export function noPrints(): PrintCounts {
  return { printed: 0, copies: 0, doubts: 0, failed: 0, times: new Map() }
}

export function addOrderCounts(into: OrderCounts, { orders, timed, late, voided, times }: OrderCounts): void {
  into.orders += orders
  into.timed += timed
  into.late += late
  into.voided += voided
  addHistogram(into.times, times)
}

export function addPrintCounts(into: PrintCounts, { printed, copies, doubts, failed, times }: PrintCounts): void {
  into.printed += printed
  into.copies += copies
  into.doubts += doubts
  into.failed += failed
  addHistogram(into.times, times)
}

/** Buckets for these facts, one per day, hour, station and type. */
export function orderBuckets(facts: readonly MadeFact[]): OrderBucket[] {
  const buckets = new Map<string, OrderBucket>()
  for (const { day, hour, station, orderType, tookMs, isLate, isVoided } of facts) {
    const key = JSON.stringify([day, hour, station, orderType])
    const bucket = buckets.get(key) ?? { day, hour, station, orderType, ...noOrders() }
    buckets.set(key, bucket)
    bucket.orders++
    if (isVoided) bucket.voided++
    if (isLate) bucket.late++
    if (tookMs === null) continue
    bucket.timed++
    count(bucket.times, tookMs)
  }
  return [...buckets.values()]
}

export function printBuckets(facts: readonly PrintFact[]): PrintBucket[] {
  const buckets = new Map<string, PrintBucket>()
  for (const { day, hour, printerId, name, outcome, isCopy, tookMs } of facts) {
    const key = JSON.stringify([day, hour, printerId])
    const bucket = buckets.get(key) ?? { day, hour, printerId, name, ...noPrints() }
    buckets.set(key, bucket)
    if (outcome === 'printed') bucket.printed++
    if (outcome === 'printed' && isCopy) bucket.copies++
    if (outcome === 'doubt') bucket.doubts++
    if (outcome === 'failed') bucket.failed++
    if (tookMs !== null) count(bucket.times, tookMs)
  }
  return [...buckets.values()]
}

function orderBucketOf({ is_station, station, order_type, times, ...row }: OrderRow): OrderBucket {
  return { ...row, station: is_station === 1 ? station : null, orderType: order_type, times: histogramOf(times) }
}

function printBucketOf({ printer_id, times, ...row }: PrintRow): PrintBucket {
  return { ...row, printerId: printer_id, times: histogramOf(times) }
}
