// Which part of an order goes to which printer. Pure. Nothing is ever routed nowhere.

import type { NewTicket } from '#gateway/storage/job-store.ts'
import type { KitchenOrder } from '#shared/order.ts'

/** A printer as routing sees it. */
export interface Route {
  printerId: string
  name: string
  stations: readonly string[]
  isDefault: boolean
}

/** Stands for "the first printer that is set up" while there is none. */
export const NO_PRINTER = ''

/**
 * One ticket for each printer that gets something: an item goes to the first printer that serves its station, everything else to the
 * default printer. Station names are compared without regard to case.
 * @param routes the default printer first; without any, one ticket waits for the first printer
 */
export function routeTickets(order: KitchenOrder, routes: readonly Route[]): NewTicket[] {
  const fallback = routes.find((route) => route.isDefault) ?? routes[0]
  const parts = new Map<string, { name: string; items: number[] }>()
  order.items.forEach((item, index) => {
    const route = routes.find((candidate) => serves(candidate, item.station)) ?? fallback
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

function serves(route: Route, station: string | null): boolean {
  return station !== null && route.stations.some((served) => fold(served) === fold(station))
}

/** The station of all these items, or null when they are of several, or of none. */
function commonStation(order: KitchenOrder, items: readonly number[]): string | null {
  const stations = new Set(items.map((index) => order.items[index]?.station ?? null))
  return stations.size === 1 ? ([...stations][0] ?? null) : null
}

function fold(text: string): string {
  return text.trim().toLowerCase()
}
