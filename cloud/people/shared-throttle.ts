// How often a password may be guessed, counted together by all relays on one database. While nothing can be written there, each relay counts its own tries.
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { SignInTriesTable } from '#cloud/storage/schema-people.ts'
import type { SignInTryStore } from '#cloud/storage/sign-in-try-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import {
  type Failures,
  FORGET_TRIES_MS,
  isAddressKey,
  keysOf,
  LONGEST_WAIT_MS,
  pairKey,
  SignInThrottle,
  type Trier,
  waitLeftMs,
} from '#shared/pages/sign-in-throttle.ts'

/** So long an address counts as one from which the name comes in. */
const CAME_IN_MS = 30 * 86_400_000
const NO_FAILURES: Failures = { count: 0, lastMs: 0 }

interface SharedThrottleDeps {
  db: RelayDatabase
  signInTries: SignInTryStore
  secretBox: SecretBox
  clock: Clock
  log: Logger
}

/** What is stored of a trier's keys, by key. */
type Stored = ReadonlyMap<string, SignInTriesTable>

export class SharedThrottle {
  readonly #deps: SharedThrottleDeps
  /** For while the database takes nothing. */
  readonly #own: SignInThrottle

  constructor(deps: SharedThrottleDeps) {
    this.#deps = deps
    this.#own = new SignInThrottle(deps.clock)
  }

  /**
   * Counts a try as a wrong one, until `succeeded`: tries that come together must not all go through.
   * @returns milliseconds until it is taken, and it was not counted; 0: it may go on
   */
  async begin(trier: Trier): Promise<number> {
    try {
      // A person who must wait is refused without a lock.
      const waitMs = this.#waitMs(trier, await this.#look(trier))
      return waitMs > 0 ? waitMs : await this.#unit((tx) => this.#count(tx, trier))
    } catch (error) {
      this.#isAlone(error)
      const waitMs = this.#own.waitMs(trier)
      if (waitMs === 0) this.#own.begun(trier)
      return waitMs
    }
  }

  /** The attempt succeeded: the name's count is reset for this one, and the address gets this attempt back. @param comesBack whether this name is tried again */
  async succeeded(trier: Trier, { comesBack }: { comesBack: boolean }): Promise<void> {
    this.#own.succeeded(trier)
    await this.#unit((tx) => this.#forgive(tx, trier, { comesBack })).catch((error: unknown) => this.#isAlone(error))
  }

  /** The attempt was right, and says nothing about the wrong ones before it: they stay counted. */
  async takenBack(trier: Trier): Promise<void> {
    await this.#unit((tx) => this.#forgive(tx, trier, { keepsWrong: true })).catch((error: unknown) =>
      this.#isAlone(error),
    )
  }

  /** Whether this name came in before, with this browser or from this address: its owner, most likely. */
  async knows(trier: Trier): Promise<boolean> {
    return trier.device !== null || this.#own.knows(trier) || this.#cameIn(trier, await this.#look(trier))
  }

  async #count(tx: Tx, trier: Trier): Promise<number> {
    const stored = await this.#hold(tx, trier)
    const waitMs = this.#waitMs(trier, stored)
    if (waitMs > 0) return waitMs
    const tried = this.#keys(trier, stored).flatMap((key) => {
      const row = stored.get(key)
      return row ? [{ ...row, tries: this.#failures(row).count + 1, last_at: this.#deps.clock.now() }] : []
    })
    await this.#write(tx, tried)
    return 0
  }

  async #forgive(
    tx: Tx,
    trier: Trier,
    { comesBack = false, keepsWrong = false }: { comesBack?: boolean; keepsWrong?: boolean },
  ): Promise<void> {
    const stored = await this.#hold(tx, trier)
    const rows = new Map<string, SignInTriesTable>()
    for (const key of this.#keys(trier, stored)) {
      const row = stored.get(key)
      const isOneLess = keepsWrong || isAddressKey(key)
      if (row) rows.set(key, { ...row, tries: isOneLess ? Math.max(0, this.#failures(row).count - 1) : 0 })
    }
    const pair = pairKey(trier)
    const row = rows.get(pair) ?? stored.get(pair)
    if (comesBack && row) rows.set(pair, { ...row, came_in_at: this.#deps.clock.now() })
    await this.#write(tx, [...rows.values()])
  }

  #unit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#deps.db.unit(work, { isBestEffort: true })
  }

  async #look(trier: Trier): Promise<Stored> {
    const keys = this.#hashes(trier)
    return byKey(keys, await this.#deps.signInTries.look([...keys.keys()]))
  }

  async #hold(tx: Tx, trier: Trier): Promise<Stored> {
    const keys = this.#hashes(trier)
    const expiresAtMs = this.#deps.clock.now() + FORGET_TRIES_MS
    return byKey(keys, await this.#deps.signInTries.hold(tx, [...keys.keys()], expiresAtMs))
  }

  #write(tx: Tx, rows: readonly SignInTriesTable[]): Promise<void> {
    const kept = rows.map((row) => {
      const cameInUntilMs = row.came_in_at === null ? 0 : row.came_in_at + CAME_IN_MS
      return { ...row, expires_at: Math.max(row.last_at + FORGET_TRIES_MS, cameInUntilMs) }
    })
    return this.#deps.signInTries.write(tx, kept)
  }

  /** Every key that can be of the trier, by its mac. */
  #hashes(trier: Trier): Map<string, string> {
    const keys = [pairKey(trier), ...keysOf(trier, false)]
    return new Map(keys.map((key) => [this.#deps.secretBox.mac('sign-in try', key), key]))
  }

  #keys(trier: Trier, stored: Stored): string[] {
    return keysOf(trier, this.#cameIn(trier, stored))
  }

  #cameIn(trier: Trier, stored: Stored): boolean {
    const atMs = stored.get(pairKey(trier))?.came_in_at ?? null
    return atMs !== null && this.#deps.clock.now() - atMs < CAME_IN_MS
  }

  #waitMs(trier: Trier, stored: Stored): number {
    const nowMs = this.#deps.clock.now()
    const waits = this.#keys(trier, stored).map((key) => waitLeftMs(key, this.#failures(stored.get(key)), nowMs))
    return Math.max(...waits)
  }

  /** The failures that still count. With a time far ahead a clock was wrong, and nobody waits until it is right again. */
  #failures(row: SignInTriesTable | undefined): Failures {
    if (row === undefined) return NO_FAILURES
    const agoMs = this.#deps.clock.now() - row.last_at
    return agoMs > FORGET_TRIES_MS || agoMs < -LONGEST_WAIT_MS ? NO_FAILURES : { count: row.tries, lastMs: row.last_at }
  }

  #isAlone(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'tries to sign in are counted by this relay alone')
  }
}

function byKey(keys: ReadonlyMap<string, string>, rows: readonly SignInTriesTable[]): Stored {
  return new Map(rows.map((row) => [keys.get(row.key_hash) ?? '', row]))
}
