// Screens that answer and show nothing new: an order was sent to them a while ago, and neither it nor a later one was drawn.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { firedMs } from '#shared/wire/kitchen-acts.ts'
import { type KitchenScreens, ownLines } from './adoption.ts'

interface SentBoard {
  orders: readonly BoardOrder[]
  screens: KitchenScreens
  hasDrawn: (orderId: string) => boolean
  hadDrawn: (orderId: string) => boolean
}

/** Since when each display misses an order, by both ids; monotonic milliseconds. */
export class MissedOrders {
  readonly #since = new Map<string, Map<string, number>>()

  /**
   * @param orders what is on the board, oldest due first
   * @param hasDrawn whether the screen has reported it since the box started
   * @param hadDrawn whether it had reported it before, from the disk: read once for each order
   * @returns since when the display has drawn nothing new; null: it shows what comes. One order that cannot be drawn does not count
   * standstill as soon as a later one is drawn.
   */
  look(display: DisplayRecord, { orders, screens, hasDrawn, hadDrawn }: SentBoard, nowMs: number): number | null {
    const known = this.#since.get(display.displayId)
    const missed = new Map<string, number>()
    // From the newest on: a screen that draws is seen to do so at once, however many orders are open.
    for (let at = orders.length - 1; at >= 0; at--) {
      const order = orders[at]
      if (!order || !isFor(display, screens, order)) continue
      const { orderId } = order
      const sinceMs = known?.get(orderId)
      if (hasDrawn(orderId) || (sinceMs === undefined && hadDrawn(orderId))) break
      missed.set(orderId, sinceMs ?? nowMs)
    }
    this.#since.set(display.displayId, missed)
    return missed.size === 0 ? null : Math.min(...missed.values())
  }

  /** It is not sent anything now: what it gets when it is back is new to it. */
  forget(displayId: string): void {
    this.#since.delete(displayId)
  }
}

/** It has lines of the order to make now. */
function isFor(display: DisplayRecord, screens: KitchenScreens, order: BoardOrder): boolean {
  const { isScheduled, readyAtMs, pickedUpAtMs, voidedAtMs, stations, courses } = order
  if (isScheduled || readyAtMs !== null || pickedUpAtMs !== null || voidedAtMs !== null) return false
  const done = new Set(stations.filter((station) => station.readyAtMs !== null).map(({ key }) => key))
  return ownLines(display, screens, order).some((line) => !done.has(line.station) && firedMs(line, courses) !== null)
}
