// The printers of this restaurant: their addresses, stations, settings and detected capabilities.
import type { Statement } from 'better-sqlite3'
import { type DeviceAnswers, type KnownDevice, knownDevice, UNKNOWN_DEVICE } from '#shared/printer-identity.ts'
import { type PrinterCapability, printerCapability } from '#shared/printer-profile.ts'
import { DEFAULT_PRINTER_SETTINGS, type PrinterSettings, printerSettings } from '#shared/printer-settings.ts'
import { type GatewayDatabase, isDiskFull } from './database.ts'
import { MetaValues } from './meta-values.ts'
import { type LeftBehind, PrinterReferences } from './printer-references.ts'
import { type PrinterWriter, PrinterWrites, WRITTEN_HERE } from './printer-writes.ts'

export interface PrinterRecord {
  printerId: string
  /** Unique name for people. */
  name: string
  host: string
  port: number
  profileId: string
  stations: readonly string[]
  /** Prints every item whose station no printer serves. */
  isDefault: boolean
  /** Null until it has answered something. */
  capability: PrinterCapability | null
  /** The device's own description: by it and by `settings.mac` it is recognised. */
  device: KnownDevice
  settings: PrinterSettings
}

/** A printer in the configuration. */
export interface PrinterSetting {
  name: string
  host: string
  port: number
  profileId: string | null
  stations: readonly string[]
}

/** A printer that a person adds. */
export interface NewPrinter {
  name: string
  /** Begins with `/`: a device file, port 0. */
  host: string
  port: number
  profileId: string
  stations: readonly string[]
  settings: PrinterSettings
}

/** What a person changes of a printer; what is absent stays. `isDefault: true` takes it from the one that had it. */
export interface PrinterUpdate {
  name?: string | undefined
  host?: string | undefined
  port?: number | undefined
  profileId?: string | undefined
  stations?: readonly string[] | undefined
  isDefault?: true | undefined
  /** Set when another device was accepted, or it was followed to another address. Absent: its description is dropped with its address. */
  device?: KnownDevice | undefined
  /** The printer itself was recognized at the address: its recorded answers stay. */
  isItself?: true | undefined
  settings?: Partial<PrinterSettings> | undefined
}

export type PrinterRefusal =
  | 'unknown-printer'
  | 'name-taken'
  | 'too-many'
  /** The backup does not exist, or is the printer itself. */
  | 'unknown-backup'
  | 'backup-is-itself'
  /** Its tickets must be moved first. */
  | 'tickets-wait'
  /** A ticket is on its way to it. */
  | 'printing'
export type PrinterChange = { ok: true; printer: PrinterRecord } | { ok: false; reason: PrinterRefusal }
export type PrinterRemoval =
  | { ok: true; printer: PrinterRecord; left: LeftBehind }
  | { ok: false; reason: PrinterRefusal }

interface Row {
  printer_id: string
  name: string
  host: string
  port: number
  profile_id: string
  stations: string
  is_default: number
  capability: string | null
  device: string | null
  settings: string | null
}

const DEFAULT_PROFILE = 'generic-80'
const MOST_PRINTERS = 32
/** A write with the lowest priority. */
const UNDATED: PrinterWriter = { who: WRITTEN_HERE, atMs: 0 }

export class PrinterStore {
  readonly #db: GatewayDatabase
  readonly #all: Statement<[], Row>
  readonly #insert: Statement<[Record<string, unknown>]>
  readonly #update: Statement<[Record<string, unknown>]>
  readonly #save: Statement<[Record<string, unknown>]>
  readonly #remove: Statement<[string]>
  readonly #open: Statement<[string], { n: number; sending: number | null }>
  readonly #references: PrinterReferences
  readonly #values: MetaValues<'configured'>
  readonly #clearDefault: Statement<[string]>
  readonly #setDefault: Statement<[string]>
  readonly writes: PrinterWrites
  readonly #setCapability: Statement<[string, string, string, number, string]>
  readonly #setDevice: Statement<[string, string]>
  /** Null: not read since the last change. */
  #cache: readonly PrinterRecord[] | null = null

  constructor(db: GatewayDatabase) {
    this.#db = db
    this.writes = new PrinterWrites(db)
    db.rolledBack.subscribe(() => {
      this.#cache = null
    })
    const sql = db.sqlite
    this.#all = sql.prepare('select * from printers order by is_default desc, created_at_ms, printer_id')
    this.#insert = sql.prepare(
      `insert into printers (printer_id, name, host, port, profile_id, stations, is_default, created_at_ms, settings)
       values (@printerId, @name, @host, @port, @profileId, @stations, 0, @nowMs, @settings)`,
    )
    // Its answers belong to the device at the old address.
    this.#update = sql.prepare(
      `update printers set stations = @stations, profile_id = @profileId,
         capability = case when host = @host and port = @port and profile_id = @profileId then capability end,
         device = case when host = @host and port = @port then device end,
         settings = case when host <> @host and json_valid(settings)
           then json_set(settings, '$.mac', json('null')) else settings end,
         host = @host, port = @port
       where printer_id = @printerId`,
    )
    this.#save = sql.prepare(
      `update printers set name = @name, stations = @stations, settings = @settings,
         capability = case when profile_id = @profileId and @isSameDevice then capability end,
         device = @device, host = @host, port = @port, profile_id = @profileId
       where printer_id = @printerId`,
    )
    this.#remove = sql.prepare('delete from printers where printer_id = ?')
    this.#open = sql.prepare(
      `select count(*) as n, sum(state = 'sending') as sending from tickets
       where printer_id = ? and state in ('held', 'queued', 'sending', 'parked')`,
    )
    this.#references = new PrinterReferences(db)
    this.#values = new MetaValues(db)
    this.#clearDefault = sql.prepare('update printers set is_default = 0 where is_default = 1 and printer_id <> ?')
    this.#setDefault = sql.prepare('update printers set is_default = 1 where printer_id = ?')
    this.#setCapability = sql.prepare(
      'update printers set capability = ? where printer_id = ? and host = ? and port = ? and profile_id = ?',
    )
    this.#setDevice = sql.prepare('update printers set device = ? where printer_id = ?')
  }

  /** All printers, the default one first. */
  all(): readonly PrinterRecord[] {
    this.#cache ??= this.#all.all().map(recordOf)
    return this.#cache
  }

  find(printerId: string): PrinterRecord | null {
    return this.all().find((printer) => printer.printerId === printerId) ?? null
  }

  /**
   * Makes the stored list agree with the configuration, as far as that has changed since it was last applied: what a technician sets
   * afterwards stays. Unknown names are added, known ones get the new address, stations and profile (kept when not named). Printers that
   * are not named stay. The first named one becomes the default.
   */
  apply(settings: readonly PrinterSetting[], nowMs: number): void {
    const text = JSON.stringify(settings)
    const before = this.#values.get('configured') ?? '[]'
    if (settings.length === 0 || text === before) return
    const applied: PrinterSetting[] = JSON.parse(before)
    const isNew = (setting: PrinterSetting) => !applied.some((old) => JSON.stringify(old) === JSON.stringify(setting))
    this.#db.transaction(() => {
      for (const setting of settings.filter(isNew)) this.#applyOne(setting, nowMs)
      const first = this.#named(settings[0]?.name ?? '')
      if (first && applied[0]?.name !== first.name) this.#makeDefault(first.printerId)
      this.#values.put('configured', text)
      this.#cache = null
    })
  }

  /** Adds a printer; the first of all becomes the default. */
  add(printer: NewPrinter, by: PrinterWriter): PrinterChange {
    const { stations, settings, ...rest } = printer
    if (this.#named(printer.name)) return { ok: false, reason: 'name-taken' }
    if (this.all().length >= MOST_PRINTERS) return { ok: false, reason: 'too-many' }
    const printerId = this.#freeId(printer.name)
    const refusal = this.#refuseBackup(printerId, settings)
    if (refusal) return { ok: false, reason: refusal }
    this.#db.transaction(() => {
      const isFirst = this.all().length === 0
      const json = { stations: JSON.stringify(stations), settings: JSON.stringify(settings) }
      this.#insert.run({ ...rest, ...json, printerId, nowMs: by.atMs })
      this.writes.note(printerId, { old: null, now: printer, writer: by })
      if (isFirst) this.#makeDefault(printerId)
    })
    return this.#changed(printerId)
  }

  /** Its recorded answers are deleted with its address, its profile or its device, unless it is the same printer at another address. */
  update(printerId: string, update: PrinterUpdate, by: PrinterWriter = UNDATED): PrinterChange {
    const old = this.find(printerId)
    if (!old) return { ok: false, reason: 'unknown-printer' }
    const named = update.name === undefined ? undefined : this.#named(update.name)
    if (named && named.printerId !== printerId) return { ok: false, reason: 'name-taken' }
    const settings = { ...old.settings, ...update.settings }
    const refusal = this.#refuseBackup(printerId, settings)
    if (refusal) return { ok: false, reason: refusal }
    const fields = {
      name: update.name ?? old.name,
      host: update.host ?? old.host,
      port: update.port ?? old.port,
      profileId: update.profileId ?? old.profileId,
      stations: update.stations ?? old.stations,
    }
    this.#db.transaction(() => {
      const isElsewhere = fields.host !== old.host || fields.port !== old.port
      const device = update.device ?? (isElsewhere ? UNKNOWN_DEVICE : old.device)
      const json = {
        stations: JSON.stringify(fields.stations),
        settings: JSON.stringify(settings),
        device: JSON.stringify(device),
      }
      const isSameDevice = update.isItself ?? (update.device === undefined && !isElsewhere)
      this.#save.run({ ...fields, ...json, printerId, isSameDevice: isSameDevice ? 1 : 0 })
      this.writes.note(printerId, { old, now: fields, writer: by })
      if (update.isDefault) this.#makeDefault(printerId)
    })
    return this.#changed(printerId)
  }

  /**
   * Refused while tickets wait for it: they must be moved or cancelled first. Afterwards nothing refers to it, and `left` lists what
   * changed; the first of the others becomes the default printer.
   */
  remove(printerId: string, by: PrinterWriter): PrinterRemoval {
    const printer = this.find(printerId)
    if (!printer) return { ok: false, reason: 'unknown-printer' }
    const { n = 0, sending = null } = this.#open.get(printerId) ?? {}
    if (n > 0) return { ok: false, reason: sending ? 'printing' : 'tickets-wait' }
    const left = this.#db.transaction(() => {
      this.#remove.run(printerId)
      this.writes.noteRemoved(printerId, by)
      const cleared = this.#references.clear(printerId)
      this.#cache = null
      const first = this.all()[0]
      if (printer.isDefault && first) this.#makeDefault(first.printerId)
      return cleared
    })
    this.#cache = null
    return { ok: true, printer, left }
  }

  /** Stores what the transport has detected about the device at a printer's address; dropped when the printer was changed meanwhile. */
  saveCapability(
    { printerId, host, port, profileId }: Pick<PrinterRecord, 'printerId' | 'host' | 'port' | 'profileId'>,
    capability: PrinterCapability,
  ): void {
    // A few bytes, determined again if lost: no separate commit.
    this.#db.rideAlong(() => {
      this.#setCapability.run(JSON.stringify(capability), printerId, host, port, profileId)
      this.#cache = null
    })
  }

  /** Stores the own description of the device at a printer's address; dropped when the printer was changed meanwhile. */
  saveAnswers(
    { printerId, host, port }: Pick<PrinterRecord, 'printerId' | 'host' | 'port'>,
    answers: DeviceAnswers,
  ): void {
    const now = this.find(printerId)
    if (now?.host !== host || now.port !== port) return
    const device: KnownDevice = { ...now.device, answers }
    try {
      // Once per device. Not with a later transaction: by then another device may have been accepted.
      this.#db.transaction(() => this.#setDevice.run(JSON.stringify(device), printerId))
    } catch (error) {
      // It is identified again after the next start.
      if (!isDiskFull(error)) throw error
    }
    this.#cache = null
  }

  #applyOne(setting: PrinterSetting, nowMs: number): void {
    const known = this.#named(setting.name)
    const values = { host: setting.host, port: setting.port, stations: JSON.stringify(setting.stations) }
    const printerId = known?.printerId ?? this.#freeId(setting.name)
    const profileId = setting.profileId ?? known?.profileId ?? DEFAULT_PROFILE
    if (known) this.#update.run({ ...values, printerId, profileId })
    else
      this.#insert.run({
        ...values,
        printerId,
        name: setting.name,
        profileId,
        settings: null,
        nowMs,
      })
    this.writes.note(printerId, {
      old: known ?? null,
      now: { ...setting, profileId },
      writer: { who: WRITTEN_HERE, atMs: nowMs },
    })
    this.#cache = null
  }

  #changed(printerId: string): PrinterChange {
    this.#cache = null
    const printer = this.find(printerId)
    return printer ? { ok: true, printer } : { ok: false, reason: 'unknown-printer' }
  }

  #makeDefault(printerId: string): void {
    this.#clearDefault.run(printerId)
    this.#setDefault.run(printerId)
  }

  #refuseBackup(printerId: string, { backupPrinterId }: PrinterSettings): PrinterRefusal | null {
    if (backupPrinterId === null) return null
    if (backupPrinterId === printerId) return 'backup-is-itself'
    return this.find(backupPrinterId) ? null : 'unknown-backup'
  }

  #named(name: string): PrinterRecord | undefined {
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
    device: deviceOf(row.device),
    settings: settingsOf(row.settings),
  }
}

/** Null if unreadable: the printer is probed again. */
function capabilityOf(text: string | null): PrinterCapability | null {
  if (text === null) return null
  try {
    return printerCapability.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Empty if unreadable: the device is identified again. */
function deviceOf(text: string | null): KnownDevice {
  if (text === null) return UNKNOWN_DEVICE
  try {
    return knownDevice.parse(JSON.parse(text))
  } catch {
    return UNKNOWN_DEVICE
  }
}

/** The defaults when there are none, or when they cannot be read. */
function settingsOf(text: string | null): PrinterSettings {
  if (text === null) return DEFAULT_PRINTER_SETTINGS
  try {
    return printerSettings.parse(JSON.parse(text))
  } catch {
    return DEFAULT_PRINTER_SETTINGS
  }
}
