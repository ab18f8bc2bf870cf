// How long orders took from their arrival to paper, from the history of this box.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'

export interface PrintTime {
  printedAtMs: EpochMs
  /** From its arrival, or from the time that it was scheduled for, to paper. */
  tookMs: number
}

/** A busy day of a large kitchen. */
const MOST = 20_000

export class PrintTimes {
  readonly #printed: Statement<[number, number], { printed: number; due: number }>

  constructor({ sqlite }: GatewayDatabase) {
    this.#printed = sqlite.prepare(
      `select t.settled_at_ms as printed, max(j.received_at_ms, coalesce(t.not_before_ms, 0)) as due
       from jobs j join tickets t on t.job_id = j.job_id
       where j.settled_at_ms >= ? and j.kind = 'order' and t.kind = 'order' and t.state = 'printed' and t.method is not 'person'
       order by j.settled_at_ms desc limit ?`,
    )
  }

  /** Tickets of orders that a printer has printed since then: without those that a person declared printed, copies, and slips. */
  since(sinceMs: EpochMs): PrintTime[] {
    return this.#printed
      .all(sinceMs, MOST)
      .filter(({ printed }) => printed >= sinceMs)
      .map(({ printed, due }) => ({ printedAtMs: printed, tookMs: Math.max(0, printed - due) }))
  }
}
