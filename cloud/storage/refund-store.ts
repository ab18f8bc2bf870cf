// Refunds of orders: rows that are only added. What they come to stands in the order itself.
import { sql } from 'kysely'
import type { ServiceOrderId } from '#shared/ids.ts'
import type { Db, Tx } from './database.ts'
import type { RefundsTable } from './schema.ts'

export async function insertRefund(tx: Tx, row: RefundsTable): Promise<void> {
  await tx.insertInto('refunds').values(row).execute()
}

/** The refunds of these orders, each oldest first; an order without any is not in the map. */
export async function refundsOf(
  on: Db | Tx,
  orderIds: readonly ServiceOrderId[],
): Promise<ReadonlyMap<ServiceOrderId, RefundsTable[]>> {
  if (orderIds.length === 0) return new Map()
  const rows = await on
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', 'in', orderIds)
    // Ids of one millisecond have no order.
    .orderBy(sql`rowid`)
    .execute()
  return Map.groupBy(rows, (row) => row.order_id)
}
