// What is kept of settled jobs and for how long: the page's last tickets, counts, the scrubbing of customers' data, the pruning.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { docOf } from './claimed-ticket.ts'
import { digestOf, type GatewayDatabase } from './database.ts'
import type { TicketRow } from './ticket-rows.ts'

/** A ticket as the page shows it: no customer's data. */
export interface RecentTicket {
  ticketId: string
  orderId: string
  printerId: string
  printerName: string
  kind: string
  state: string
  attempts: number
  possibleDuplicate: boolean
  confirmation: string | null
  method: string | null
  reason: string | null
  receivedAtMs: EpochMs
  notBeforeMs: EpochMs | null
  settledAtMs: EpochMs | null
}

export interface QueueCounts {
  /** Waiting for a printer or being printed. */
  queued: number
  held: number
  /** Queued tickets per printer. */
  byPrinter: ReadonlyMap<string, number>
}

const NO_OPEN_TICKET = `not exists (select 1 from tickets o where o.job_id = jobs.job_id and o.state in ('held', 'queued', 'sending'))`

interface RecentRow extends TicketRow {
  printer_name: string | null
  order_id: string | null
  job_kind: string
  received_at_ms: number
}

export class HistoryStore {
  readonly #db: GatewayDatabase
  readonly #recent: Statement<[number], RecentRow>
  readonly #queued: Statement<[], { printer_id: string; n: number }>
  readonly #held: Statement<[], { n: number }>
  readonly #unscrubbed: Statement<[number, number], { job_id: string; doc: string; digest: string }>
  readonly #scrub: Statement<[string, string, number, string]>
  readonly #old: Statement<[number, number], { job_id: string }>
  readonly #deleteTickets: Statement<[string]>
  readonly #deleteJob: Statement<[string]>
  readonly #deleteAhead: Statement<[number]>

  constructor(db: GatewayDatabase) {
    this.#db = db
    const sql = db.sqlite
    this.#recent = sql.prepare(
      `select t.*, p.name as printer_name, j.kind as job_kind, j.received_at_ms, case when json_valid(j.doc) then j.doc ->> '$.order.orderId' end as order_id
       from tickets t join jobs j on j.job_id = t.job_id left join printers p on p.printer_id = t.printer_id
       order by t.position desc limit ?`,
    )
    this.#queued = sql.prepare(
      `select printer_id, count(*) as n from tickets where state in ('queued', 'sending') group by printer_id`,
    )
    this.#held = sql.prepare(`select count(*) as n from tickets where state = 'held'`)
    this.#unscrubbed = sql.prepare(
      `select job_id, doc, digest from jobs where scrubbed_at_ms is null and settled_at_ms < ? and ${NO_OPEN_TICKET} limit ?`,
    )
    this.#scrub = sql.prepare('update jobs set doc = ?, digest = ?, scrubbed_at_ms = ? where job_id = ?')
    this.#old = sql.prepare(`select job_id from jobs where settled_at_ms < ? and ${NO_OPEN_TICKET} limit ?`)
    this.#deleteTickets = sql.prepare('delete from tickets where job_id = ?')
    this.#deleteJob = sql.prepare('delete from jobs where job_id = ?')
    this.#deleteAhead = sql.prepare('delete from cancelled_ahead where at_ms < ?')
  }

  /** The newest tickets, newest first. */
  recent(limit: number): RecentTicket[] {
    return this.#recent.all(limit).map((row) => ({
      ticketId: row.ticket_id,
      orderId: row.order_id ?? '',
      printerId: row.printer_id,
      printerName: row.printer_name ?? row.printer_id,
      kind: row.kind === 'void' ? 'void' : row.job_kind,
      state: row.state,
      attempts: row.attempts,
      possibleDuplicate: row.possible_duplicate === 1,
      confirmation: row.confirmation,
      method: row.method,
      reason: row.reason,
      receivedAtMs: row.received_at_ms,
      notBeforeMs: row.not_before_ms,
      settledAtMs: row.settled_at_ms,
    }))
  }

  counts(): QueueCounts {
    const byPrinter = new Map(this.#queued.all().map((row) => [row.printer_id, row.n]))
    const queued = [...byPrinter.values()].reduce((sum, n) => sum + n, 0)
    return { queued, held: this.#held.get()?.n ?? 0, byPrinter }
  }

  /** Takes the customer's name and phone, and what notes and receipts say, out of jobs settled before `beforeMs`. Returns how many jobs, at most `limit`. */
  scrubCustomers(beforeMs: EpochMs, nowMs: EpochMs, limit: number): number {
    const rows = this.#unscrubbed.all(beforeMs, limit)
    if (rows.length === 0) return 0
    this.#db.transaction(() => {
      for (const row of rows) {
        const known = row.doc === '' ? null : docOf(row.doc, row.digest)
        // A damaged document cannot be read, so all of it goes.
        const doc = known === null ? '' : JSON.stringify(withoutCustomer(known))
        this.#scrub.run(doc, digestOf(doc), nowMs, row.job_id)
      }
    })
    return rows.length
  }

  /** Deletes jobs settled before `beforeMs` with their tickets. Returns how many jobs, at most `limit`. */
  prune(beforeMs: EpochMs, limit: number): number {
    const rows = this.#old.all(beforeMs, limit)
    if (rows.length === 0) return 0
    this.#db.transaction(() => {
      for (const { job_id } of rows) {
        this.#deleteTickets.run(job_id)
        this.#deleteJob.run(job_id)
      }
      this.#deleteAhead.run(beforeMs)
    })
    return rows.length
  }
}

/** A note or a receipt may name its guest anywhere, so all of its text goes. */
function withoutCustomer(doc: JobDoc): JobDoc {
  if ('order' in doc) return { ...doc, order: { ...doc.order, customer: undefined } }
  return { ...doc, print: { ...doc.print, title: null, content: [{ type: 'rule' }] } }
}
