// Shared by void, refund and advance: finds the caller's order, moves it, and explains in the API's words why it cannot move.
import type { Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { FoundOrder, OrderStore } from '#cloud/storage/order-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { type ErrorCode, ServiceError } from '#shared/errors.ts'
import { isId, type WebhookId } from '#shared/ids.ts'
import { type AdvanceDeps, advanceOrder, type OrderMove } from './advance-order.ts'

/** An order as the caller names it. */
export interface OfMerchant {
  merchant: MerchantRecord
  serviceOrderId: string
}

/** @throws ServiceError order.not_found (404): unknown, of another account or merchant, or no order's id at all */
export async function ownOrder(
  tx: Tx,
  { orders }: { orders: OrderStore },
  { merchant, serviceOrderId }: { merchant: MerchantRecord; serviceOrderId: string },
): Promise<FoundOrder> {
  const order = isId('ord', serviceOrderId) ? await orders.find(merchant, serviceOrderId, tx) : null
  if (order === null) throw new ServiceError('order.not_found')
  return order
}

/**
 * Moves the order by `advanceOrder`.
 * @param refusal the code for a move that the graph does not have; it carries `orderStatus`
 */
export async function moveOrder(
  tx: Tx,
  deps: AdvanceDeps,
  {
    merchant,
    order,
    refusal,
    ...move
  }: { merchant: MerchantRecord } & OrderMove & { order: OrdersTable; refusal: ErrorCode },
): Promise<{ order: OrdersTable; endpointIds: WebhookId[]; moved: boolean }> {
  try {
    const { publicId: merchantId, environment, notifyReady } = merchant
    return await advanceOrder(tx, deps, { target: { order, merchantId, environment, notifyReady }, move })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'order.invalid_transition') throw error
    throw new ServiceError(refusal, { extra: error.extra })
  }
}
