// What an inject request comes to before anything is stored: items found, total checked, times and route decided.
import { findOrderItems } from '#cloud/catalog/order-items.ts'
import type { CatalogRows, CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { LocationStore } from '#cloud/storage/location-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import { type EpochMs, fromIso, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { isId, type LocationId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { InjectOrder } from '#shared/wire/api/orders.ts'
import { addOnNumber } from './add-on.ts'
import { checkAmounts } from './check-amounts.ts'
import { checkTotal } from './check-total.ts'

/** How far in the past fireAt may lie and still mean "now": clocks differ. */
const LATE_TOLERANCE_MS = 5 * 60_000
const MINUTE_MS = 60_000

export interface OrderPlan {
  locationId: LocationId
  catalog: CatalogRows
  totalCents: Cents
  queuedAtMs: EpochMs
  fireAtMs: EpochMs | null
  /** False while fireAt is in the future. */
  dueNow: boolean
  estimatedReadyAtMs: EpochMs
  /** What people call the order that it adds to; null when it adds to none. */
  addOnTo: string | null
}

/**
 * Every business rule that needs no write.
 * @throws ServiceError location.unknown, order.fire_at_out_of_range, ums.unknown_item, ums.item_silenced,
 * order.total_mismatch, request.invalid: addOnTo, amounts that the merchant's currency does not have (422)
 */
export async function planOrder(
  deps: { catalog: CatalogStore; locations: LocationStore; orders: OrderStore },
  merchant: MerchantRecord,
  { body, nowMs }: { body: InjectOrder; nowMs: EpochMs },
): Promise<OrderPlan> {
  const locationId = await locationOf(deps.locations, merchant, body.locationId)
  const fireAtMs = fireTimeOf(body.fireAt, merchant, nowMs)
  const catalog = await findOrderItems(deps.catalog, merchant.key, body.items)
  checkAmounts(merchant.currency, [
    ...body.items.map(({ price }, index) => [`items[${index}].price`, price] as const),
    ['total', body.total],
    ['tip', body.tip ?? 0],
  ])
  const totalCents = checkTotal(body)
  const addOnTo = await addOnNumber(deps.orders, merchant, { addOnTo: body.addOnTo })
  const prepMinutes = Math.max(merchant.prepMinutes, ...[...catalog.values()].map((row) => row.prep_minutes ?? 0))
  return {
    locationId,
    catalog,
    totalCents,
    queuedAtMs: nowMs,
    fireAtMs,
    dueNow: fireAtMs === null || fireAtMs <= nowMs,
    estimatedReadyAtMs: Math.max(nowMs, fireAtMs ?? 0) + prepMinutes * MINUTE_MS,
    addOnTo,
  }
}

/** The location that the client names, or the merchant's default one. @throws ServiceError location.unknown (422) */
export async function locationOf(
  locations: LocationStore,
  merchant: MerchantRecord,
  wanted: string | undefined,
): Promise<LocationId> {
  const { defaultLocationId } = merchant
  if (defaultLocationId !== null && (wanted === undefined || wanted === defaultLocationId)) return defaultLocationId
  if (wanted !== undefined && isId('loc', wanted) && (await locations.belongsTo(merchant.key, wanted))) return wanted
  throw new ServiceError('location.unknown', {
    errors: [
      {
        field: 'locationId',
        message: wanted === undefined ? 'the merchant has no default location' : 'the merchant has no such location',
      },
    ],
  })
}

function fireTimeOf(fireAt: string | undefined, merchant: MerchantRecord, nowMs: EpochMs): EpochMs | null {
  if (fireAt === undefined) return null
  const fireAtMs = fromIso(fireAt)
  const earliest = nowMs - LATE_TOLERANCE_MS
  const latest = nowMs + merchant.fireAtHorizonMs
  if (fireAtMs !== null && fireAtMs >= earliest && fireAtMs <= latest) return fireAtMs
  throw new ServiceError('order.fire_at_out_of_range', {
    errors: [{ field: 'fireAt', message: `must lie between ${toIso(earliest)} and ${toIso(latest)}` }],
  })
}
