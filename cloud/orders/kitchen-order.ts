// The order as the restaurant's gateway gets it: names, stations and categories from the catalog, amounts for receipts only, no e-mail address.
import type { CatalogRows } from '#cloud/storage/catalog-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { ServiceOrderId } from '#shared/ids.ts'
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import type { InjectOrder } from '#shared/wire/api/orders.ts'
import { requireCents } from './check-total.ts'
import { modifiersOf } from './modifiers.ts'
import type { OrderPlan } from './plan-order.ts'

export function kitchenOrder(
  ids: { serviceOrderId: ServiceOrderId; posOrderId: string | null },
  merchant: MerchantRecord,
  {
    body,
    plan,
  }: {
    body: InjectOrder
    plan: Pick<
      OrderPlan,
      'locationId' | 'catalog' | 'totalCents' | 'queuedAtMs' | 'fireAtMs' | 'estimatedReadyAtMs' | 'addOnTo'
    >
  },
): KitchenOrder {
  const { name, phone } = body.customer ?? {}
  return {
    serviceOrderId: ids.serviceOrderId,
    orderId: body.orderId,
    merchantId: merchant.publicId,
    locationId: plan.locationId,
    source: body.source,
    posOrderId: ids.posOrderId,
    queuedAtMs: plan.queuedAtMs,
    fireAtMs: plan.fireAtMs,
    readyByMs: plan.estimatedReadyAtMs,
    timeZone: merchant.timeZone,
    ...(name === undefined && phone === undefined ? {} : { customer: { name, phone } }),
    items: body.items.map((item) => kitchenLine(item, plan.catalog)),
    ...detailsOf(body),
    receipt: {
      merchantName: merchant.name,
      currency: merchant.currency,
      totalCents: plan.totalCents,
      tipCents: body.tip === undefined ? 0 : requireCents(body.tip),
    },
    ...(plan.addOnTo === null ? {} : { addOnTo: plan.addOnTo }),
  }
}

/** Details of the whole order; empty texts are left out. */
function detailsOf({ orderType, table, guests, server, note, allergens }: InjectOrder): Partial<KitchenOrder> {
  return {
    ...(orderType && { orderType }),
    ...(table && { table }),
    ...(guests && { guests }),
    ...(server && { server }),
    ...(note && { note }),
    ...(allergens && allergens.length > 0 && { allergens }),
  }
}

/** Of the kitchen's order: named, stationed and priced. */
export function kitchenLine(item: InjectOrder['items'][number], catalog: CatalogRows): KitchenLine {
  const row = catalog.get(item.umsId)
  const category = row?.category ?? null
  return {
    umsId: item.umsId,
    name: nameOf(catalog, item.umsId),
    qty: item.qty,
    ...(item.note === undefined || item.note === '' ? {} : { note: item.note }),
    modifiers: modifiersOf(item).map((modifier) => ({ ...modifier, name: nameOf(catalog, modifier.umsId) })),
    station: row?.station ?? null,
    ...(category === null ? {} : { category }),
    ...(item.seat === undefined ? {} : { seat: item.seat }),
    ...(item.course === undefined ? {} : { course: item.course }),
    ...(item.allergens === undefined ? {} : { allergens: item.allergens }),
    priceCents: requireCents(item.price),
  }
}

/** Every id was found before: the fallback to the id is only for the compiler. */
function nameOf(catalog: CatalogRows, umsId: string): string {
  return catalog.get(umsId)?.name ?? umsId
}
