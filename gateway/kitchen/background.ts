// Background work of the kitchen that may fail: the error is logged once in a while, the work is retried later, and printing continues.
import { isDiskFull } from '#gateway/storage/database.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'

export const BACKGROUND_TIMES = {
  /** After a fault it rests for so long. */
  againAfterMs: 5_000,
  logEveryMs: 60_000,
} as const

export interface BackgroundDeps {
  clock: Clock
  log: Logger
  /** Its name in the log: `the board`. */
  name: string
}

export class Background {
  readonly #deps: BackgroundDeps
  #restsUntilMs = Number.NEGATIVE_INFINITY
  #loggedAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: BackgroundDeps) {
    this.#deps = deps
  }

  /** It failed a moment ago. */
  get isResting(): boolean {
    return this.#deps.clock.monotonicMs() < this.#restsUntilMs
  }

  /** Never rejects. */
  async run(work: () => Promise<void> | void): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    const { clock, log, name } = this.#deps
    const nowMs = clock.monotonicMs()
    this.#restsUntilMs = nowMs + BACKGROUND_TIMES.againAfterMs
    // A full disk has its own alarm.
    if (isDiskFull(error) || nowMs - this.#loggedAtMs < BACKGROUND_TIMES.logEveryMs) return
    this.#loggedAtMs = nowMs
    log.error({ err: error }, `${name} cannot be read: tried again every few seconds`)
  }
}
