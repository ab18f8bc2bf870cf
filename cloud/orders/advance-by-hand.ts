// Moves an order on as the kitchen or the counter would: by hand, in the sandbox.
import type { Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { refundsOf } from '#cloud/storage/refund-store.ts'
import { type EpochMs, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { AdvanceOrder, OrderResource } from '#shared/wire/api/orders.ts'
import type { PrintFacts } from '#shared/wire/print-facts.ts'
import type { AdvanceDeps } from './advance-order.ts'
import { orderResource } from './order-resource.ts'
import { moveOrder, ownOrder } from './own-order.ts'

/**
 * The same step twice changes nothing. `printed` by hand is `assumed`, because no printer has proved it.
 * @throws ServiceError order.not_found (404); order.invalid_transition (409) with `orderStatus`
 */
export async function advanceByHand(
  tx: Tx,
  deps: AdvanceDeps & { deliveries: DeliveryStore },
  { merchant, serviceOrderId, to }: { merchant: MerchantRecord; serviceOrderId: string } & Pick<AdvanceOrder, 'to'>,
): Promise<Effect<OrderResource>> {
  const before = await ownOrder(tx, deps, { merchant, serviceOrderId })
  // A printer may report late; by hand a voided order cannot be advanced any more.
  if (before.status === 'voided')
    throw new ServiceError('order.invalid_transition', { extra: { orderStatus: before.status } })
  if (to === 'printed' && before.print === 0)
    throw new ServiceError('order.invalid_transition', {
      message: 'The order was injected with print false: it has no ticket.',
      extra: { orderStatus: before.status },
    })
  const nowMs = deps.clock.now()
  const facts = factsByHand(nowMs)
  const { order, endpointIds } = await moveOrder(tx, deps, {
    merchant,
    order: before,
    refusal: 'order.invalid_transition',
    fact: to,
    atMs: nowMs,
    ...(to === 'printed'
      ? { change: { print_state: 'printed', print_facts: JSON.stringify(facts) }, data: () => ({ print: facts }) }
      : {}),
  })
  const refunds = (await refundsOf(tx, [order.id])).get(order.id)
  return {
    answer: orderResource(order, merchant.publicId, { refunds: refunds ?? [] }),
    wake: () => {
      deps.deliveries.announce(endpointIds)
      deps.orders.changed.notify(merchant.key)
    },
  }
}

function factsByHand(nowMs: EpochMs): PrintFacts {
  return {
    confirmation: 'assumed',
    method: 'none',
    printedAt: toIso(nowMs),
    attempts: 0,
    possibleDuplicate: false,
    printers: [],
  }
}
