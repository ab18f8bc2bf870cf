// The one limiter: a token bucket for each name, in a map that has an end. Names are gateways' ids, networks (`networkOf`), accounts.
import type { Clock } from '#shared/clock.ts'
import { type Bucket, capacityOf, charge, type Rates, type Taken, take, tokensAt } from './token-bucket.ts'

/** About 1 MB. A forgotten name starts with a full bucket: to profit from that takes more names than this, each of them used. */
const MOST_NAMES = 10_000

export interface KeyedBucketsOptions {
  clock: Pick<Clock, 'monotonicMs'>
  rates: Rates
  /** Above so many names, the one that was longest unused is forgotten. */
  most?: number
}

export class KeyedBuckets {
  readonly #options: KeyedBucketsOptions
  /** The most recently used one is last. */
  readonly #buckets = new Map<string, Bucket>()

  constructor(options: KeyedBucketsOptions) {
    this.#options = options
  }

  /** How many names it remembers. */
  get size(): number {
    return this.#buckets.size
  }

  /** Takes one token of this name; a refused call takes none. @param rates where each name has its own; they may change */
  take(name: string, rates: Rates = this.#options.rates): Taken {
    const nowMs = this.#options.clock.monotonicMs()
    return take(this.#used(name, rates, nowMs), rates, nowMs)
  }

  /**
   * Takes tokens also where there are too few, or gives some back (`cost` below zero).
   * @param rates where each name has its own; they may change. @returns milliseconds until there is no debt
   */
  charge(name: string, cost: number, rates: Rates = this.#options.rates): number {
    const nowMs = this.#options.clock.monotonicMs()
    return charge(this.#used(name, rates, nowMs), rates, { nowMs, cost })
  }

  /** The bucket of this name, which is now the one that was used last. */
  #used(name: string, rates: Rates, nowMs: number): Bucket {
    const bucket = this.#buckets.get(name) ?? { tokens: capacityOf(rates), atMs: nowMs }
    this.#buckets.delete(name)
    this.#buckets.set(name, bucket)
    const [longestUnused] = this.#buckets.size > (this.#options.most ?? MOST_NAMES) ? this.#buckets.keys() : []
    if (longestUnused !== undefined) this.#buckets.delete(longestUnused)
    return bucket
  }

  /** The result of `take`, without taking: for what counts only when it has failed. */
  look(name: string, rates: Rates = this.#options.rates): Taken {
    const nowMs = this.#options.clock.monotonicMs()
    return take({ ...(this.#buckets.get(name) ?? { tokens: capacityOf(rates), atMs: nowMs }) }, rates, nowMs)
  }

  /** Tokens that this name has now; null for one that is not known. */
  tokensOf(name: string, rates: Rates): number | null {
    const bucket = this.#buckets.get(name)
    return bucket === undefined ? null : tokensAt(bucket, rates, this.#options.clock.monotonicMs())
  }

  /** This name has so many tokens now. */
  set(name: string, tokens: number, rates: Rates): void {
    const nowMs = this.#options.clock.monotonicMs()
    const bucket = this.#used(name, rates, nowMs)
    bucket.tokens = tokens
    bucket.atMs = nowMs
  }

  /** The next time it begins with a full bucket. */
  forget(name: string): void {
    this.#buckets.delete(name)
  }
}
