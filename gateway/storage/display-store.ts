// The displays: their names, what they show, and the hashed tokens and one-time codes with which they sign in.
import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { DISPLAY_KINDS, type DisplayKind } from '#shared/wire/kitchen-screens.ts'
import type { GatewayDatabase } from './database.ts'

export interface DisplayRecord {
  displayId: string
  name: string
  kind: DisplayKind
  /** As the catalog writes them; empty: expo, which shows everything. Only kitchen displays have any. */
  stations: readonly string[]
  /** BCP 47 tag of its language. */
  language: string
  /** Prints what the display does not show while it does not answer; null: none. */
  backupPrinterId: string | null
  /** Its buzzer sounds if nobody has reacted to an order for this time; null: never. */
  buzzAfterS: number | null
  /** A pick-up board shows first names next to the numbers. */
  showNames: boolean
  createdAtMs: EpochMs
  /** When a browser signed in as this display; null: none has. */
  claimedAtMs: EpochMs | null
}

export type NewDisplay = Pick<DisplayRecord, 'name' | 'stations' | 'language' | 'backupPrinterId'> &
  Partial<Pick<DisplayRecord, 'kind' | 'buzzAfterS' | 'showNames'>>

export type DisplayChange =
  | { ok: true; display: DisplayRecord }
  | { ok: false; reason: 'unknown-display' | 'name-taken' | 'too-many' | 'not-its-kind' }

interface Row {
  display_id: string
  name: string
  kind: string
  stations: string
  language: string
  backup_printer_id: string | null
  buzz_after_s: number | null
  show_names: number
  created_at_ms: number
  claimed_at_ms: number | null
}

type Bind = Record<string, string | number | null>

const MOST_DISPLAYS = 64
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 8
export const CODE_VALID_MS = 900_000

export class DisplayStore {
  /** A display was added, changed, signed in or removed. */
  readonly changed = new Signal()
  readonly #db: GatewayDatabase
  readonly #all: Statement<[], Row>
  readonly #byToken: Statement<[string], Row>
  readonly #put: Statement<[Bind]>
  readonly #update: Statement<[Bind]>
  readonly #remove: Statement<[string]>
  readonly #dropCodes: Statement<[string]>
  readonly #putCode: Statement<[string, string, number]>
  readonly #useCode: Statement<[string, number], { display_id: string }>
  readonly #setToken: Statement<[string, number, string]>
  /** The rows on disk, cached: the check of the displays reads them twice a second. Null: not read since the last change. */
  #cache: readonly DisplayRecord[] | null = null

  constructor(db: GatewayDatabase) {
    this.#db = db
    db.rolledBack.subscribe(() => {
      this.#cache = null
    })
    db.overwritten.subscribe(() => this.#noteOverwritten())
    const sql = db.sqlite
    this.#all = sql.prepare('select * from displays order by created_at_ms, display_id')
    this.#byToken = sql.prepare('select * from displays where token_hash = ?')
    this.#put = sql.prepare(
      `insert into displays (display_id, name, kind, stations, language, backup_printer_id, buzz_after_s, show_names, created_at_ms)
       values (@displayId, @name, @kind, @stations, @language, @backupPrinterId, @buzzAfterS, @showNames, @nowMs)`,
    )
    this.#update = sql.prepare(
      `update displays set name = @name, kind = @kind, stations = @stations, language = @language,
         backup_printer_id = @backupPrinterId, buzz_after_s = @buzzAfterS, show_names = @showNames
       where display_id = @displayId`,
    )
    this.#remove = sql.prepare('delete from displays where display_id = ?')
    this.#dropCodes = sql.prepare('delete from display_codes where display_id = ?')
    this.#putCode = sql.prepare('insert into display_codes (code_hash, display_id, expires_at_ms) values (?, ?, ?)')
    this.#useCode = sql.prepare(
      'delete from display_codes where code_hash = ? and expires_at_ms > ? returning display_id',
    )
    this.#setToken = sql.prepare('update displays set token_hash = ?, claimed_at_ms = ? where display_id = ?')
  }

  all(): readonly DisplayRecord[] {
    this.#cache ??= this.#all.all().map(recordOf)
    return this.#cache
  }

  find(displayId: string): DisplayRecord | null {
    return this.all().find((display) => display.displayId === displayId) ?? null
  }

  add(display: NewDisplay, nowMs: EpochMs): DisplayChange {
    const all = this.all()
    if (all.length >= MOST_DISPLAYS) return { ok: false, reason: 'too-many' }
    if (isTaken(all, display.name)) return { ok: false, reason: 'name-taken' }
    if (!fitsKind(display.kind ?? 'kitchen', display)) return { ok: false, reason: 'not-its-kind' }
    const displayId = `dsp_${randomBytes(9).toString('hex')}`
    this.#db.transaction(() => {
      this.#put.run({ ...columnsOf(display), displayId, nowMs })
      this.#noteChange()
    })
    return this.#found(displayId)
  }

  /** Absent fields stay, if they fit the kind: a display that becomes a runner's has no stations any more. */
  update(displayId: string, change: Partial<NewDisplay>): DisplayChange {
    const old = this.find(displayId)
    if (!old) return { ok: false, reason: 'unknown-display' }
    const next = { ...old, ...change }
    const others = this.all().filter((other) => other.displayId !== displayId)
    if (isTaken(others, next.name)) return { ok: false, reason: 'name-taken' }
    if (!fitsKind(next.kind, change)) return { ok: false, reason: 'not-its-kind' }
    this.#db.transaction(() => {
      this.#update.run({ ...columnsOf(next), displayId })
      this.#noteChange()
    })
    return this.#found(displayId)
  }

  /** Its browser is signed out at once. */
  remove(displayId: string): boolean {
    return this.#db.transaction(() => {
      this.#dropCodes.run(displayId)
      const isGone = this.#remove.run(displayId).changes === 1
      if (isGone) this.#noteChange()
      return isGone
    })
  }

  /** A code with which one browser may sign in as this display, for a quarter of an hour; an older one no longer works. */
  newCode(displayId: string, nowMs: EpochMs): { code: string; expiresAtMs: EpochMs } | null {
    if (!this.find(displayId)) return null
    const code = Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')
    const expiresAtMs = nowMs + CODE_VALID_MS
    this.#db.transaction(() => {
      this.#dropCodes.run(displayId)
      this.#putCode.run(hashOf(code), displayId, expiresAtMs)
    })
    return { code, expiresAtMs }
  }

  /**
   * Accepts a code, once. The browser that had the display before is signed out.
   * @param kept the form in which the token is stored; default: unchanged
   * @returns the token, which is stored here only as a hash
   */
  claim(
    code: string,
    nowMs: EpochMs,
    kept = (token: string) => token,
  ): { token: string; display: DisplayRecord } | null {
    return this.#db.transaction(() => {
      const displayId = this.#useCode.get(hashOf(code), nowMs)?.display_id
      if (displayId === undefined) return null
      const token = randomBytes(32).toString('base64url')
      this.#setToken.run(hashOf(kept(token)), nowMs, displayId)
      this.#noteChange()
      const display = this.find(displayId)
      return display && { token, display }
    })
  }

  byToken(token: string): DisplayRecord | null {
    const row = this.#byToken.get(hashOf(token))
    return row ? recordOf(row) : null
  }

  /** In the transaction that changes a display, after the change. */
  #noteChange(): void {
    this.#cache = null
    this.#db.afterCommit(() => this.changed.notify())
  }

  /** Another store has written displays, or something else. */
  #noteOverwritten(): void {
    const before = this.#cache
    this.#cache = null
    if (before === null || JSON.stringify(this.all()) !== JSON.stringify(before)) this.#noteChange()
  }

  #found(displayId: string): DisplayChange {
    const display = this.find(displayId)
    return display ? { ok: true, display } : { ok: false, reason: 'unknown-display' }
  }
}

/** A token has 256 random bits and a code is valid for minutes, so one round is enough. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function isTaken(displays: readonly DisplayRecord[], name: string): boolean {
  return displays.some((display) => display.name.toLowerCase() === name.toLowerCase())
}

/** A runner's display serves no station, and nothing prints for it. */
function fitsKind(
  kind: DisplayKind,
  { stations = [], backupPrinterId, buzzAfterS, showNames }: Partial<NewDisplay>,
): boolean {
  const isOfKitchen = stations.length > 0 || (backupPrinterId ?? null) !== null || (buzzAfterS ?? null) !== null
  return (kind === 'kitchen' || !isOfKitchen) && (kind === 'pick-up' || showNames !== true)
}

/** A runner's display and a pick-up board have no stations, and nothing prints or sounds for them. */
function columnsOf({ kind = 'kitchen', showNames = false, ...display }: NewDisplay): Bind {
  const isKitchen = kind === 'kitchen'
  const { name, stations, language, backupPrinterId, buzzAfterS = null } = display
  return {
    ...{ name, kind, language, stations: JSON.stringify(isKitchen ? stations : []) },
    ...{ backupPrinterId: isKitchen ? backupPrinterId : null, buzzAfterS: isKitchen ? buzzAfterS : null },
    showNames: kind === 'pick-up' && showNames ? 1 : 0,
  }
}

function recordOf(row: Row): DisplayRecord {
  return {
    displayId: row.display_id,
    name: row.name,
    // A kind from a newer program: the one that shows least.
    kind: DISPLAY_KINDS.find((kind) => kind === row.kind) ?? 'pick-up',
    stations: JSON.parse(row.stations),
    language: row.language,
    backupPrinterId: row.backup_printer_id,
    buzzAfterS: row.buzz_after_s,
    showNames: row.show_names === 1,
    createdAtMs: row.created_at_ms,
    claimedAtMs: row.claimed_at_ms,
  }
}
