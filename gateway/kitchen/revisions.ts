// Revisions of the orders on the board, and what has happened to an order since a screen saw it. In memory: after a start what was before is not known.
import type { TimeSource } from '#gateway/storage/ticket-door.ts'

/** What an action must not conflict with: a recall brought work back, or the order was handed out. */
export interface OrderEvent {
  kind: 'came-back' | 'handed-out'
  /** Keys of the stations that it is about; null: all of the order. */
  stations: readonly string[] | null
  /** The browser that did it. */
  by: string
}

interface Told extends OrderEvent {
  rev: number
}

/** More than happens to an order while a tablet is without network. */
const MOST_OF_AN_ORDER = 50
/** More than a board holds. */
const MOST_ORDERS = 1_000

export class Revisions {
  readonly #time: TimeSource
  readonly #events = new Map<string, Told[]>()
  #last = 0
  /** What is older is not known. */
  readonly #firstRev: number

  constructor(time: TimeSource) {
    this.#time = time
    this.#firstRev = this.next()
  }

  /** Greater than every one before; about the relay's time in ms, so that it is greater than those of an earlier start, too. */
  next(): number {
    this.#last = Math.max(this.#last + 1, Math.floor(this.#time.now()))
    return this.#last
  }

  note(orderId: string, event: OrderEvent): void {
    const events = this.#events.get(orderId) ?? []
    this.#events.delete(orderId)
    this.#events.set(orderId, [...events, { ...event, rev: this.next() }].slice(-MOST_OF_AN_ORDER))
    for (const oldest of this.#events.keys()) {
      if (this.#events.size <= MOST_ORDERS) break
      this.#events.delete(oldest)
    }
  }

  /** Revision of the last event; 0: there was none. */
  lastOf(orderId: string): number {
    return this.#events.get(orderId)?.slice(-1)[0]?.rev ?? 0
  }

  /** What others have done to the order since a browser saw it. Null: that was before this start of the program. */
  since(orderId: string, seenRev: number, by: string): OrderEvent[] | null {
    if (seenRev < this.#firstRev) return null
    return (this.#events.get(orderId) ?? []).filter((event) => event.rev > seenRev && event.by !== by)
  }
}
