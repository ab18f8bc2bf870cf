// Records a refund of a completed order, in full or in part. The relay moves no money: it records the refund and informs the point of sale.
import type { Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import { insertRefund } from '#cloud/storage/refund-store.ts'
import type { OrdersTable, RefundsTable } from '#cloud/storage/schema.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { newId } from '#shared/ids.ts'
import { fromCents } from '#shared/money.ts'
import type { RefundOrder, RefundResult } from '#shared/wire/api/orders.ts'
import { checkAmounts } from './check-amounts.ts'
import { requireCents } from './check-total.ts'
import { refundableCents, refundResource } from './order-resource.ts'
import { moveOrder, type OfMerchant, ownOrder } from './own-order.ts'
import type { PosAdapters } from './pos-adapter.ts'

export interface RefundDeps {
  orders: OrderStore
  deliveries: DeliveryStore
  pos: PosAdapters
  clock: Clock
}

/**
 * Each call is a refund of its own: a client that repeats one sends an Idempotency-Key.
 * @throws ServiceError order.not_found (404); order.not_refundable (409) with `orderStatus`; order.refund_exceeds_balance (422) with `refundable`
 */
export async function refundOrder(
  tx: Tx,
  deps: RefundDeps,
  { merchant, serviceOrderId, amount, reason }: OfMerchant & Pick<RefundOrder, 'amount' | 'reason'>,
): Promise<Effect<RefundResult>> {
  const before = await ownOrder(tx, deps, { merchant, serviceOrderId })
  checkAmounts(merchant.currency, [['amount', amount]])
  const amountCents = requireCents(amount)
  checkBalance(before, amountCents)
  const nowMs = deps.clock.now()
  const refund = await insertRefund(tx, {
    id: newId('rfd', nowMs),
    order_id: before.id,
    amount_cents: amountCents,
    reason: reason ?? null,
    created_at: nowMs,
  })
  const { order, endpointIds } = await moveOrder(tx, deps, {
    merchant,
    order: before,
    refusal: 'order.not_refundable',
    fact: 'refunded',
    act: refund.id,
    atMs: nowMs,
    change: { refunded_cents: before.refunded_cents + amountCents },
    data: () => ({ refund: refundResource(refund) }),
  })
  const pos = deps.pos[merchant.pos]
  await pos.refunded(tx, merchant, { order, refund })
  const wake = (): void => {
    deps.deliveries.announce(endpointIds)
    deps.orders.changed.notify(merchant.key)
    pos.wake()
  }
  return { answer: resultOf(order, refund, merchant), wake }
}

function checkBalance(order: OrdersTable, amountCents: number): void {
  if (order.status !== 'completed' && order.status !== 'refunded')
    throw new ServiceError('order.not_refundable', { extra: { orderStatus: order.status } })
  const refundable = refundableCents(order)
  if (amountCents <= refundable) return
  const message = `must not be more than ${fromCents(refundable)}, which is left to refund`
  throw new ServiceError('order.refund_exceeds_balance', {
    errors: [{ field: 'amount', message }],
    extra: { refundable: fromCents(refundable) },
  })
}

function resultOf(order: OrdersTable, refund: RefundsTable, merchant: MerchantRecord): RefundResult {
  return {
    status: 'refunded',
    refundId: refund.id,
    serviceOrderId: order.id,
    orderId: order.client_order_id,
    merchantId: merchant.publicId,
    amount: fromCents(refund.amount_cents),
    refundedTotal: fromCents(order.refunded_cents),
    refundable: fromCents(refundableCents(order)),
    refundedAt: toIso(refund.created_at),
  }
}
