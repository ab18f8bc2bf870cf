// The engine of every outbox: passes that claim what is due with a lease, attempts, and the next step after each, until the receiver has it or the
// schedule is used up. Each outbox decides what is sent, to whom, how many at a time and what an answer means.
import type { NextState } from '#cloud/storage/outbox-rows.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import { nextAttemptAt } from './retry-schedule.ts'
import { RetryTimes, type WaitingKind } from './retry-times.ts'

/** What came of an attempt. */
export interface Outcome {
  /** Class of the failure (`timeout`, ...): null when the receiver has it, `stopped` when we ended the attempt, which then counts for nothing. */
  error: string | null
  /** What the receiver asked for with Retry-After. */
  retryAfterMs: number | null
  /** Whatever is sent again would fail again. */
  isFinal?: boolean
}

/** What follows from an attempt. `nowMs`: epoch ms on this relay's corrected clock (retry-times.ts), by which all its retries wait. */
export interface AfterAttempt {
  next: NextState
  nowMs: number
}

/** `nowMs`: epoch ms on this relay's corrected clock; `leaseUntilMs`: the same, when the lease ends. */
export interface ClaimTimes {
  nowMs: number
  leaseUntilMs: number
}

export interface OutboxKind<Item, Done extends Outcome> extends WaitingKind {
  rows: WaitingKind['rows'] & { releaseDead(): Promise<void> }
  /** Fired after a commit that made something ready. */
  changed: { subscribe(listener: () => void): () => void }
  /** What fell due without a commit and leases that ran out are found this often. */
  sweepMs: number
  /** How long `stop` lets attempts in flight end by themselves. */
  drainMs: number
  /** Every so often, before the pass. */
  sweep?: () => Promise<void>
  /** Claims by `Outbox.claim` what has a place now, and begins it. */
  pass: () => Promise<void>
  /** No pass comes any more: gives back what was claimed and not begun. */
  abandon?: () => Promise<void>
  /** One attempt. Null: nothing was sent and there is nothing to record. */
  send: (item: Item, stopped: AbortSignal) => Promise<Done | null>
  /** What came of it is known, and not yet on disk. */
  answered?: (item: Item, done: Done) => void
  /** Its place in the schedule: 1 for a first attempt. */
  numberOf: (item: Item) => number
  /** The last delay is repeated until the receiver has it. */
  neverGivesUp?: boolean
  /** Records an attempt and what follows from it; retried while the writer refuses transactions. Until then its lease keeps others from sending it. */
  settle: (item: Item, done: Done, follows: AfterAttempt) => Promise<void>
  /** Gives its lease back: the attempt was ended by us. */
  release: (item: Item) => Promise<void>
  /** The attempt is over, also when that could not be recorded. */
  ended: (item: Item) => void
  /** Which one it is, for the log. */
  idsOf: (item: Item) => object
}

export interface OutboxDeps {
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  log: Logger
}

export class Outbox<Item, Done extends Outcome> implements Service {
  readonly #deps: OutboxDeps
  readonly #kind: OutboxKind<Item, Done>
  readonly #passes: Rounds
  readonly #times: RetryTimes
  readonly #attempts = new Set<Promise<void>>()
  #stopping = new AbortController()
  #undo: (() => void)[] | null = null
  #isSweeping = false

  constructor(deps: OutboxDeps, kind: OutboxKind<Item, Done>) {
    this.#deps = deps
    this.#kind = kind
    this.#times = new RetryTimes({ ...deps, ...kind })
    this.#passes = new Rounds({
      clock: deps.clock,
      everyMs: null,
      pass: kind.pass,
      // The writer refuses units while it is overloaded. What was not claimed now is found by the next sweep.
      failed: (error) => deps.log.warn({ err: error }, `could not claim ${kind.what}; the next sweep tries again`),
    })
  }

  async start(): Promise<void> {
    if (this.#undo) return
    const { rows, changed, sweepMs } = this.#kind
    // The holder of these leases has ended: the relay before this one, or another one on the same database.
    await rows.releaseDead()
    await this.#times.start()
    this.#stopping = new AbortController()
    this.#undo = [changed.subscribe(() => this.wake()), this.#deps.clock.every(sweepMs, () => void this.#sweep())]
    await this.#passes.start()
    await this.#sweep()
  }

  /** Lets attempts in flight end for a while, then ends them and gives their leases back. */
  async stop(): Promise<void> {
    if (!this.#undo) return
    for (const undo of this.#undo) undo()
    this.#undo = null
    const { drainMs, abandon } = this.#kind
    if (drainMs === 0) this.#stopping.abort()
    const cancel = this.#deps.clock.after(drainMs, () => this.#stopping.abort())
    await this.#passes.stop()
    await abandon?.()
    await Promise.all(this.#attempts)
    cancel()
  }

  wake(): void {
    this.#passes.wake()
  }

  /** Called before each check for what is due. @returns epoch ms of the check */
  look(): Promise<number> {
    return this.#times.look()
  }

  /** Takes what is due. */
  claim<T>(take: (times: ClaimTimes) => Promise<T>): Promise<T> {
    return this.#times.by((nowMs) => take({ nowMs, leaseUntilMs: nowMs + this.#kind.leaseMs }))
  }

  begin(item: Item): void {
    const attempt = this.#attempt(item)
      .catch((error: unknown) => {
        const ids = this.#kind.idsOf(item)
        this.#deps.log.error({ ...ids, err: error }, 'an attempt was not recorded; its lease runs out')
      })
      .finally(() => {
        this.#attempts.delete(attempt)
        this.#kind.ended(item)
        this.wake()
      })
    this.#attempts.add(attempt)
  }

  async #attempt(item: Item): Promise<void> {
    const { send, answered, settle, release } = this.#kind
    const done = await send(item, this.#stopping.signal)
    if (done === null) return
    if (done.error === 'stopped') return release(item)
    answered?.(item, done)
    const { clock, random } = this.#deps
    const failedMs = clock.monotonicMs()
    const chance = random()
    // Each attempt counts from now: the clock may be set while the writer refuses.
    await writeAgain(clock, () =>
      this.#times.by((nowMs) => {
        const failedAtMs = nowMs - Math.floor(clock.monotonicMs() - failedMs)
        return settle(item, done, { next: this.#next(item, done, { failedAtMs, chance }), nowMs })
      }),
    )
  }

  #next(item: Item, done: Outcome, { failedAtMs, chance }: { failedAtMs: number; chance: number }): NextState {
    const { error, retryAfterMs, isFinal } = done
    if (error === null) return { state: 'delivered' }
    const { numberOf, retrySeconds, neverGivesUp } = this.#kind
    const number = neverGivesUp ? Math.min(numberOf(item), retrySeconds.length) : numberOf(item)
    const nextAtMs = isFinal ? null : nextAttemptAt({ number, failedAtMs, retryAfterMs }, retrySeconds, () => chance)
    return nextAtMs === null ? { state: 'failed' } : { state: 'retrying', nextAtMs }
  }

  /** One at a time: a database that answers slowly is not asked again before it has answered. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return
    this.#isSweeping = true
    try {
      await this.#kind.sweep?.()
    } catch (error) {
      this.#deps.log.error({ err: error }, `could not look for due ${this.#kind.what}; the next sweep tries again`)
    } finally {
      this.#isSweeping = false
    }
    this.wake()
  }
}

const TRIES = 10
const AGAIN_MS = 200

/**
 * For what has happened outside and must be written down: runs `write`, up to ten times while the writer is overloaded and refuses it
 * (ServiceError service.unavailable). @throws what it throws at last
 */
export async function writeAgain<T>(clock: Clock, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'service.unavailable' || tries >= TRIES) throw error
      await clock.sleep(AGAIN_MS)
    }
  }
}
