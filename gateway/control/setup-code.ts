// The one-time code that lets the first user in. Whoever may open the control socket has one made; only its hash is kept.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import type { BoxSettingsStore } from '#gateway/storage/box-settings-store.ts'

/** No vowels and nothing that looks like something else: a code is no word, and reads right off paper. */
const LETTERS = 'BCDFGHJKMNPQRSTVWXZ'
const LENGTH = 8
const MOST_TRIES = 10

/** `void`: there is no code, or ten wrong ones were typed: a new one must be made. */
export type SetupCodeAnswer = 'right' | 'wrong' | 'void'

export class SetupCode {
  readonly #store: Pick<BoxSettingsStore, 'setupCode' | 'setSetupCode'>

  constructor(store: Pick<BoxSettingsStore, 'setupCode' | 'setSetupCode'>) {
    this.#store = store
  }

  /** The one before counts no more. */
  make(): string {
    const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    this.#store.setSetupCode({ hash: hashOf(code), wrong: 0 })
    return `${code.slice(0, 4)}-${code.slice(4)}`
  }

  /** Spaces, dashes and case do not count. A right code stays good until `used`. */
  check(typed: string): SetupCodeAnswer {
    const stored = this.#store.setupCode()
    if (!stored || stored.wrong >= MOST_TRIES) return 'void'
    const hash = hashOf(typed.replaceAll(/[\s-]/g, '').toUpperCase())
    if (timingSafeEqual(Buffer.from(hash), Buffer.from(stored.hash))) return 'right'
    this.#store.setSetupCode({ ...stored, wrong: stored.wrong + 1 })
    return stored.wrong + 1 < MOST_TRIES ? 'wrong' : 'void'
  }

  used(): void {
    this.#store.setSetupCode(null)
  }
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
