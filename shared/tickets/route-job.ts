// Which part of a job goes to which printer. Pure. Nothing is ever routed nowhere.
import type { KitchenOrder } from '#shared/order.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import type { PrintTarget } from '#shared/wire/print-doc.ts'

/** A printer as routing sees it. */
export interface Route {
  printerId: string
  name: string
  stations: readonly string[]
  isDefault: boolean
}

/** What one printer gets of a job: one ticket. */
export interface TicketPart {
  /** NO_PRINTER while none is set up. */
  printerId: string
  /** Null: more than one station, or none. */
  station: string | null
  /** Indices into the order's items; empty for a job that is no order. */
  items: readonly number[]
  /** Names of the other printers that get a ticket of this order. */
  alsoAt: readonly string[]
}

/** Stands for "the first printer that is set up" while there is none. */
export const NO_PRINTER = ''

/** A printer that serves a station of this name gets the print jobs of that kind that name neither printer nor station. */
export const PAPER_STATION = { note: 'kitchen', receipt: 'receipt', label: 'label' } as const

/**
 * The tickets of a job, in the order in which they print. An order: `routeOrder`. A reprint: the same tickets, or all of it on the
 * target's printer, or what the target's station made. Everything else: one printer (`routeTarget`). Each copy is a ticket.
 * @param routes the default printer first; without any, the tickets wait for the first printer
 */
export function routeJob(doc: JobDoc, routes: readonly Route[]): TicketPart[] {
  switch (doc.kind) {
    case 'order':
      return routeOrder(doc.order, routes)
    case 'reprint':
      return copiesOf(routeReprint(doc.order, doc.target, routes), doc.target)
    case 'note':
    case 'receipt':
    case 'label': {
      const { target } = doc.print
      const printerId = routeTarget(doc.kind, target, routes)?.printerId ?? NO_PRINTER
      return copiesOf([{ printerId, station: target.station, items: [], alsoAt: [] }], target)
    }
  }
}

/**
 * The printer of a job that is no order: the named one, else the first that serves the named station, else the first for this kind of
 * paper (PAPER_STATION), else the default printer. A name that is gone meanwhile counts as none.
 * @returns null only when there is no printer at all
 */
export function routeTarget<R extends Route>(
  kind: 'note' | 'receipt' | 'label',
  target: PrintTarget,
  routes: readonly R[],
): R | null {
  const named = routes.find((route) => route.printerId === target.printerId)
  const atStation = routes.find((route) => serves(route, target.station))
  const forPaper = routes.find((route) => serves(route, PAPER_STATION[kind]))
  return named ?? atStation ?? forPaper ?? defaultOf(routes)
}

/** The printer of an item: the first that serves its station, else the default printer. @returns null only when there is no printer at all */
export function routeStation<R extends Route>(station: string | null, routes: readonly R[]): R | null {
  return routes.find((route) => serves(route, station)) ?? defaultOf(routes)
}

/** Whether the printer serves the station; names are compared without regard to case. */
export function serves(route: Pick<Route, 'stations'>, station: string | null): boolean {
  return station !== null && route.stations.some((served) => fold(served) === fold(station))
}

/**
 * Whether a job that is taken back when it is, or may be, on paper gets a VOID slip. That of a reprint calls its order off, so there is
 * one only when the order was: the kitchen may cook by the reprint, because the order's own ticket waits at a dead printer.
 */
export function hasVoidSlip(kind: JobDoc['kind'], isOrderVoided: boolean): boolean {
  return kind === 'order' || kind === 'note' || (kind === 'reprint' && isOrderVoided)
}

/** One ticket for each printer that gets something. */
function routeOrder(order: KitchenOrder, routes: readonly Route[]): TicketPart[] {
  const parts = new Map<string, { name: string; items: number[] }>()
  order.items.forEach((item, index) => {
    const route = routeStation(item.station, routes)
    const printerId = route?.printerId ?? NO_PRINTER
    const part = parts.get(printerId) ?? { name: route?.name ?? '', items: [] }
    part.items.push(index)
    parts.set(printerId, part)
  })
  const labels = [...parts].map(([printerId, part]) => ({
    printerId,
    items: part.items,
    station: commonStation(order, part.items),
    label: commonStation(order, part.items) ?? part.name,
  }))
  return labels.map(({ printerId, items, station }) => ({
    printerId,
    items,
    station,
    alsoAt: labels.filter((other) => other.printerId !== printerId).map((other) => other.label),
  }))
}

function routeReprint(order: KitchenOrder, target: PrintTarget, routes: readonly Route[]): TicketPart[] {
  const parts = routeOrder(order, routes)
  const atStation = routes.filter((route) => serves(route, target.station))
  const ofStation = parts.filter((part) => atStation.some((route) => route.printerId === part.printerId))
  if (ofStation.length > 0) return ofStation
  const one = routes.find((route) => route.printerId === target.printerId) ?? atStation[0]
  if (!one) return parts
  const items = order.items.map((_, index) => index)
  return [{ printerId: one.printerId, items, station: commonStation(order, items), alsoAt: [] }]
}

function copiesOf(parts: readonly TicketPart[], { copies }: PrintTarget): TicketPart[] {
  return parts.flatMap((part) => Array.from({ length: copies }, () => part))
}

function defaultOf<R extends Route>(routes: readonly R[]): R | null {
  return routes.find((route) => route.isDefault) ?? routes[0] ?? null
}

/** The station of all these items, or null when they are of several, or of none. */
function commonStation(order: KitchenOrder, items: readonly number[]): string | null {
  const stations = new Set(items.map((index) => order.items[index]?.station ?? null))
  return stations.size === 1 ? ([...stations][0] ?? null) : null
}

function fold(text: string): string {
  return text.trim().toLowerCase()
}
