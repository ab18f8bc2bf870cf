// The last author and time of each field of a printer, by which the later of box and cloud wins.
import type { Statement } from 'better-sqlite3'
import type { ConfigField } from '#shared/wire/gateway-config.ts'
import type { GatewayDatabase } from './database.ts'

/** A write on the box itself: its page, its command line, its own watch over addresses. */
export const WRITTEN_HERE = 'this box'

export interface PrinterWriter {
  who: string
  /** Relay time. */
  atMs: number
}

/** The fields that both sides may write, as they can be compared. */
export interface WrittenFields {
  name: string
  host: string
  port: number
  profileId: string
  stations: readonly string[]
}

export class PrinterWrites {
  readonly #put: Statement<[string, string, number, string]>
  readonly #of: Statement<[string], { field: string; at_ms: number; who: string }>
  readonly #forget: Statement<[string]>
  readonly #removed: Statement<[number, string, string]>

  constructor({ sqlite }: GatewayDatabase) {
    this.#put = sqlite.prepare(
      `insert into printer_writes (printer_id, field, at_ms, who) values (?, ?, ?, ?)
       on conflict do update set at_ms = excluded.at_ms, who = excluded.who`,
    )
    this.#of = sqlite.prepare('select field, at_ms, who from printer_writes where printer_id = ?')
    this.#forget = sqlite.prepare('delete from printer_writes where printer_id = ?')
    this.#removed = sqlite.prepare(
      'update cloud_printers set printer_id = null, removed_at_ms = ?, removed_by = ? where printer_id = ?',
    )
  }

  /** Last authors by field; a field that was not changed since the printer was set up by an older program is absent. */
  of(printerId: string): ReadonlyMap<ConfigField, PrinterWriter> {
    return new Map(this.#of.all(printerId).map(({ field, at_ms, who }) => [field as ConfigField, { who, atMs: at_ms }]))
  }

  /** Notes the writer of each field that differs. @param old null: a new printer. Belongs into the transaction that writes. */
  note(
    printerId: string,
    { old, now, writer: { who, atMs } }: { old: WrittenFields | null; now: WrittenFields; writer: PrinterWriter },
  ): void {
    if (old === null) this.#forget.run(printerId)
    for (const field of changedFields(old, now)) this.#put.run(printerId, field, atMs, who)
  }

  /** The cloud wrote the value that it had already. */
  noteField(printerId: string, field: ConfigField, { who, atMs }: PrinterWriter): void {
    this.#put.run(printerId, field, atMs, who)
  }

  /** The printer is removed. Call it in that transaction. */
  noteRemoved(printerId: string, { who, atMs }: PrinterWriter): void {
    this.#forget.run(printerId)
    this.#removed.run(atMs, who, printerId)
  }
}

function changedFields(old: WrittenFields | null, now: WrittenFields): ConfigField[] {
  const differs: readonly (readonly [ConfigField, (of: WrittenFields) => unknown])[] = [
    ['name', ({ name }) => name],
    ['address', ({ host, port }) => `${host} ${port}`],
    ['profileId', ({ profileId }) => profileId],
    ['stations', ({ stations }) => JSON.stringify(stations)],
  ]
  return differs.filter(([, value]) => old === null || value(old) !== value(now)).map(([field]) => field)
}
