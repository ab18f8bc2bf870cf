// An order as the dashboard shows it: a line of a list, the proof of its paper, the number that people call it by. Pure.

import { orderResource } from '#cloud/orders/order-resource.ts'
import { withoutCustomers } from '#cloud/requests/hide-fields.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { asId } from '#shared/ids.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import type { OrderResource } from '#shared/wire/api/orders.ts'
import type { OrderRowAnswer, Proof } from './order-list.ts'

const MOST_LINES = 4

export interface ViewOf {
  /** `M-...` */
  merchantId: string
  /** Customers are hidden from the viewer. */
  isMasked: boolean
}

/** @param of the order's own row, or one that was just moved */
export function rowOf(of: OrdersTable, view: ViewOf): OrderRowAnswer {
  return rowOfOrder(orderResource(of, view.merchantId), view)
}

export function rowOfOrder(whole: OrderResource, { isMasked }: ViewOf): OrderRowAnswer {
  const order = isMasked ? withoutCustomers(whole) : whole
  return {
    serviceOrderId: asId<'ord'>(order.serviceOrderId),
    orderId: order.orderId,
    number: orderNumber(order),
    source: order.source,
    status: order.status,
    proof: proofOf(order),
    items: order.items.slice(0, MOST_LINES).map(({ name, qty }) => ({ name, qty })),
    lines: order.items.length,
    pieces: order.items.reduce((sum, { qty }) => sum + qty, 0),
    total: order.total,
    tip: order.tip,
    refundable: order.refundable,
    orderType: order.orderType,
    table: order.table,
    customerName: order.customer?.name ?? null,
    queuedAt: order.queuedAt,
    fireAt: order.fireAt,
    estimatedReadyAt: order.estimatedReadyAt,
    readyAt: order.readyAt,
    endedAt: order.completedAt ?? order.voidedAt,
  }
}

export function proofOf({ printState, printProof }: Pick<OrderResource, 'printState' | 'printProof'>): Proof {
  switch (printState) {
    case 'printed':
      // Without facts there is no proof of printing.
      return printProof?.confirmation ?? 'assumed'
    case 'pending':
      return 'waiting'
    default:
      return printState
  }
}
