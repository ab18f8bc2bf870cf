// Which printers are absent, and which printer has their tickets meanwhile. One row an absence, until the printer prints again.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'

export class AbsenceRows {
  readonly #since: Statement<[string], { since_ms: number }>
  readonly #target: Statement<[string], { target: string }>
  readonly #sentTo: Statement<[string], { printer_id: string }>
  readonly #begin: Statement<[string, number]>
  readonly #send: Statement<[string, string]>
  readonly #end: Statement<[string]>

  constructor(db: GatewayDatabase) {
    const sql = db.sqlite
    this.#since = sql.prepare('select since_ms from absences where printer_id = ?')
    this.#target = sql.prepare(
      `select t.printer_id as target from absences a join printers p on p.printer_id = a.printer_id
         join printers t on t.printer_id =
           coalesce(a.target, case when json_valid(p.settings) then p.settings ->> '$.backupPrinterId' end)
       where a.printer_id = ?`,
    )
    this.#sentTo = sql.prepare('select printer_id from absences where target = ?')
    this.#begin = sql.prepare('insert or ignore into absences (printer_id, since_ms) values (?, ?)')
    this.#send = sql.prepare('update absences set target = ? where printer_id = ?')
    this.#end = sql.prepare('delete from absences where printer_id = ?')
  }

  /** When its tickets began to go elsewhere; null while it has them itself. */
  sinceMs(printerId: string): EpochMs | null {
    return this.#since.get(printerId)?.since_ms ?? null
  }

  /** The printer that has this one's tickets now: itself, or where they were sent, and on where that one's were; itself in a circle. */
  printerFor(printerId: string): string {
    // Nearly always: where they go is looked up only for a printer that is absent.
    if (this.sinceMs(printerId) === null) return printerId
    const asked = new Set<string>()
    for (let id = printerId; ; ) {
      if (asked.has(id)) return printerId
      asked.add(id)
      const next = this.#target.get(id)?.target
      if (next === undefined) return id
      id = next
    }
  }

  /** Absent printers whose tickets were sent to this one. */
  sentTo(printerId: string): string[] {
    return this.#sentTo.all(printerId).map(({ printer_id }) => printer_id)
  }

  /** From now on its tickets go to `target`. Belongs into the transaction that moves them. */
  begin(printerId: string, target: string, nowMs: EpochMs): void {
    this.#begin.run(printerId, nowMs)
    this.#send.run(target, printerId)
  }

  /** The absence goes on, its tickets go to another printer. */
  sendTo(printerId: string, target: string): void {
    this.#send.run(target, printerId)
  }

  end(printerId: string): void {
    this.#end.run(printerId)
  }
}
