// The state of an order at the screens: which of them show it, which have drawn it. Pure.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { Seen } from '#gateway/storage/kitchen-store.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { type KitchenScreens, ownLines } from './adoption.ts'
import type { Presence } from './presence.ts'

export interface OrderStanding {
  /** Those that show it, or would if they were on. */
  displays: { displayId: string; name: string; isAlive: boolean; isSeen: boolean }[]
  readyAtMs: number | null
  pickedUpAtMs: number | null
}

export function orderStanding(
  order: BoardOrder,
  screens: {
    kitchen: KitchenScreens
    seen: readonly Seen[]
    presence: Pick<Presence, 'isAlive' | 'hasDrawn'>
  },
): OrderStanding {
  const { orderId, readyAtMs, pickedUpAtMs } = order
  const { kitchen } = screens
  const shows = (display: DisplayRecord): boolean => ownLines(display, kitchen, order).length > 0
  // What was drawn before the last start of the program is on the disk only.
  const onDisk = new Set(screens.seen.flatMap(({ displayId, seenAtMs }) => (seenAtMs === null ? [] : [displayId])))
  const displays = kitchen.displays.filter(shows).map(({ displayId, name }) => ({
    displayId,
    name,
    isAlive: screens.presence.isAlive(displayId),
    isSeen: screens.presence.hasDrawn(displayId, orderId) || onDisk.has(displayId),
  }))
  return { displays, readyAtMs, pickedUpAtMs }
}
