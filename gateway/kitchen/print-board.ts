// Prints the open orders that are on no screen, each once, on request: the screens are silent and the kitchen must continue.
import type { KitchenStore } from '#gateway/storage/kitchen-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import type { KitchenScreens } from './adoption.ts'
import { backupSlip } from './backup-slip.ts'
import type { Presence } from './presence.ts'
import type { PrintBackup } from './screen-watch.ts'
import { type UnseenOrders, unseenOrders } from './unseen-orders.ts'

export interface PrintBoardDeps {
  presence: Pick<Presence, 'isSilent'>
  store: KitchenStore
  kitchen: KitchenScreens
  printBackup: PrintBackup
  time: TimeSource
  site: SiteFacts
}

export function unseenNow(
  orders: readonly BoardOrder[],
  { presence, store, kitchen }: Pick<PrintBoardDeps, 'presence' | 'store' | 'kitchen'>,
): UnseenOrders {
  const paper = new Map<string, Set<string>>()
  const onPaper = (orderId: string): Set<string> => {
    const known = paper.get(orderId)
    if (known) return known
    const seen = store.seen(orderId).filter(({ paperAtMs }) => paperAtMs !== null)
    const printed = new Set(seen.map(({ displayId }) => displayId))
    paper.set(orderId, printed)
    return printed
  }
  return unseenOrders(orders, {
    kitchen,
    isSilent: (displayId) => presence.isSilent(displayId),
    isOnPaper: (displayId, orderId) => onPaper(orderId).has(displayId),
  })
}

/** Marked SCREEN OFFLINE, as what prints by itself. All of them in one commit. @returns how many */
export function printBoard(orders: readonly BoardOrder[], printerId: string, deps: PrintBoardDeps): number {
  const { store, printBackup, time, site } = deps
  const nowMs = time.now()
  const unseen = unseenNow(orders, deps).orders
  return store.transaction(() => {
    let printed = 0
    for (const { order, displays, lines } of unseen) {
      // One of them is enough: its line must contain POSSIBLE DUPLICATE unbroken.
      const displayName = displays[0]?.name ?? ''
      if (!printBackup(printerId, backupSlip(order, lines, { displayName, nowMs, timeZone: site.timeZone }))) break
      for (const { displayId } of displays) store.putSeen(order.orderId, { displayId, paperAtMs: nowMs })
      printed++
    }
    return printed
  })
}
