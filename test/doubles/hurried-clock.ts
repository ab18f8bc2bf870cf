// A clock that runs several times as fast as the system's: a program that waits for minutes can be tried in seconds, with real sockets.
import { type Clock, systemClock } from '#shared/clock.ts'

export class HurriedClock implements Clock {
  readonly #times: number
  readonly #startedAtMs = systemClock.now()

  constructor(times: number) {
    this.#times = times
  }

  now(): number {
    return Math.round(this.#startedAtMs + (systemClock.now() - this.#startedAtMs) * this.#times)
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
