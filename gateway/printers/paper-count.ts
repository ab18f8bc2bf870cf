// GS r as a proof. Its answer is a single byte, which anything may send. So it is sent several times, and exactly as many answers must come.
import type { Clock } from '#shared/clock.ts'

/** After a ticket, at least. */
const FEWEST = 3
/** Number of possible counts: the requested number of bytes comes from elsewhere only by chance. A slow printer needs time for each. */
const NUMBERS = 8
/**
 * Nothing more may come for this long after the last answer, or for twice the longest wait between two of them: a device that talks
 * continues to talk. At least 50 ms: small bytes come bundled, with up to 40 ms between the bundles and none within (see `nextAnswer`).
 */
const QUIET_MS = 50
/** A timer may end a fraction before its time. */
const SHORTEST_MS = 1
/** Bits that may change while a ticket prints: the paper sensors. */
const PAPER_BITS = 0x0f

/** How often GS r is sent after this ticket. The number is derived from the ticket's id. */
export function paperCountOf(processId: string): number {
  let sum = 0
  for (const byte of Buffer.from(processId, 'latin1')) sum = (sum * 31 + byte) % 65_521
  return FEWEST + (sum % NUMBERS)
}

/** The answers to one row of queries, as they arrive. */
export class PaperCount {
  readonly #count: number
  readonly #clock: Clock
  readonly #wake: () => void
  #answers = 0
  #first = 0
  #lastAtMs = 0
  #quietMs = QUIET_MS
  #isSpoilt = false

  /** `wake` is called when the silence after the last answer has lasted long enough. */
  constructor(count: number, clock: Clock, wake: () => void) {
    this.#count = count
    this.#clock = clock
    this.#wake = wake
  }

  take(byte: number): void {
    const nowMs = this.#clock.monotonicMs()
    if (this.#answers === 0) this.#first = byte
    else this.#quietMs = Math.max(this.#quietMs, 2 * (nowMs - this.#lastAtMs))
    if ((byte & ~PAPER_BITS) !== (this.#first & ~PAPER_BITS)) this.spoil()
    this.#answers++
    this.#lastAtMs = nowMs
    if (this.#answers === this.#count) this.#awaitSilence()
  }

  /** Answers so far. */
  get answers(): number {
    return this.#answers
  }

  /** A byte came that is no answer: whether the others are can no longer be determined. */
  spoil(): void {
    this.#isSpoilt = true
  }

  /** True for exactly the requested number, followed by nothing; `isOver`: nothing more can come. */
  isComplete(isOver: boolean): boolean {
    if (this.#isSpoilt || this.#answers !== this.#count) return false
    return isOver || this.#quietLeftMs() <= 0
  }

  #awaitSilence(): void {
    this.#clock.after(Math.max(SHORTEST_MS, this.#quietLeftMs()), () => {
      if (this.isComplete(false)) this.#wake()
      else if (!this.#isSpoilt && this.#answers === this.#count) this.#awaitSilence()
    })
  }

  #quietLeftMs(): number {
    return this.#lastAtMs + this.#quietMs - this.#clock.monotonicMs()
  }
}
