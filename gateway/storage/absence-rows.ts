// Which printers are absent, so that their tickets go to their backups. One row an absence, until the printer prints again.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'

export class AbsenceRows {
  readonly #since: Statement<[string], { since_ms: number }>
  readonly #backup: Statement<[string], { backup: string }>
  readonly #begin: Statement<[string, number]>
  readonly #end: Statement<[string]>

  constructor(db: GatewayDatabase) {
    const sql = db.sqlite
    this.#since = sql.prepare('select since_ms from absences where printer_id = ?')
    this.#backup = sql.prepare(
      `select b.printer_id as backup from absences a join printers p on p.printer_id = a.printer_id
         join printers b on b.printer_id = case when json_valid(p.settings) then p.settings ->> '$.backupPrinterId' end
       where a.printer_id = ?`,
    )
    this.#begin = sql.prepare('insert or ignore into absences (printer_id, since_ms) values (?, ?)')
    this.#end = sql.prepare('delete from absences where printer_id = ?')
  }

  /** When its tickets began to go elsewhere; null while it has them itself. */
  sinceMs(printerId: string): EpochMs | null {
    return this.#since.get(printerId)?.since_ms ?? null
  }

  /** The printer that has this one's tickets now: itself, or at the end of the chain of backups; itself when the chain is a circle. */
  printerFor(printerId: string): string {
    // Nearly always: the chain is looked up only for a printer that is absent.
    if (this.sinceMs(printerId) === null) return printerId
    const asked = new Set<string>()
    for (let id = printerId; ; ) {
      if (asked.has(id)) return printerId
      asked.add(id)
      const next = this.#backup.get(id)?.backup
      if (next === undefined) return id
      id = next
    }
  }

  /** Belongs into the transaction that moves its tickets. */
  begin(printerId: string, nowMs: EpochMs): void {
    this.#begin.run(printerId, nowMs)
  }

  end(printerId: string): void {
    this.#end.run(printerId)
  }
}
