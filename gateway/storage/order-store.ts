// Orders for lists and searches: one entry for each order, newest first, from the jobs on disk; and everything stored about one of them.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { KitchenOrder } from '#shared/order.ts'
import { isTestOrder } from '#shared/tickets/local-doc.ts'
import type { GatewayDatabase } from './database.ts'
import { docOf } from './ticket-rows.ts'

/** The number of an order's tickets in each state. */
export interface TicketCounts {
  /** Held, queued or being printed. */
  waiting: number
  printed: number
  /** Parked, failed or uncertain: a person must check. */
  trouble: number
  cancelled: number
}

export interface OrderRecord {
  /** Its position among all jobs: the cursor of `unread`. */
  position: number
  jobId: string
  /** Null: its row is damaged. */
  order: KitchenOrder | null
  /** A test order of this gateway. */
  isTest: boolean
  /** For displays only: it has no tickets. */
  isWithoutPaper: boolean
  receivedAtMs: EpochMs
  /** When it was due; null: at once. */
  notBeforeMs: EpochMs | null
  settledAtMs: EpochMs | null
  voidedAtMs: EpochMs | null
  voidReason: string | null
  tickets: TicketCounts
  readyAtMs: EpochMs | null
  pickedUpAtMs: EpochMs | null
}

/** A row whose document has not been parsed yet. */
export interface UnreadOrder {
  position: number
  jobId: string
  serviceOrderId: string
  notBeforeMs: EpochMs | null
  voidedAtMs: EpochMs | null
  documentText: string
}

/** Its progress. */
export type OrderStanding = Pick<OrderRecord, 'tickets' | 'readyAtMs' | 'pickedUpAtMs'>

/** A further job of an order: a copy, a fired course. */
export interface RelatedJob {
  jobId: string
  kind: string
  receivedAtMs: EpochMs
}

interface OrderRow {
  position: number
  job_id: string
  kind: 'order' | 'board'
  doc: string
  digest: string
  received_at_ms: number
  not_before_ms: number | null
  settled_at_ms: number | null
  cancelled_at_ms: number | null
  cancel_reason: string | null
}

const OF_ORDER = `kind in ('order', 'board')`
const COLUMNS = `rowid as position, job_id, kind, doc, digest, received_at_ms, not_before_ms, settled_at_ms, cancelled_at_ms, cancel_reason`

const COUNTED: Readonly<Record<string, keyof TicketCounts>> = {
  held: 'waiting',
  queued: 'waiting',
  sending: 'waiting',
  printed: 'printed',
  parked: 'trouble',
  failed: 'trouble',
  uncertain: 'trouble',
  cancelled: 'cancelled',
}

export class OrderStore {
  readonly #one: Statement<[string], OrderRow>
  readonly #at: Statement<[number], OrderRow>
  readonly #unread: Statement<[number, number], UnreadOrder>
  readonly #jobOf: Statement<[string], { position: number; kind: string; order_id: string | null; received: number }>
  readonly #jobOfTicket: Statement<[string], { job_id: string }>
  readonly #after: Statement<[number, number], RelatedRow>
  readonly #ticketIds: Statement<[string], { ticket_id: string }>
  readonly #states: Statement<[string, string], { state: string; n: number }>
  readonly #kitchen: Statement<[string], { ready_at_ms: number | null; picked_up_at_ms: number | null }>
  readonly #isUnreported: Statement<[string], { n: number }>

  constructor({ sqlite: sql }: GatewayDatabase) {
    this.#one = sql.prepare(`select ${COLUMNS} from jobs where job_id = ? and ${OF_ORDER}`)
    this.#at = sql.prepare(`select ${COLUMNS} from jobs where rowid = ?`)
    this.#unread = sql.prepare(
      `select rowid as position, job_id as jobId, service_order_id as serviceOrderId, not_before_ms as notBeforeMs, cancelled_at_ms as voidedAtMs,
         doc as documentText
       from jobs where rowid < ? and ${OF_ORDER} order by rowid desc limit ?`,
    )
    this.#jobOf = sql.prepare(
      'select rowid as position, kind, service_order_id as order_id, received_at_ms as received from jobs where job_id = ?',
    )
    this.#jobOfTicket = sql.prepare('select job_id from tickets where ticket_id = ?')
    this.#after = sql.prepare(
      `select rowid as position, job_id, kind, service_order_id, received_at_ms from jobs where rowid > ? order by rowid limit ?`,
    )
    this.#ticketIds = sql.prepare('select ticket_id from tickets where job_id = ? order by position')
    this.#states = sql.prepare(
      `select state, count(*) as n from tickets where kind <> 'local' and job_id in
         (select ? union all select job_id from kitchen_courses where order_id = ? and job_id is not null) group by state`,
    )
    this.#kitchen = sql.prepare('select ready_at_ms, picked_up_at_ms from kitchen_orders where order_id = ?')
    this.#isUnreported = sql.prepare('select 1 as n from reports where job_id = ?')
  }

  /** Orders before this position, newest first, not parsed: most of them do not match a search. */
  unread(before: number, limit: number): UnreadOrder[] {
    return this.#unread.all(before, limit)
  }

  standing({ jobId, serviceOrderId }: Pick<UnreadOrder, 'jobId' | 'serviceOrderId'>): OrderStanding {
    const kitchen = this.#kitchen.get(serviceOrderId)
    return {
      tickets: this.#countsOf(jobId, serviceOrderId),
      readyAtMs: kitchen?.ready_at_ms ?? null,
      pickedUpAtMs: kitchen?.picked_up_at_ms ?? null,
    }
  }

  at(position: number): OrderRecord | null {
    const row = this.#at.get(position)
    return row ? this.#recordOf(row) : null
  }

  /** By the id of its job. */
  find(jobId: string): OrderRecord | null {
    const row = this.#one.get(jobId)
    return row ? this.#recordOf(row) : null
  }

  /** The order of a job or a ticket; null: it has none, or there is no such id. */
  belongsTo(id: string): { position: number; jobId: string; isItself: boolean; serviceOrderId: string } | null {
    const jobId = this.#jobOfTicket.get(id)?.job_id ?? id
    const row = this.#jobOf.get(jobId)
    if (!row || row.order_id === null) return null
    const isItself = row.kind === 'order' || row.kind === 'board'
    return { position: row.position, jobId, isItself, serviceOrderId: row.order_id }
  }

  /** Jobs after this position, oldest first, of any kind. */
  jobsAfter(position: number, limit: number): (RelatedJob & { position: number; serviceOrderId: string | null })[] {
    return this.#after.all(position, limit).map((row) => ({
      position: row.position,
      jobId: row.job_id,
      kind: row.kind,
      serviceOrderId: row.service_order_id,
      receivedAtMs: row.received_at_ms,
    }))
  }

  /** In printing order. */
  ticketIdsOf(jobId: string): string[] {
    return this.#ticketIds.all(jobId).map(({ ticket_id }) => ticket_id)
  }

  /** The job's result waits for the relay. */
  isUnreported(jobId: string): boolean {
    return this.#isUnreported.get(jobId) !== undefined
  }

  #recordOf(row: OrderRow): OrderRecord {
    const doc = docOf(row.doc, row.digest)
    const order = doc !== null && 'order' in doc ? doc.order : null
    return {
      position: row.position,
      jobId: row.job_id,
      order,
      isTest: doc !== null && isTestOrder(doc),
      isWithoutPaper: row.kind === 'board',
      receivedAtMs: row.received_at_ms,
      notBeforeMs: row.not_before_ms,
      settledAtMs: row.settled_at_ms,
      voidedAtMs: row.cancelled_at_ms,
      voidReason: row.cancel_reason,
      ...this.standing({ jobId: row.job_id, serviceOrderId: order?.serviceOrderId ?? '' }),
    }
  }

  #countsOf(jobId: string, orderId: string): TicketCounts {
    const counts: TicketCounts = { waiting: 0, printed: 0, trouble: 0, cancelled: 0 }
    for (const { state, n } of this.#states.all(jobId, orderId)) {
      const counted = COUNTED[state]
      if (counted) counts[counted] += n
    }
    return counts
  }
}

interface RelatedRow {
  position: number
  job_id: string
  kind: string
  service_order_id: string | null
  received_at_ms: number
}
