// A ticket as its printer's worker gets it: what to print, checked against the hashes that were stored with it.
import type { EpochMs } from '#shared/clock.ts'
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { jobDoc } from '#shared/wire/gateway-link.ts'
import { digestOf } from './database.ts'
import type { HeadRow, TicketRow } from './ticket-rows.ts'
import type { TicketKind } from './ticket-states.ts'

/** Which part of an order goes to one printer. */
export interface TicketContent {
  /** Null: more than one station, or none. */
  station: string | null
  /** Indices into the order's items. */
  items: readonly number[]
  /** Names of the other printers that got a ticket of this order. */
  alsoAt: readonly string[]
}

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
  /** When the kitchen should have had it: ordered or fired, relay time. */
  dueAtMs: EpochMs
  /** Null when the stored row is damaged: it must not be printed. */
  content: {
    order: KitchenOrder
    items: readonly KitchenLine[]
    station: string | null
    alsoAt: readonly string[]
  } | null
}

export function claimedTicketOf(row: HeadRow, attempt: number): ClaimedTicket {
  const content = contentOf(row)
  return {
    ticketId: row.ticket_id,
    jobId: row.job_id,
    printerId: row.printer_id,
    position: row.position,
    kind: row.kind,
    attempt,
    possibleDuplicate: row.possible_duplicate === 1,
    dueAtMs: Math.max(content?.order.queuedAtMs ?? 0, content?.order.fireAtMs ?? 0, row.not_before_ms ?? 0),
    content,
  }
}

/** What is hashed of a ticket: what may never change. */
export function ticketDigest(ticketId: string, kind: TicketKind, content: string): string {
  return digestOf(ticketId, kind, content)
}

/** The order of a stored document, or null when it is damaged. */
export function orderOf(doc: string, digest: string): KitchenOrder | null {
  if (digestOf(doc) !== digest) return null
  const parsed = jobDoc.safeParse(parseOrNull(doc))
  return parsed.success && 'order' in parsed.data ? parsed.data.order : null
}

function contentOf(row: HeadRow): ClaimedTicket['content'] {
  const order = orderOf(row.doc, row.doc_digest)
  const part = partOf(row)
  if (!order || !part) return null
  const items = part.items.flatMap((index) => order.items[index] ?? [])
  return items.length === part.items.length ? { order, items, station: part.station, alsoAt: part.alsoAt } : null
}

function partOf(row: TicketRow): TicketContent | null {
  if (ticketDigest(row.ticket_id, row.kind, row.content) !== row.digest) return null
  return parseOrNull(row.content) as TicketContent | null
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
