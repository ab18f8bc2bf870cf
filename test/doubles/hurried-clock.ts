// A clock that runs several times as fast as the system's: a program that waits for minutes can be tried in seconds, with real sockets.
import { type Clock, systemClock } from '#shared/clock.ts'

export class HurriedClock implements Clock {
  readonly #times: number
  /** Both clocks say the same when this one is made. */
  readonly #shiftMs: number

  constructor(times: number) {
    this.#times = times
    this.#shiftMs = (1 - times) * systemClock.now()
  }

  now(): number {
    return Math.round(this.#times * systemClock.now() + this.#shiftMs)
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() * this.#times
  }

  after(ms: number, fn: () => void): () => void {
    return systemClock.after(ms / this.#times, fn)
  }

  every(ms: number, fn: () => void): () => void {
    return systemClock.every(ms / this.#times, fn)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms / this.#times, signal)
  }
}
