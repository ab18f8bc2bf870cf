// How long an inject waits for an external point of sale: until its first attempt has ended, and never longer than the budget. Waiting requests
// are kept in memory; that one waits is also stored with the message, for repetitions at another relay.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { FirstOrder } from '#cloud/storage/order-store.ts'
import type { PosOutboxStore } from '#cloud/storage/pos-outbox-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { ServiceOrderId } from '#shared/ids.ts'

/** What an order's answer may wait for its posOrderId. */
export const FIRST_TRY_MS = 100

interface Window {
  /** The result with the posOrderId as it is stored now; null: answered without. */
  result: Promise<string | null>
  close: (result: string | null) => void
  /** The try has brought an id and it is being stored: the answer waits for that commit, even past the budget. */
  isTaken: boolean
}

export class FirstTries {
  readonly #clock: Clock
  readonly #open = new Map<ServiceOrderId, Window>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Opens the window of an order that was just stored. Resolves when it closes. */
  wait(orderId: ServiceOrderId): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const cancel = this.#clock.after(FIRST_TRY_MS, () => {
      if (!window.isTaken) window.close(null)
    })
    const window: Window = {
      result: promise,
      isTaken: false,
      close: (result) => {
        cancel()
        this.#open.delete(orderId)
        resolve(result)
      },
    }
    this.#open.set(orderId, window)
    return promise
  }

  /** The open wait of an order, for the same request sent again meanwhile: both must get the same answer. */
  pending(orderId: ServiceOrderId): Promise<string | null> | null {
    return this.#open.get(orderId)?.result ?? null
  }

  /** The attempt has returned the id: while a request waits, the id is not stored in the answer until `close`. */
  take(orderId: ServiceOrderId): void {
    const window = this.#open.get(orderId)
    if (window) window.isTaken = true
  }

  /** Whether the id that the try has brought belongs into the result. False: the order was answered without, and its result must not change. */
  isTaken(orderId: ServiceOrderId): boolean {
    return this.#open.get(orderId)?.isTaken ?? false
  }

  /** Ends the wait. @param result as it is stored now, with the id; null: the attempt, or storing its id, has failed */
  close(orderId: ServiceOrderId, result: string | null): void {
    this.#open.get(orderId)?.close(result)
  }
}

/** How often to check whether another relay still waits, and how long at most, however far apart the clocks are. */
const AGAIN_MS = 100
const MOST_LOOKS = 20

interface FirstAnswerDeps {
  db: RelayDatabase
  firstTries: FirstTries
  posOutbox: PosOutboxStore
  clock: Clock
}

/**
 * The answer that the first request with this orderId got, or will get: it may still wait for its posOrderId, at this relay or at another one.
 * A request that waits too long ends the wait at the other relay, in one row: an id that comes afterwards is in the order and in no answer.
 */
export async function firstAnswerOf(deps: FirstAnswerDeps, first: FirstOrder): Promise<string> {
  const { db, firstTries, posOutbox, clock } = deps
  for (let looks = 1; ; looks++) {
    const pending = firstTries.pending(first.id)
    if (pending !== null) return (await pending) ?? first.result
    if (db.replicaId === null || first.pos_order_id !== null) return first.result
    const { result, held } = (await posOutbox.firstAnswer(first.id)) ?? { result: first.result, held: null }
    if (held === null) return result
    // At this relay no request waits any more, or not yet: then that one gets no id either.
    const isElsewhere = held.by !== db.replicaId
    if (isElsewhere && clock.now() < held.untilMs && looks < MOST_LOOKS) await clock.sleep(AGAIN_MS)
    else await db.unit((tx) => posOutbox.endHold(tx, held.id))
  }
}
