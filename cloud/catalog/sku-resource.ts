// An item as the API and the SKU events show it.
import { isoOrNull } from '#shared/clock.ts'
import type { SkuChannel, SkuResource } from '#shared/wire/api/catalog.ts'
import { type ItemState, type Place, silencedAt } from './item-state.ts'

/** @param merchantId the public `M-...` id */
export function skuResource(state: ItemState, merchantId: string): SkuResource {
  const { row, places } = state
  return {
    umsId: row.ums_id,
    merchantId,
    name: row.name,
    kind: row.kind,
    price: row.price_cents === null ? null : row.price_cents / 100,
    prepMinutes: row.prep_minutes,
    station: row.station,
    category: row.category,
    state: places.some((place) => place.silencedAt !== null) ? 'silenced' : 'live',
    orderable: silencedAt(state) === null && row.stock !== 0,
    stock: { quantity: row.stock, lowThreshold: row.low_threshold },
    channels: places.map(skuChannel),
  }
}

function skuChannel(place: Place): SkuChannel {
  return {
    channelId: place.channelId,
    externalId: place.link?.external_id ?? null,
    state: place.silencedAt === null ? 'live' : 'silenced',
    silencedAt: isoOrNull(place.silencedAt),
    silencedUntil: isoOrNull(place.until),
    cause: place.cause,
    reason: place.reason,
    sync: place.link?.sync_state ?? 'synced',
  }
}
