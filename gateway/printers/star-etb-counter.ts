// Reads Star's ETB counter: which of its steps are ours. Pure.
//
// The counter has five bits and belongs to the printer, not to the connection: ETBs of other programs count as well ("can cause
// mis-recognition", by Star's specification), as do those of our own earlier connections that are reached only now; ESC RS E and power set it to 0. So
// - our query is several ETBs in a row: three more than there may be strays on their way, so that strays alone never answer it;
// - steps beyond our query are other programs', and the next query counts on top of them;
// - a counter that went back proves nothing any more;
// - near its end it is read so often that a reset never looks like a proof.
import { ETB_MODULUS } from './star-status.ts'

/** Documents of other programs may end after ours; this many at once would be needed to look like the answer to our query. */
const MARGIN = 3
/** Keeps a query far below the counter's modulus. */
const MAX_STRAYS = 9

export interface EtbQuestion {
  /** Number of ETBs to write now. */
  etbs: number
  /** True if all of them were processed by the printer. */
  answered: () => boolean
}

export class EtbCounter {
  /** The count seen last. */
  #last: number | null = null
  /** Expected total by now: our ETBs, and those of others that were noticed. */
  #due = 0
  /** Increments seen. */
  #steps = 0
  #wasSetBack = false
  #hasAsked = false
  #strays: number

  /** @param strays ETBs of earlier connections that were never answered, and may still be. */
  constructor(strays: number) {
    this.#strays = Math.min(MAX_STRAYS, strays)
  }

  /** A status arrived. */
  note(count: number): void {
    const last = this.#last
    this.#last = count
    if (last === null || count === last) return
    const open = Math.max(0, this.#due - this.#steps) + this.#strays
    // Lower, without enough ETBs in flight to reach the end: the counter was reset. 31 to 0 is one increment by any program.
    if (count < last && last + Math.max(1, open) < ETB_MODULUS) this.#wasSetBack = true
    this.#steps += (count - last + ETB_MODULUS) % ETB_MODULUS
  }

  /** True once the counter was seen. */
  get known(): boolean {
    return this.#last !== null
  }

  /** ETBs that may still be on their way to the printer's mechanism. */
  get inFlight(): number {
    const open = this.#due - this.#steps
    // An answered query comes after everything older.
    return this.#hasAsked && open <= 0 ? 0 : Math.max(0, open + this.#strays)
  }

  /** The query that is about to be written. Call it only if `known`. */
  ask(): EtbQuestion {
    const excess = Math.max(0, this.#steps - this.#due)
    this.#strays = Math.max(0, this.#strays - excess)
    this.#due += excess
    const before = ((this.#last ?? 0) + this.#due - this.#steps) % ETB_MODULUS
    const least = MARGIN + this.#strays
    const toTheEnd = ETB_MODULUS - before
    const etbs = toTheEnd <= least + this.#strays ? toTheEnd + least : least
    this.#due += etbs
    const due = this.#due
    this.#wasSetBack = false
    this.#hasAsked = true
    return { etbs, answered: () => !this.#wasSetBack && this.#steps >= due }
  }
}
