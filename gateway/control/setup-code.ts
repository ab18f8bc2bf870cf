// The one-time codes for the first user. Anybody who may open the control socket can create one; only hashes are stored.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import type { BoxSettingsStore, StoredSetupCode } from '#gateway/storage/box-settings-store.ts'

/** No vowels and no similar characters: a code is not a word, and is read correctly off paper. */
const LETTERS = 'BCDFGHJKMNPQRSTVWXZ'
const LENGTH = 8
const MOST_TRIES = 10
/** One may be on paper while another is shown on a terminal: each stays valid until the first user is created. */
const MOST_CODES = 5

/** `void`: there is no code, or ten wrong ones were typed: a new one must be made. */
export type SetupCodeAnswer = 'right' | 'wrong' | 'void'

export class SetupCode {
  readonly #store: Pick<BoxSettingsStore, 'setupCode' | 'setSetupCode'>

  constructor(store: Pick<BoxSettingsStore, 'setupCode' | 'setSetupCode'>) {
    this.#store = store
  }

  /** Earlier ones stay valid: the last four, unless too many wrong ones were typed. */
  make(): string {
    const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    const before = this.#store.setupCode()
    const kept = before && before.wrong < MOST_TRIES ? hashesOf(before).slice(0, MOST_CODES - 1) : []
    this.#store.setSetupCode({ hash: hashOf(code), earlier: kept, wrong: 0 })
    return `${code.slice(0, 4)}-${code.slice(4)}`
  }

  /** Spaces, dashes and case do not count. A right code stays good until `used`. */
  check(typed: string): SetupCodeAnswer {
    const stored = this.#store.setupCode()
    if (!stored || stored.wrong >= MOST_TRIES) return 'void'
    const hash = Buffer.from(hashOf(typed.replaceAll(/[\s-]/g, '').toUpperCase()))
    if (hashesOf(stored).some((one) => timingSafeEqual(hash, Buffer.from(one)))) return 'right'
    this.#store.setSetupCode({ ...stored, wrong: stored.wrong + 1 })
    return stored.wrong + 1 < MOST_TRIES ? 'wrong' : 'void'
  }

  /** None of them counts any more. */
  used(): void {
    this.#store.setSetupCode(null)
  }
}

function hashesOf({ hash, earlier = [] }: StoredSetupCode): string[] {
  return [hash, ...earlier]
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
