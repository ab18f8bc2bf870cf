// The orders of this kitchen as the board reads them: from the jobs that are on disk, never from a copy.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { KitchenOrder } from '#shared/order.ts'
import { isTestOrder } from '#shared/tickets/local-doc.ts'
import { docOf } from './claimed-ticket.ts'
import type { GatewayDatabase } from './database.ts'
import type { TicketState } from './ticket-states.ts'

export interface BoardJob {
  jobId: string
  order: KitchenOrder
  /** Made here, to try everything: nobody may make it. */
  isTest: boolean
  cancelledAtMs: EpochMs | null
  /** Of its own kitchen tickets; none of an order that is for the displays alone. */
  tickets: readonly TicketState[]
  /** It waits for its time. */
  isHeld: boolean
  /** Their time, also when it has come or was brought forward; null: at once. */
  notBeforeMs: EpochMs | null
}

interface Row {
  job_id: string
  doc: string
  digest: string
  cancelled_at_ms: number | null
  not_before_ms: number | null
}

const COLUMNS = 'job_id, doc, digest, cancelled_at_ms, not_before_ms'
const OF_BOARD = `kind in ('order', 'board')`

export class BoardRows {
  readonly #job: Statement<[string], Row>
  readonly #recent: Statement<[number], { job_id: string }>
  readonly #held: Statement<[number], { job_id: string }>
  readonly #tickets: Statement<[string], { state: TicketState; not_before_ms: number | null }>
  readonly #fireAt: Statement<[number, string]>
  readonly #heldWithoutPaper: Statement<[number], { job_id: string }>
  readonly #fireWithoutPaper: Statement<[number, string]>

  constructor(db: GatewayDatabase) {
    const sql = db.sqlite
    this.#job = sql.prepare(`select ${COLUMNS} from jobs where job_id = ? and ${OF_BOARD}`)
    this.#recent = sql.prepare(
      `select job_id from (select job_id, kind from jobs order by rowid desc limit ?) where ${OF_BOARD}`,
    )
    this.#held = sql.prepare(
      `select distinct t.job_id from tickets t where t.state = 'held' order by t.not_before_ms limit ?`,
    )
    // Open jobs that end by themselves are few, and have an index.
    this.#heldWithoutPaper = sql.prepare(
      `select job_id from jobs where expires_at_ms is not null and settled_at_ms is null and kind = 'board' and not_before_ms is not null
       order by expires_at_ms limit ?`,
    )
    this.#fireWithoutPaper = sql.prepare(`update jobs set not_before_ms = ? where job_id = ? and kind = 'board'`)
    this.#tickets = sql.prepare(`select state, not_before_ms from tickets where job_id = ? and kind = 'order'`)
    this.#fireAt = sql.prepare(`update tickets set not_before_ms = ? where job_id = ? and state = 'held'`)
  }

  /** Null when it is no order, or its document is damaged. */
  find(jobId: string, nowMs: EpochMs): BoardJob | null {
    const row = this.#job.get(jobId)
    const doc = row && docOf(row.doc, row.digest)
    if (!row || (doc?.kind !== 'order' && doc?.kind !== 'board')) return null
    if (doc.kind === 'board') return withoutPaper(row, doc.order, nowMs)
    const tickets = this.#tickets.all(jobId)
    const times = tickets.flatMap(({ not_before_ms }) => (not_before_ms === null ? [] : [not_before_ms]))
    return {
      jobId,
      order: doc.order,
      isTest: isTestOrder(doc),
      cancelledAtMs: row.cancelled_at_ms,
      tickets: tickets.map(({ state }) => state),
      isHeld: tickets.some(({ state }) => state === 'held'),
      notBeforeMs: times.length === 0 ? null : Math.min(...times),
    }
  }

  /** The newest jobs and those that wait for their time: what may stand on a board. */
  candidates(limit: number): string[] {
    const waiting = [...this.#held.all(limit), ...this.#heldWithoutPaper.all(limit)]
    return [...new Set([...waiting, ...this.#recent.all(limit)].map(({ job_id }) => job_id))]
  }

  /** Moves the fire time of what is held. In the caller's transaction. */
  fireAt(jobId: string, atMs: EpochMs): void {
    this.#fireAt.run(atMs, jobId)
    this.#fireWithoutPaper.run(atMs, jobId)
  }
}

/** Nobody fires it: it is due when its time has come. */
function withoutPaper(row: Row, order: KitchenOrder, nowMs: EpochMs): BoardJob {
  const { job_id: jobId, cancelled_at_ms: cancelledAtMs, not_before_ms: notBeforeMs } = row
  const isHeld = notBeforeMs !== null && notBeforeMs > nowMs
  return { jobId, order, isTest: false, cancelledAtMs, tickets: [], isHeld, notBeforeMs }
}
