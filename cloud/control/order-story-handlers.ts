// What became of an order: its time line, and its tickets as drawn paper.
import { readyMailId } from '#cloud/storage/notice-store.ts'
import { refundsOf } from '#cloud/storage/refund-store.ts'
import { ServiceError } from '#shared/errors.ts'
import type { ServiceOrderId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { masksCustomers } from './customer-mask.ts'
import { type Doing, type Handlers, merchantOf } from './handler.ts'
import { drawingOf } from './order-drawing.ts'
import { traceOf } from './order-trace.ts'
import { toldAnswer } from './text-handlers.ts'

export const ORDER_STORY_HANDLERS: Pick<Handlers, 'orders.trace' | 'orders.drawing'> = {
  'orders.trace': async (context, doing, { serviceOrderId }) => {
    const merchant = merchantOf(doing)
    const { orderTraces } = context
    const order = await ownOrder(context, doing, serviceOrderId)
    const jobs = await orderTraces.jobs(order.id)
    const deliveries = await orderTraces.deliveries(merchant, order.id)
    const attempts = await orderTraces.attempts(deliveries.map(({ id }) => id))
    const refunds = (await refundsOf(context.db.read, [order.id])).get(order.id) ?? []
    const isMasked = masksCustomers(doing)
    const told = toldAnswer({
      sms: await context.texts.about('order-ready', order.id),
      mail: await context.notices.find(context.db.read, readyMailId(order.id)),
    })
    return { ...traceOf({ order, merchantId: merchant.publicId, jobs, deliveries, attempts, refunds, isMasked }), told }
  },

  'orders.drawing': async (context, doing, { serviceOrderId }) => {
    const order = await ownOrder(context, doing, serviceOrderId)
    return drawingOf(context, { merchant: merchantOf(doing), orderId: order.id, isMasked: masksCustomers(doing) })
  },
}

/** @throws ServiceError order.not_found (404): also of another account or merchant */
async function ownOrder({ orders }: ControlContext, doing: Doing, id: ServiceOrderId) {
  const order = await orders.find(merchantOf(doing), id)
  if (order === null) throw new ServiceError('order.not_found')
  return order
}
