// Refunds of orders: rows that are only added. Their sum is in the order itself.
import type { ServiceOrderId } from '#shared/ids.ts'
import type { Db, Tx } from './database.ts'
import type { RefundsTable } from './schema.ts'

/** Ids of one millisecond have no order, so each refund of an order has a number. */
export async function insertRefund(tx: Tx, refund: Omit<RefundsTable, 'ordinal'>): Promise<RefundsTable> {
  const last = await tx
    .selectFrom('refunds')
    .select((e) => e.fn.max('ordinal').as('ordinal'))
    .where('order_id', '=', refund.order_id)
    .executeTakeFirst()
  const row = { ...refund, ordinal: Number(last?.ordinal ?? 0) + 1 }
  await tx.insertInto('refunds').values(row).execute()
  return row
}

/** The refunds of these orders, each oldest first; an order without any is not in the map. */
export async function refundsOf(
  on: Db | Tx,
  orderIds: readonly ServiceOrderId[],
): Promise<ReadonlyMap<ServiceOrderId, RefundsTable[]>> {
  if (orderIds.length === 0) return new Map()
  const rows = await on.selectFrom('refunds').selectAll().where('order_id', 'in', orderIds).orderBy('ordinal').execute()
  return Map.groupBy(rows, (row) => row.order_id)
}
