// Keeps the times of retries right when the machine's clock is set, ahead or back: what waits goes on waiting for as long as it had to.
import type { ClockStep, OutboxRows } from '#cloud/storage/outbox-rows.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'

/** A smaller step of the clock is left alone: the shortest delay is a minute. */
const STEP_MS = 10_000
/** After a step it is looked once more: an attempt that was under way at the step may have written a time of the clock before. */
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
  /** Units under way that read or write times by the clock: what they write must not be moved by a step that they know already, or miss one. */
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
   * For each unit that reads or writes times by the clock, such as a claim or what follows from an attempt: none of them runs while what waits
   * is moved, and a clock that is set meanwhile is believed only after the next look.
   * @param work is given epoch ms
   */
  async by<T>(work: (nowMs: number) => Promise<T>): Promise<T> {
    do await this.look()
    while (this.#looking !== null)
    // Begun when whoever looks from now on waits for it.
    const working = Promise.resolve().then(() => work(this.#believedMs()))
    const over = working.catch(() => {}).finally(() => this.#working.delete(over))
    this.#working.add(over)
    return working
  }

  /** Before each look for what is due. Costs nothing while nobody sets the clock. @returns epoch ms when it looked */
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

  /** What the clock shows, unless it was set since the last look. */
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
