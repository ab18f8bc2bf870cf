// Where paper comes out: the gateway of a location, the printers that it will choose, and whether they are known to be away. Pure.
import type { Kitchen, KitchenPrinter } from '#cloud/storage/print-job-store.ts'
import { ServiceError } from '#shared/errors.ts'
import type { LocationId } from '#shared/ids.ts'
import { serves } from '#shared/tickets/route.ts'
import { routeJob, routeStation } from '#shared/tickets/route-job.ts'
import { CAP_PRINT_JOBS, type JobDoc } from '#shared/wire/gateway-link.ts'
import type { PrintTarget } from '#shared/wire/print-doc.ts'

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

/**
 * Whether an order with items for these stations would wait: at every gateway of the location, the gateway or all printers of the route
 * are known to be offline.
 * @param kitchens those of the location
 */
export function isOrderHeldUp(kitchens: readonly Kitchen[], stations: readonly (string | null)[]): boolean {
  const isHeldUp = (kitchen: Kitchen): boolean => {
    const route = new Set(stations.map((station) => routeStation(station, kitchen.printers)))
    return isOffline(
      kitchen,
      [...route].filter((printer) => printer !== null),
    )
  }
  return kitchens.length > 0 && kitchens.every(isHeldUp)
}

/** Known: a gateway or printers that have not said anything are not offline. */
export function isOffline(kitchen: Kitchen, printers: readonly KitchenPrinter[]): boolean {
  if (kitchen.presence === 'offline') return true
  const areDown = printers.length > 0 && printers.every((printer) => printer.state === 'offline')
  return kitchen.presence === 'online' && areDown
}

function noRoute(message: string, field?: string): ServiceError {
  return new ServiceError('printer.no_route', { message, ...(field ? { errors: [{ field, message }] } : {}) })
}
