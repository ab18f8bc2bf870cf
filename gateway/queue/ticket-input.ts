// The input of the layout from a claimed ticket: marks, label, beeps. Pure.

import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { ClaimedTicket } from '#gateway/storage/ticket-rows.ts'
import type { EpochMs } from '#shared/clock.ts'
import type { JobTicketInput } from '#shared/tickets/render-job.ts'

/** A ticket that is printed later than this has the LATE banner. */
const LATE_AFTER_MS = 600_000

export function ticketInput(
  ticket: ClaimedTicket,
  {
    content: { doc, part },
    printer: { name, settings },
    nowMs,
  }: { content: NonNullable<ClaimedTicket['content']>; printer: PrinterRecord; nowMs: EpochMs },
): JobTicketInput {
  const isHurried = worksBy(ticket, doc.kind, part.paper)
  const isLate = isHurried && nowMs - ticket.dueAtMs > LATE_AFTER_MS
  const { possibleDuplicate, screenWork, backupFrom, attempt } = ticket
  return {
    doc,
    part,
    kind: ticket.kind === 'void' ? 'void' : doc.kind,
    printerName: name,
    marks: {
      possibleDuplicate,
      screenWork,
      lateSinceMs: isLate ? ticket.dueAtMs : null,
      backupFrom,
      isReprint: ticket.kind === 'reprint',
    },
    ticketLabel: ticketLabel(ticket),
    attempt,
    nowMs,
    beeps: isHurried ? settings.beeps : ownBeeps(doc),
  }
}

/** True for a ticket that the kitchen cooks from, which is marked if it is late. */
function worksBy({ kind }: ClaimedTicket, docKind: string, paper = 'kitchen'): boolean {
  return kind === 'order' && paper === 'kitchen' && (docKind === 'order' || docKind === 'fire' || docKind === 'note')
}

/** Beeps of a slip. */
function ownBeeps(doc: NonNullable<ClaimedTicket['content']>['doc']): number {
  return doc.kind === 'slip' ? (doc.beeps ?? 0) : 0
}

/** What staff read out on the telephone: the end of the job's id and the ticket's number. */
function ticketLabel({ ticketId, jobId }: ClaimedTicket): string {
  return `${jobId.slice(-4)}${ticketId.slice(jobId.length)}`.toUpperCase()
}
