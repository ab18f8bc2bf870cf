// How many stations a printer or a screen may have, for every operation that gives it some: more than a status to the relay can say are refused.
import { STATUS_LIMITS } from '#shared/wire/gateway-link.ts'
import { ControlRefusal } from './control-refusal.ts'

export const MOST_STATIONS = STATUS_LIMITS.stations

/**
 * @param name of the printer or screen
 * @throws ControlRefusal `station.too-many`
 */
export function requireFewStations(name: string, stations: readonly string[]): void {
  if (stations.length <= MOST_STATIONS) return
  throw new ControlRefusal('refused', `${name} would have more than ${MOST_STATIONS} stations: take one away first.`, {
    said: { key: 'station.too-many', values: { name, most: MOST_STATIONS } },
  })
}
