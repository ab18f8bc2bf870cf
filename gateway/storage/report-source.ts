// Reads the manager's report from the history: settled orders, newer orders, and attempts to print.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import { isTestOrder } from '#shared/tickets/local-doc.ts'
import type { GatewayDatabase } from './database.ts'
import type { Counted, PrintFact } from './report-buckets.ts'
import { type Counting, type MadeFact, madeFacts } from './report-facts.ts'
import { docOf } from './ticket-rows.ts'

/** Orders in counting order, with the position to continue from. */
export interface OrderBatch {
  facts: MadeFact[]
  /** The last one read; null: there was none. */
  last: { settledMs: number; position: number } | null
  isMore: boolean
}

export interface PrintBatch {
  facts: PrintFact[]
  last: { attemptId: number; attemptMs: EpochMs } | null
  isMore: boolean
}

interface JobRow {
  position: number
  doc: string
  digest: string
  received_at_ms: number
  not_before_ms: number | null
  settled_at_ms: number | null
  cancelled_at_ms: number | null
}

interface PrintRow {
  attempt_id: number
  printer_id: string
  name: string | null
  outcome: string
  reason: string | null
  ended_at_ms: number
  kind: string
  job_kind: string
  not_before_ms: number | null
  received_at_ms: number
}

const COLUMNS = 'rowid as position, doc, digest, received_at_ms, not_before_ms, settled_at_ms, cancelled_at_ms'
const OF_ORDER = `kind in ('order', 'board')`
/** Reasons that come from stopping the gateway, not from a printer. */
const OWN_STOPS = new Set(['interrupted', 'shutdown'])

export class ReportSource {
  readonly #settled: Statement<[number, number, number, number], JobRow>
  readonly #open: Statement<[number, number], JobRow>
  readonly #kitchen: Statement<[string], { ready_at_ms: number | null }>
  readonly #stations: Statement<[string], { key: string; readyAtMs: number | null }>
  readonly #courses: Statement<[string], { course: number; firedAtMs: number }>
  readonly #prints: Statement<[number, number], PrintRow>
  readonly #lastAttempt: Statement<[], { id: number | null }>
  readonly #endOf: Statement<[number], { atMs: number }>
  readonly #lastAttemptUntil: Statement<[number], { id: number | null }>

  constructor({ sqlite: sql }: GatewayDatabase) {
    this.#settled = sql.prepare(
      `select ${COLUMNS} from jobs where settled_at_ms is not null and (settled_at_ms, rowid) > (?, ?) and settled_at_ms <= ? and ${OF_ORDER}
       order by settled_at_ms, rowid limit ?`,
    )
    this.#open = sql.prepare(
      `select ${COLUMNS} from jobs where settled_at_ms is null and rowid > ? and ${OF_ORDER} order by rowid limit ?`,
    )
    this.#kitchen = sql.prepare('select ready_at_ms from kitchen_orders where order_id = ?')
    this.#stations = sql.prepare(
      'select station as key, ready_at_ms as readyAtMs from kitchen_stations where order_id = ?',
    )
    this.#courses = sql.prepare('select course, fired_at_ms as firedAtMs from kitchen_courses where order_id = ?')
    this.#prints = sql.prepare(
      `select a.attempt_id, a.printer_id, p.name, a.outcome, a.reason, a.ended_at_ms, t.kind, j.kind as job_kind, t.not_before_ms, j.received_at_ms
       from attempts a join tickets t on t.ticket_id = a.ticket_id join jobs j on j.job_id = t.job_id
         left join printers p on p.printer_id = a.printer_id
       where a.attempt_id > ? order by a.attempt_id limit ?`,
    )
    this.#lastAttempt = sql.prepare('select max(attempt_id) as id from attempts')
    this.#endOf = sql.prepare('select ended_at_ms as atMs from attempts where attempt_id = ?')
    this.#lastAttemptUntil = sql.prepare('select max(attempt_id) as id from attempts where ended_at_ms <= ?')
  }

  /** Orders whose last ticket ended after `after` and at `untilMs` at the latest. */
  settled(
    after: Pick<Counted, 'settledMs' | 'position'>,
    { untilMs, limit, how }: { untilMs: EpochMs; limit: number; how: Counting },
  ): OrderBatch {
    return this.#batch(this.#settled.all(after.settledMs, after.position, untilMs, limit), limit, how)
  }

  /** Orders of which tickets wait, oldest first. */
  open(after: number, limit: number, how: Counting): OrderBatch {
    return this.#batch(this.#open.all(after, limit), limit, how)
  }

  /** Ended attempts after the last that is counted, without those of the gateway's own documents. */
  prints(after: Pick<Counted, 'attemptId' | 'attemptMs'>, limit: number, how: Counting): PrintBatch {
    const rows = this.#prints.all(this.#placeOf(after), limit)
    const last = rows.at(-1)
    return {
      facts: rows.flatMap((row) => printFact(row, how) ?? []),
      last: last ? { attemptId: last.attempt_id, attemptMs: last.ended_at_ms } : null,
      isMore: rows.length === limit,
    }
  }

  /** SQLite reuses the numbers of deleted rows if they were the highest. */
  #placeOf({ attemptId, attemptMs }: Pick<Counted, 'attemptId' | 'attemptMs'>): number {
    const isReused =
      (this.#lastAttempt.get()?.id ?? 0) < attemptId || (this.#endOf.get(attemptId)?.atMs ?? attemptMs) !== attemptMs
    return isReused ? (this.#lastAttemptUntil.get(attemptMs)?.id ?? 0) : attemptId
  }

  #batch(rows: readonly JobRow[], limit: number, how: Counting): OrderBatch {
    const last = rows.at(-1)
    return {
      facts: rows.flatMap((row) => this.#factsOf(row, how)),
      last: last ? { settledMs: last.settled_at_ms ?? 0, position: last.position } : null,
      isMore: rows.length === limit,
    }
  }

  #factsOf(row: JobRow, how: Counting): MadeFact[] {
    const doc = docOf(row.doc, row.digest)
    if (doc === null || !('order' in doc) || isTestOrder(doc)) return []
    const orderId = doc.order.serviceOrderId
    const reported = {
      order: doc.order,
      notBeforeMs: row.not_before_ms,
      voidedAtMs: row.cancelled_at_ms,
      readyAtMs: this.#kitchen.get(orderId)?.ready_at_ms ?? null,
      stations: this.#stations.all(orderId),
      courses: this.#courses.all(orderId),
    }
    return madeFacts(reported, how)
  }
}

/** Null: not counted in the report of printers. */
function printFact(row: PrintRow, { hourOf }: Counting): PrintFact | null {
  const isDoubt = row.outcome === 'retry' || row.outcome === 'uncertain' || row.outcome === 'parked'
  if (row.kind === 'local' || (isDoubt && OWN_STOPS.has(row.reason ?? ''))) return null
  const isPrinted = row.outcome === 'printed'
  const isFirst = row.kind === 'order' && (row.job_kind === 'order' || row.job_kind === 'fire')
  const dueAtMs = Math.max(row.received_at_ms, row.not_before_ms ?? 0)
  return {
    ...hourOf(row.ended_at_ms),
    printerId: row.printer_id,
    name: row.name ?? row.printer_id,
    outcome: isPrinted ? 'printed' : isDoubt ? 'doubt' : 'failed',
    isCopy: row.kind === 'reprint' || row.job_kind === 'reprint',
    tookMs: isPrinted && isFirst ? Math.max(0, row.ended_at_ms - dueAtMs) : null,
  }
}
