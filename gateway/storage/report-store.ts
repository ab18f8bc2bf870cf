// Outbox to the relay: the result of a job waits here until the relay has acknowledged it.
import type { Statement } from 'better-sqlite3'
import { Signal } from '#shared/signal.ts'
import type { MessageOf, UpMessage } from '#shared/wire/gateway-link.ts'
import type { GatewayDatabase } from './database.ts'

/** A `result` message without envelope and type. */
export type ResultPayload = Omit<MessageOf<UpMessage, 'result'>, 'v' | 'id' | 'ts' | 'e' | 't'>

export interface OpenReport {
  jobId: string
  payload: ResultPayload
}

interface Row {
  job_id: string
  payload: string
}

export class ReportStore {
  /** A report was stored. */
  readonly changed = new Signal()
  readonly #db: GatewayDatabase
  readonly #insert: Statement<[string, string, number]>
  readonly #select: Statement<[number], Row>
  readonly #delete: Statement<[string]>
  readonly #count: Statement<[], { n: number }>
  readonly #exists: Statement<[string], { n: number }>
  readonly #someOf: Statement<[number], { n: number }>
  /** Acknowledged, but not yet deleted on disk. */
  readonly #acknowledged = new Set<string>()

  constructor(db: GatewayDatabase) {
    this.#db = db
    // A job reported again (its result was taken back by a restored relay) replaces its older report.
    this.#insert = db.sqlite.prepare('insert or replace into reports (job_id, payload, created_at_ms) values (?, ?, ?)')
    this.#select = db.sqlite.prepare('select job_id, payload from reports order by report_id limit ?')
    this.#delete = db.sqlite.prepare('delete from reports where job_id = ?')
    this.#count = db.sqlite.prepare('select count(*) as n from reports')
    this.#someOf = db.sqlite.prepare('select count(*) as n from (select 1 from reports limit ?)')
    this.#exists = db.sqlite.prepare('select 1 as n from reports where job_id = ?')
  }

  /** Call it in the transaction that settles the job. */
  add(payload: ResultPayload, nowMs: number): void {
    this.#db.transaction(() => {
      this.#insert.run(payload.jobId, JSON.stringify(payload), nowMs)
      this.#acknowledged.delete(payload.jobId)
      this.#db.afterCommit(() => this.changed.notify())
    })
  }

  /**
   * Results that the relay has not acknowledged, oldest first, without those of the first `limit` that are under way.
   * Only what is returned is parsed.
   */
  open(limit: number, isUnderWay: (jobId: string) => boolean = () => false): OpenReport[] {
    return this.#select
      .all(limit + this.#acknowledged.size)
      .filter((row) => !this.#acknowledged.has(row.job_id))
      .slice(0, limit)
      .filter((row) => !isUnderWay(row.job_id))
      .map((row) => ({ jobId: row.job_id, payload: JSON.parse(row.payload) }))
  }

  /** True if nothing waits for the relay. Costs the same however much waits, unlike `count`. */
  isEmpty(): boolean {
    const acknowledged = this.#acknowledged.size
    return (this.#someOf.get(acknowledged + 1)?.n ?? 0) <= acknowledged
  }

  /**
   * The relay has these results on its disk. The rows go with the next transaction: an acknowledgement lost in a crash costs one
   * resent message, a commit for each would cost the card twice the writes.
   */
  acknowledge(jobIds: readonly string[]): void {
    const fresh = jobIds.filter((jobId) => !this.#acknowledged.has(jobId) && this.#exists.get(jobId) !== undefined)
    if (fresh.length === 0) return
    for (const jobId of fresh) this.#acknowledged.add(jobId)
    this.#db.rideAlong(() => {
      for (const jobId of fresh) {
        // Reported again meanwhile: the new report was not acknowledged.
        if (!this.#acknowledged.has(jobId)) continue
        this.#delete.run(jobId)
        this.#db.afterCommit(() => this.#acknowledged.delete(jobId))
      }
    })
  }

  /** Number of results that wait for the relay. */
  count(): number {
    return (this.#count.get()?.n ?? 0) - this.#acknowledged.size
  }
}
