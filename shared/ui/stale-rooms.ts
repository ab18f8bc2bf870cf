// When a page asks again for what the live feed says has changed: at once after a rest, the more rarely the longer changes go on.
import type { Cancel, Clock } from '#shared/clock.ts'

const FIRST_WAIT_MS = 500
/** In a rush what stands on the page is at most a quarter more than this old: many open pages must not slow the rush down. */
export const LONGEST_WAIT_MS = 4_000

export interface StaleRoomsOptions {
  clock: Pick<Clock, 'after'>
  /** Uniform in [0, 1). Pages that heard of the same change do not all ask at the same moment again. */
  random: () => number
  ask: (room: string) => void
}

interface Waiting {
  waitMs: number
  /** Something changed since it was asked for. */
  isStale: boolean
  cancel: Cancel
}

export class StaleRooms {
  readonly #options: StaleRoomsOptions
  readonly #waiting = new Map<string, Waiting>()

  constructor(options: StaleRoomsOptions) {
    this.#options = options
  }

  /** Something of this room changed. */
  touch(room: string): void {
    const waiting = this.#waiting.get(room)
    if (waiting) waiting.isStale = true
    else this.#ask(room, FIRST_WAIT_MS)
  }

  /** Nothing is asked for any more that has not been. */
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
