// Screens that answer and show nothing new: an order was sent to them a while ago, and neither it nor a later one was drawn.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { firedMs } from '#shared/wire/kitchen-acts.ts'
import { type KitchenScreens, ownLines } from './adoption.ts'

/** Since when each display misses an order, by both ids; monotonic milliseconds. */
export class MissedOrders {
  readonly #since = new Map<string, Map<string, number>>()

  /**
   * @param orders what is on the board, oldest due first
   * @param hasDrawn whether the screen has said so, now or before a restart of the box
   * @returns since when the display has drawn nothing of what is new; null: it shows what comes. One order that cannot be drawn is no
   * standstill as soon as a later one is drawn.
   */
  look(
    display: DisplayRecord,
    board: { orders: readonly BoardOrder[]; screens: KitchenScreens; hasDrawn: (orderId: string) => boolean },
    nowMs: number,
  ): number | null {
    const own = board.orders.filter((order) => isFor(display, board.screens, order)).map(({ orderId }) => orderId)
    const lastDrawn = own.findLastIndex(board.hasDrawn)
    const known = this.#since.get(display.displayId)
    const missed = new Map(own.slice(lastDrawn + 1).map((orderId) => [orderId, known?.get(orderId) ?? nowMs]))
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
