// Settled jobs: the page's last tickets, counts, removal of customers' data, pruning.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { StoredDoc } from '#shared/tickets/local-doc.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import type { RouteStep } from '#shared/tickets/routing-rules.ts'
import { digestOf, type GatewayDatabase } from './database.ts'
import { type AttemptRecord, type TimelineStep, timelineOf, traceOf } from './ticket-history.ts'
import { docOf, LOCAL_STREAM } from './ticket-rows.ts'
import type { AttemptRow, TicketRow, TicketState } from './ticket-states.ts'

/** A ticket as the page shows it: no customer's data. */
export interface RecentTicket {
  ticketId: string
  jobId: string
  /** Its position among all tickets: the cursor of `list`. */
  position: number
  orderId: string
  /** The number of the order as on paper; empty where there is none. */
  orderNumber: string
  printerId: string
  printerName: string
  /** The kind of its job (test-order: created here); or of the ticket itself: void, reprint. */
  kind: string
  /** kitchen, receipt or label. */
  paper: string
  state: TicketState
  attempts: number
  possibleDuplicate: boolean
  confirmation: string | null
  method: string | null
  reason: string | null
  /** Id of the printer that it was meant for, when another one has it. */
  movedFrom: string | null
  receivedAtMs: EpochMs
  notBeforeMs: EpochMs | null
  settledAtMs: EpochMs | null
  /** Characters that its paper shows as code points; null: not known. */
  unprintable: number | null
}

export interface TicketHistory {
  ticket: RecentTicket
  /** Written to disk; null for a ticket of an older program. */
  acceptedAtMs: EpochMs | null
  attempts: AttemptRecord[]
  timeline: TimelineStep[]
  /** Why it went to its printer. */
  trace: RouteStep[]
}

/** An order that was made here, to try everything. */
export interface TestOrderHistory {
  serviceOrderId: string
  /** As it is on paper. */
  number: string
  receivedAtMs: EpochMs
  tickets: RecentTicket[]
}

export interface QueueCounts {
  /** Waiting for a printer or being printed. */
  queued: number
  held: number
  /** Waiting for a person. */
  parked: number
  /** Queued tickets per printer. */
  byPrinter: ReadonlyMap<string, number>
  parkedByPrinter: ReadonlyMap<string, number>
}

export interface HistoryQuery {
  printerId?: string | undefined
  state?: TicketState | undefined
  /** At most 200. */
  limit: number
  /** `position` of the last ticket of the page before. */
  before?: number | undefined
}

const MOST_IN_A_PAGE = 200

const NO_OPEN_TICKET = `not exists (select 1 from tickets o where o.job_id = jobs.job_id and o.state in ('held', 'queued', 'sending', 'parked'))`

interface RecentRow extends TicketRow {
  printer_name: string | null
  order_id: string | null
  pos_order_id: string | null
  job_kind: string
  job_stream: string
  received_at_ms: number
  accepted_at_ms: number | null
}

interface OwnOrderRow {
  service_order_id: string
  received_at_ms: number
  order_id: string | null
}

interface Filter {
  printerId: string | null
  state: string | null
  before: number
  limit: number
}

export class HistoryStore {
  readonly #db: GatewayDatabase
  readonly #list: Statement<[Filter], RecentRow>
  readonly #one: Statement<[string], RecentRow>
  readonly #unprintable: Statement<[number, number], RecentRow>
  readonly #ofJob: Statement<[string], RecentRow>
  readonly #ownOrder: Statement<[string], OwnOrderRow>
  readonly #attempts: Statement<[string], AttemptRow & { printer_name: string | null }>
  readonly #queued: Statement<[], { printer_id: string; n: number }>
  readonly #anyQueued: Statement<[], { n: number }>
  readonly #parked: Statement<[], { printer_id: string; n: number }>
  readonly #held: Statement<[], { n: number }>
  /** Rows that this connection has written so far, to any table. */
  readonly #changes: Statement<[], { n: number }>
  #counted: { changes: number; counts: QueueCounts } | null = null
  readonly #unscrubbed: Statement<[number, number], { job_id: string; doc: string; digest: string }>
  readonly #scrub: Statement<[string, string, number, string]>
  readonly #old: Statement<[number, number], { job_id: string }>
  readonly #deleteAttempts: Statement<[string]>
  readonly #deleteTickets: Statement<[string]>
  readonly #deleteJob: Statement<[string]>
  readonly #deleteAhead: Statement<[number]>

  constructor(db: GatewayDatabase) {
    this.#db = db
    const sql = db.sqlite
    const select = `select t.*, p.name as printer_name, j.kind as job_kind, j.stream as job_stream, j.received_at_ms, j.accepted_at_ms,
         case when json_valid(j.doc) then j.doc ->> '$.order.orderId' end as order_id,
         case when json_valid(j.doc) then j.doc ->> '$.order.posOrderId' end as pos_order_id
       from tickets t join jobs j on j.job_id = t.job_id left join printers p on p.printer_id = t.printer_id`
    this.#list = sql.prepare(
      `${select} where t.position < @before and (@printerId is null or t.printer_id = @printerId) and (@state is null or t.state = @state)
       order by t.position desc limit @limit`,
    )
    this.#one = sql.prepare(`${select} where t.ticket_id = ?`)
    this.#unprintable = sql.prepare(
      `${select} where t.unprintable > 0 and t.settled_at_ms > ? order by t.settled_at_ms desc limit ?`,
    )
    this.#ofJob = sql.prepare(`${select} where t.job_id = ? order by t.position`)
    this.#ownOrder = sql.prepare(
      `select service_order_id, received_at_ms, case when json_valid(doc) then doc ->> '$.order.orderId' end as order_id
       from jobs where job_id = ? and stream = '${LOCAL_STREAM}' and kind = 'order'`,
    )
    this.#attempts = sql.prepare(
      `select a.*, p.name as printer_name from attempts a left join printers p on p.printer_id = a.printer_id
       where a.ticket_id = ? order by a.attempt_id`,
    )
    this.#queued = sql.prepare(
      `select printer_id, count(*) as n from tickets where state in ('queued', 'sending') group by printer_id`,
    )
    this.#anyQueued = sql.prepare(`select 1 as n from tickets where state in ('queued', 'sending') limit 1`)
    this.#parked = sql.prepare(
      `select printer_id, count(*) as n from tickets where state = 'parked' group by printer_id`,
    )
    this.#held = sql.prepare(`select count(*) as n from tickets where state = 'held'`)
    this.#changes = sql.prepare('select total_changes() as n')
    this.#unscrubbed = sql.prepare(
      `select job_id, doc, digest from jobs where scrubbed_at_ms is null and settled_at_ms < ? and ${NO_OPEN_TICKET} limit ?`,
    )
    this.#scrub = sql.prepare(
      'update jobs set doc = ?, digest = ?, scrubbed_at_ms = ?, cancel_reason = null where job_id = ?',
    )
    this.#old = sql.prepare(`select job_id from jobs where settled_at_ms < ? and ${NO_OPEN_TICKET} limit ?`)
    this.#deleteAttempts = sql.prepare(
      'delete from attempts where ticket_id in (select ticket_id from tickets where job_id = ?)',
    )
    this.#deleteTickets = sql.prepare('delete from tickets where job_id = ?')
    this.#deleteJob = sql.prepare('delete from jobs where job_id = ?')
    this.#deleteAhead = sql.prepare('delete from cancelled_ahead where at_ms < ?')
  }

  /** The newest tickets, newest first. */
  recent(limit: number): RecentTicket[] {
    return this.list({ limit })
  }

  /** Tickets by printer and state, newest first. */
  list({ printerId, state, limit, before }: HistoryQuery): RecentTicket[] {
    const filter = {
      printerId: printerId ?? null,
      state: state ?? null,
      before: before ?? Number.MAX_SAFE_INTEGER,
      limit: Math.min(limit, MOST_IN_A_PAGE),
    }
    return this.#list.all(filter).map(recentOf)
  }

  /** The newest tickets since `sinceMs` whose paper shows characters as code points. */
  withUnprintable(sinceMs: EpochMs, limit: number): RecentTicket[] {
    return this.#unprintable.all(sinceMs, limit).map(recentOf)
  }

  /** Everything that is known of a ticket: its job, every attempt, its timeline, why it went where it went. */
  ticket(ticketId: string): TicketHistory | null {
    const row = this.#one.get(ticketId)
    if (!row) return null
    const attempts = this.#attempts.all(ticketId)
    return {
      ticket: recentOf(row),
      acceptedAtMs: row.accepted_at_ms,
      attempts: attempts.map((attempt) => ({
        attempt: attempt.attempt,
        printerId: attempt.printer_id,
        printerName: attempt.printer_name ?? attempt.printer_id,
        startedAtMs: attempt.started_at_ms,
        connectedAtMs: attempt.connected_at_ms,
        firstByteAtMs: attempt.first_byte_at_ms,
        lastByteAtMs: attempt.last_byte_at_ms,
        endedAtMs: attempt.ended_at_ms,
        outcome: attempt.outcome,
        method: attempt.method,
        reason: attempt.reason,
        detail: attempt.detail,
      })),
      timeline: timelineOf(row, attempts),
      trace: traceOf(row.content),
    }
  }

  /** Null when there is no such test order, or it is no longer kept. */
  testOrder(jobId: string): TestOrderHistory | null {
    const row = this.#ownOrder.get(jobId)
    if (!row) return null
    const { service_order_id: serviceOrderId, order_id, received_at_ms: receivedAtMs } = row
    return { serviceOrderId, number: order_id ?? '', receivedAtMs, tickets: this.#ofJob.all(jobId).map(recentOf) }
  }

  isAnyQueued(): boolean {
    return this.#anyQueued.get() !== undefined
  }

  /** Counted again only after a write: Health, the page and the status ask several times for the same second. */
  counts(): QueueCounts {
    // What a transaction has written so far may be rolled back: counted, not kept.
    if (this.#db.sqlite.inTransaction) return this.#count()
    const changes = this.#changes.get()?.n ?? 0
    if (this.#counted?.changes !== changes) this.#counted = { changes, counts: this.#count() }
    return this.#counted.counts
  }

  #count(): QueueCounts {
    const byPrinter = new Map(this.#queued.all().map((row) => [row.printer_id, row.n]))
    const queued = [...byPrinter.values()].reduce((sum, n) => sum + n, 0)
    const parkedByPrinter = new Map(this.#parked.all().map((row) => [row.printer_id, row.n]))
    const parked = [...parkedByPrinter.values()].reduce((sum, n) => sum + n, 0)
    return { queued, held: this.#held.get()?.n ?? 0, parked, byPrinter, parkedByPrinter }
  }

  /** Removes the customer's name and phone, the text of notes and receipts, and void reasons from jobs settled before `beforeMs`. Returns how many jobs, at most `limit`. */
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
        this.#deleteAttempts.run(job_id)
        this.#deleteTickets.run(job_id)
        this.#deleteJob.run(job_id)
      }
      this.#deleteAhead.run(beforeMs)
    })
    return rows.length
  }
}

/** A note or a receipt may name its guest anywhere, so all of its text goes. */
function withoutCustomer(doc: StoredDoc): StoredDoc {
  if ('order' in doc) return { ...doc, order: { ...doc.order, customer: undefined } }
  if (!('print' in doc)) return doc
  return { ...doc, print: { ...doc.print, title: null, content: [{ type: 'rule' }] } }
}

function recentOf(row: RecentRow): RecentTicket {
  return {
    ticketId: row.ticket_id,
    jobId: row.job_id,
    position: row.position,
    orderId: row.order_id ?? '',
    orderNumber: row.order_id === null ? '' : orderNumber({ orderId: row.order_id, posOrderId: row.pos_order_id }),
    printerId: row.printer_id,
    printerName: row.printer_name ?? row.printer_id,
    kind: kindOf(row),
    paper: row.paper,
    state: row.state,
    attempts: row.attempts,
    possibleDuplicate: row.possible_duplicate === 1,
    confirmation: row.confirmation,
    method: row.method,
    reason: row.reason,
    movedFrom: row.moved_from,
    receivedAtMs: row.received_at_ms,
    notBeforeMs: row.not_before_ms,
    settledAtMs: row.settled_at_ms,
    unprintable: row.unprintable,
  }
}

function kindOf({ kind, job_kind, job_stream }: RecentRow): string {
  if (kind === 'void' || kind === 'reprint') return kind
  return job_kind === 'order' && job_stream === LOCAL_STREAM ? 'test-order' : job_kind
}
