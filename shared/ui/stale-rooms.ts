// When a page refetches data that the live feed reports as changed: at once after a quiet time, less often the longer changes continue.
import type { Cancel, Clock } from '#shared/clock.ts'

const FIRST_WAIT_MS = 500
/** Maximum age of the page during a rush, plus at most a quarter: many open pages must not slow the server down. */
export const LONGEST_WAIT_MS = 4_000

export interface StaleRoomsOptions {
  clock: Pick<Clock, 'after'>
  /** Uniform in [0, 1). Spreads the requests of pages that got the same change. */
  random: () => number
  ask: (room: string) => void
}

interface Waiting {
  waitMs: number
  /** Changed since the last request. */
  isStale: boolean
  cancel: Cancel
}

export class StaleRooms {
  readonly #options: StaleRoomsOptions
  readonly #waiting = new Map<string, Waiting>()

  constructor(options: StaleRoomsOptions) {
    this.#options = options
  }

  /** Something in this room has changed. */
  touch(room: string): void {
    const waiting = this.#waiting.get(room)
    if (waiting) waiting.isStale = true
    else this.#ask(room, FIRST_WAIT_MS)
  }

  /** Cancels all pending requests. */
  stop(): void {
    for (const { cancel } of this.#waiting.values()) cancel()
    this.#waiting.clear()
  }

  #ask(room: string, waitMs: number): void {
    const { clock, random, ask } = this.#options
    const cancel = clock.after(waitMs * (0.75 + random() / 2), () => this.#waited(room))
    this.#waiting.set(room, { waitMs, isStale: false, cancel })
    ask(room)
  }

  #waited(room: string): void {
    const { waitMs = FIRST_WAIT_MS, isStale = false } = this.#waiting.get(room) ?? {}
    if (isStale) this.#ask(room, Math.min(LONGEST_WAIT_MS, 2 * waitMs))
    else this.#waiting.delete(room)
  }
}
