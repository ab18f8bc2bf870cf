// Keeps the times of retries right when the machine's clock is set, ahead or back: what waits goes on waiting for as long as it had to.
import type { ClockStep, WaitingRows } from '#cloud/storage/waiting-rows.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'

/** A smaller step of the clock is left alone: the shortest delay is a minute. */
const STEP_MS = 10_000
/** After a step it is looked once more: an attempt that was under way at the step may have written a time of the clock before. */
const AGAIN_MS = 60_000

export interface RetryTimesDeps {
  rows: WaitingRows
  /** Puts right what else of it counts from a time of the clock; called at start with a step of 0. */
  moveRest?: (step: ClockStep) => Promise<void>
  /** Delay after each failure, in seconds. */
  retrySeconds: readonly number[]
  /** The longest lease. */
  leaseMs: number
  clock: Clock
  log: Logger
  /** What waits, for the log. */
  what: string
}

export class RetryTimes {
  readonly #deps: RetryTimesDeps
  /** What the clock shows when the monotonic one shows 0. */
  #zeroMs = 0
  /** On the monotonic clock. */
  #againMs: number | null = null
  #looking: Promise<void> | null = null

  constructor(deps: RetryTimesDeps) {
    this.#deps = deps
  }

  /** Before the first claim: the clock may have been ahead while the program ran before. */
  async start(): Promise<void> {
    this.#zeroMs = this.#zero()
    await this.#deps.moveRest?.({ byMs: 0, nowMs: this.#deps.clock.now() })
    await this.#shorten()
  }

  /** Before each look for what is due. Costs nothing while nobody sets the clock. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { rows, moveRest, clock, log, what } = this.#deps
    const zeroMs = this.#zero()
    const byMs = Math.round(zeroMs - this.#zeroMs)
    if (Math.abs(byMs) >= STEP_MS) {
      const step = { byMs, nowMs: clock.now() }
      // First: were it repeated after a failure half-way, what was moved already would be moved twice. What that leaves is shortened.
      this.#zeroMs += byMs
      this.#againMs = clock.monotonicMs() + AGAIN_MS
      const count = await rows.move(step)
      await moveRest?.(step)
      if (count > 0)
        log.warn({ what, count, byMs }, 'the clock was set: what waits for a retry goes on waiting as long as before')
      await this.#shorten()
    } else if (this.#againMs !== null && clock.monotonicMs() >= this.#againMs) {
      this.#againMs = null
      await this.#shorten()
    }
  }

  async #shorten(): Promise<void> {
    const { rows, retrySeconds, leaseMs, clock, log, what } = this.#deps
    const count = await rows.shorten({ nowMs: clock.now(), leaseMs, retrySeconds })
    if (count === 0) return
    const words =
      'retries were due later than any may be, so the clock was ahead: each is due after its usual delay now'
    log.warn({ what, count }, words)
  }

  #zero(): number {
    const { clock } = this.#deps
    return clock.now() - clock.monotonicMs()
  }
}
