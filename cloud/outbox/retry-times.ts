// Keeps the times of retries right when the machine's clock is set, ahead or back: what waits goes on waiting for as long as it had to.
import type { ClockStep, OutboxRows } from '#cloud/storage/outbox-rows.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'

/** A smaller step of the clock is left alone: the shortest delay is a minute. */
const STEP_MS = 10_000
/** After a clock step it checks once more: an attempt that was in progress at the step may have written a time of the old clock. */
const AGAIN_MS = 60_000

/** What waits. */
export interface WaitingKind {
  /** In the plural, for the log. */
  what: string
  /** Its table. */
  rows: Pick<OutboxRows<never>, 'move' | 'shorten'>
  /** Puts right what else of it counts from a time of the clock; called at start with a step of 0. */
  moveRest?: (step: ClockStep) => Promise<void>
  /** Delay after each failure, in seconds; one attempt more than there are delays. */
  retrySeconds: readonly number[]
  /** Longer than waiting for a place, an attempt and its settling can last together. */
  leaseMs: number
}

export interface RetryTimesDeps extends WaitingKind {
  clock: Clock
  log: Logger
}

export class RetryTimes {
  readonly #deps: RetryTimesDeps
  /** What the clock shows when the monotonic one shows 0. */
  #zeroMs = 0
  /** On the monotonic clock. */
  #againMs: number | null = null
  #looking: Promise<number> | null = null
  /** Transactions in progress that read or write times by the clock: what they write must not be moved by a step that they already include, or miss one. */
  readonly #working = new Set<Promise<unknown>>()

  constructor(deps: RetryTimesDeps) {
    this.#deps = deps
  }

  /** Before the first claim: the clock may have been ahead while the program ran before. */
  async start(): Promise<void> {
    this.#zeroMs = this.#zero()
    await this.#deps.moveRest?.({ byMs: 0, nowMs: this.#deps.clock.now() })
    await this.#shorten()
  }

  /**
   * For each transaction that reads or writes times by the clock, such as a claim or the result of an attempt: none of them runs while waiting
   * rows are moved, and a clock that is set meanwhile is used only after the next check.
   * @param work gets epoch ms
   */
  async by<T>(work: (nowMs: number) => Promise<T>): Promise<T> {
    do await this.look()
    while (this.#looking !== null)
    // Started so that every later check waits for it.
    const working = Promise.resolve().then(() => work(this.#believedMs()))
    const over = working.catch(() => {}).finally(() => this.#working.delete(over))
    this.#working.add(over)
    return working
  }

  /** Called before each check for what is due. Costs nothing while the clock is not set. @returns epoch ms of the check */
  look(): Promise<number> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async #look(): Promise<number> {
    const { rows, moveRest, clock, log, what } = this.#deps
    const nowMs = clock.now()
    const zeroMs = this.#zero()
    const byMs = Math.round(zeroMs - this.#zeroMs)
    if (Math.abs(byMs) >= STEP_MS) {
      const step = { byMs, nowMs }
      // First: were it repeated after a failure half-way, what was moved already would be moved twice. What that leaves is shortened.
      this.#zeroMs += byMs
      this.#againMs = clock.monotonicMs() + AGAIN_MS
      await Promise.all(this.#working)
      const count = await rows.move(step)
      await moveRest?.(step)
      if (count > 0)
        log.warn({ what, count, byMs }, 'the clock was set: what waits for a retry goes on waiting as long as before')
      await this.#shorten()
    } else if (this.#againMs !== null && clock.monotonicMs() >= this.#againMs) {
      this.#againMs = null
      await this.#shorten()
    }
    return nowMs
  }

  async #shorten(): Promise<void> {
    const { rows, retrySeconds, leaseMs, clock, log, what } = this.#deps
    const count = await rows.shorten({ nowMs: clock.now(), leaseMs, retrySeconds })
    if (count === 0) return
    const words =
      'retries were due later than any may be, so the clock was ahead: each is due after its usual delay now'
    log.warn({ what, count }, words)
  }

  /** The clock's time, unless it was set since the last check. */
  #believedMs(): number {
    const { clock } = this.#deps
    const stepMs = this.#zero() - this.#zeroMs
    return Math.round(clock.now() - (Math.abs(stepMs) >= STEP_MS ? stepMs : 0))
  }

  #zero(): number {
    const { clock } = this.#deps
    return clock.now() - clock.monotonicMs()
  }
}
