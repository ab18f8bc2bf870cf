// GS r as a proof: its answer is one bare byte, which anything may send by itself; so it is asked a number of times, and as many answers must come and no byte more.
import type { Clock } from '#shared/clock.ts'

/** Behind a ticket, at least. */
const FEWEST = 3
/** How many numbers there are: as many bytes as were asked for come from elsewhere only by chance. A slow printer takes its time for each. */
const NUMBERS = 8
/**
 * Nothing more may come for so long after the last answer, or for twice the longest wait between two of them: a talker goes on talking. Not
 * less than 50: a talker's small bytes come bundled, with up to 40 ms between the bundles and none within (see `nextAnswer`).
 */
const QUIET_MS = 50
/** A timer may end a fraction before its time. */
const SHORTEST_MS = 1
/** What may change while a ticket prints: the paper sensors. */
const PAPER_BITS = 0x0f

/** So often the printer is asked behind this ticket. The number is this ticket's own, as its id is. */
export function paperCountOf(processId: string): number {
  let sum = 0
  for (const byte of Buffer.from(processId, 'latin1')) sum = (sum * 31 + byte) % 65_521
  return FEWEST + (sum % NUMBERS)
}

/** The answers to one such row of questions, as they come. */
export class PaperCount {
  readonly #count: number
  readonly #clock: Clock
  readonly #wake: () => void
  #answers = 0
  #first = 0
  #lastAtMs = 0
  #quietMs = QUIET_MS
  #isSpoilt = false

  /** `wake` is called when the silence behind the last answer has lasted. */
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

  /** So far. */
  get answers(): number {
    return this.#answers
  }

  /** A byte came that is no answer: whether the others are cannot be determined any more. */
  spoil(): void {
    this.#isSpoilt = true
  }

  /** As many as were asked for, and then nothing more; `isOver`: nothing more can come. */
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
