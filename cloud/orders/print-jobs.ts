// Reads and cancels print jobs, and lists the printers that there are.
import type { Tx } from '#cloud/storage/database.ts'
import { isFinal } from '#cloud/storage/dispatch-states.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { LocationStore } from '#cloud/storage/location-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { Kitchen, PrintJobRow, PrintJobStore } from '#cloud/storage/print-job-store.ts'
import { type Clock, type EpochMs, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { isId, type ServiceOrderId } from '#shared/ids.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import type { PrinterResource, PrintJobResource } from '#shared/wire/api/printing.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { locationOf } from './plan-order.ts'
import { kitchenAt, printersFor } from './print-route.ts'

type JobState = PrintJobResource['state']

const TYPES = {
  order: 'order',
  fire: 'fire',
  reprint: 'reprint',
  note: 'kitchen',
  receipt: 'receipt',
  label: 'label',
} as const

/** @throws ServiceError print_job.not_found (404): unknown, of another account or merchant, or no print job's id at all */
export async function findPrintJob(
  { printJobs }: { printJobs: PrintJobStore },
  merchant: MerchantRecord,
  printJobId: string,
): Promise<PrintJobResource> {
  const row = await requireJob(printJobs, merchant, { printJobId })
  return jobResource(row, merchant, isFinal(row.state) ? [] : await printJobs.kitchens(merchant.key))
}

/** Whether this job of the merchant still waits: for its printer, or for the result from its gateway. */
export async function hasNoOutcome(
  tx: Tx,
  { printJobs }: { printJobs: PrintJobStore },
  { merchant, printJobId }: { merchant: MerchantRecord; printJobId: string },
): Promise<boolean> {
  const row = isId('pj', printJobId) ? await printJobs.find(merchant, printJobId, tx) : null
  return row !== null && !isFinal(row.state)
}

/** Of an order of the merchant's, oldest first, at most the newest 50. */
export async function printJobsOfOrder(
  { printJobs }: { printJobs: PrintJobStore },
  merchant: MerchantRecord,
  orderId: ServiceOrderId,
): Promise<PrintJobResource[]> {
  const rows = await printJobs.ofOrder(orderId)
  const kitchens = rows.every(({ state }) => isFinal(state)) ? [] : await printJobs.kitchens(merchant.key)
  return rows.map((row) => jobResource(row, merchant, kitchens))
}

/**
 * A job that has not left the relay is cancelled by this. For one that its gateway has, a cancel is sent: the answer says `sent`, and the job
 * becomes `cancelled`, or keeps the result that it had already. Cancelling a cancelled job changes nothing.
 * @throws ServiceError print_job.not_found (404); print_job.not_cancellable (409) with `printJobState`: it has its result, or it is an
 * order's own, which only a void cancels
 */
export async function cancelPrintJob(
  tx: Tx,
  deps: { printJobs: PrintJobStore; dispatches: DispatchStore; clock: Clock },
  { merchant, printJobId }: { merchant: MerchantRecord; printJobId: string },
): Promise<Effect<PrintJobResource>> {
  const before = await requireJob(deps.printJobs, merchant, { printJobId, tx })
  if (before.kind === 'order' || (isFinal(before.state) && before.state !== 'cancelled'))
    throw new ServiceError('print_job.not_cancellable', {
      ...(before.kind === 'order' ? { message: "These are an order's own tickets: void the order." } : {}),
      extra: { printJobState: shownState(before.state) },
    })
  if (before.state !== 'cancelled') await deps.dispatches.requestCancel(tx, before.id, deps.clock.now())
  const row = await requireJob(deps.printJobs, merchant, { printJobId, tx })
  const kitchens = isFinal(row.state) ? [] : await deps.printJobs.kitchens(merchant.key, tx)
  return {
    answer: jobResource(row, merchant, kitchens),
    wake: () => deps.dispatches.changed.notify(row.location_id),
  }
}

/** Those of the merchant's gateways, the default location's first. @throws ServiceError location.unknown (422) */
export async function listPrinters(
  { printJobs, locations }: { printJobs: PrintJobStore; locations: LocationStore },
  merchant: MerchantRecord,
  wantedLocation: string | undefined,
): Promise<PrinterResource[]> {
  const locationId = wantedLocation === undefined ? undefined : await locationOf(locations, merchant, wantedLocation)
  const kitchens = await printJobs.kitchens(merchant.key)
  return kitchens
    .filter((kitchen) => locationId === undefined || kitchen.locationId === locationId)
    .flatMap((kitchen) => kitchen.printers.map((printer) => printerResource(kitchen, printer)))
}

async function requireJob(
  printJobs: PrintJobStore,
  merchant: MerchantRecord,
  { printJobId, tx }: { printJobId: string; tx?: Tx },
): Promise<PrintJobRow> {
  const row = isId('pj', printJobId) ? await printJobs.find(merchant, printJobId, tx) : null
  if (row === null) throw new ServiceError('print_job.not_found')
  return row
}

function jobResource(row: PrintJobRow, merchant: MerchantRecord, kitchens: readonly Kitchen[]): PrintJobResource {
  const tickets = row.evidence === null ? [] : (JSON.parse(row.evidence) as TicketEvidence[])
  const printedAt = row.state === 'printed' ? latest(tickets.map((ticket) => paperTime(ticket, row))) : null
  return {
    printJobId: row.id,
    merchantId: merchant.publicId,
    type: TYPES[row.kind],
    state: shownState(row.state),
    queuedAt: toIso(row.created_at),
    printedAt: printedAt === null ? null : toIso(printedAt),
    attempts: Math.max(0, ...tickets.map((ticket) => ticket.attempts)),
    printers: isFinal(row.state) ? tickets.map((ticket) => ticketResource(ticket, row)) : expected(row, kitchens),
    serviceOrderId: row.order_id,
  }
}

function ticketResource(ticket: TicketEvidence, row: PrintJobRow): PrintJobResource['printers'][number] {
  const printedAt = paperTime(ticket, row)
  return {
    printerId: ticket.printerId,
    name: ticket.printerName,
    state: ticket.state,
    printedAt: printedAt === null ? null : toIso(printedAt),
    attempts: ticket.attempts,
    confirmation: ticket.confirmation,
    possibleDuplicate: ticket.possibleDuplicate,
    ...(ticket.unprintable === undefined ? {} : { unprintable: ticket.unprintable }),
    reason: ticket.reason,
  }
}

/** While it has no outcome: the printers that the gateway will choose, or has chosen when nothing has changed since. */
function expected(row: PrintJobRow, kitchens: readonly Kitchen[]): PrintJobResource['printers'] {
  const printers = printersFor(JSON.parse(row.doc) as JobDoc, kitchenAt(kitchens, row.location_id))
  return printers.map(({ printerId, name }) => ({
    printerId,
    name,
    state: shownState(row.state),
    printedAt: null,
    attempts: 0,
    confirmation: null,
    possibleDuplicate: row.possible_duplicate === 1,
    reason: null,
  }))
}

/** From the gateway's clock, so it is limited to between the acceptance of the job and its result. */
function paperTime({ printedAtMs }: TicketEvidence, row: PrintJobRow): EpochMs | null {
  if (printedAtMs === null) return null
  return Math.min(Math.max(printedAtMs, row.created_at), row.settled_at ?? printedAtMs)
}

function latest(times: readonly (EpochMs | null)[]): EpochMs | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.max(...known)
}

function shownState(state: PrintJobRow['state']): JobState {
  return state === 'accepted' ? 'sent' : state
}

/** A printer is as far away as its gateway. */
function printerResource(kitchen: Kitchen, printer: Kitchen['printers'][number]): PrinterResource {
  const { printerId, name, stations, isDefault } = printer
  const state = kitchen.presence === 'online' ? printer.state : kitchen.presence
  const detail = printer.reasons.filter((reason) => reason !== 'none')
  return {
    printerId,
    name,
    locationId: kitchen.locationId,
    stations: [...stations],
    isDefault,
    state,
    detail: kitchen.presence === 'offline' ? ['not-responding'] : detail,
    standIn: kitchen.presence === 'online' ? printer.standIn : null,
    lastSeenAt: kitchen.lastSeenAtMs === null ? null : toIso(kitchen.lastSeenAtMs),
  }
}
