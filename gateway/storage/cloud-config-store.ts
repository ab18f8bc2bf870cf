// The last configuration from the cloud with our answer, and which of our printers correspond to the proposed ones.
import type { Statement } from 'better-sqlite3'
import type { ConfigResult } from '#shared/wire/gateway-config.ts'
import type { GatewayDatabase } from './database.ts'
import { MetaValues } from './meta-values.ts'
import type { PrinterWriter } from './printer-writes.ts'

/** A configuration that was applied, as far as it could be. */
export interface AppliedConfig {
  /** The gateway of the configuration. */
  gatewayId: string
  ver: number
  sha256: string
  doc: string
  result: ConfigResult
}

/** One of the cloud's printers on this box. */
export interface CloudPrinterRow {
  cloudId: string
  printerId: string | null
  /** It was set up here and removed by this writer. */
  removed: PrinterWriter | null
}

interface Row {
  cloud_id: string
  printer_id: string | null
  removed_at_ms: number | null
  removed_by: string | null
}

export class CloudConfigStore {
  readonly #db: GatewayDatabase
  readonly #values: MetaValues<'cloud_config'>
  readonly #printers: Statement<[], Row>
  readonly #bind: Statement<[string, string | null]>
  readonly #unbind: Statement<[string, string]>
  readonly #forget: Statement<[string]>

  constructor(db: GatewayDatabase) {
    this.#db = db
    const sql = db.sqlite
    this.#values = new MetaValues(db)
    this.#printers = sql.prepare('select * from cloud_printers order by cloud_id')
    this.#bind = sql.prepare(
      `insert into cloud_printers (cloud_id, printer_id) values (?, ?)
       on conflict do update set printer_id = excluded.printer_id, removed_at_ms = null, removed_by = null`,
    )
    this.#unbind = sql.prepare('update cloud_printers set printer_id = null where printer_id = ? and cloud_id <> ?')
    this.#forget = sql.prepare('delete from cloud_printers where cloud_id = ?')
  }

  /** Null before the first, or when it cannot be read: then it is sent again. */
  applied(): AppliedConfig | null {
    try {
      return JSON.parse(this.#values.get('cloud_config') ?? '') as AppliedConfig
    } catch {
      return null
    }
  }

  save(applied: AppliedConfig): void {
    this.#db.transaction(() => this.#values.put('cloud_config', JSON.stringify(applied)))
  }

  /** Another restaurant: proposals of the previous one's cloud no longer apply. The printers stay. */
  clear(): void {
    this.#db.transaction(() => {
      for (const { cloudId } of this.printers()) this.#forget.run(cloudId)
      this.#values.put('cloud_config', '')
    })
  }

  printers(): CloudPrinterRow[] {
    return this.#printers.all().map((row) => ({
      cloudId: row.cloud_id,
      printerId: row.printer_id,
      removed: row.removed_at_ms === null ? null : { atMs: row.removed_at_ms, who: row.removed_by ?? '' },
    }))
  }

  /** From now on this printer corresponds to that of the cloud. */
  bind(cloudId: string, printerId: string): void {
    this.#db.transaction(() => {
      this.#unbind.run(printerId, cloudId)
      this.#bind.run(cloudId, printerId)
    })
  }

  /** The cloud no longer has it. */
  forget(cloudId: string): void {
    this.#db.transaction(() => this.#forget.run(cloudId))
  }
}
