// The content of a ticket in any state: for previews, for the what-if check, and for preparing its letters.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'
import { type ClaimedTicket, claimedTicketOf, type HeadRow } from './ticket-rows.ts'

/** A ticket as its printer's worker gets it, or got it. */
export interface StoredTicket {
  ticket: ClaimedTicket
  content: NonNullable<ClaimedTicket['content']>
  /** When its last copy went to the printer, relay time; null: none did. */
  sentAtMs: EpochMs | null
}

const SELECT = `select t.*, j.doc, j.digest as doc_digest, j.cancelled_at_ms, p.name as moved_from_name
  from tickets t join jobs j on j.job_id = t.job_id left join printers p on p.printer_id = t.moved_from`

export class TicketContentStore {
  readonly #find: Statement<[string], HeadRow>
  readonly #latest: Statement<[number], HeadRow>

  constructor(db: GatewayDatabase) {
    this.#find = db.sqlite.prepare(`${SELECT} where t.ticket_id = ?`)
    this.#latest = db.sqlite.prepare(`${SELECT} where t.kind <> 'local' order by t.position desc limit ?`)
  }

  /** Null if there is no such ticket, or its data is damaged. */
  find(ticketId: string): StoredTicket | null {
    const row = this.#find.get(ticketId)
    return row ? storedTicketOf(row) : null
  }

  /** The last tickets of clients' jobs, the newest first; damaged ones are skipped. */
  latest(limit: number): StoredTicket[] {
    return this.#latest.all(limit).flatMap((row) => storedTicketOf(row) ?? [])
  }
}

function storedTicketOf(row: HeadRow): StoredTicket | null {
  const ticket = claimedTicketOf(row, Math.max(1, row.attempts))
  return ticket.content && { ticket, content: ticket.content, sentAtMs: row.first_byte_at_ms }
}
