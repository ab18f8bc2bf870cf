// An order's tickets as drawn paper: the very bytes of the simulated kitchen, or the same document laid out again for a real one.

import { withoutCustomers } from '#cloud/requests/hide-fields.ts'
import { printJob } from '#cloud/sandbox/print-job.ts'
import { printerBytes } from '#cloud/sandbox/ticket-paper.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderTraceStore } from '#cloud/storage/order-trace-store.ts'
import type { SandboxTicketsTable } from '#cloud/storage/schema.ts'
import { isoOrNull } from '#shared/clock.ts'
import { previewOf } from '#shared/escpos/preview.ts'
import type { PrintJobId, ServiceOrderId } from '#shared/ids.ts'
import { profileById } from '#shared/tickets/printer-profiles.ts'
import { paperOptionsFor } from '#shared/tickets/profile-paper.ts'
import { jobDoc } from '#shared/wire/gateway-link.ts'
import type { ControlContext } from './context.ts'
import type { DrawingAnswer, DrawnTicketAnswer } from './order-list.ts'

type Job = Awaited<ReturnType<OrderTraceStore['jobs']>>[number]

/** A drawing with pictures is large; people look at the newest jobs. */
const MOST_JOBS = 6
const MOST_TICKETS = 24
/** Of a long ticket. */
const MOST_OPERATIONS = 400

export async function drawingOf(
  context: ControlContext,
  { merchant, orderId, isMasked }: { merchant: MerchantRecord; orderId: ServiceOrderId; isMasked: boolean },
): Promise<DrawingAnswer> {
  const jobs = (await context.orderTraces.jobs(orderId)).filter(({ kind }) => kind !== 'board').slice(-MOST_JOBS)
  const kept = await Promise.all(jobs.map(({ id }) => context.sandboxTickets.ofJob(merchant, id)))
  const printed = kept.flat().slice(0, MOST_TICKETS)
  if (printed.length > 0) return { source: 'printed', isMasked: false, tickets: printed.map(drawnTicket) }
  const composed: DrawnTicketAnswer[] = []
  for (const job of jobs) composed.push(...(await composedTickets(context, merchant, { job, isMasked })))
  return { source: 'composed', isMasked, tickets: composed.slice(0, MOST_TICKETS) }
}

/** A ticket of the simulated kitchen. */
export function drawnTicket(row: SandboxTicketsTable): DrawnTicketAnswer {
  return drawn({
    ticketId: row.ticket_id,
    printJobId: row.print_job_id,
    printerName: row.printer_name,
    kind: row.kind,
    profileId: row.profile_id,
    bytes: row.bytes,
    text: row.text,
    printedAtMs: row.printed_at,
  })
}

/** For the printers that the location has now. The kitchen's own settings and rules are not known here, so its paper may look different. */
async function composedTickets(
  { printJobs, running }: ControlContext,
  merchant: MerchantRecord,
  { job, isMasked }: { job: Job; isMasked: boolean },
): Promise<DrawnTicketAnswer[]> {
  const { data } = jobDoc.safeParse(JSON.parse(job.doc))
  if (data === undefined) return []
  const kitchens = (await printJobs.kitchens(merchant.key)).filter((one) => one.locationId === job.location_id)
  const kitchen = kitchens.find(({ gatewayId }) => gatewayId === job.gateway_id) ?? kitchens[0]
  const printedAtMs = job.state === 'printed' ? job.settled_at : null
  const { paper } = await printJob({
    jobId: job.id,
    doc: isMasked ? withoutCustomers(data) : data,
    routes: kitchen?.printers ?? [],
    notBeforeMs: job.not_before,
    possibleDuplicate: job.possible_duplicate === 1,
    // At the time of printing, so that LATE is shown if it was; a waiting ticket is drawn as if it were printed in time.
    nowMs: printedAtMs ?? Math.max(job.created_at, job.not_before ?? 0),
    raster: running?.raster ?? null,
  })
  return paper.map((ticket) => drawn({ ...ticket, printJobId: job.id, printedAtMs }))
}

interface Printed {
  ticketId: string
  printJobId: PrintJobId
  printerName: string
  kind: string
  profileId: string
  bytes: Uint8Array
  text: string | null
  printedAtMs: number | null
}

function drawn({ bytes, text, printedAtMs, ...ticket }: Printed): DrawnTicketAnswer {
  const profile = profileById(ticket.profileId)
  const options = { ...paperOptionsFor(profile), kanjiAtStart: profile.cancelKanji }
  const { operations, warnings, ...seen } = previewOf(printerBytes({ bytes, profileId: ticket.profileId }), options)
  return {
    ...ticket,
    printedAt: isoOrNull(printedAtMs),
    svg: seen.svg,
    text: text ?? seen.text,
    operations: operations.slice(0, MOST_OPERATIONS),
    warnings: [...warnings],
  }
}
