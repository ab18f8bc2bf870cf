// What people do to orders: ready, handed over, void, refund, and taking one in the sandbox. The same functions as behind /v1.
import { advanceByHand } from '#cloud/orders/advance-by-hand.ts'
import { injectOrder } from '#cloud/orders/inject-order.ts'
import { posAdapters } from '#cloud/orders/pos-adapters.ts'
import { refundOrder } from '#cloud/orders/refund-order.ts'
import { voidOrder } from '#cloud/orders/void-order.ts'
import type { ServiceOrderId } from '#shared/ids.ts'
import { audited, type ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { masksCustomers } from './customer-mask.ts'
import { type Changed, type Changing, type Handlers, merchantOf } from './handler.ts'
import type { OrderRowAnswer } from './order-list.ts'
import { rowOfOrder } from './order-view.ts'

type Acts = 'orders.inject' | 'orders.ready' | 'orders.completed' | 'orders.void' | 'orders.refund'

export const ORDER_ACT_HANDLERS: Pick<Handlers, Acts> = {
  'orders.inject': {
    alone: async (context, doing, body) => {
      const merchant = merchantOf(doing)
      if (merchant.environment !== 'sandbox')
        throw new ControlRefusal(
          'refused',
          'The dashboard takes orders in the sandbox only. Live orders come through the API.',
          {
            said: { key: 'order.sandbox-only' },
          },
        )
      const { running, secretBox } = context
      if (!running || secretBox === null)
        throw new ControlRefusal('refused', 'Only a running relay takes orders: start it, then send the order again.')
      const deps = {
        ...context,
        pos: posAdapters(context),
        secretBox,
        log: running.log,
        firstTries: running.firstTries,
      }
      const { kind, serviceOrderId, printJobId } = await injectOrder(deps, merchant, { body })
      if (kind !== 'replayed')
        await context.db.unit((tx) =>
          audited(tx, context, {
            ...{ act: doing, accountId: merchant.accountId, action: 'order.inject', subject: serviceOrderId },
            after: { merchantId: merchant.publicId, orderId: body.orderId, total: body.total },
          }),
        )
      return { outcome: kind, serviceOrderId, printJobId }
    },
  },

  'orders.ready': (context, doing, { serviceOrderId }) => advanced(context, doing, { serviceOrderId, to: 'ready' }),

  'orders.completed': (context, doing, { serviceOrderId }) =>
    advanced(context, doing, { serviceOrderId, to: 'completed' }),

  'orders.void': async (context, doing, { serviceOrderId, reason }) => {
    const merchant = merchantOf(doing)
    const deps = { ...context, pos: posAdapters(context) }
    const effect = await voidOrder(doing.tx, deps, { merchant, serviceOrderId, ...(reason && { reason }) })
    const entry = { accountId: merchant.accountId, action: 'order.void' as const, subject: serviceOrderId }
    return { ...effect, audit: { ...entry, after: { merchantId: merchant.publicId } } }
  },

  'orders.refund': async (context, doing, { serviceOrderId, amount, reason }) => {
    const merchant = merchantOf(doing)
    const deps = { ...context, pos: posAdapters(context) }
    const effect = await refundOrder(doing.tx, deps, { merchant, serviceOrderId, amount, ...(reason && { reason }) })
    const { refundId, refundedTotal } = effect.answer
    const entry = { accountId: merchant.accountId, action: 'order.refund' as const, subject: serviceOrderId }
    return { ...effect, audit: { ...entry, after: { merchantId: merchant.publicId, refundId, amount, refundedTotal } } }
  },
}

async function advanced(
  context: ControlContext,
  doing: Changing,
  { serviceOrderId, to }: { serviceOrderId: ServiceOrderId; to: 'ready' | 'completed' },
): Promise<Changed<OrderRowAnswer>> {
  const merchant = merchantOf(doing)
  const { answer, wake } = await advanceByHand(doing.tx, context, { merchant, serviceOrderId, to })
  return {
    answer: rowOfOrder(answer, { merchantId: merchant.publicId, isMasked: masksCustomers(doing) }),
    ...(wake && { wake }),
    audit: { accountId: merchant.accountId, action: `order.${to}` as const, subject: serviceOrderId },
  }
}
