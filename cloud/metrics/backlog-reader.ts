// Reads the backlog from the database on request, and at most every 5 s, however many requests.
import type { Backlog, BacklogStore } from '#cloud/storage/backlog-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'

const KEPT_MS = 5_000

export class BacklogReader {
  readonly #store: Pick<BacklogStore, 'read'>
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>
  readonly #lines: SampledLog
  #readMs = Number.NEGATIVE_INFINITY
  #last: Promise<Backlog | undefined> = Promise.resolve(undefined)

  constructor({ backlog, clock, log }: { backlog: Pick<BacklogStore, 'read'>; clock: Clock; log: Logger }) {
    this.#store = backlog
    this.#clock = clock
    this.#lines = new SampledLog(log, clock)
  }

  /** Undefined while the database cannot be read. */
  read(): Promise<Backlog | undefined> {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#readMs >= KEPT_MS) {
      this.#readMs = nowMs
      this.#last = this.#store.read(this.#clock.now()).catch((error: unknown) => {
        this.#lines.warn('backlog', { err: error }, 'what waits could not be counted')
        return undefined
      })
    }
    return this.#last
  }
}
