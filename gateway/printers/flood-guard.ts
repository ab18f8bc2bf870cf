// Detects a device that sends far more than requested: a flood would cost a processor core and memory.
import type { Clock } from '#shared/clock.ts'

/**
 * Real printers send some bytes for each ticket, and four for each change of their state: this is thousands of changes in a minute. Further
 * bytes are not parsed.
 */
export const MOST_UNASKED_BYTES = 65_536
/** For people and the log. */
export const FLOODED = 'The printer sent far more than it was asked for, so its connection was closed.'
const FORGET_AFTER_MS = 60_000

/** The guard of one connection. */
export class FloodGuard {
  readonly #clock: Clock
  #unaskedBytes = 0
  #sinceMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#sinceMs = clock.monotonicMs()
  }

  /** We sent bytes. Answers are shorter than the queries for them in the long run, so each byte of ours allows the printer one. */
  said(bytes: number): void {
    this.#unaskedBytes = Math.max(0, this.#unaskedBytes - bytes)
  }

  /** The printer sent bytes. Returns true if that is too much. */
  isTooMuch(bytes: number): boolean {
    const now = this.#clock.monotonicMs()
    if (now - this.#sinceMs >= FORGET_AFTER_MS) {
      // A connection may be open for months, and pushed status adds up.
      this.#sinceMs = now
      this.#unaskedBytes = 0
    }
    this.#unaskedBytes += bytes
    return this.#unaskedBytes > MOST_UNASKED_BYTES
  }
}
