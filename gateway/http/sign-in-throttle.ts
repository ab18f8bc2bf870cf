// How often a password may be guessed: wrong ones make the next wait, longer each time, per address and per name. Kept in memory.
import type { Clock } from '#shared/clock.ts'

const FREE_PER_NAME = 5
const FREE_PER_ADDRESS = 10
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 5 * 60_000
/** Without another wrong one for so long, all is forgotten. */
const FORGET_MS = 30 * 60_000
const MOST_KEYS = 1_000

interface Failures {
  count: number
  lastMs: number
}

export class SignInThrottle {
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds until another try is taken; 0: now. */
  waitMs(address: string, name: string): number {
    return Math.max(this.#left(addressKey(address), FREE_PER_ADDRESS), this.#left(nameKey(name), FREE_PER_NAME))
  }

  /** Counted before the password is checked: tries that come together must not all go through. */
  begun(address: string, name: string): void {
    for (const key of [addressKey(address), nameKey(name)]) {
      const { count } = this.#known(key)
      this.#failures.delete(key)
      this.#failures.set(key, { count: count + 1, lastMs: this.#clock.monotonicMs() })
    }
    // The one unused for longest goes.
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= MOST_KEYS) break
      this.#failures.delete(key)
    }
  }

  /** It was right: the name begins anew, the address gets this one try back. */
  succeeded(address: string, name: string): void {
    this.#failures.delete(nameKey(name))
    const key = addressKey(address)
    const known = this.#known(key)
    if (known.count > 0) this.#failures.set(key, { ...known, count: known.count - 1 })
  }

  #left(key: string, free: number): number {
    const { count, lastMs } = this.#known(key)
    if (count < free) return 0
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(count - free, 20))
    return Math.max(0, lastMs + wait - this.#clock.monotonicMs())
  }

  #known(key: string): Failures {
    const known = this.#failures.get(key)
    if (!known || this.#clock.monotonicMs() - known.lastMs > FORGET_MS) return { count: 0, lastMs: 0 }
    return known
  }
}

function addressKey(address: string): string {
  return `address ${address}`
}

function nameKey(name: string): string {
  return `name ${name.trim().toLowerCase().slice(0, 80)}`
}
