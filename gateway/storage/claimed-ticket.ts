// A ticket as its printer's worker gets it: what to print, checked against the hashes that were stored with it.
import type { EpochMs } from '#shared/clock.ts'
import { type StoredDoc, storedDoc } from '#shared/tickets/local-doc.ts'
import type { TicketPart } from '#shared/tickets/route.ts'
import { digestOf } from './database.ts'
import type { HeadRow, TicketRow } from './ticket-rows.ts'
import type { TicketKind } from './ticket-states.ts'

/** What is stored of a ticket's part of its job: the printer has a column of its own. */
export type TicketContent = Omit<TicketPart, 'printerId'>

export interface ClaimedTicket {
  ticketId: string
  jobId: string
  printerId: string
  position: number
  kind: TicketKind
  /** 1 = first. Attempts of which no byte went out are not counted. */
  attempt: number
  /** An earlier copy may stand on paper: this one carries the banner. */
  possibleDuplicate: boolean
  /** Name of the printer that it was meant for, when it went to another one. */
  backupFrom: string | null
  /** When the kitchen should have had it: ordered, fired or sent, relay time. */
  dueAtMs: EpochMs
  /** Null when the stored row is damaged: it must not be printed. */
  content: { doc: StoredDoc; part: TicketPart } | null
}

/** A document with the text under which it was stored: text that is the same needs no second reading. */
export interface KnownDoc {
  text: string
  doc: StoredDoc
}

/** @param known the document that was stored last */
export function claimedTicketOf(row: HeadRow, attempt: number, known: KnownDoc | null = null): ClaimedTicket {
  const content = contentOf(row, known)
  return {
    ticketId: row.ticket_id,
    jobId: row.job_id,
    printerId: row.printer_id,
    position: row.position,
    kind: row.kind,
    attempt,
    possibleDuplicate: row.possible_duplicate === 1,
    backupFrom: row.moved_from === null ? null : (row.moved_from_name ?? row.moved_from),
    dueAtMs: Math.max(content === null ? 0 : sentAtMs(content.doc), row.not_before_ms ?? 0),
    content,
  }
}

/** Of what the ticket is; undefined for what is no order. */
export function serviceOrderIdOf({ content }: Pick<ClaimedTicket, 'content'>): string | undefined {
  return content !== null && 'order' in content.doc ? content.doc.order.serviceOrderId : undefined
}

function sentAtMs(doc: StoredDoc): EpochMs {
  if (doc.kind === 'fire') return doc.firedAtMs
  if ('order' in doc) return Math.max(doc.order.queuedAtMs, doc.order.fireAtMs ?? 0)
  return 'print' in doc ? doc.print.queuedAtMs : doc.queuedAtMs
}

/** What is hashed of a ticket: what may never change. */
export function ticketDigest(ticketId: string, kind: TicketKind, content: string): string {
  return digestOf(ticketId, kind, content)
}

/** A stored document, or null when it is damaged. */
export function docOf(doc: string, digest: string): StoredDoc | null {
  if (digestOf(doc) !== digest) return null
  const parsed = storedDoc.safeParse(parseOrNull(doc))
  return parsed.success ? parsed.data : null
}

function contentOf(row: HeadRow, known: KnownDoc | null): ClaimedTicket['content'] {
  const doc = known?.text === row.doc ? known.doc : docOf(row.doc, row.doc_digest)
  const part = partOf(row)
  if (!doc || !part) return null
  const items = 'order' in doc ? doc.order.items.length : 0
  return part.items.every((index) => index < items) ? { doc, part: { ...part, printerId: row.printer_id } } : null
}

function partOf(row: TicketRow): TicketContent | null {
  if (ticketDigest(row.ticket_id, row.kind, row.content) !== row.digest) return null
  return parseOrNull(row.content) as TicketContent | null
}

/** Null when it is damaged. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
