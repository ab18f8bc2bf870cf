// What a display shows of an order, as the box knows its displays. Pure.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { showsStation } from '#shared/wire/kitchen-acts.ts'
import { stationKey } from './board-order.ts'

export function ownLines(
  { stations }: Pick<DisplayRecord, 'stations'>,
  all: readonly Pick<DisplayRecord, 'stations'>[],
  { lines }: Pick<BoardOrder, 'lines'>,
): BoardOrder['lines'] {
  const served = all.flatMap((display) => display.stations.map(stationKey))
  const keys = { stations: stations.map(stationKey) }
  return lines.filter(({ station }) => showsStation(keys, served, station))
}
