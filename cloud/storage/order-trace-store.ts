// What became of one order, for whoever asks why: its kitchen jobs, the deliveries of its events, their attempts; and what an id belongs to.
import type { AccountId, DeliveryId, EventId, PrintJobId, ServiceOrderId, WebhookId } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'
import type { MerchantRecord } from './merchant-store.ts'

/** More than an order has; whoever reprints it a hundred times sees the newest. */
const MOST_JOBS = 50
const MOST_DELIVERIES = 100
const MOST_ATTEMPTS = 200
/** Of the newest orders, for a search by the number on the ticket. */
const MOST_NUMBERS = 500
/** Of the newest orders that are accepted, for those that wait for paper: scheduled ones, which do not, may be many. */
const MOST_WAITING = 1_000

type Merchant = Pick<MerchantRecord, 'accountId' | 'key'>

/** What an id stands for. Whether the person may see it is for the caller to check. */
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

  /** The order's kitchen jobs, oldest first, each with the gateway that has it. Whose the order is was checked before. */
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
    return this.#db.read
      .selectFrom('orders')
      .select(['id', 'pos_order_id', 'client_order_id'])
      .where('account_id', '=', merchant.accountId)
      .where('merchant_id', '=', merchant.key)
      .orderBy('queued_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MOST_NUMBERS)
      .execute()
  }

  /** The account's own tickets that no kitchen has printed yet, by location. */
  waiting(merchant: Merchant) {
    return this.#db.read
      .selectFrom(({ selectFrom }) =>
        selectFrom('orders')
          .select(['location_id', 'queued_at', 'print_state'])
          .where('account_id', '=', merchant.accountId)
          .where('merchant_id', '=', merchant.key)
          .where('status', '=', 'accepted')
          .orderBy('queued_at', 'desc')
          .limit(MOST_WAITING)
          .as('newest'),
      )
      .select(({ fn }) => ['location_id', fn.countAll<number>().as('tickets'), fn.min<number>('queued_at').as('since')])
      .where('print_state', '=', 'pending')
      .groupBy('location_id')
      .execute()
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

  /** Of an order's own tickets it is the order that says whose they are. */
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
