// A clock for tests with real sockets and short time limits: time passes as it really does, but stands still while this process does.
//
// A busy machine may not let the test run for longer than a whole time limit. On the system's clock the limit would then have passed when
// the process goes on, before it could read the answer that has long been there. Here each turn counts for a few milliseconds at most.
import { type Clock, systemClock } from '#shared/clock.ts'

interface Timer {
  at: number
  fn: () => void
  everyMs: number | null
}

const TICK_MS = 2
/** More has passed only when the process could not run. */
const MOST_AT_ONCE_MS = 6

export class UnhurriedClock implements Clock {
  #elapsed = 0
  #countedAt = 0
  readonly #timers = new Set<Timer>()
  #stop: (() => void) | null = null
  readonly #real: Clock

  constructor(real: Clock = systemClock) {
    this.#real = real
  }

  start(): void {
    if (this.#stop) return
    this.#countedAt = this.#real.monotonicMs()
    this.#stop = this.#real.every(TICK_MS, () => this.#tick())
  }

  /** Time stands still from now on. */
  stop(): void {
    this.#stop?.()
    this.#stop = null
  }

  now(): number {
    return this.#real.now()
  }

  monotonicMs(): number {
    if (this.#stop === null) return this.#elapsed
    const now = this.#real.monotonicMs()
    this.#elapsed += Math.min(now - this.#countedAt, MOST_AT_ONCE_MS)
    this.#countedAt = now
    return this.#elapsed
  }

  after(ms: number, fn: () => void): () => void {
    return this.#arm({ at: this.monotonicMs() + Math.max(0, ms), fn, everyMs: null })
  }

  every(ms: number, fn: () => void): () => void {
    return this.#arm({ at: this.monotonicMs() + ms, fn, everyMs: ms })
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

  #tick(): void {
    const now = this.monotonicMs()
    const due = [...this.#timers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
    for (const timer of due) {
      // One that fired before it may have cancelled it.
      if (!this.#timers.has(timer)) continue
      if (timer.everyMs === null) this.#timers.delete(timer)
      else timer.at += timer.everyMs
      timer.fn()
    }
  }

  #arm(timer: Timer): () => void {
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }
}
