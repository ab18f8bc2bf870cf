// The printers of this restaurant: where they stand, what they serve, what they were seen to answer.
import type { Statement } from 'better-sqlite3'
import { type PrinterCapability, printerCapability } from '#shared/printer-profile.ts'
import type { GatewayDatabase } from './database.ts'

export interface PrinterRecord {
  printerId: string
  /** What people call it; unique. */
  name: string
  host: string
  port: number
  profileId: string
  stations: readonly string[]
  /** Takes every item whose station no printer serves. */
  isDefault: boolean
  /** Null until it has answered something. */
  capability: PrinterCapability | null
}

/** A printer as the configuration names it. */
export interface PrinterSetting {
  name: string
  host: string
  port: number
  profileId: string | null
  stations: readonly string[]
}

interface Row {
  printer_id: string
  name: string
  host: string
  port: number
  profile_id: string
  stations: string
  is_default: number
  capability: string | null
}

const DEFAULT_PROFILE = 'generic-80'

export class PrinterStore {
  readonly #db: GatewayDatabase
  readonly #all: Statement<[], Row>
  readonly #insert: Statement<[Record<string, unknown>]>
  readonly #update: Statement<[Record<string, unknown>]>
  readonly #clearDefault: Statement<[string]>
  readonly #setDefault: Statement<[string]>
  readonly #setCapability: Statement<[string, string]>
  #cache: readonly PrinterRecord[] | null = null

  constructor(db: GatewayDatabase) {
    this.#db = db
    const sql = db.sqlite
    this.#all = sql.prepare('select * from printers order by is_default desc, created_at_ms, printer_id')
    this.#insert = sql.prepare(
      `insert into printers (printer_id, name, host, port, profile_id, stations, is_default, created_at_ms)
       values (@printerId, @name, @host, @port, @profileId, @stations, 0, @nowMs)`,
    )
    // What it answered belongs to the device at the old address.
    this.#update = sql.prepare(
      `update printers set stations = @stations, profile_id = @profileId,
         capability = case when host = @host and port = @port and profile_id = @profileId then capability end,
         host = @host, port = @port
       where printer_id = @printerId`,
    )
    this.#clearDefault = sql.prepare('update printers set is_default = 0 where is_default = 1 and printer_id <> ?')
    this.#setDefault = sql.prepare('update printers set is_default = 1 where printer_id = ?')
    this.#setCapability = sql.prepare('update printers set capability = ? where printer_id = ?')
  }

  /** All printers, the default one first. */
  all(): readonly PrinterRecord[] {
    this.#cache ??= this.#all.all().map(recordOf)
    return this.#cache
  }

  /**
   * Makes the stored list agree with the configuration: unknown names are added, known ones get the new address, stations and profile
   * (kept when not named). Printers that are not named stay. The first named one becomes the default.
   */
  apply(settings: readonly PrinterSetting[], nowMs: number): void {
    if (settings.length === 0) return
    this.#db.transaction(() => {
      for (const setting of settings) this.#applyOne(setting, nowMs)
      const first = this.#find(settings[0]?.name ?? '')
      if (first) {
        this.#clearDefault.run(first.printerId)
        this.#setDefault.run(first.printerId)
      }
      this.#cache = null
    })
  }

  /** What the transport has learnt about a printer. */
  saveCapability(printerId: string, capability: PrinterCapability): void {
    // A few rare bytes, learnt again if lost: no commit of its own.
    this.#db.rideAlong(() => {
      this.#setCapability.run(JSON.stringify(capability), printerId)
      this.#cache = null
    })
  }

  #applyOne(setting: PrinterSetting, nowMs: number): void {
    const known = this.#find(setting.name)
    const values = { host: setting.host, port: setting.port, stations: JSON.stringify(setting.stations) }
    if (known)
      this.#update.run({ ...values, printerId: known.printerId, profileId: setting.profileId ?? known.profileId })
    else
      this.#insert.run({
        ...values,
        printerId: this.#freeId(setting.name),
        name: setting.name,
        profileId: setting.profileId ?? DEFAULT_PROFILE,
        nowMs,
      })
    this.#cache = null
  }

  #find(name: string): PrinterRecord | undefined {
    return this.all().find((printer) => printer.name === name)
  }

  /** The name in lower-case letters, digits and dashes; numbered when taken. */
  #freeId(name: string): string {
    const base =
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-+|-+$/g, '')
        .slice(0, 32) || 'printer'
    const taken = new Set(this.all().map((printer) => printer.printerId))
    let id = base
    for (let n = 2; taken.has(id); n++) id = `${base}-${n}`
    return id
  }
}

function recordOf(row: Row): PrinterRecord {
  return {
    printerId: row.printer_id,
    name: row.name,
    host: row.host,
    port: row.port,
    profileId: row.profile_id,
    stations: JSON.parse(row.stations),
    isDefault: row.is_default === 1,
    capability: capabilityOf(row.capability),
  }
}

/** Null when unreadable: the printer is asked again. */
function capabilityOf(text: string | null): PrinterCapability | null {
  if (text === null) return null
  try {
    return printerCapability.parse(JSON.parse(text))
  } catch {
    return null
  }
}
