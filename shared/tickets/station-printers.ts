// Which printers get a line of an order, or any line of a station, by the rules of the router. Pure.
import { type Route, serves } from './route.ts'
import { ItemRouter, type RoutedLine, type RoutedOrder } from './route-item.ts'
import type { RoutingRule } from './routing-rules.ts'

/** No rule has an empty umsId, so only rules without an item condition match. */
const NO_LINE = { umsId: '' }
const NO_ORDER: RoutedOrder = { locationId: '', source: '' }

interface Printers<R extends Route> {
  /** The default printer first. */
  printers: readonly R[]
  rules: readonly RoutingRule[]
}

/**
 * The printers that get a line of the station if only its station is known, the one that serves the station first. Empty while no printer
 * is set up.
 */
export function printersOf<R extends Route>(station: string | null, known: Printers<R>): R[] {
  return printersOfLine({ ...NO_LINE, station }, NO_ORDER, known)
}

/** The printers that get this line of the order, the one that serves its station first. Empty while no printer is set up. */
export function printersOfLine<R extends Route>(
  line: RoutedLine,
  order: RoutedOrder,
  { printers, rules }: Printers<R>,
): R[] {
  const sends = new ItemRouter(order, printers, rules).sends(line, 'kitchen')
  const ids = sends.flatMap(({ route }) => route?.printerId ?? [])
  const got = [...new Set(ids)].flatMap((id) => printers.find(({ printerId }) => printerId === id) ?? [])
  const { station } = line
  return [...got.filter((one) => serves(one, station)), ...got.filter((one) => !serves(one, station))]
}
