// Polling instead of the live feed, for example if the feed was refused because too many are open. Ends when the feed is back.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { LiveState } from './live-client.ts'

export interface SlowAskingOptions {
  clock: Pick<Clock, 'every'>
  everyMs: number
  /** Requests everything that the feed would have sent. */
  ask: () => void
}

export class SlowAsking {
  readonly #options: SlowAskingOptions
  #stop: Cancel | null = null

  constructor(options: SlowAskingOptions) {
    this.#options = options
  }

  /** Polls at once when the feed falls silent, and repeatedly while it is. */
  become(state: LiveState): void {
    if (state !== 'silent') this.stop()
    else if (this.#stop === null) this.#begin()
  }

  #begin(): void {
    const { clock, everyMs, ask } = this.#options
    this.#stop = clock.every(everyMs, ask)
    ask()
  }

  stop(): void {
    this.#stop?.()
    this.#stop = null
  }
}
