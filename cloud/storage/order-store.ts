// Orders. (account, merchant, client order id) is unique permanently, also after the order was deleted: that makes injecting idempotent.
import { type Selectable, sql } from 'kysely'
import type { MerchantKey, ServiceOrderId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import type { Cursor } from './cursor.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { holding } from './hold.ts'
import type { MerchantRecord } from './merchant-store.ts'
import { type OrderFilter, orderPageQuery } from './order-list.ts'
import type { OrdersTable, StoredOrdersTable } from './schema.ts'
import type { MerchantsTable } from './schema-accounts.ts'

/** With the trace that its jobs name. */
export type FoundOrder = OrdersTable & Pick<Selectable<StoredOrdersTable>, 'traceparent'>

/** What a replay needs of the first order. Of one that was deleted only the id is known: its hash is that of no request. */
export type FirstOrder = Pick<OrdersTable, 'id' | 'body_hash' | 'result' | 'print_job_id' | 'pos_order_id'>

/** An order with the fields of its merchant that an event needs. */
export interface OrderWithMerchant {
  order: OrdersTable
  /** `M-...` */
  merchantId: string
  environment: 'sandbox' | 'live'
  /** How its customer hears that it is ready. */
  notifyReady: MerchantsTable['notify_ready']
}

const COLUMNS = [
  'id',
  'account_id',
  'merchant_id',
  'location_id',
  'client_order_id',
  'body_hash',
  'body',
  'result',
  'item_names',
  'status',
  'sequence',
  'total_cents',
  'tip_cents',
  'refunded_cents',
  'pos_order_id',
  'print',
  'print_job_id',
  'print_state',
  'print_facts',
  'queued_at',
  'estimated_ready_at',
  'fire_at',
  'fired_at',
  'printed_at',
  'ready_at',
  'completed_at',
  'voided_at',
  'void_reason',
  'stock_taken',
  'handed_back_at',
] as const satisfies readonly (keyof OrdersTable)[]

export class OrderStore {
  /** An order of this merchant was changed, and it is on disk. Not fired for changes by the clock (`fireDue`). */
  readonly changed = new Signal<MerchantKey>()
  readonly #db: RelayDatabase
  readonly #queries: ReturnType<typeof compile>

  constructor(db: RelayDatabase) {
    this.#db = db
    this.#queries = compile(db)
  }

  /** The order that already has this client order id. In a unit it also sees one that the same COMMIT will carry. */
  async first(
    merchant: MerchantRecord,
    clientOrderId: string,
    on: Db | Tx = this.#db.read,
  ): Promise<FirstOrder | null> {
    const [row] = await this.#queries.first(on, {
      account: merchant.accountId,
      merchant: merchant.key,
      client: clientOrderId,
    })
    return row ?? null
  }

  /** Call `first` in the same unit before: a client order id that is taken fails. @param of `source`: as in the order's body */
  async insert(
    tx: Tx,
    row: OrdersTable,
    { source, traceparent = null }: { source: string; traceparent?: string | null },
  ): Promise<void> {
    if (traceparent === null) await this.#queries.insert(tx, { ...row, source })
    else await this.#queries.insertTraced(tx, { ...row, source, traceparent })
  }

  async traceparentOf(id: ServiceOrderId): Promise<string | null> {
    return (await this.#queries.traceparent(this.#db.read, { id }))[0]?.traceparent ?? null
  }

  /** Whether any order is traced. */
  async hasTraced(): Promise<boolean> {
    const first = this.#db.read.selectFrom('orders').select('id').where('traceparent', 'is not', null).limit(1)
    return (await first.execute()).length > 0
  }

  /** The acting account's order at this merchant with this serviceOrderId; null also when it is another account's or merchant's. */
  async find(
    merchant: Pick<MerchantRecord, 'accountId' | 'key'>,
    id: ServiceOrderId,
    on: Db | Tx = this.#db.read,
  ): Promise<FoundOrder | null> {
    const [row] = await this.#queries.find(on, { account: merchant.accountId, merchant: merchant.key, id })
    return row ?? null
  }

  /** Newest first. @param page `limit`: one more than a page shows */
  async page(
    merchant: Pick<MerchantRecord, 'accountId' | 'key'>,
    filter: OrderFilter,
    page: { after: Cursor | null; limit: number },
  ): Promise<OrdersTable[]> {
    return orderPageQuery(this.#db.read, merchant, { filter, page }).execute()
  }

  /** The order, in the caller's unit. @throws when there is none: ids inside the relay come from its own rows. */
  async load(tx: Tx, id: ServiceOrderId): Promise<OrderWithMerchant> {
    const found = await this.lookUp(tx, id)
    if (!found) throw new Error(`no order ${id}`)
    return found
  }

  /** The order with an id from outside; null when there is none. The caller checks its owner. */
  async lookUp(tx: Tx, id: ServiceOrderId): Promise<OrderWithMerchant | null> {
    const [row] = await this.#queries.load(tx, { id })
    if (!row) return null
    const {
      merchant_public_id: merchantId,
      merchant_environment: environment,
      notify_ready: notifyReady,
      ...order
    } = row
    return { order, merchantId, environment, notifyReady }
  }

  async update(tx: Tx, id: ServiceOrderId, change: Partial<OrdersTable>): Promise<void> {
    await tx.updateTable('orders').set(change).where('id', '=', id).execute()
  }

  /** Whether an order waits whose fireAt has come. */
  async hasDue(nowMs: number): Promise<boolean> {
    return (await this.#queries.due(this.#db.read, { now: nowMs })).length > 0
  }

  /** Marks orders whose fireAt has come as fired at that time; a scheduled ticket is pending from then on. */
  async fireDue(tx: Tx, nowMs: number): Promise<void> {
    const due = () => tx.updateTable('orders').where('fire_at', '<=', nowMs).where('fired_at', 'is', null)
    await due().where('print_state', '=', 'scheduled').set({ print_state: 'pending' }).execute()
    await due()
      .set((e) => ({ fired_at: e.ref('fire_at') }))
      .execute()
  }
}

/** The hot queries, compiled once. */
function compile({ read }: RelayDatabase) {
  const insertOf = (more: readonly string[]) =>
    prepared((p, words) => {
      const columns = [...COLUMNS, ...(words.storesOrderSource ? ['source'] : []), ...more]
      const values = Object.fromEntries(columns.map((column) => [column, p(column)]))
      return read.insertInto('orders').values(values as unknown as OrdersTable)
    })
  return {
    first: prepared((p) =>
      read
        .selectFrom('orders')
        .select(['id', 'body_hash', 'result', 'print_job_id', 'pos_order_id'])
        .where('account_id', '=', p('account'))
        .where('merchant_id', '=', p('merchant'))
        .where('client_order_id', '=', p('client'))
        .unionAll((e) =>
          e
            .selectFrom('spent_order_ids')
            .select(['order_id as id', sql.lit('').as('body_hash'), sql.lit('').as('result')])
            .select([sql.lit(null).as('print_job_id'), sql.lit(null).as('pos_order_id')])
            .where('account_id', '=', p('account'))
            .where('merchant_id', '=', p('merchant'))
            .where('client_order_id', '=', p('client')),
        ),
    ),
    insert: insertOf([]),
    insertTraced: insertOf(['traceparent']),
    traceparent: prepared((p) => read.selectFrom('orders').select('traceparent').where('id', '=', p('id'))),
    find: holding((p) =>
      read
        .selectFrom('orders')
        .selectAll()
        .where('id', '=', p('id'))
        .where('account_id', '=', p('account'))
        .where('merchant_id', '=', p('merchant')),
    ),
    load: holding(
      (p) =>
        read
          .selectFrom('orders as o')
          .innerJoin('merchants as m', 'm.id', 'o.merchant_id')
          .selectAll('o')
          .select(['m.public_id as merchant_public_id', 'm.environment as merchant_environment', 'm.notify_ready'])
          .where('o.id', '=', p('id')),
      'o',
    ),
    due: prepared((p) =>
      read.selectFrom('orders').select('id').where('fire_at', '<=', p('now')).where('fired_at', 'is', null).limit(1),
    ),
  }
}
