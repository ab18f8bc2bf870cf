// How long an inject waits for an outside point of sale: until its first try has ended, and never longer than the budget. In memory only.
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

/** Closes a window that was taken. `result`: the stored result with the id, or null when storing it has failed. */
export type Report = (result: string | null) => void

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

  /** The open window of an order, for whoever repeats its request meanwhile: both must be answered alike. */
  pending(orderId: ServiceOrderId): Promise<string | null> | null {
    return this.#open.get(orderId)?.result ?? null
  }

  /**
   * The try has brought the id. @returns null when the order was answered without: then its result must not change any more. Else the
   * caller stores the id in the result, and reports.
   */
  take(orderId: ServiceOrderId): Report | null {
    const window = this.#open.get(orderId)
    if (!window || window.isTaken) return null
    window.isTaken = true
    return window.close
  }

  /** The try has brought nothing: nobody waits any longer. */
  giveUp(orderId: ServiceOrderId): void {
    this.#open.get(orderId)?.close(null)
  }
}
