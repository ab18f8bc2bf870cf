// Silences and restores items, and sets their stock: what /v1/sku/{umsId} does, in the caller's unit.
import type { Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { fromIso, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import {
  DIRECT_CHANNEL,
  type RestoreSku,
  type SetStock,
  type SilenceSku,
  type SkuResource,
} from '#shared/wire/api/catalog.ts'
import { type Changed, type ItemState, type Place, restored, silencedByCall } from './item-state.ts'
import { type CatalogDeps, loadItem, NOTHING_TOLD, type SkuEvent, saveItem, wakeTold } from './save-item.ts'
import { skuResource } from './sku-resource.ts'
import { followStock } from './take-stock.ts'

export type SkuDeps = CatalogDeps & { deliveries: DeliveryStore }

/**
 * Silences on the named channels where the item is sold; without names, on all of them and `direct`. A channel that is silenced already
 * gets the new `until` and `reason`. One `sku.silenced` names the channels that changed; when none did, there is no event.
 * @throws ServiceError ums.not_found (404), channel.unknown, request.invalid: `until` is not ahead (422)
 */
export async function silenceSku(
  tx: Tx,
  deps: SkuDeps,
  {
    merchant,
    umsId,
    ...body
  }: { merchant: MerchantRecord; umsId: string } & Pick<SilenceSku, 'channels' | 'until' | 'reason'>,
): Promise<Effect<SkuResource>> {
  const atMs = deps.clock.now()
  const until = untilOf(body.until, atMs)
  const reason = body.reason ?? null
  const state = await requireItem(tx, deps, { merchant, umsId })
  const isMeant = await placesMeant(tx, deps, { merchant, wanted: body.channels })
  const change = silencedByCall(state, isMeant, { atMs, until, reason })
  return saved(tx, deps, {
    merchant,
    change,
    event: {
      type: 'sku.silenced',
      data: { channels: change.channels, cause: 'call', until: until === null ? null : toIso(until), reason },
    },
  })
}

/**
 * Restores on the named channels, or on all and `direct`, whatever had silenced them.
 * @throws ServiceError ums.not_found (404), channel.unknown (422)
 */
export async function restoreSku(
  tx: Tx,
  deps: SkuDeps,
  { merchant, umsId, ...body }: { merchant: MerchantRecord; umsId: string } & Pick<RestoreSku, 'channels'>,
): Promise<Effect<SkuResource>> {
  const state = await requireItem(tx, deps, { merchant, umsId })
  const change = restored(state, await placesMeant(tx, deps, { merchant, wanted: body.channels }))
  return saved(tx, deps, {
    merchant,
    change,
    event: { type: 'sku.restored', data: { channels: change.channels, cause: 'call' } },
  })
}

/** Sets how many are left (null: not counted) and the threshold, and does what follows from that. @throws ServiceError ums.not_found (404) */
export async function setStock(
  tx: Tx,
  deps: SkuDeps,
  {
    merchant,
    umsId,
    ...body
  }: { merchant: MerchantRecord; umsId: string } & Pick<SetStock, 'quantity' | 'lowThreshold'>,
): Promise<Effect<SkuResource>> {
  const before = await requireItem(tx, deps, { merchant, umsId })
  const columns = { stock: body.quantity, low_threshold: body.lowThreshold ?? before.row.low_threshold }
  await deps.catalog.update(tx, before.row, columns)
  const row = { ...before.row, ...columns }
  const told = await followStock(tx, deps, {
    merchant,
    change: { row, previous: before.row.stock, atMs: deps.clock.now() },
  })
  const after = await requireItem(tx, deps, { merchant, umsId })
  return { answer: skuResource(after, merchant.publicId), wake: () => wakeTold(deps, told) }
}

async function requireItem(
  tx: Tx,
  deps: SkuDeps,
  { merchant, umsId }: { merchant: MerchantRecord; umsId: string },
): Promise<ItemState> {
  const state = await loadItem(tx, deps, { merchant, umsId })
  if (state === null) throw new ServiceError('ums.not_found')
  return state
}

async function saved(
  tx: Tx,
  deps: SkuDeps,
  { merchant, change, event }: { merchant: MerchantRecord; change: Changed; event: SkuEvent },
): Promise<Effect<SkuResource>> {
  const { state, told } =
    change.channels.length === 0
      ? { state: change.state, told: NOTHING_TOLD }
      : await saveItem(tx, deps, { merchant, change, events: [event] })
  return { answer: skuResource(state, merchant.publicId), wake: () => wakeTold(deps, told) }
}

/** Which places a call means. @throws ServiceError channel.unknown (422) naming every channel that the merchant does not have */
async function placesMeant(
  tx: Tx,
  deps: SkuDeps,
  { merchant, wanted }: { merchant: MerchantRecord; wanted: readonly string[] | undefined },
): Promise<(place: Place) => boolean> {
  if (wanted === undefined) return () => true
  const known = new Set([DIRECT_CHANNEL])
  for (const { channel_id } of await deps.channels.list(merchant.key, tx)) known.add(channel_id)
  const errors = wanted
    .map((channelId, i) => ({ channelId, field: `channels[${i}]`, message: `${channelId} is not connected` }))
    .filter(({ channelId }) => !known.has(channelId))
    .map(({ field, message }) => ({ field, message }))
  if (errors.length > 0) throw new ServiceError('channel.unknown', { errors })
  const meant = new Set(wanted)
  return (place) => meant.has(place.channelId)
}

function untilOf(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null
  const until = fromIso(text)
  if (until !== null && until > nowMs) return until
  throw new ServiceError('request.invalid', {
    errors: [{ field: 'until', message: `must be later than ${toIso(nowMs)}` }],
  })
}
