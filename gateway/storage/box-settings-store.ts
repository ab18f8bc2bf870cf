// What people set for the box as a whole, and the one-time code that lets its first user in.
import type { OwnThresholds } from '#shared/kitchen-times.ts'
import type { GatewayDatabase } from './database.ts'
import { MetaValues } from './meta-values.ts'

export interface BoxSettings {
  /** How the restaurant calls this box; empty: not set. */
  name: string
  /** IANA zone of the restaurant while the box is not paired; empty: not set. */
  timeZone: string
  /** BCP 47 tag of the page's language for users without a choice of their own. */
  language: string
  /** From which age orders are soon late, and late; what is absent is as usual. A file of an older version has none. */
  thresholds: OwnThresholds
}

/** What the box notes of what people did; not in its backup. */
export interface BoxNotes {
  /** When the last backup of the box was made; null: never. */
  backupAtMs: number | null
  /** Displays that show the stations of another one in addition to their own. */
  standIns: readonly StandIn[]
}

export interface StandIn {
  /** The display with these stations. */
  displayId: string
  /** The display that shows them meanwhile, and its own stations before. */
  by: string
  before: readonly string[]
  /** What it was lent; empty: everything. A file of an older version has none. */
  lent?: readonly string[]
}

export interface StoredSetupCode {
  /** SHA-256 of the newest. */
  hash: string
  /** Of those before it that still count, the newest first. A file of an older version has none. */
  earlier?: readonly string[]
  /** Wrong codes typed since. */
  wrong: number
}

/** How far people have come with the set-up guide. */
export interface GuideState {
  /** Names of steps. */
  done: readonly string[]
  /** What a person has excluded from the last check, and who. */
  leftOut: readonly { kind: 'printer' | 'station' | 'screen' | 'rule' | 'health'; id: string; by: string }[]
  /** Stations that a person has added by name: they count also before a printer or screen has them. */
  added: readonly string[]
}

/** One row. */
type Stored = Partial<BoxSettings> & { notes?: Partial<BoxNotes>; guide?: Partial<GuideState> }

const DEFAULTS: BoxSettings = { name: '', timeZone: '', language: 'en', thresholds: {} }
const NO_NOTES: BoxNotes = { backupAtMs: null, standIns: [] }

type Key = 'box_settings' | 'setup_code'

export class BoxSettingsStore {
  readonly #db: GatewayDatabase
  readonly #values: MetaValues<Key>

  constructor(db: GatewayDatabase) {
    this.#db = db
    this.#values = new MetaValues(db)
  }

  settings(): BoxSettings {
    const { notes: _notes, guide: _guide, ...settings } = this.#stored()
    return { ...DEFAULTS, ...settings }
  }

  /** What is absent stays. */
  change(change: { [K in keyof BoxSettings]?: BoxSettings[K] | undefined }): BoxSettings {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const settings = { ...this.settings(), ...given }
    this.#write('box_settings', { ...this.#stored(), ...settings })
    return settings
  }

  notes(): BoxNotes {
    return { ...NO_NOTES, ...this.#stored().notes }
  }

  /** What is absent stays. */
  note(change: Partial<BoxNotes>): void {
    this.#write('box_settings', { ...this.#stored(), notes: { ...this.notes(), ...change } })
  }

  guide(): GuideState {
    return { done: [], leftOut: [], added: [], ...this.#stored().guide }
  }

  /** What is absent stays. */
  changeGuide({ done, leftOut, added }: { [K in keyof GuideState]?: GuideState[K] | undefined }): GuideState {
    const before = this.guide()
    const guide = { done: done ?? before.done, leftOut: leftOut ?? before.leftOut, added: added ?? before.added }
    this.#write('box_settings', { ...this.#stored(), guide })
    return guide
  }

  setupCode(): StoredSetupCode | null {
    return this.#read('setup_code') as StoredSetupCode | null
  }

  setSetupCode(code: StoredSetupCode | null): void {
    this.#write('setup_code', code)
  }

  #stored(): Stored {
    return (this.#read('box_settings') as Stored | null) ?? {}
  }

  #read(key: Key): unknown {
    const text = this.#values.get(key) ?? ''
    return text === '' ? null : JSON.parse(text)
  }

  #write(key: Key, value: object | null): void {
    this.#db.transaction(() => this.#values.put(key, value === null ? '' : JSON.stringify(value)))
  }
}
