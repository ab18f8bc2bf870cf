// The orders of this kitchen as the board reads them: from the jobs on disk, never from a copy.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { KitchenOrder } from '#shared/order.ts'
import { isTestOrder } from '#shared/tickets/local-doc.ts'
import type { GatewayDatabase } from './database.ts'
import { docOf } from './ticket-rows.ts'
import type { TicketState } from './ticket-states.ts'

/** The fields of a job that never change. */
export interface BoardDoc {
  order: KitchenOrder
  /** Created here as a test: it must not be made. */
  isTest: boolean
  /** For the displays alone: it has no tickets. */
  isWithoutPaper: boolean
}

/** How far a job has come. */
export interface BoardProgress {
  cancelledAtMs: EpochMs | null
  /** As its caller sent it; null: none. */
  cancelReason: string | null
  /** Of its own kitchen tickets; none of an order that is for the displays alone. */
  tickets: readonly TicketState[]
  /** It is held until its time. */
  isHeld: boolean
  /** Their time, also when it has come or was brought forward; null: at once. */
  notBeforeMs: EpochMs | null
}

interface ProgressRow {
  cancelled_at_ms: number | null
  cancel_reason: string | null
  not_before_ms: number | null
}

const OF_BOARD = `kind in ('order', 'board')`

export class BoardRows {
  readonly #doc: Statement<[string], { doc: string; digest: string }>
  readonly #progress: Statement<[string], ProgressRow>
  readonly #recent: Statement<[number], { job_id: string }>
  readonly #held: Statement<[number], { job_id: string }>
  readonly #tickets: Statement<[string], { state: TicketState; not_before_ms: number | null }>
  readonly #fireAt: Statement<[number, string]>
  readonly #heldWithoutPaper: Statement<[number], { job_id: string }>
  readonly #fireWithoutPaper: Statement<[number, string]>

  constructor(db: GatewayDatabase) {
    const sql = db.sqlite
    this.#doc = sql.prepare(`select doc, digest from jobs where job_id = ? and ${OF_BOARD}`)
    this.#progress = sql.prepare('select cancelled_at_ms, cancel_reason, not_before_ms from jobs where job_id = ?')
    this.#recent = sql.prepare(
      `select job_id from (select job_id, kind from jobs order by rowid desc limit ?) where ${OF_BOARD}`,
    )
    this.#held = sql.prepare(
      `select distinct t.job_id from tickets t where t.state = 'held' order by t.not_before_ms limit ?`,
    )
    // Open jobs that end without tickets are few, and have an index.
    this.#heldWithoutPaper = sql.prepare(
      `select job_id from jobs where expires_at_ms is not null and settled_at_ms is null and kind = 'board' and not_before_ms is not null
       order by expires_at_ms limit ?`,
    )
    this.#fireWithoutPaper = sql.prepare(`update jobs set not_before_ms = ? where job_id = ? and kind = 'board'`)
    this.#tickets = sql.prepare(`select state, not_before_ms from tickets where job_id = ? and kind = 'order'`)
    this.#fireAt = sql.prepare(`update tickets set not_before_ms = ? where job_id = ? and state = 'held'`)
  }

  /** Null if it is not an order, or its document is damaged. */
  doc(jobId: string): BoardDoc | null {
    const row = this.#doc.get(jobId)
    const doc = row && docOf(row.doc, row.digest)
    if (doc?.kind === 'board') return { order: doc.order, isTest: false, isWithoutPaper: true }
    return doc?.kind === 'order' ? { order: doc.order, isTest: isTestOrder(doc), isWithoutPaper: false } : null
  }

  /** Null when the job is gone. */
  progress(jobId: string, { isWithoutPaper }: BoardDoc, nowMs: EpochMs): BoardProgress | null {
    const row = this.#progress.get(jobId)
    if (!row) return null
    const { cancelled_at_ms: cancelledAtMs, cancel_reason: cancelReason } = row
    if (isWithoutPaper) {
      // No person fires it: it is due at its time.
      const isHeld = row.not_before_ms !== null && row.not_before_ms > nowMs
      return { cancelledAtMs, cancelReason, tickets: [], isHeld, notBeforeMs: row.not_before_ms }
    }
    const tickets = this.#tickets.all(jobId)
    const times = tickets.flatMap(({ not_before_ms }) => (not_before_ms === null ? [] : [not_before_ms]))
    return {
      cancelledAtMs,
      cancelReason,
      tickets: tickets.map(({ state }) => state),
      isHeld: tickets.some(({ state }) => state === 'held'),
      notBeforeMs: times.length === 0 ? null : Math.min(...times),
    }
  }

  /** The newest jobs and those that wait for their time: candidates for a board. */
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
