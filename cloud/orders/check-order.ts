// What inject would answer now, without taking the order: for POST /v1/order/check, the dashboard, and orders by voice.
import type { CatalogRows } from '#cloud/storage/catalog-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import { toIso } from '#shared/clock.ts'
import { fromCents } from '#shared/money.ts'
import type { InjectOrder, OrderCheck, OrderResult } from '#shared/wire/api/orders.ts'
import { type InjectDeps, requireSameOrder, routeNow } from './inject-order.ts'
import { modifiersOf } from './modifiers.ts'
import { planOrder } from './plan-order.ts'

export type CheckDeps = Pick<InjectDeps, 'catalog' | 'locations' | 'orders' | 'printJobs' | 'clock'>

type Found = NonNullable<Awaited<ReturnType<OrderStore['find']>>>

/**
 * Reads only. An order that was taken before is answered as it was taken, whatever the menu says today: inject would repeat its answer.
 * @throws ServiceError what `injectOrder` throws for the same body, except request.too_large
 */
export async function checkOrder(deps: CheckDeps, merchant: MerchantRecord, body: InjectOrder): Promise<OrderCheck> {
  const first = await deps.orders.first(merchant, body.orderId)
  if (first !== null) requireSameOrder(first, body)
  const taken = first === null ? null : await deps.orders.find(merchant, first.id)
  return taken === null ? planned(deps, merchant, body) : asTaken(deps, merchant, { body, taken })
}

async function planned(deps: CheckDeps, merchant: MerchantRecord, body: InjectOrder): Promise<OrderCheck> {
  const plan = await planOrder(deps, merchant, { body, nowMs: deps.clock.now() })
  const route = await routeNow(deps, body, plan)
  return {
    serviceOrderId: null,
    total: fromCents(plan.totalCents),
    tip: body.tip ?? 0,
    fireAt: plan.dueNow || plan.fireAtMs === null ? null : toIso(plan.fireAtMs),
    estimatedReadyAt: toIso(plan.estimatedReadyAtMs),
    locationId: plan.locationId,
    items: itemsOf(body, (umsId) => plan.catalog.get(umsId)?.name, plan.catalog),
    ways: route?.ways ?? [],
    ...(route?.isHeldUp === true ? { printPending: true } : {}),
  }
}

async function asTaken(
  { catalog }: CheckDeps,
  merchant: MerchantRecord,
  { body, taken }: { body: InjectOrder; taken: Found },
): Promise<OrderCheck> {
  const { ways = [], printPending } = JSON.parse(taken.result) as OrderResult
  const names = JSON.parse(taken.item_names) as Record<string, string>
  return {
    serviceOrderId: taken.id,
    total: fromCents(taken.total_cents),
    tip: fromCents(taken.tip_cents),
    fireAt: taken.fire_at === null || taken.fire_at <= taken.queued_at ? null : toIso(taken.fire_at),
    estimatedReadyAt: toIso(taken.estimated_ready_at),
    locationId: taken.location_id,
    items: itemsOf(body, (umsId) => names[umsId], await catalog.find(merchant.key, new Set(Object.keys(names)))),
    ways,
    ...(printPending === true ? { printPending } : {}),
  }
}

function itemsOf(
  body: InjectOrder,
  nameOf: (umsId: string) => string | undefined,
  catalog: CatalogRows,
): OrderCheck['items'] {
  const named = (umsId: string) => {
    const cents = catalog.get(umsId)?.price_cents ?? null
    return { umsId, name: nameOf(umsId) ?? umsId, menuPrice: cents === null ? null : cents / 100 }
  }
  return body.items.map((item) => ({
    ...named(item.umsId),
    qty: item.qty,
    price: item.price,
    modifiers: modifiersOf(item).map(({ umsId }) => named(umsId)),
  }))
}
