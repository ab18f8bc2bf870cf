// What a ticket of any state prints, for a preview and for asking where its job would go now.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import { type ClaimedTicket, claimedTicketOf } from './claimed-ticket.ts'
import type { GatewayDatabase } from './database.ts'
import type { HeadRow } from './ticket-rows.ts'

/** A ticket as its printer's worker gets it, or got it. */
export interface StoredTicket {
  ticket: ClaimedTicket
  content: NonNullable<ClaimedTicket['content']>
  /** When its last copy went to the printer, relay time; null: none did. */
  sentAtMs: EpochMs | null
}

export class TicketContentStore {
  readonly #find: Statement<[string], HeadRow>

  constructor(db: GatewayDatabase) {
    this.#find = db.sqlite.prepare(
      `select t.*, j.doc, j.digest as doc_digest, j.cancelled_at_ms, p.name as moved_from_name
       from tickets t join jobs j on j.job_id = t.job_id left join printers p on p.printer_id = t.moved_from where t.ticket_id = ?`,
    )
  }

  /** Null when there is no such ticket, or what is stored of it is damaged. */
  find(ticketId: string): StoredTicket | null {
    const row = this.#find.get(ticketId)
    const ticket = row && claimedTicketOf(row, Math.max(1, row.attempts))
    if (!row || !ticket?.content) return null
    return { ticket, content: ticket.content, sentAtMs: row.first_byte_at_ms }
  }
}
