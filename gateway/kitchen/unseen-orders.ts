// Orders of the kitchen that are on no connected screen: cooks who work from screens do not see them. Pure.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { BoardLine, BoardOrder } from '#shared/wire/kitchen.ts'
import { type KitchenScreens, ownLines } from './adoption.ts'

export interface Screens {
  kitchen: KitchenScreens
  /** No report for longer than allowed. */
  isSilent: (displayId: string) => boolean
  /** The order was printed in the place of this screen. */
  isOnPaper: (displayId: string, orderId: string) => boolean
}

export interface UnseenOrder {
  order: BoardOrder
  /** Those that would show it. */
  displays: readonly DisplayRecord[]
  /** That no screen shows. */
  lines: readonly BoardLine[]
}

export interface UnseenOrders {
  orders: readonly UnseenOrder[]
  byDisplay: ReadonlyMap<string, SilentCounts>
}

/** Of one silent display, open orders that no living screen of their station shows; each in one of the three. */
export interface SilentCounts {
  /** On no screen. */
  unseen: number
  /** Printed in its place. */
  printed: number
  /** On expo alone: the cooks of the station do not see them. */
  onExpo: number
}

/** @param orders what is on the board, oldest due first */
export function unseenOrders(orders: readonly BoardOrder[], { kitchen, isSilent, isOnPaper }: Screens): UnseenOrders {
  // A screen without a sign-in yet shows nothing, and is not missed.
  const used = kitchen.displays.filter(({ claimedAtMs }) => claimedAtMs !== null)
  const silent = used.filter(({ displayId }) => isSilent(displayId))
  const byDisplay = new Map(silent.map(({ displayId }) => [displayId, { unseen: 0, printed: 0, onExpo: 0 }]))
  const unseen: UnseenOrder[] = []
  if (silent.length === 0) return { orders: unseen, byDisplay }
  const alive = used.filter(({ displayId }) => !isSilent(displayId))
  for (const order of orders) {
    if (!isOpen(order)) continue
    const linesOf = (displays: readonly DisplayRecord[]) =>
      new Set(displays.flatMap((display) => openLines(display, kitchen, order)))
    const shown = linesOf(alive)
    const atStations = linesOf(alive.filter(({ stations }) => stations.length > 0))
    const missing = silent.flatMap((display) => {
      const own = openLines(display, kitchen, order).filter((line) => !atStations.has(line))
      return own.length === 0 ? [] : [{ display, lines: own.filter((line) => !shown.has(line)) }]
    })
    const without = missing.filter(({ display, lines }) => {
      const isPrinted = isOnPaper(display.displayId, order.orderId)
      const isOnExpo = lines.length === 0
      const counts = byDisplay.get(display.displayId)
      // A silent expo leaves its orders to any other expo: no cook works from it.
      const isMissed = !isOnExpo || display.stations.length > 0
      if (counts && isMissed) counts[isPrinted ? 'printed' : isOnExpo ? 'onExpo' : 'unseen']++
      return !isPrinted && !isOnExpo
    })
    if (without.length === 0) continue
    const lines = new Set(without.flatMap((one) => one.lines))
    unseen.push({
      order,
      displays: without.map(({ display }) => display),
      lines: order.lines.filter((line) => lines.has(line)),
    })
  }
  return { orders: unseen, byDisplay }
}

function isOpen({ isScheduled, readyAtMs, pickedUpAtMs, voidedAtMs }: BoardOrder): boolean {
  return !isScheduled && readyAtMs === null && pickedUpAtMs === null && voidedAtMs === null
}

/** Without what its station has made already. */
function openLines(display: DisplayRecord, kitchen: KitchenScreens, order: BoardOrder): BoardLine[] {
  const done = new Set(order.stations.filter(({ readyAtMs }) => readyAtMs !== null).map(({ key }) => key))
  return ownLines(display, kitchen, order).filter(({ station }) => !done.has(station))
}
