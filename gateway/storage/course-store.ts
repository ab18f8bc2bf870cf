// Which courses of which orders were fired, each once, and which of them were not reported to the relay yet.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import type { GatewayDatabase } from './database.ts'

export interface FiredCourse {
  course: number
  firedAtMs: EpochMs
  /** The job that prints it; null where the kitchen works without paper. */
  jobId: string | null
}

export interface NewFire {
  orderId: string
  course: number
  atMs: EpochMs
  jobId: string | null
  /** True if the relay fired it and needs no report. */
  isKnownToRelay: boolean
}

interface CourseRow {
  order_id: string
  course: number
  fired_at_ms: number
  job_id: string | null
}

export class CourseStore {
  /** A course of the order with this id was fired. */
  readonly fired = new Signal<string>()
  readonly #db: GatewayDatabase
  readonly #of: Statement<[string], CourseRow>
  readonly #put: Statement<[Record<string, string | number | null>]>
  readonly #open: Statement<[number], CourseRow>
  readonly #acknowledge: Statement<[number, string, number]>
  readonly #prune: Statement<[number]>

  constructor(db: GatewayDatabase) {
    this.#db = db
    const sql = db.sqlite
    const columns = 'order_id, course, fired_at_ms, job_id'
    this.#of = sql.prepare(`select ${columns} from kitchen_courses where order_id = ? order by course`)
    this.#put = sql.prepare(
      `insert or ignore into kitchen_courses (${columns}, acked_at_ms) values (@orderId, @course, @atMs, @jobId, @ackedAtMs)`,
    )
    this.#open = sql.prepare(
      `select ${columns} from kitchen_courses where acked_at_ms is null order by fired_at_ms limit ?`,
    )
    this.#acknowledge = sql.prepare('update kitchen_courses set acked_at_ms = ? where order_id = ? and course = ?')
    this.#prune = sql.prepare('delete from kitchen_courses where acked_at_ms is not null and fired_at_ms < ?')
  }

  /** Of one order, lowest course first. */
  of(orderId: string): FiredCourse[] {
    return this.#of.all(orderId).map(({ course, fired_at_ms, job_id }) => ({
      course,
      firedAtMs: fired_at_ms,
      jobId: job_id,
    }))
  }

  /** Records it, in the caller's transaction. @returns false if it was fired before: then nothing may print */
  put({ orderId, course, atMs, jobId, isKnownToRelay }: NewFire): boolean {
    const ackedAtMs = isKnownToRelay ? atMs : null
    if (this.#put.run({ orderId, course, atMs, jobId, ackedAtMs }).changes === 0) return false
    this.#db.afterCommit(() => this.fired.notify(orderId))
    return true
  }

  /** What the relay has not acknowledged, oldest first. */
  open(limit: number): { orderId: string; course: number; atMs: EpochMs }[] {
    return this.#open.all(limit).map(({ order_id, course, fired_at_ms }) => ({
      orderId: order_id,
      course,
      atMs: fired_at_ms,
    }))
  }

  /** The relay has it on its disk. In the caller's transaction. */
  acknowledge(orderId: string, course: number, nowMs: EpochMs): void {
    this.#acknowledge.run(nowMs, orderId, course)
  }

  /** In the caller's transaction. */
  prune(beforeMs: EpochMs): void {
    this.#prune.run(beforeMs)
  }
}
