// The codes on test tickets that wait to be typed in: reading one off the paper proves that the printer prints. Kept in memory only.
import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#shared/clock.ts'

const MOST_TRIES = 5
const VALID_MS = 30 * 60_000

export type Typed =
  | 'right'
  | 'wrong'
  /** Wrong for the fifth time, too old, or no ticket was printed since the program started. */
  | 'print-again'

interface Waiting {
  code: string
  tries: number
  madeAtMs: number
}

export class TestCodes {
  readonly #clock: Clock
  readonly #waiting = new Map<string, Waiting>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A new code for this printer; the one before counts no more. */
  make(printerId: string): string {
    let code = newCode()
    // Two printers with one number could not be distinguished.
    while (this.ownerOf(code) !== null) code = newCode()
    this.#waiting.set(printerId, { code, tries: 0, madeAtMs: this.#clock.monotonicMs() })
    return code
  }

  /** @returns the printer whose last ticket has this code; null: none */
  ownerOf(typed: string): string | null {
    return [...this.#waiting].find(([, { code }]) => code === typed)?.[0] ?? null
  }

  /** @param typed four digits */
  type(printerId: string, typed: string): Typed {
    const waiting = this.#waiting.get(printerId)
    if (!waiting || this.#clock.monotonicMs() - waiting.madeAtMs > VALID_MS) return this.#end(printerId, 'print-again')
    waiting.tries++
    if (timingSafeEqual(Buffer.from(waiting.code), Buffer.from(typed))) return this.#end(printerId, 'right')
    return waiting.tries < MOST_TRIES ? 'wrong' : this.#end(printerId, 'print-again')
  }

  #end(printerId: string, answer: Typed): Typed {
    this.#waiting.delete(printerId)
    return answer
  }
}

function newCode(): string {
  return String(randomInt(10_000)).padStart(4, '0')
}
