// Routes a job: which part goes to which printer, and why. Nothing is ever left without a printer. Pure.
import type { KitchenOrder } from '#shared/order.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import type { PrintDoc, PrintTarget } from '#shared/wire/print-doc.ts'
import {
  defaultOf,
  fold,
  kitchenRoutes,
  NO_PRINTER,
  PAPER_STATION,
  type Route,
  serves,
  type TicketPart,
} from './route.ts'
import {
  commonStation,
  copied,
  dueWith,
  kitchenTicketsOnce,
  MOST_DECIDING_TICKETS,
  routeCourse,
  routeOrder,
} from './route-order.ts'
import type { RoutingRule } from './routing-rules.ts'

/**
 * The tickets of a job, in print order; each copy is a ticket. Orders: `routeOrder` (none for an order that is for displays only). Fired
 * courses: `routeCourse`. Reprints, without courses that are still held: the kitchen tickets again, or everything on the target printer, or
 * the ticket of the target station. Everything else: `routeClientJob`.
 * @param routes the default printer first; if empty, the tickets wait for the first printer that is set up
 * @param known rules: applied before stations and the default printer (the relay has none). fired: courses of the order that were fired
 * before, in addition to those of a reprint
 */
export function routeJob(
  doc: JobDoc,
  routes: readonly Route[],
  { rules = [], fired = [] }: { rules?: readonly RoutingRule[]; fired?: readonly number[] } = {},
): TicketPart[] {
  switch (doc.kind) {
    case 'order':
      return routeOrder(doc.order, routes, rules)
    case 'board':
      return []
    case 'fire':
      return doc.isWithoutPaper ? [] : routeCourse(doc, routes, rules)
    case 'reprint': {
      const { order, target } = doc
      const known = [...fired, ...(doc.fired ?? [])]
      return reprintCopies(routeReprint({ order, target, fired: known }, routes, rules), target)
    }
    case 'note':
    case 'receipt':
    case 'label': {
      const parts = routeClientJob(doc.kind, doc.print, { routes, rules })
      return parts.flatMap((part) => Array.from({ length: mostCopies(parts, doc.print.target) }, () => part))
    }
  }
}

/** Reduces the copies if the tickets do not fit one message to the relay. */
function mostCopies(parts: readonly TicketPart[], { copies }: PrintTarget): number {
  return Math.min(copies, Math.max(1, Math.floor(MOST_DECIDING_TICKETS / parts.length)))
}

function reprintCopies(parts: readonly TicketPart[], target: PrintTarget): TicketPart[] {
  return parts.flatMap((part) => copied(part, mostCopies(parts, target)))
}

/**
 * The printer of an item: the first that serves its station, otherwise the default printer.
 * @returns null only if there is no printer at all
 */
export function routeStation<R extends Route>(station: string | null, routes: readonly R[]): R | null {
  const willing = kitchenRoutes(routes)
  return willing.find((route) => serves(route, station)) ?? defaultOf(willing)
}

/**
 * Returns whether a job that is cancelled when it is, or may be, on paper gets a VOID slip. For a reprint only if its order was voided: the
 * kitchen may cook by the reprint, because the order's own ticket waits at a printer that cannot print.
 */
export function hasVoidSlip(kind: JobDoc['kind'], isOrderVoided: boolean): boolean {
  return kind === 'order' || kind === 'fire' || kind === 'note' || (kind === 'reprint' && isOrderVoided)
}

/**
 * Routes a client's note, receipt or label: its target printer, otherwise the first printer that serves its target station, otherwise the
 * printers of the first rule for this kind, otherwise the first printer for this kind of paper (PAPER_STATION), otherwise the default
 * printer. A printer or station that no longer exists counts as none.
 */
function routeClientJob(
  kind: 'note' | 'receipt' | 'label',
  { target, locationId }: Pick<PrintDoc, 'target' | 'locationId'>,
  { routes, rules }: { routes: readonly Route[]; rules: readonly RoutingRule[] },
): TicketPart[] {
  const to = (route: Route | null, why: string): TicketPart => ({
    printerId: route?.printerId ?? NO_PRINTER,
    station: target.station,
    items: [],
    alsoAt: [],
    trace: [{ items: [], why }],
  })
  const named = routes.find((route) => route.printerId === target.printerId)
  if (named) return [to(named, `the job names printer ${named.name}`)]
  const atStation = routes.find((route) => serves(route, target.station))
  if (atStation) return [to(atStation, `the job names station ${target.station}: served by ${atStation.name}`)]
  for (const { name, when, print } of rules) {
    if (when.paper !== kind || (when.locationId !== undefined && when.locationId !== locationId)) continue
    if (when.station !== undefined && fold(when.station) !== fold(target.station ?? '')) continue
    const there = routes.filter((route) => print.printerIds.includes(route.printerId))
    if (there.length > 0) return there.map((route) => to(route, `rule '${name}' yes -> ${route.name}`))
  }
  const forPaper = routes.find((route) => serves(route, PAPER_STATION[kind]))
  if (forPaper) return [to(forPaper, `station ${PAPER_STATION[kind]} is served by ${forPaper.name}`)]
  const last = defaultOf(routes)
  return [to(last, last === null ? 'no printer is set up: waits for the first' : `default printer ${last.name}`)]
}

function routeReprint(
  { order, target, fired }: { order: KitchenOrder; target: PrintTarget; fired: readonly number[] },
  routes: readonly Route[],
  rules: readonly RoutingRule[],
): TicketPart[] {
  const parts = kitchenTicketsOnce({ order, fired }, routes, rules)
  const atStation = routes.filter((route) => serves(route, target.station))
  const ofStation = parts.filter((part) => atStation.some((route) => route.printerId === part.printerId))
  if (ofStation.length > 0) return ofStation
  const one = routes.find((route) => route.printerId === target.printerId) ?? atStation[0]
  if (!one) return parts
  const { now, later } = dueWith(order, fired)
  const items = [...now]
  const trace = [{ items: [], why: `the reprint was asked for at ${one.name}` }]
  const held = later.size === 0 ? {} : { later: [...later] }
  return [{ printerId: one.printerId, items, station: commonStation(order, items), alsoAt: [], ...held, trace }]
}
