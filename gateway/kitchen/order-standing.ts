// How an order stands at the screens: which of them show it, which have drawn it. Pure.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { Seen } from '#gateway/storage/kitchen-store.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { showsStation } from '#shared/wire/kitchen-acts.ts'
import { stationKey } from './board-order.ts'
import type { Presence } from './presence.ts'

export interface OrderStanding {
  /** Those that show it, or would if they were on. */
  displays: { displayId: string; name: string; isAlive: boolean; isSeen: boolean }[]
  readyAtMs: number | null
  pickedUpAtMs: number | null
}

export function orderStanding(
  { orderId, lines, readyAtMs, pickedUpAtMs }: BoardOrder,
  screens: {
    displays: readonly DisplayRecord[]
    seen: readonly Seen[]
    presence: Pick<Presence, 'isAlive' | 'hasDrawn'>
  },
): OrderStanding {
  const served = screens.displays.flatMap(({ stations }) => stations.map(stationKey))
  const shows = (display: DisplayRecord): boolean => {
    const keys = { stations: display.stations.map(stationKey) }
    return lines.some(({ station }) => showsStation(keys, served, station))
  }
  // What was drawn before the last start of the program stands on the disk only.
  const onDisk = new Set(screens.seen.flatMap(({ displayId, seenAtMs }) => (seenAtMs === null ? [] : [displayId])))
  const displays = screens.displays.filter(shows).map(({ displayId, name }) => ({
    displayId,
    name,
    isAlive: screens.presence.isAlive(displayId),
    isSeen: screens.presence.hasDrawn(displayId, orderId) || onDisk.has(displayId),
  }))
  return { displays, readyAtMs, pickedUpAtMs }
}
