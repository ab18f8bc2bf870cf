// Data of a test order besides its tickets: the number of each line, what people read off paper, which screens have shown it. In memory: after a restart send another.
import { randomInt } from 'node:crypto'

/** Of the last tests; older ones are not used any more. */
const MOST_KEPT = 8
const NUMBERS = 10_000

export interface TestLine {
  /** Null: the line without a station. */
  station: string | null
  /** Four digits in the line's name, unlike those of the other lines. */
  number: string
}

interface Proof {
  lines: readonly TestLine[]
  /** Test tickets of printers that the order does not reach: their ticket and number, by printer. */
  own: ReadonlyMap<string, { ticketId: string; number: string }>
  /** By printer: the printer of the paper whose number was read there. */
  typed: Map<string, string>
  /** Screens that have shown the order, also when it has left them since. */
  seen: Set<string>
}

export class TestOrderProofs {
  readonly #kept = new Map<string, Proof>()

  /** A number for each station and one more for what has none; `more()` gives further ones. */
  static lines(stations: readonly string[]): { lines: TestLine[]; more: () => string } {
    const taken = new Set<string>()
    const more = (): string => {
      for (;;) {
        const number = String(randomInt(NUMBERS)).padStart(4, '0')
        if (taken.has(number)) continue
        taken.add(number)
        return number
      }
    }
    return { lines: [null, ...stations].map((station) => ({ station, number: more() })), more }
  }

  keep(jobId: string, { lines, own }: Pick<Proof, 'lines' | 'own'>): void {
    this.#kept.set(jobId, { lines, own, typed: new Map(), seen: new Set() })
    for (const old of [...this.#kept.keys()].slice(0, -MOST_KEPT)) this.#kept.delete(old)
  }

  /** Null: it was sent before the program started, or is too old. */
  of(jobId: string): Proof | null {
    return this.#kept.get(jobId) ?? null
  }
}
