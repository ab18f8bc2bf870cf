// The orders of the board as this display shows them, with its unconfirmed taps. An unchanged order stays the same object.
import type { BoardOrder, KitchenAct } from '#shared/wire/kitchen.ts'
import { type Viewer, withTaps } from './board-view.ts'

interface Drawn {
  of: BoardOrder
  viewer: Viewer
  taps: string
  order: BoardOrder
}

export class OrderShelf {
  readonly #orders = new Map<string, BoardOrder>()
  readonly #drawn = new Map<string, Drawn>()

  has(orderId: string): boolean {
    return this.#orders.has(orderId)
  }

  /** The order from the gateway, without taps. */
  find(orderId: string): BoardOrder | null {
    return this.#orders.get(orderId) ?? null
  }

  /** @returns '' for an order that is not on the board */
  numberOf(orderId: string): string {
    return this.find(orderId)?.number ?? ''
  }

  /** The order as it was last shown. */
  drawn(orderId: string): BoardOrder | null {
    return this.#drawn.get(orderId)?.order ?? this.find(orderId)
  }

  fill(orders: readonly BoardOrder[]): void {
    this.#orders.clear()
    for (const order of orders) this.#orders.set(order.orderId, order)
  }

  put(order: BoardOrder): void {
    this.#orders.set(order.orderId, order)
  }

  remove(orderId: string): void {
    this.#orders.delete(orderId)
  }

  /** @param taps that are not on the board yet, in their order */
  draw(taps: readonly KitchenAct[], viewer: Viewer): BoardOrder[] {
    const byOrder = new Map<string, KitchenAct[]>()
    for (const tap of taps) byOrder.set(tap.orderId, [...(byOrder.get(tap.orderId) ?? []), tap])
    for (const orderId of this.#drawn.keys()) if (!this.#orders.has(orderId)) this.#drawn.delete(orderId)
    return [...this.#orders.values()].map((order) => this.#one(order, byOrder.get(order.orderId) ?? [], viewer))
  }

  #one(order: BoardOrder, mine: readonly KitchenAct[], viewer: Viewer): BoardOrder {
    const taps = mine.map(({ id }) => id).join(' ')
    const known = this.#drawn.get(order.orderId)
    if (known?.of === order && known.taps === taps && known.viewer === viewer) return known.order
    const drawn = withTaps(order, mine, viewer)
    this.#drawn.set(order.orderId, { of: order, viewer, taps, order: drawn })
    return drawn
  }
}
