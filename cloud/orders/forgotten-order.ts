// An order as it is written again from its kitchen job, when a gateway hands back what a restored relay has forgotten. Pure.
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { type EpochMs, toIso } from '#shared/clock.ts'
import { asId, type LocationId, type MerchantKey, type PrintJobId } from '#shared/ids.ts'
import { fromCents } from '#shared/money.ts'
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import type { InjectOrder, ModifierObject, OrderResult } from '#shared/wire/api/orders.ts'
import { acceptedState } from './accepted-order.ts'
import type { OrderOrigin } from './order-origin.ts'

export interface ForgottenOrder {
  order: KitchenOrder
  /** Null: it is for the displays alone. */
  printJobId: PrintJobId | null
  origin: OrderOrigin
  merchantKey: MerchantKey
  locationId: LocationId
  nowMs: EpochMs
}

/** What the job does not contain stays empty: the guest's e-mail address, the order that it adds to, what it took from stock. */
export function forgottenOrderRow(forgotten: ForgottenOrder): OrdersTable {
  const { order, printJobId, origin, merchantKey, locationId, nowMs } = forgotten
  const isDue = order.fireAtMs === null || order.fireAtMs <= nowMs
  const result: OrderResult = {
    status: 'accepted',
    serviceOrderId: order.serviceOrderId,
    posOrderId: order.posOrderId,
    queuedAt: toIso(order.queuedAtMs),
    estimatedReadyAt: toIso(order.readyByMs ?? order.queuedAtMs),
    printJobId,
  }
  return {
    id: asId(order.serviceOrderId),
    account_id: origin.accountId,
    merchant_id: merchantKey,
    location_id: locationId,
    client_order_id: order.orderId,
    body_hash: origin.bodyHash,
    body: JSON.stringify(bodyOf(forgotten)),
    result: JSON.stringify(result),
    item_names: JSON.stringify(namesOf(order)),
    total_cents: origin.totalCents,
    tip_cents: origin.tipCents,
    pos_order_id: order.posOrderId,
    ...acceptedState(printJobId, isDue),
    queued_at: order.queuedAtMs,
    estimated_ready_at: order.readyByMs ?? order.queuedAtMs,
    fire_at: order.fireAtMs,
    fired_at: isDue ? (order.fireAtMs ?? order.queuedAtMs) : null,
    stock_taken: null,
    handed_back_at: nowMs,
  }
}

function bodyOf({ order, printJobId, origin }: ForgottenOrder): InjectOrder {
  const { orderType, table, guests, server, note, allergens, customer } = order
  const body = {
    merchantId: order.merchantId,
    orderId: order.orderId,
    source: order.source,
    items: order.items.map(lineOf),
    total: fromCents(origin.totalCents),
    ...(origin.tipCents === 0 ? {} : { tip: fromCents(origin.tipCents) }),
    print: printJobId !== null,
    ...(order.fireAtMs === null ? {} : { fireAt: toIso(order.fireAtMs) }),
    locationId: order.locationId,
    ...(customer && { customer }),
    ...{ orderType, table, guests, server, note, allergens },
  }
  // Written as it would be after a check: undefined fields are removed. An order type of a newer relay is kept as it came.
  return JSON.parse(JSON.stringify(body)) as InjectOrder
}

function lineOf({ umsId, qty, note, modifiers, seat, course, allergens, priceCents = 0 }: KitchenLine) {
  return {
    umsId,
    qty,
    price: fromCents(priceCents),
    note,
    modifiers: modifiers.map(({ name: _, ...modifier }): string | ModifierObject => {
      const isPlain = Object.values(modifier).filter((value) => value !== undefined).length === 1
      return isPlain ? modifier.umsId : (modifier as ModifierObject)
    }),
    seat,
    course,
    allergens,
  }
}

function namesOf({ items }: KitchenOrder): Record<string, string> {
  const named = items.flatMap((item) => [item, ...item.modifiers])
  return Object.fromEntries(named.map(({ umsId, name }) => [umsId, name]))
}
