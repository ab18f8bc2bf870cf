// A ticket of any job to the bytes that a printer gets: the gateway and the sandbox kitchen print by this one call.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { kitchenTicketLines } from './kitchen-ticket.ts'
import type { TicketLine } from './line-layout.ts'
import { noteTicketLines } from './note-ticket.ts'
import { type RenderedTicket, renderDocument } from './render-ticket.ts'
import type { TicketPart } from './route-job.ts'
import type { TicketPaper } from './ticket-paper.ts'

export interface JobTicketInput {
  doc: JobDoc
  part: TicketPart
  /** That of the document, or `void` for the slip after the job was taken back. */
  kind: JobDoc['kind'] | 'void'
  printerName: string
  /** `lateSinceMs`: not null when the ticket prints long after it was due. */
  marks: { possibleDuplicate: boolean; lateSinceMs: number | null }
  /** Short id of the job, for people to compare. */
  ticketLabel: string
  /** 1 for the first try. */
  attempt: number
  nowMs: number
}

/**
 * Renders one ticket of a job for one printer. Pure: the same input gives the same bytes.
 * Throws FirewallError when a command got in that no ticket may hold: then the ticket must not be printed.
 */
export function renderJobTicket(input: JobTicketInput, profile: PrinterProfile): RenderedTicket {
  return renderDocument((paper) => ticketLines(input, paper), profile)
}

function ticketLines({ doc, part, kind, ...facts }: JobTicketInput, paper: TicketPaper): TicketLine[] {
  const isVoid = kind === 'void'
  if (!('order' in doc)) return noteTicketLines({ ...facts, kind: isVoid ? 'void' : doc.kind, print: doc.print }, paper)
  const { order } = doc
  const items = part.items.flatMap((index) => order.items[index] ?? [])
  const { station, alsoAt } = part
  return kitchenTicketLines({ ...facts, kind: isVoid ? 'void' : doc.kind, order, items, station, alsoAt }, paper)
}
