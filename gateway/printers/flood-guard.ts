// Sees that a printer does not say far more than it was asked: a device that floods us would cost a processor core and memory.
import type { Clock } from '#shared/clock.ts'

/**
 * Real printers say some bytes for each ticket, and four for each change of their state: this is thousands of changes in a minute.
 * Whatever is parsed of a flood stays below it.
 */
export const MOST_UNASKED_BYTES = 65_536
/** For people and the log. */
export const FLOODED = 'The printer sent far more than it was asked for, so its connection was closed.'
const FORGET_AFTER_MS = 60_000

/** Of one connection. */
export class FloodGuard {
  readonly #clock: Clock
  #unaskedBytes = 0
  #sinceMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#sinceMs = clock.monotonicMs()
  }

  /** We said something. Answers are shorter than what we send for them over any time, so each byte of ours earns the printer one. */
  said(bytes: number): void {
    this.#unaskedBytes = Math.max(0, this.#unaskedBytes - bytes)
  }

  /** The printer said something. True: that is too much. */
  isTooMuch(bytes: number): boolean {
    const now = this.#clock.monotonicMs()
    if (now - this.#sinceMs >= FORGET_AFTER_MS) {
      // A connection may stand for months, and status that is pushed adds up.
      this.#sinceMs = now
      this.#unaskedBytes = 0
    }
    this.#unaskedBytes += bytes
    return this.#unaskedBytes > MOST_UNASKED_BYTES
  }
}
