// One page of the caller's orders, and one order, as the API shows them: with their refunds.
import { ListCursors } from '#cloud/storage/cursor.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import { refundsOf } from '#cloud/storage/refund-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { msOf } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { isId } from '#shared/ids.ts'
import type { OrderResource, OrdersQuery } from '#shared/wire/api/orders.ts'
import { orderResource } from './order-resource.ts'

export interface ReadDeps {
  db: RelayDatabase
  orders: OrderStore
}

/** Newest first. @throws ServiceError request.invalid (422): a cursor that is not of this list */
export async function listOrders(
  deps: ReadDeps,
  merchant: MerchantRecord,
  { orderId, status, source, from, to, limit, cursor }: Omit<OrdersQuery, 'merchantId'>,
): Promise<{ data: OrderResource[]; nextCursor: string | null }> {
  const filter = { clientOrderId: orderId, status, source, fromMs: msOf(from), toMs: msOf(to) }
  const cursors = new ListCursors({ list: 'orders', of: [merchant.accountId, merchant.key], filters: filter })
  const found = await deps.orders.page(merchant, filter, { after: cursors.decode(cursor), limit: limit + 1 })
  const { rows, nextCursor } = cursors.page(found, limit, (row) => ({ at: row.queued_at, id: row.id }))
  return { data: await shown(deps, merchant, rows), nextCursor }
}

/** @throws ServiceError order.not_found (404): unknown, of another account or merchant, or no order's id at all */
export async function getOrder(
  deps: ReadDeps,
  merchant: MerchantRecord,
  serviceOrderId: string,
): Promise<OrderResource> {
  return (await readOrder(deps, merchant, serviceOrderId)).order
}

/** The same together with its row. @throws ServiceError order.not_found (404) */
export async function readOrder(
  deps: ReadDeps,
  merchant: MerchantRecord,
  serviceOrderId: string,
): Promise<{ order: OrderResource; row: OrdersTable }> {
  const row = isId('ord', serviceOrderId) ? await deps.orders.find(merchant, serviceOrderId) : null
  const [order] = row === null ? [] : await shown(deps, merchant, [row])
  if (row === null || order === undefined) throw new ServiceError('order.not_found')
  return { order, row }
}

/** Only orders with refunds cost the second query. */
async function shown(deps: ReadDeps, merchant: MerchantRecord, rows: readonly OrdersTable[]): Promise<OrderResource[]> {
  const refunded = rows.filter((row) => row.refunded_cents > 0).map((row) => row.id)
  const refunds = await refundsOf(deps.db.read, refunded)
  return rows.map((row) => orderResource(row, merchant.publicId, { refunds: refunds.get(row.id) ?? [] }))
}
