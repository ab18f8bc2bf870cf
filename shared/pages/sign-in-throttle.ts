// How often a password may be guessed: after wrong ones the next attempt must wait, longer each time, per address and per name. Kept in memory.
//
// Guesses of a name from elsewhere must not lock its owner out: a browser with proof of an earlier sign-in is counted
// separately, and so is a name at an address from which it signed in since the program started.
import type { Clock } from '#shared/clock.ts'

const FREE_PER_NAME = 5
const FREE_PER_ADDRESS = 10
const FIRST_WAIT_MS = 2_000
export const LONGEST_WAIT_MS = 5 * 60_000
/** Without another wrong one for so long, all is forgotten. */
export const FORGET_TRIES_MS = 30 * 60_000
const MOST_KEYS = 1_000
const MOST_KNOWN = 200
const ADDRESS = 'address '

/** The source of an attempt. */
export interface Trier {
  address: string
  name: string
  /** What only the owner's own browser has, checked by the caller; null: it has nothing. */
  device: string | null
}

/** Wrong ones under one key, and when the last of them was. */
export interface Failures {
  count: number
  lastMs: number
}

export class SignInThrottle {
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()
  /** Where names signed in, the newest last. */
  readonly #cameIn = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds until another try is taken; 0: now. */
  waitMs(trier: Trier): number {
    return Math.max(...this.#keys(trier).map((key) => this.#left(key)))
  }

  /** Whether this name signed in before with this browser or from this address: most likely its owner. */
  knows({ address, name, device }: Trier): boolean {
    return device !== null || this.#cameIn.has(pairKey({ address, name }))
  }

  /** Counted before the password is checked: simultaneous attempts must not all pass. */
  begun(trier: Trier): void {
    for (const key of this.#keys(trier)) {
      const { count } = this.#known(key)
      this.#failures.delete(key)
      this.#failures.set(key, { count: count + 1, lastMs: this.#clock.monotonicMs() })
    }
    while (this.#failures.size > MOST_KEYS) this.#forgetOne()
  }

  /** It was right: the name's count is reset for this one, the address gets this attempt back. */
  succeeded(trier: Trier): void {
    const [key = '', address] = this.#keys(trier)
    this.#failures.delete(key)
    const pair = pairKey(trier)
    this.#cameIn.delete(pair)
    this.#cameIn.add(pair)
    const [oldest] = this.#cameIn
    if (this.#cameIn.size > MOST_KNOWN && oldest !== undefined) this.#cameIn.delete(oldest)
    if (address === undefined) return
    const known = this.#known(address)
    if (known.count > 0) this.#failures.set(address, { ...known, count: known.count - 1 })
  }

  #keys(trier: Trier): string[] {
    return keysOf(trier, this.#cameIn.has(pairKey(trier)))
  }

  /** Evict the key with the fewest tries among those that need not wait; a waiting key only if all wait. */
  #forgetOne(): void {
    let goes: string | null = null
    let fewest = Number.POSITIVE_INFINITY
    for (const [key, { count }] of this.#failures)
      if (count < fewest && this.#left(key) === 0) [goes, fewest] = [key, count]
    const [oldest = ''] = this.#failures.keys()
    this.#failures.delete(goes ?? oldest)
  }

  #left(key: string): number {
    return waitLeftMs(key, this.#known(key), this.#clock.monotonicMs())
  }

  #known(key: string): Failures {
    const known = this.#failures.get(key)
    if (!known || this.#clock.monotonicMs() - known.lastMs > FORGET_TRIES_MS) return { count: 0, lastMs: 0 }
    return known
  }
}

/**
 * The keys under which a wrong password counts; the first is the name's. A known browser counts alone: others may guess from the same address.
 * @param cameIn whether the name signed in from this address before
 */
export function keysOf(trier: Trier, cameIn: boolean): string[] {
  const { address, name, device } = trier
  if (device !== null) return [`device ${device}`]
  return [cameIn ? pairKey(trier) : nameKey(name), addressKey(address)]
}

/** Milliseconds until another try under this key is taken; 0: now. @param nowMs on the clock of `failures.lastMs` */
export function waitLeftMs(key: string, { count, lastMs }: Failures, nowMs: number): number {
  const free = isAddressKey(key) ? FREE_PER_ADDRESS : FREE_PER_NAME
  if (count < free) return 0
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(count - free, 20))
  return Math.max(0, lastMs + wait - nowMs)
}

export function isAddressKey(key: string): boolean {
  return key.startsWith(ADDRESS)
}

function addressKey(address: string): string {
  return `${ADDRESS}${address}`
}

/** Of a name at an address. */
export function pairKey({ address, name }: Pick<Trier, 'address' | 'name'>): string {
  return `${nameKey(name)} from ${address}`
}

function nameKey(name: string): string {
  return `name ${name.trim().toLowerCase().slice(0, 80)}`
}
