// The order as the kitchen gets it: names and stations from the catalog, no prices, no e-mail address.
import type { CatalogRows } from '#cloud/storage/catalog-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { ServiceOrderId } from '#shared/ids.ts'
import type { KitchenOrder } from '#shared/order.ts'
import type { InjectOrder } from '#shared/wire/api/orders.ts'
import type { OrderPlan } from './plan-order.ts'

export function kitchenOrder(
  ids: { serviceOrderId: ServiceOrderId; posOrderId: string | null },
  merchant: MerchantRecord,
  body: InjectOrder,
  plan: Pick<OrderPlan, 'locationId' | 'catalog' | 'queuedAtMs' | 'fireAtMs' | 'estimatedReadyAtMs'>,
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
    items: body.items.map((item) => ({
      umsId: item.umsId,
      name: nameOf(plan.catalog, item.umsId),
      qty: item.qty,
      ...(item.note === undefined || item.note === '' ? {} : { note: item.note }),
      modifiers: (item.modifiers ?? []).map((umsId) => ({ umsId, name: nameOf(plan.catalog, umsId) })),
      station: plan.catalog.get(item.umsId)?.station ?? null,
    })),
  }
}

/** Every id was found before: the id itself stands in only for the compiler. */
function nameOf(catalog: CatalogRows, umsId: string): string {
  return catalog.get(umsId)?.name ?? umsId
}
