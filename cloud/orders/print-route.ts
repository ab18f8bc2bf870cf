// Where a job prints: the gateway of a location, the printers that it will choose, and whether they are known to be away. Pure.
import type { Kitchen, KitchenPrinter } from '#cloud/storage/print-job-store.ts'
import { ServiceError } from '#shared/errors.ts'
import type { LocationId } from '#shared/ids.ts'
import { serves } from '#shared/tickets/route.ts'
import type { RoutedLine, RoutedOrder } from '#shared/tickets/route-item.ts'
import { routeJob } from '#shared/tickets/route-job.ts'
import type { OrderWay } from '#shared/wire/api/orders.ts'
import { CAP_PRINT_JOBS, type JobDoc } from '#shared/wire/gateway-link.ts'
import type { PrintTarget } from '#shared/wire/print-doc.ts'
import { wayOfLine } from './line-way.ts'

/** The gateway that prints at this location: one that is here before one that is not. */
export function kitchenAt(kitchens: readonly Kitchen[], locationId: LocationId): Kitchen | null {
  const here = kitchens.filter((kitchen) => kitchen.locationId === locationId)
  return here.find((kitchen) => kitchen.presence === 'online') ?? here[0] ?? null
}

/**
 * The kitchen, when it can print such a job.
 * @throws ServiceError printer.not_found (404): it has no printer with this id; printer.no_route (422): no gateway, one that only prints
 * orders, or no printer that serves the station
 */
export function requireKitchen(kitchen: Kitchen | null, { printerId, station }: PrintTarget): Kitchen {
  const printers = kitchen?.printers ?? []
  if (printerId !== null && !printers.some((printer) => printer.printerId === printerId))
    throw new ServiceError('printer.not_found')
  if (kitchen === null) throw noRoute('The location has no gateway.')
  if (!kitchen.caps.includes(CAP_PRINT_JOBS))
    throw noRoute(
      kitchen.caps.length === 0
        ? "The location's gateway has never connected."
        : "The location's gateway prints orders only: update it.",
    )
  if (station !== null && !printers.some((printer) => serves(printer, station)))
    throw noRoute('No printer of the location serves this station.', 'station')
  return kitchen
}

/** The printers that the gateway will choose, by the same rule as the gateway itself; empty while it has none. */
export function printersFor(doc: JobDoc, kitchen: Kitchen | null): KitchenPrinter[] {
  const chosen = new Set(routeJob(doc, kitchen?.printers ?? []).map((part) => part.printerId))
  return kitchen?.printers.filter((printer) => chosen.has(printer.printerId)) ?? []
}

/** How an order with lines of these stations comes into the kitchen now. */
export interface OrderRoute {
  /** At every gateway of the location, the gateway is known to be offline or no line that is due can be taken. */
  isHeldUp: boolean
  /** One for each station, in their order; where rules part its lines, one for each of its ways. Null: nothing is known. */
  ways: OrderWay[] | null
}

/** What is judged of an order: lines that are due now. */
export type DueOrder = RoutedOrder & { due: readonly RoutedLine[] }

/**
 * A gateway reports how its stations are served: printer, backup, display, and, where its rules have other conditions than the station, how
 * each line is. For a gateway that does not, its printers decide.
 * @param kitchens those of the location
 */
export function orderRoute(kitchens: readonly Kitchen[], order: DueOrder): OrderRoute {
  const routes = kitchens.map((kitchen) => routeAt(kitchen, order))
  const isHeldUp = routes.length > 0 && routes.every((route) => route.isHeldUp)
  // The gateway that can take it and is known to be connected comes before others.
  const told = routes.filter((route) => isHeldUp || !route.isHeldUp).find(({ ways }) => ways !== null)
  return { isHeldUp, ways: told?.ways ?? null }
}

function routeAt(kitchen: Kitchen, order: DueOrder): OrderRoute {
  if (kitchen.presence === 'unknown') return { isHeldUp: false, ways: null }
  const isAway = kitchen.presence === 'offline'
  const isSilent = kitchen.stations === null && kitchen.printers.length === 0
  if (isSilent) return { isHeldUp: isAway, ways: null }
  const ways = order.due.map((line): OrderWay => {
    const way = isAway ? null : wayOfLine(line, order, kitchen)
    return { station: line.station, way: way?.kind ?? null, name: way?.name ?? null }
  })
  return { isHeldUp: ways.every(({ way }) => way === null), ways: eachOnce(ways) }
}

function eachOnce(ways: readonly OrderWay[]): OrderWay[] {
  const keyOf = ({ station, way, name }: OrderWay) => JSON.stringify([station, way, name])
  return [...new Map(ways.map((way) => [keyOf(way), way])).values()]
}

/** Known to be offline: a gateway or printers without a report are not offline, nor is a printer with a backup that prints. */
export function isOffline(kitchen: Kitchen, printers: readonly KitchenPrinter[]): boolean {
  if (kitchen.presence === 'offline') return true
  const areDown = printers.length > 0 && printers.every(({ state, standIn }) => state === 'offline' && standIn === null)
  return kitchen.presence === 'online' && areDown
}

function noRoute(message: string, field?: string): ServiceError {
  return new ServiceError('printer.no_route', { message, ...(field ? { errors: [{ field, message }] } : {}) })
}
