// How often a password may be guessed: wrong ones make the next wait, longer each time, per address and per name. Kept in memory.
//
// Whoever guesses a name from elsewhere must not shut its owner out: a name that came in from an address is counted there on its own.
import type { Clock } from '#shared/clock.ts'

const FREE_PER_NAME = 5
const FREE_PER_ADDRESS = 10
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 5 * 60_000
/** Without another wrong one for so long, all is forgotten. */
const FORGET_MS = 30 * 60_000
const MOST_KEYS = 1_000
const MOST_KNOWN = 200

interface Failures {
  count: number
  lastMs: number
}

export class SignInThrottle {
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()
  /** Where names came in, the newest last. */
  readonly #cameIn = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds until another try is taken; 0: now. */
  waitMs(address: string, name: string): number {
    return Math.max(
      this.#left(addressKey(address), FREE_PER_ADDRESS),
      this.#left(this.#key(address, name), FREE_PER_NAME),
    )
  }

  /** Whether this name came in from this address before: its owner, most likely. */
  knows(address: string, name: string): boolean {
    return this.#cameIn.has(pairKey(address, name))
  }

  /** Counted before the password is checked: tries that come together must not all go through. */
  begun(address: string, name: string): void {
    for (const key of [addressKey(address), this.#key(address, name)]) {
      const { count } = this.#known(key)
      this.#failures.delete(key)
      this.#failures.set(key, { count: count + 1, lastMs: this.#clock.monotonicMs() })
    }
    this.#forgetSome()
  }

  /** It was right: the name begins anew, the address gets this one try back. */
  succeeded(address: string, name: string): void {
    this.#failures.delete(this.#key(address, name))
    const pair = pairKey(address, name)
    this.#cameIn.delete(pair)
    this.#cameIn.add(pair)
    const [oldest] = this.#cameIn
    if (this.#cameIn.size > MOST_KNOWN && oldest !== undefined) this.#cameIn.delete(oldest)
    const key = addressKey(address)
    const known = this.#known(key)
    if (known.count > 0) this.#failures.set(key, { ...known, count: known.count - 1 })
  }

  /** Under which a wrong password for this name counts. */
  #key(address: string, name: string): string {
    return this.knows(address, name) ? pairKey(address, name) : nameKey(name)
  }

  /** The one unused for longest goes; last of all those that wait: made-up names must not wash out a name that is being guessed. */
  #forgetSome(): void {
    if (this.#failures.size <= MOST_KEYS) return
    const keys = [...this.#failures.keys()]
    const [first] = keys
    const rested = keys.find(
      (key) => this.#left(key, key.startsWith('address ') ? FREE_PER_ADDRESS : FREE_PER_NAME) === 0,
    )
    const goes = rested ?? first
    if (goes !== undefined) this.#failures.delete(goes)
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

function pairKey(address: string, name: string): string {
  return `${nameKey(name)} from ${address}`
}

function nameKey(name: string): string {
  return `name ${name.trim().toLowerCase().slice(0, 80)}`
}
