// Long work in slices of a few milliseconds, with pauses for everything else.
import type { Clock } from './clock.ts'

/** The event loop is held for this long at a time. */
const SLICE_MS = 4
/** A pause is so many times as long as the slice before it. */
const PAUSES = 3

export class Slices {
  readonly #clock: Clock
  readonly #workMs: number
  #workedMs = 0
  #startedMs: number

  /** The first slice begins now. @param workMs for so long at most, pauses not counted */
  constructor(clock: Clock, workMs = Number.POSITIVE_INFINITY) {
    this.#clock = clock
    this.#workMs = workMs
    this.#startedMs = clock.monotonicMs()
  }

  get isOver(): boolean {
    return this.#clock.monotonicMs() - this.#startedMs >= SLICE_MS
  }

  /** Between two steps of the work: pauses when the slice is over. @returns false when the time is used up */
  async breathe(): Promise<boolean> {
    const tookMs = this.#clock.monotonicMs() - this.#startedMs
    if (tookMs < SLICE_MS) return true
    this.#workedMs += tookMs
    if (this.#workedMs >= this.#workMs) return false
    await this.#clock.sleep(PAUSES * tookMs)
    this.#startedMs = this.#clock.monotonicMs()
    return true
  }
}
