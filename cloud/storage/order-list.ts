// A page of a merchant's orders: newest first, each filter by an index of its own, so that the millionth order costs what the first does.
import { sql } from 'kysely'
import type { OrderStatus } from '#shared/order.ts'
import type { Cursor } from './cursor.ts'
import { type Db, wordsOf } from './database.ts'
import type { MerchantRecord } from './merchant-store.ts'

export interface OrderFilter {
  clientOrderId?: string | undefined
  status?: OrderStatus | undefined
  source?: string | undefined
  /** Of queuedAt, epoch ms: from inclusive, to exclusive. */
  fromMs?: number | undefined
  toMs?: number | undefined
}

/**
 * Orders of the acting account at this merchant.
 * @param after the last row of the page before
 * @param limit maximum number of rows: one more than a page shows, to see whether there are more
 */
export function orderPageQuery(
  db: Db,
  merchant: Pick<MerchantRecord, 'accountId' | 'key'>,
  { filter, page }: { filter: OrderFilter; page: { after: Cursor | null; limit: number } },
) {
  const { clientOrderId, status, source, fromMs, toMs } = filter
  const words = wordsOf(db)
  let query = db
    .selectFrom('orders')
    .selectAll()
    .where('account_id', '=', merchant.accountId)
    .where('merchant_id', '=', merchant.key)
  // A client's order id is unique, and no index can do better.
  if (clientOrderId !== undefined) query = query.where('client_order_id', '=', clientOrderId)
  // With both, `+` keeps SQLite off the index that narrows less: nearly all orders end as printed or completed.
  const byStatus = status !== 'printed' && status !== 'completed'
  const plain = status === undefined || source === undefined
  if (status !== undefined)
    query = query.where(plain || byStatus ? sql<string>`status` : words.unindexed<string>('status'), '=', status)
  if (source !== undefined)
    query = query.where(plain || !byStatus ? sql<string>`source` : words.unindexed<string>('source'), '=', source)
  if (fromMs !== undefined) query = query.where('queued_at', '>=', fromMs)
  // One upper bound and not both: SQLite would take either for the index, and the time would make each page read those before it.
  const { after } = page
  if (after !== null && after.at < (toMs ?? Number.POSITIVE_INFINITY))
    query = query.where(sql<boolean>`(queued_at, id) < (${after.at}, ${after.id})`)
  else if (toMs !== undefined) query = query.where('queued_at', '<', toMs)
  return query.orderBy('queued_at', 'desc').orderBy('id', 'desc').limit(page.limit)
}
