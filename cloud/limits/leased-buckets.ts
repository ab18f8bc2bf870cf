// The same limit at several relays: tokens are leased in chunks from the account's row in the database, so that hardly any call asks it.
// A relay that is alone counts in memory.
import type { Cancel, Clock } from '#shared/clock.ts'
import { KeyedBuckets } from './keyed-buckets.ts'
import { LEASE_MS, type LeaseAsk, type Leased } from './leased-bucket.ts'
import { capacityOf, type Rates, shareOf, type Taken } from './token-bucket.ts'

/** The relays on one database, as this one sees them. */
export interface Fleet {
  /** The number of running relays, including this one. */
  readonly relays: number
  /** All of them have sent a heartbeat since this one did: they know that they are not alone. */
  readonly isKnownToAll: boolean
}

/** A relay without others. */
export const ALONE: Fleet = { relays: 1, isKnownToAll: true }

export interface LeasedBucketsOptions {
  clock: Clock
  fleet: Fleet
  /** Asks the row. Rejects when it cannot be had now. */
  lease(name: string, rates: Rates, ask: Omit<LeaseAsk, 'relay'>): Promise<Leased>
}

/** After an empty row it is asked again no earlier, and after one that could not be had. */
const EMPTY_MS = 50
const UNREACHABLE_MS = 1_000
/** What is ahead is no larger part of what may come at once. */
const PART_OF_CAPACITY = 8

interface Held {
  rates: Rates
  /** Tokens ahead, and until when they may be used. */
  ahead: number
  untilMs: number
  /** Tokens in the row when it was last seen. */
  left: number
  /** The row has none: until then it is not asked. */
  emptyUntilMs: number
  waiting: ((taken: Taken) => void)[]
  isAsking: boolean
  cancelReturn: Cancel | null
}

export class LeasedBuckets {
  readonly #options: LeasedBucketsOptions
  /** Of a relay that is alone; while there are several, what the rows were when they were seen. */
  #memory: KeyedBuckets
  /** Counted while it was alone, and not added to the row yet. */
  #untold: KeyedBuckets
  #wasAlone = true
  /** When the row cannot be locked, or others do not know of this relay: its part of each plan. */
  readonly #shares: KeyedBuckets
  #unreachableUntilMs = 0
  readonly #held = new Map<string, Held>()

  constructor(options: LeasedBucketsOptions) {
    this.#options = options
    this.#memory = this.#fresh()
    this.#untold = this.#fresh()
    this.#shares = this.#fresh()
  }

  /** Takes one token of this name; a refused call takes none. At once, unless the row must be asked. */
  take(name: string, rates: Rates): Taken | Promise<Taken> {
    const { fleet, clock } = this.#options
    const isAlone = fleet.relays <= 1
    if (isAlone !== this.#wasAlone) this.#turn(isAlone)
    if (isAlone) return this.#memory.take(name, rates)
    const nowMs = clock.monotonicMs()
    if (!fleet.isKnownToAll || nowMs < this.#unreachableUntilMs) return this.#ofShare(name, rates)
    const held = this.#heldOf(name, rates)
    held.rates = rates
    if (held.ahead >= 1 && nowMs < held.untilMs) return this.#use(name, held)
    if (nowMs < held.emptyUntilMs) return refused(rates, held.emptyUntilMs - nowMs)
    return new Promise((resolve) => {
      held.waiting.push(resolve)
      if (!held.isAsking) void this.#ask(name, held)
    })
  }

  /** Tokens that this name has, as far as this relay knows; null: it has seen none of its calls. Takes none. */
  left(name: string, rates: Rates): number | null {
    const tokens = this.#memory.tokensOf(name, rates)
    return tokens === null ? null : Math.floor(tokens)
  }

  /** Gives back what is unused. */
  async stop(): Promise<void> {
    await Promise.all([...this.#held].map(([name, held]) => this.#giveBack(name, held)))
  }

  #fresh(): KeyedBuckets {
    return new KeyedBuckets({ clock: this.#options.clock, rates: { steadyPerMinute: 1, burstPerMinute: 2 } })
  }

  /** From one relay to several: counts in memory are added to each row once. From several to one: the last state continues in memory. */
  #turn(isAlone: boolean): void {
    this.#wasAlone = isAlone
    if (isAlone) return
    this.#untold = this.#memory
    this.#memory = this.#fresh()
  }

  #ofShare(name: string, rates: Rates): Taken {
    return this.#shares.take(name, shareOf(rates, this.#options.fleet.relays))
  }

  #heldOf(name: string, rates: Rates): Held {
    let held = this.#held.get(name)
    if (held === undefined) {
      const none = { ahead: 0, untilMs: 0, left: 0, emptyUntilMs: 0 }
      held = { rates, ...none, waiting: [], isAsking: false, cancelReturn: null }
      this.#held.set(name, held)
    }
    return held
  }

  /** One question at a time, for all calls that wait. */
  async #ask(name: string, held: Held): Promise<void> {
    held.isAsking = true
    try {
      while (held.waiting.length > 0) await this.#askOnce(name, held)
    } finally {
      held.isAsking = false
      this.#forget(name, held)
    }
  }

  async #askOnce(name: string, held: Held): Promise<void> {
    const { clock, lease, fleet } = this.#options
    const { rates } = held
    const waiting = held.waiting.length
    const unused = held.ahead
    held.ahead = 0
    const askedMs = clock.monotonicMs()
    const ask = { waiting, unused, ahead: chunkOf(rates, fleet.relays), atMost: this.#untold.tokensOf(name, rates) }
    let leased: Leased
    try {
      leased = await lease(name, rates, ask)
    } catch {
      // Another one has it for too long, or the database is away.
      this.#unreachableUntilMs = clock.monotonicMs() + UNREACHABLE_MS
      for (const answer of held.waiting.splice(0)) answer(this.#ofShare(name, rates))
      return
    }
    this.#untold.forget(name)
    this.#shares.forget(name)
    held.left = leased.left
    held.ahead = leased.got
    held.untilMs = askedMs + LEASE_MS
    this.#memory.set(name, leased.left + leased.got, rates)
    for (const answer of held.waiting.splice(0, leased.got)) answer(this.#use(name, held))
    if (held.ahead < 1 && leased.left < 1) this.#wasEmpty(name, held, leased.nextInMs)
    this.#returnLater(name, held)
  }

  #use(name: string, held: Held): Taken {
    held.ahead -= 1
    this.#memory.take(name, held.rates)
    const tokens = held.ahead + held.left
    return {
      ok: true,
      remaining: Math.floor(tokens + 1e-9),
      retryAfterSeconds: 0,
      fullInMs: fullInMs(held.rates, tokens),
    }
  }

  #wasEmpty(name: string, held: Held, nextInMs: number): void {
    const { clock } = this.#options
    const pauseMs = Math.max(EMPTY_MS, nextInMs)
    held.emptyUntilMs = clock.monotonicMs() + pauseMs
    clock.after(pauseMs, () => this.#forget(name, held))
    for (const answer of held.waiting.splice(0)) answer(refused(held.rates, pauseMs))
  }

  #returnLater(name: string, held: Held): void {
    held.cancelReturn?.()
    held.cancelReturn = null
    if (held.ahead < 1) return
    const inMs = held.untilMs - this.#options.clock.monotonicMs()
    held.cancelReturn = this.#options.clock.after(inMs, () => void this.#giveBack(name, held))
  }

  async #giveBack(name: string, held: Held): Promise<void> {
    held.cancelReturn?.()
    held.cancelReturn = null
    // The question that is under way gives it back.
    if (held.isAsking) return
    const unused = held.ahead
    held.ahead = 0
    const nothing = { waiting: 0, ahead: 0, atMost: null }
    // What cannot be given back is lost.
    if (unused >= 1) await this.#options.lease(name, held.rates, { ...nothing, unused }).catch(() => {})
    this.#forget(name, held)
  }

  #forget(name: string, held: Held): void {
    const isIdle = !held.isAsking && held.waiting.length === 0 && held.ahead < 1
    if (isIdle && this.#options.clock.monotonicMs() >= held.emptyUntilMs) this.#held.delete(name)
  }
}

/** What a second's calls need. */
const chunkOf = (rates: Rates, relays: number): number =>
  Math.max(
    1,
    Math.floor(Math.min(rates.steadyPerMinute / 60, capacityOf(rates) / (PART_OF_CAPACITY * Math.max(1, relays)))),
  )

function refused(rates: Rates, inMs: number): Taken {
  const retryAfterSeconds = Math.max(1, Math.ceil(inMs / 1_000))
  return { ok: false, remaining: 0, retryAfterSeconds, fullInMs: fullInMs(rates, 0) }
}

const fullInMs = (rates: Rates, tokens: number): number =>
  Math.max(0, capacityOf(rates) - tokens) / (rates.steadyPerMinute / 60_000)
