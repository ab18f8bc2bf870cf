// What people set for the box as a whole, and the one-time code that lets its first user in.
import type { GatewayDatabase } from './database.ts'
import { MetaValues } from './meta-values.ts'

export interface BoxSettings {
  /** How the restaurant calls this box; empty: not set. */
  name: string
  /** IANA zone of the restaurant while the box is not paired; empty: not set. */
  timeZone: string
  /** BCP 47 tag of the page's language for who has chosen none. */
  language: string
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
  /** What a person does not want to see proved by a test order, and who. */
  leftOut: readonly { kind: 'printer' | 'station' | 'screen' | 'rule'; id: string; by: string }[]
}

const DEFAULTS: BoxSettings = { name: '', timeZone: '', language: 'en' }

type Key = 'box_settings' | 'setup_code'

export class BoxSettingsStore {
  readonly #db: GatewayDatabase
  readonly #values: MetaValues<Key>

  constructor(db: GatewayDatabase) {
    this.#db = db
    this.#values = new MetaValues(db)
  }

  settings(): BoxSettings {
    const { guide: _, ...settings } = this.#stored()
    return { ...DEFAULTS, ...settings }
  }

  /** What is absent stays. */
  change(change: { [K in keyof BoxSettings]?: BoxSettings[K] | undefined }): BoxSettings {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const settings = { ...this.settings(), ...given }
    this.#write('box_settings', { ...settings, guide: this.guide() })
    return settings
  }

  guide(): GuideState {
    return { done: [], leftOut: [], ...this.#stored().guide }
  }

  /** What is absent stays. */
  changeGuide({ done, leftOut }: { [K in keyof GuideState]?: GuideState[K] | undefined }): GuideState {
    const before = this.guide()
    const guide = { done: done ?? before.done, leftOut: leftOut ?? before.leftOut }
    this.#write('box_settings', { ...this.settings(), guide })
    return guide
  }

  setupCode(): StoredSetupCode | null {
    return this.#read('setup_code') as StoredSetupCode | null
  }

  setSetupCode(code: StoredSetupCode | null): void {
    this.#write('setup_code', code)
  }

  #stored(): Partial<BoxSettings> & { guide?: Partial<GuideState> } {
    return (this.#read('box_settings') as Partial<BoxSettings> | null) ?? {}
  }

  #read(key: Key): unknown {
    const text = this.#values.get(key) ?? ''
    return text === '' ? null : JSON.parse(text)
  }

  #write(key: Key, value: object | null): void {
    this.#db.transaction(() => this.#values.put(key, value === null ? '' : JSON.stringify(value)))
  }
}
