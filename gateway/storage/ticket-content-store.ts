// What a ticket of any state prints, for a preview and for asking where its job would go now.
import type { Statement } from 'better-sqlite3'
import type { StoredDoc } from '#shared/tickets/local-doc.ts'
import type { TicketPart } from '#shared/tickets/route.ts'
import { docOf, parseOrNull, type TicketContent, ticketDigest } from './claimed-ticket.ts'
import type { GatewayDatabase } from './database.ts'
import type { TicketRow } from './ticket-rows.ts'
import type { TicketKind } from './ticket-states.ts'

export interface StoredTicket {
  ticketId: string
  jobId: string
  kind: TicketKind
  doc: StoredDoc
  part: TicketPart
  /** 1 = the first attempt, also before it. */
  attempt: number
  possibleDuplicate: boolean
  /** Name of the printer that it was meant for, when it went to another one. */
  backupFrom: string | null
}

type Row = TicketRow & { doc: string; doc_digest: string; moved_from_name: string | null }

export class TicketContentStore {
  readonly #find: Statement<[string], Row>

  constructor(db: GatewayDatabase) {
    this.#find = db.sqlite.prepare(
      `select t.*, j.doc, j.digest as doc_digest, p.name as moved_from_name
       from tickets t join jobs j on j.job_id = t.job_id left join printers p on p.printer_id = t.moved_from where t.ticket_id = ?`,
    )
  }

  /** Null when there is no such ticket, or what is stored of it is damaged. */
  find(ticketId: string): StoredTicket | null {
    const row = this.#find.get(ticketId)
    if (!row || ticketDigest(row.ticket_id, row.kind, row.content) !== row.digest) return null
    const doc = docOf(row.doc, row.doc_digest)
    const content = parseOrNull(row.content) as TicketContent | null
    if (!doc || !content) return null
    return {
      ticketId: row.ticket_id,
      jobId: row.job_id,
      kind: row.kind,
      doc,
      part: { ...content, printerId: row.printer_id },
      attempt: Math.max(1, row.attempts),
      possibleDuplicate: row.possible_duplicate === 1,
      backupFrom: row.moved_from === null ? null : (row.moved_from_name ?? row.moved_from),
    }
  }
}
