// What clients may see of the simulated kitchen's paper: a print job's tickets, and one of them as text, picture or bytes.
import type { SandboxTicketStore, TicketOwner } from '#cloud/storage/sandbox-ticket-store.ts'
import type { SandboxTicketsTable } from '#cloud/storage/schema.ts'
import { toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { paperToSvg } from '#shared/escpos/svg.ts'
import { isId, type PrintJobId } from '#shared/ids.ts'
import type { SandboxTicket } from '#shared/wire/api/printing.ts'
import { paperOf, printerBytes } from './ticket-paper.ts'

export interface SandboxTicketDeps {
  sandboxTickets: SandboxTicketStore
}

export type TicketFormat = 'text' | 'svg' | 'escpos'

/** One ticket in the wanted form. */
export interface TicketDocument {
  mediaType: string
  body: string | Buffer
}

/**
 * A print job's tickets in the order in which they were printed; none while it waits, or when a real gateway prints it.
 * @throws ServiceError print_job.not_found (404), also for a job of others
 */
export async function listTickets(
  { sandboxTickets }: SandboxTicketDeps,
  owner: TicketOwner,
  printJobId: string,
): Promise<SandboxTicket[]> {
  const jobId = jobIdOf(printJobId)
  if (!(await sandboxTickets.hasJob(owner, jobId))) throw new ServiceError('print_job.not_found')
  return (await sandboxTickets.ofJob(owner, jobId)).map(ticketOf)
}

/** @throws ServiceError print_job.not_found, ticket.not_found for a ticket that the job does not have (404) */
export async function ticketDocument(
  { sandboxTickets }: SandboxTicketDeps,
  owner: TicketOwner,
  wanted: { printJobId: string; ticketId: string; format: TicketFormat },
): Promise<TicketDocument> {
  const jobId = jobIdOf(wanted.printJobId)
  if (!(await sandboxTickets.hasJob(owner, jobId))) throw new ServiceError('print_job.not_found')
  const row = await sandboxTickets.find(owner, jobId, wanted.ticketId)
  if (row === null) throw new ServiceError('ticket.not_found')
  const ticket = { bytes: row.bytes, profileId: row.profile_id }
  switch (wanted.format) {
    case 'text':
      return { mediaType: 'text/plain; charset=utf-8', body: `${textOf(row)}\n` }
    case 'svg':
      return { mediaType: 'image/svg+xml; charset=utf-8', body: paperToSvg(paperOf(ticket)) }
    case 'escpos':
      return { mediaType: 'application/octet-stream', body: printerBytes(ticket) }
  }
}

function jobIdOf(text: string): PrintJobId {
  if (isId('pj', text)) return text
  throw new ServiceError('print_job.not_found')
}

function ticketOf(row: SandboxTicketsTable): SandboxTicket {
  return {
    ticketId: row.ticket_id,
    printJobId: row.print_job_id,
    printerId: row.printer_id,
    printerName: row.printer_name,
    kind: row.kind,
    printedAt: toIso(row.printed_at),
    text: textOf(row),
  }
}

/** The words, also where the paper shows a picture of them. */
function textOf({ text, bytes, profile_id: profileId }: SandboxTicketsTable): string {
  return text ?? paperOf({ bytes, profileId }).text()
}
