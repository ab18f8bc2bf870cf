// A ticket of any job to the bytes that a printer gets: the gateway and the sandbox kitchen print by this one call.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { kitchenTicketLines } from './kitchen-ticket.ts'
import type { TicketLine } from './line-layout.ts'
import type { StoredDoc } from './local-doc.ts'
import { noteTicketLines } from './note-ticket.ts'
import { type RenderedTicket, renderDocument } from './render-ticket.ts'
import type { TicketPart } from './route.ts'
import type { TextRaster } from './text-raster.ts'
import type { TicketPaper } from './ticket-paper.ts'

export interface JobTicketInput {
  doc: StoredDoc
  part: TicketPart
  /** That of the document, or `void` for the slip after the job was taken back. */
  kind: StoredDoc['kind'] | 'void'
  printerName: string
  /** `lateSinceMs`: not null when the ticket prints long after it was due. */
  marks: { possibleDuplicate: boolean; lateSinceMs: number | null }
  /** Short id of the job, for people to compare. */
  ticketLabel: string
  /** 1 for the first try. */
  attempt: number
  nowMs: number
  /** Before the first line: the printer's setting for kitchen tickets. */
  beeps?: number
}

/**
 * Renders one ticket of a job for one printer: the same input gives the same bytes.
 * Rejects with FirewallError when a command got in that no ticket may hold: then the ticket must not be printed.
 * @param raster draws what the printer has no characters for; null: such characters are transliterated
 */
export async function renderJobTicket(
  input: JobTicketInput,
  profile: PrinterProfile,
  raster: TextRaster | null,
): Promise<RenderedTicket> {
  return renderDocument((paper) => ticketLines(input, paper), profile, raster, { beeps: input.beeps ?? 0 })
}

function ticketLines({ doc, part, kind, ...facts }: JobTicketInput, paper: TicketPaper): TicketLine[] {
  const isVoid = kind === 'void'
  switch (doc.kind) {
    case 'order':
    case 'reprint': {
      const { order } = doc
      const items = part.items.flatMap((index) => order.items[index] ?? [])
      const { station, alsoAt } = part
      return kitchenTicketLines({ ...facts, kind: isVoid ? 'void' : doc.kind, order, items, station, alsoAt }, paper)
    }
    case 'note':
    case 'receipt':
    case 'label':
      return noteTicketLines({ ...facts, kind: isVoid ? 'void' : doc.kind, print: doc.print }, paper)
    case 'slip':
    case 'test':
    case 'code-pages':
    case 'drawer':
      throw new Error(`A document of kind "${doc.kind}" cannot be laid out yet`)
  }
}
