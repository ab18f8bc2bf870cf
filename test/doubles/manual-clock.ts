// A clock that stands still until the test moves it: timers fire in order, in the call of `advance`.
import type { Cancel, Clock } from '#shared/clock.ts'
import { workEnded } from '#test/harness/databases-at-work.ts'
import { isOnPostgres } from '#test/harness/engines.ts'

interface Timer {
  at: number
  fn: () => void
  everyMs: number | null
}

export class ManualClock implements Clock {
  #now: number
  #elapsed = 0
  readonly #timers = new Set<Timer>()

  constructor(startMs = Date.UTC(2026, 10, 20, 18, 0, 0)) {
    this.#now = startMs
  }

  now(): number {
    return this.#now
  }

  monotonicMs(): number {
    return this.#elapsed
  }

  after(ms: number, fn: () => void): Cancel {
    return this.#arm({ at: this.#elapsed + Math.max(0, ms), fn, everyMs: null })
  }

  every(ms: number, fn: () => void): Cancel {
    return this.#arm({ at: this.#elapsed + ms, fn, everyMs: ms })
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = (): void => {
        cancel()
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const cancel = this.after(ms, done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }

  /** Moves time forward and runs what falls due, letting promises settle between timers. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms
    for (;;) {
      const due = [...this.#timers].filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#step(due.at)
      if (due.everyMs === null) this.#timers.delete(due)
      else due.at += due.everyMs
      due.fn()
      await workEnded()
    }
    this.#step(end)
    await workEnded()
  }

  /** Hours go by: as `advance`, but where each step costs round trips to a server only the last second is stepped through. */
  async pass(ms: number): Promise<void> {
    const steppedMs = isOnPostgres ? Math.min(ms, 1_000) : ms
    this.stall(ms - steppedMs)
    await this.advance(steppedMs)
  }

  /**
   * Time goes by while nothing runs, as for a process that is stopped or a machine that is busy: what fell due fires at the next
   * `advance`, repeated timers once.
   */
  stall(ms: number): void {
    this.#step(this.#elapsed + ms)
    for (const timer of this.#timers) timer.at = Math.max(timer.at, this.#elapsed)
  }

  /** The wall clock jumps (NTP, a wrong RTC); monotonic time does not. */
  jump(ms: number): void {
    this.#now += ms
  }

  #step(to: number): void {
    // Whoever was called meanwhile may have moved the clock on: it does not go back.
    const end = Math.max(to, this.#elapsed)
    this.#now += end - this.#elapsed
    this.#elapsed = end
  }

  #arm(timer: Timer): Cancel {
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }
}
