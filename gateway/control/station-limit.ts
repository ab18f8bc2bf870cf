// The maximum number of stations of a printer or a screen, for every operation that assigns some: more than a status to the relay can contain are refused.
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
