// Which display shows the lines of stations without a display: one of them, chosen again when it falls silent. Pure.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { showsStation } from '#shared/wire/kitchen-acts.ts'
import { stationKey } from './board-order.ts'

type Known = Pick<DisplayRecord, 'displayId' | 'stations' | 'backupPrinterId'> & { kind?: string }

/** The kitchen screens, and which of them shows what. */
export interface KitchenScreens<D extends Known = DisplayRecord> {
  displays: readonly D[]
  /** Keys of the stations that some display is for. */
  served: readonly string[]
  /** Id of the display that shows lines of all other stations; null: there is no display. */
  adopter: string | null
}

/**
 * @param all displays of the box, in the order in which they were added
 * @param isLive whether a display counts as connected
 */
export function kitchenScreens<D extends Known>(all: readonly D[], isLive: (display: D) => boolean): KitchenScreens<D> {
  // Runners and guests see nothing of what is to be made.
  const displays = all.filter(({ kind = 'kitchen' }) => kind === 'kitchen')
  const served = [...new Set(displays.flatMap(({ stations }) => stations.map(stationKey)))]
  return { displays, served, adopter: adopterOf(displays, isLive)?.displayId ?? null }
}

/** Expo first, then the first that is connected. When all are silent, one whose orders its backup printer prints. */
function adopterOf<D extends Known>(displays: readonly D[], isLive: (display: D) => boolean): D | undefined {
  const isExpo = ({ stations }: D): boolean => stations.length === 0
  const live = displays.filter(isLive)
  const printed = displays.filter(({ backupPrinterId }) => backupPrinterId !== null)
  for (const group of [live, printed, displays]) {
    const chosen = group.find(isExpo) ?? group[0]
    if (chosen) return chosen
  }
  return undefined
}

/** The lines of an order that a display shows. */
export function ownLines(
  { displayId, stations }: Pick<DisplayRecord, 'displayId' | 'stations'>,
  { served, adopter }: Pick<KitchenScreens, 'served' | 'adopter'>,
  { lines }: Pick<BoardOrder, 'lines'>,
): BoardOrder['lines'] {
  const display = { stations: stations.map(stationKey), adopts: displayId === adopter }
  return lines.filter(({ station }) => showsStation(display, served, station))
}
