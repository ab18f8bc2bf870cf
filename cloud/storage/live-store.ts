// The reads of the dashboard's live feed, every few seconds: few columns of few rows, each read by an index.
import { sql } from 'kysely'
import type { ServiceOrderId, WebhookId } from '#shared/ids.ts'
import { prepared, type RelayDatabase } from './database.ts'
import type { MerchantRecord } from './merchant-store.ts'
import { queryBuilder } from './query-builder.ts'
import type { OrdersTable } from './schema.ts'

export type LiveOrderRow = Pick<
  OrdersTable,
  | 'id'
  | 'client_order_id'
  | 'pos_order_id'
  | 'status'
  | 'print_state'
  | 'total_cents'
  | 'queued_at'
  | 'estimated_ready_at'
  | 'fire_at'
  | 'ready_at'
>

export interface OpenDeliveries {
  endpointId: WebhookId
  /** At most `COUNTED` + 1, as is `failed`. */
  retrying: number
  failed: number
}

/** Of one endpoint and state; one more means that there are more. */
export const COUNTED = 50

const newest = prepared((p) =>
  queryBuilder
    .selectFrom('orders')
    .select(['id', 'client_order_id', 'pos_order_id', 'status', 'print_state', 'total_cents'])
    .select(['queued_at', 'estimated_ready_at', 'fire_at', 'ready_at'])
    .where('account_id', '=', p('account'))
    .where('merchant_id', '=', p('merchant'))
    .orderBy('queued_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

export class LiveStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Orders of the acting account at this merchant, newest first. */
  newestOrders({ accountId, key }: Pick<MerchantRecord, 'accountId' | 'key'>, limit: number): Promise<LiveOrderRow[]> {
    return newest(this.#db.read, { account: accountId, merchant: key, limit })
  }

  /** What never changes of an order, out of its body. */
  bodies(ids: readonly ServiceOrderId[]): Promise<Pick<OrdersTable, 'id' | 'body'>[]> {
    return this.#db.read.selectFrom('orders').select(['id', 'body']).where('id', 'in', ids).execute()
  }

  /** What each endpoint has not taken yet, and never took. */
  async openDeliveries(endpointIds: readonly WebhookId[]): Promise<OpenDeliveries[]> {
    if (endpointIds.length === 0) return []
    // Literals: SQLite uses a partial index only when the query has the same condition as the index.
    const counted = (id: WebhookId, state: 'retrying' | 'failed') =>
      sql`(select count(*) from (select 1 from deliveries where endpoint_id = ${id} and state = ${sql.lit(state)} limit ${sql.lit(COUNTED + 1)}) as counted)`
    const rows = endpointIds.map(
      (id) =>
        sql`select cast(${id} as text) as id, ${counted(id, 'retrying')} as retrying, ${counted(id, 'failed')} as failed`,
    )
    const found = sql<{ id: WebhookId; retrying: number; failed: number }>`${sql.join(rows, sql` union all `)}`
    return (await found.execute(this.#db.read)).rows.map(({ id, retrying, failed }) => ({
      endpointId: id,
      retrying: Number(retrying),
      failed: Number(failed),
    }))
  }
}
