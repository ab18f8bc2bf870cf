// Which printers get the kitchen lines of a station, as the router sends them. Pure.
import type { KitchenOrder } from '#shared/order.ts'
import { type Route, serves } from './route.ts'
import { ItemRouter } from './route-item.ts'
import type { RoutingRule } from './routing-rules.ts'

/** No rule asks for the empty word, so only those hold that ask for nothing, or for the station alone. */
const NO_LINE = { umsId: '', name: '', qty: 1, modifiers: [] }
const NO_ORDER: KitchenOrder = {
  ...{ serviceOrderId: '', orderId: '', merchantId: '', locationId: '', source: '', posOrderId: null },
  ...{ queuedAtMs: 0, fireAtMs: null, readyByMs: 0, timeZone: 'UTC', items: [] },
}

/**
 * The printers that get a line of the station of which no more is known, the one that serves it first; none while no printer is set up.
 * @param printers the default one first
 */
export function printersOf<R extends Route>(
  station: string | null,
  { printers, rules }: { printers: readonly R[]; rules: readonly RoutingRule[] },
): R[] {
  const sends = new ItemRouter(NO_ORDER, printers, rules).sends({ ...NO_LINE, station }, 'kitchen')
  const ids = sends.flatMap(({ route }) => route?.printerId ?? [])
  const got = [...new Set(ids)].flatMap((id) => printers.find(({ printerId }) => printerId === id) ?? [])
  return [...got.filter((one) => serves(one, station)), ...got.filter((one) => !serves(one, station))]
}
