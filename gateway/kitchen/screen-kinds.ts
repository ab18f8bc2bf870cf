// What screens that are not the kitchen's own are sent and may do: a runner what is ready, the guests' board numbers. Pure.
import { firstNameOf } from '#shared/tickets/guest-name.ts'
import type { ActKind, BoardOrder, KitchenPatch } from '#shared/wire/kitchen.ts'
import { heldCourses, KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import type { DisplayKind, PickUpRow } from '#shared/wire/kitchen-screens.ts'

/** A number that was not picked up for so long is of no use to the guests who wait now. */
const READY_SHOWN_MS = 3_600_000
/** Likewise one that the kitchen has forgotten to bump. */
const PREPARING_SHOWN_MS = 2 * 3_600_000
/** More than any screen can show. */
const MOST_ROWS = 100

/** The actions of this kind of screen. A runner brings orders out, and can undo that; a guests' board has none. */
export function mayAct(kind: DisplayKind, act: ActKind): boolean {
  return kind === 'kitchen' || (kind === 'runner' && (act === 'pick-up' || act === 'recall'))
}

/** Whether a runner needs it: ready, or picked up not long ago, or everything made except courses that are not fired. */
export function isForRunner(order: BoardOrder): boolean {
  if (order.voidedAtMs !== null || order.isScheduled) return false
  if (order.readyAtMs !== null || order.pickedUpAtMs !== null) return true
  const held = new Set(heldCourses(order).map(({ course }) => course))
  if (held.size === 0) return false
  const toMake = order.lines.filter(({ course }) => course === null || !held.has(course))
  const made = new Set(order.stations.filter(({ readyAtMs }) => readyAtMs !== null).map(({ key }) => key))
  return toMake.length > 0 && toMake.every(({ station }) => made.has(station))
}

/** What a runner's screen has of the orders, kept up by patches: an order that it never had is not named to it. */
export class RunnerOrders {
  readonly #had: Set<string>

  constructor(orders: readonly BoardOrder[]) {
    this.#had = new Set(orders.filter(isForRunner).map(({ orderId }) => orderId))
  }

  /** @returns what changes for the runner, where what is not for him any more is gone; null: nothing */
  take({ orders, gone, ...patch }: KitchenPatch): KitchenPatch | null {
    const shown = orders.filter(isForRunner)
    const others = orders.filter((order) => !isForRunner(order)).map(({ orderId }) => orderId)
    const left = [...gone, ...others].filter((orderId) => this.#had.delete(orderId))
    for (const { orderId } of shown) this.#had.add(orderId)
    if (shown.length + left.length === 0) return null
    return { ...patch, orders: shown, gone: left }
  }
}

type Entry = Pick<BoardOrder, 'number' | 'dueAtMs' | 'readyAtMs' | 'customer'>

/** The numbers of the guests' board, kept up by patches: of an order nothing else is kept. */
export class PickUpNumbers {
  readonly #entries = new Map<string, Entry>()

  constructor(orders: readonly BoardOrder[]) {
    this.#take(orders)
  }

  take({ orders, gone }: Pick<KitchenPatch, 'orders' | 'gone'>): void {
    for (const orderId of gone) this.#entries.delete(orderId)
    this.#take(orders)
  }

  /**
   * The guests' board now: preparing oldest first, ready newest first. Ready is shown when the cook can no longer undo it: otherwise a
   * guest might get up in vain.
   * @param nowMs by the box's clock
   */
  rows(nowMs: number, { showNames }: { showNames: boolean }): PickUpRow[] {
    const rows = [...this.#entries.values()].map((entry) => rowOf(entry, nowMs, showNames))
    const isShown = ({ state, sinceMs }: PickUpRow): boolean =>
      nowMs - sinceMs < (state === 'ready' ? READY_SHOWN_MS : PREPARING_SHOWN_MS)
    const inState = (state: PickUpRow['state']) => rows.filter((row) => row.state === state && isShown(row))
    const preparing = inState('preparing').sort((a, b) => a.sinceMs - b.sinceMs)
    const ready = inState('ready').sort((a, b) => b.sinceMs - a.sinceMs)
    return [...preparing.slice(0, MOST_ROWS), ...ready.slice(0, MOST_ROWS)]
  }

  #take(orders: readonly BoardOrder[]): void {
    for (const order of orders) {
      const { orderId, number, dueAtMs, readyAtMs, customer } = order
      if (isForGuests(order)) this.#entries.set(orderId, { number, dueAtMs, readyAtMs, customer })
      else this.#entries.delete(orderId)
    }
  }
}

/** Guests at a table are served there. */
function isForGuests({ table, isTest, isScheduled, voidedAtMs, pickedUpAtMs }: BoardOrder): boolean {
  return table === null && !isTest && !isScheduled && voidedAtMs === null && pickedUpAtMs === null
}

function rowOf({ number, dueAtMs, readyAtMs, customer }: Entry, nowMs: number, showNames: boolean): PickUpRow {
  const toldAtMs = readyAtMs === null ? null : readyAtMs + KITCHEN_TIMES.undoMs
  const isReady = toldAtMs !== null && nowMs >= toldAtMs
  const name = showNames ? firstNameOf(customer ?? '') : ''
  return {
    number,
    ...(isReady ? { state: 'ready', sinceMs: toldAtMs } : { state: 'preparing', sinceMs: dueAtMs }),
    ...(name !== '' && { name }),
  }
}
