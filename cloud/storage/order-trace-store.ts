// The history of one order: its kitchen jobs, the deliveries of its events, their attempts; and the owner of an id.
import { sql } from 'kysely'
import type { AccountId, DeliveryId, EventId, LocationId, PrintJobId, ServiceOrderId, WebhookId } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'
import type { MerchantRecord } from './merchant-store.ts'

/** More than an order normally has; an order reprinted a hundred times shows the newest. */
const MOST_JOBS = 50
const MOST_DELIVERIES = 100
const MOST_ATTEMPTS = 200
/** Of the newest orders, for a search by the number on the ticket or the beginning of the client's id. */
const MOST_NUMBERS = 500
/** Likewise, by the name of the guest: each has its whole body read. */
const MOST_GUESTS = 300
/** Jobs of a location whose owner is checked: beyond that, nobody needs the number. */
const MOST_WAITING = 1_000

type Merchant = Pick<MerchantRecord, 'accountId' | 'key'>

/** Tickets that wait for a kitchen. `more`: so many jobs wait there that not all were counted. `sinceMs`: null: none was. */
export interface Waiting {
  tickets: number
  more: boolean
  sinceMs: number | null
}

/** What an id identifies. The caller checks whether the person may see it. */
export interface IdOwner {
  accountId: AccountId
  merchantId: string
  environment: 'sandbox' | 'live'
  orderId: ServiceOrderId | null
  webhookId: WebhookId | null
}

export class OrderTraceStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The order's kitchen jobs, oldest first, each with the gateway that has it. The caller has checked the order's owner. */
  async jobs(orderId: ServiceOrderId) {
    const rows = await this.#db.read
      .selectFrom('dispatches as d')
      .leftJoin('gateways as g', 'g.id', 'd.gateway_id')
      .select(['d.id', 'd.kind', 'd.state', 'd.location_id', 'd.gateway_id', 'd.doc', 'd.evidence'])
      .select(['d.claimed_at', 'd.accepted_at', 'd.settled_at', 'd.created_at', 'd.not_before', 'd.possible_duplicate'])
      .select(['g.name as gateway_name', 'g.simulated'])
      .where('d.order_id', '=', orderId)
      .orderBy('d.ordinal', 'desc')
      .limit(MOST_JOBS)
      .execute()
    return rows.reverse()
  }

  /** Deliveries of the order's events to the account's own endpoints, oldest first. */
  async deliveries(merchant: Merchant, orderId: ServiceOrderId) {
    const rows = await this.#db.read
      .selectFrom('events as e')
      .innerJoin('deliveries as d', 'd.event_id', 'e.id')
      .innerJoin('webhook_endpoints as w', 'w.id', 'd.endpoint_id')
      .select(['d.id', 'd.event_id', 'd.endpoint_id', 'd.type', 'd.state', 'd.attempts', 'd.next_at', 'd.manual_at'])
      .select(['d.last_status', 'd.last_error', 'd.created_at', 'w.url', 'w.kind'])
      .where('e.subject_id', '=', orderId)
      .where('e.account_id', '=', merchant.accountId)
      .where('e.merchant_id', '=', merchant.key)
      .where('w.account_id', '=', merchant.accountId)
      .orderBy('d.ordinal', 'desc')
      .limit(MOST_DELIVERIES)
      .execute()
    return rows.reverse()
  }

  /** Attempts of these deliveries, oldest first. */
  async attempts(deliveryIds: readonly DeliveryId[]) {
    if (deliveryIds.length === 0) return []
    const rows = await this.#db.read
      .selectFrom('delivery_attempts')
      .select(['delivery_id', 'number', 'trigger', 'at', 'ms', 'status', 'error'])
      .where('delivery_id', 'in', deliveryIds)
      .orderBy('at', 'desc')
      .limit(MOST_ATTEMPTS)
      .execute()
    return rows.reverse()
  }

  /** The newest orders with what their numbers are made of, newest first. */
  newestNumbers(merchant: Merchant) {
    return this.#newest(merchant, MOST_NUMBERS).select(['id', 'pos_order_id', 'client_order_id']).execute()
  }

  /** The newest orders with their bodies, JSON that contains the guest, newest first. */
  newestBodies(merchant: Merchant) {
    return this.#newest(merchant, MOST_GUESTS).select(['id', 'body']).execute()
  }

  #newest(merchant: Merchant, limit: number) {
    return this.#db.read
      .selectFrom('orders')
      .where('account_id', '=', merchant.accountId)
      .where('merchant_id', '=', merchant.key)
      .orderBy('queued_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
  }

  /**
   * The account's own tickets of orders that no kitchen has printed yet, at one location. Found by the jobs that wait there, which are few where a
   * kitchen prints, and not by the orders, most of which wait for nothing.
   */
  async waiting(
    merchant: Merchant,
    { locationId, nowMs }: { locationId: LocationId; nowMs: number },
  ): Promise<Waiting> {
    const queued = sql`select order_id, kind from dispatches where location_id = ${locationId} and state = 'queued'
      and available_at <= ${nowMs} order by available_at, ordinal limit ${sql.lit(MOST_WAITING + 1)}`
    // At a gateway, whether it is still one of this place or not.
    const handedOver = sql`select order_id, kind from dispatches where state in ('sent', 'accepted') and location_id = ${locationId}
      and gateway_id in (select id from gateways where location_id = ${locationId}) limit ${sql.lit(MOST_WAITING + 1)}`
    // Not a condition of the join: PostgreSQL would read all accepted orders of the account.
    const isTheirs = sql`job.kind = 'order' and o.account_id = ${merchant.accountId} and o.merchant_id = ${merchant.key}
      and o.status = 'accepted' and o.print_state = 'pending'`
    const { rows } = await sql<{ looked: number; tickets: number; since: number | null }>`
      select count(*) as looked, count(case when ${isTheirs} then 1 end) as tickets,
        min(case when ${isTheirs} then o.queued_at end) as since
      from (select * from (${handedOver}) as h union all select * from (${queued}) as q limit ${sql.lit(MOST_WAITING + 1)}) as job
      left join orders o on o.id = job.order_id`.execute(this.#db.read)
    const [{ looked = 0, tickets = 0, since = null } = {}] = rows
    return { tickets: Math.min(tickets, MOST_WAITING), more: looked > MOST_WAITING, sinceMs: since }
  }

  async ownerOfOrder(id: ServiceOrderId): Promise<IdOwner | null> {
    const row = await this.#db.read
      .selectFrom('orders as o')
      .innerJoin('merchants as m', 'm.id', 'o.merchant_id')
      .select(['o.account_id as accountId', 'm.public_id as merchantId', 'm.environment', 'o.id as orderId'])
      .where('o.id', '=', id)
      .executeTakeFirst()
    return row ? { ...row, webhookId: null } : null
  }

  /** For an order's own tickets the order has the owner. */
  async ownerOfJob(id: PrintJobId): Promise<IdOwner | null> {
    const row = await this.#db.read
      .selectFrom('dispatches as d')
      .leftJoin('orders as o', 'o.id', 'd.order_id')
      .innerJoin('merchants as m', (join) =>
        join.on((e) => e('m.id', '=', e.fn.coalesce('d.merchant_id', 'o.merchant_id'))),
      )
      .select((e) => e.fn.coalesce('d.account_id', 'o.account_id').as('accountId'))
      .select(['m.public_id as merchantId', 'm.environment', 'd.order_id as orderId'])
      .where('d.id', '=', id)
      .executeTakeFirst()
    if (!row || row.accountId === null) return null
    return { ...row, accountId: row.accountId, webhookId: null }
  }

  async ownerOfEvent(id: EventId): Promise<(IdOwner & { subjectId: string }) | null> {
    const row = await this.#db.read
      .selectFrom('events as e')
      .innerJoin('merchants as m', 'm.id', 'e.merchant_id')
      .select(['e.account_id as accountId', 'm.public_id as merchantId', 'm.environment', 'e.subject_id as subjectId'])
      .where('e.id', '=', id)
      .executeTakeFirst()
    return row ? { ...row, orderId: null, webhookId: null } : null
  }

  async ownerOfDelivery(id: DeliveryId): Promise<(IdOwner & { subjectId: string }) | null> {
    const row = await this.#db.read
      .selectFrom('deliveries as d')
      .innerJoin('webhook_endpoints as w', 'w.id', 'd.endpoint_id')
      .innerJoin('merchants as m', 'm.id', 'w.merchant_id')
      .select(['w.account_id as accountId', 'm.public_id as merchantId', 'm.environment', 'd.subject_id as subjectId'])
      .select('w.id as webhookId')
      .where('d.id', '=', id)
      .executeTakeFirst()
    return row ? { ...row, orderId: null } : null
  }
}
