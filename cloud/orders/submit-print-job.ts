// Takes a print job that is no new order: a kitchen note, a receipt, a label, or an order's tickets again under a REPRINT mark.
import type { CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { LocationStore } from '#cloud/storage/location-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { FoundOrder, OrderStore } from '#cloud/storage/order-store.ts'
import type { Kitchen, PrintJobStore } from '#cloud/storage/print-job-store.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { type LocationId, newId } from '#shared/ids.ts'
import { routeJob } from '#shared/tickets/route-job.ts'
import { MOST_DECIDING_TICKETS } from '#shared/tickets/route-order.ts'
import type { PrintJobResult, SubmitPrintJob } from '#shared/wire/api/printing.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import type { PrintTarget } from '#shared/wire/print-doc.ts'
import { dispatchNow } from './dispatch-now.ts'
import { firedCourses } from './fired-courses.ts'
import { ownOrder } from './own-order.ts'
import { locationOf } from './plan-order.ts'
import { clientDocument, orderAgain } from './print-document.ts'
import { isOffline, kitchenAt, printersFor, requireKitchen } from './print-route.ts'

export interface SubmitDeps {
  orders: OrderStore
  catalog: CatalogStore
  locations: LocationStore
  printJobs: PrintJobStore
  dispatches: DispatchStore
  clock: Clock
}

/**
 * When the printers are known to be offline the job is taken all the same: the effect carries the refusal printer.offline (503) with
 * `printJob`, and a repetition with the same Idempotency-Key gets the answer.
 * @throws ServiceError order.not_found, printer.not_found (404); printer.no_route, location.unknown (422); order.invalid_transition (409):
 * a voided order is not printed again; request.too_large (413)
 */
export async function submitPrintJob(
  tx: Tx,
  deps: SubmitDeps,
  { merchant, body }: { merchant: MerchantRecord; body: SubmitPrintJob },
): Promise<Effect<PrintJobResult>> {
  const order =
    body.serviceOrderId === undefined
      ? null
      : await orderToReprint(tx, deps, { merchant, serviceOrderId: body.serviceOrderId })
  const target: PrintTarget = {
    printerId: body.printerId ?? null,
    station: body.station ?? null,
    copies: body.copies,
  }
  const kitchens = await deps.printJobs.kitchens(merchant.key, tx)
  const locationId = order?.location_id ?? (await placeOf(deps, merchant, { wanted: body, kitchens }))
  const kitchen = requireKitchen(kitchenAt(kitchens, locationId), target)
  const nowMs = deps.clock.now()
  const doc: JobDoc =
    order === null
      ? clientDocument(merchant, body, { locationId, target, nowMs })
      : {
          kind: 'reprint',
          order: await orderAgain(tx, deps, { merchant, order }),
          target,
          fired: [...firedCourses(order).keys()],
          traceparent: order.traceparent ?? undefined,
        }
  checkTickets(doc, kitchen)

  const printers = printersFor(doc, kitchen)
  const id = newId('pj', nowMs)
  const wake = await dispatchNow(tx, deps, { id, merchant, orderId: order?.id ?? null, locationId, doc, nowMs })
  const isHeldUp = isOffline(kitchen, printers)
  const answer: PrintJobResult = {
    status: 'queued',
    printJobId: id,
    merchantId: merchant.publicId,
    queuedAt: toIso(nowMs),
    printers: printers.map(({ printerId, name }) => ({ printerId, name })),
    ...(isHeldUp ? { printPending: true } : {}),
  }
  return isHeldUp ? { answer, wake, refusal: offline(answer) } : { answer, wake }
}

async function orderToReprint(
  tx: Tx,
  deps: SubmitDeps,
  { merchant, serviceOrderId }: { merchant: MerchantRecord; serviceOrderId: string },
): Promise<FoundOrder> {
  const order = await ownOrder(tx, deps, { merchant, serviceOrderId })
  if (order.status !== 'voided') return order
  throw new ServiceError('order.invalid_transition', {
    message: 'The order is voided: its tickets are not printed again.',
    extra: { orderStatus: order.status },
  })
}

/** The location that the body names, or that of the printer that it names, or the default one. */
async function placeOf(
  { locations }: SubmitDeps,
  merchant: MerchantRecord,
  { wanted: { locationId, printerId }, kitchens }: { wanted: SubmitPrintJob; kitchens: readonly Kitchen[] },
): Promise<LocationId> {
  if (locationId !== undefined || printerId === undefined) return locationOf(locations, merchant, locationId)
  const kitchen = kitchens.find(({ printers }) => printers.some((printer) => printer.printerId === printerId))
  if (!kitchen) throw new ServiceError('printer.not_found')
  return kitchen.locationId
}

function checkTickets(doc: JobDoc, kitchen: Kitchen): void {
  if (routeJob(doc, kitchen.printers).length <= MOST_DECIDING_TICKETS) return
  throw new ServiceError('request.invalid', {
    errors: [{ field: 'copies', message: `must not make more than ${MOST_DECIDING_TICKETS} tickets` }],
  })
}

function offline(printJob: PrintJobResult): ServiceError {
  return new ServiceError('printer.offline', {
    message: 'The printer is not reachable. The print job is queued and prints when it reconnects.',
    extra: { printJob },
  })
}
