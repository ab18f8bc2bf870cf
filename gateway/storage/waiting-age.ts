// Since when the oldest ticket waits at each printer. Reads the index of waiting tickets, and one row per printer.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'

export class WaitingAge {
  readonly #oldest: Statement<[], { printer_id: string; at: number }>

  constructor({ sqlite }: GatewayDatabase) {
    this.#oldest = sqlite.prepare(
      `select q.printer_id, j.received_at_ms as at from
         (select printer_id, min(position) as position from tickets where state in ('queued', 'sending') group by printer_id) q
         join tickets t on t.position = q.position join jobs j on j.job_id = t.job_id`,
    )
  }

  /** Arrival of the oldest by printer, relay time. */
  oldestByPrinter(): ReadonlyMap<string, EpochMs> {
    return new Map(this.#oldest.all().map(({ printer_id, at }) => [printer_id, at]))
  }
}
