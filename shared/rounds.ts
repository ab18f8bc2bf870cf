// Periodic work: a pass at an interval and at each wake-up, one at a time, and a stop that waits for the running one.
import type { Cancel, Clock } from './clock.ts'
import type { Logger } from './log.ts'
import type { Service } from './service.ts'

export interface RoundsOptions {
  clock: Clock
  /** Null: only when woken. */
  everyMs: number | null
  /** One pass. Long ones check `stopping` between their pieces. */
  pass: () => Promise<unknown>
  /** A pass failed; the next one tries again. */
  failed: (error: unknown) => void
}

export class Rounds implements Service {
  readonly #options: RoundsOptions
  #timer: Cancel | null = null
  #started = false
  #stopping = false
  #running: Promise<void> | null = null
  #again = false

  constructor(options: RoundsOptions) {
    this.#options = options
  }

  /** The first pass runs after `everyMs`; wake it for one at once. */
  async start(): Promise<void> {
    if (this.#started) return
    const { clock, everyMs } = this.#options
    this.#started = true
    this.#stopping = false
    if (everyMs !== null) this.#timer = clock.every(everyMs, () => this.wake())
  }

  /** No other pass begins. Resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#started = false
    this.#stopping = true
    this.#timer?.()
    this.#timer = null
    await this.#running
  }

  get started(): boolean {
    return this.#started
  }

  /** True from the stop on. */
  get stopping(): boolean {
    return this.#stopping
  }

  /** Begins a pass; while one runs, one more follows it. Without effect unless started. */
  wake(): void {
    if (!this.#started) return
    this.#again = true
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    const { pass, failed } = this.#options
    while (this.#again && !this.#stopping) {
      this.#again = false
      try {
        await pass()
      } catch (error) {
        failed(error)
      }
    }
    // Here, not in a later microtask: a wake in between would go unheard.
    this.#running = null
  }
}

/** A service that makes one pass at its start, and another every so often. */
export abstract class Sweeps<D extends { clock: Clock; log: Pick<Logger, 'error'> }> implements Service {
  protected readonly deps: D
  readonly #rounds: Rounds

  /** @param failed log message of a failed pass; the next one retries */
  constructor(deps: D, { everyMs, failed }: { everyMs: number; failed: string }) {
    this.deps = deps
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs,
      pass: () => this.sweep(),
      failed: (error) => deps.log.error({ err: error }, failed),
    })
  }

  async start(): Promise<void> {
    await this.#rounds.start()
    this.#rounds.wake()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** True from the stop on: a long pass ends between two of its pieces. */
  protected get stopping(): boolean {
    return this.#rounds.stopping
  }

  /** One pass. */
  abstract sweep(): Promise<unknown>
}
