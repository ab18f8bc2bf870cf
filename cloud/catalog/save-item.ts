// The one door through which an item changes: its row, its places with the outbox to their platforms, and its events, in the caller's unit.
import type { CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { ChannelStore } from '#cloud/storage/channel-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { CatalogItemsTable } from '#cloud/storage/schema-catalog.ts'
import { recordEvent } from '#cloud/webhooks/record-event.ts'
import type { Clock } from '#shared/clock.ts'
import type { WebhookId } from '#shared/ids.ts'
import type { WebhookEventData } from '#shared/wire/webhook-event.ts'
import { type Changed, type ItemState, itemState, silencedAt } from './item-state.ts'
import { skuResource } from './sku-resource.ts'

export interface CatalogDeps {
  catalog: CatalogStore
  channels: ChannelStore
  clock: Clock
}

/** What must be announced after the commit, by `wakeTold`. */
export interface Told {
  /** Endpoints with a new delivery. */
  endpointIds: WebhookId[]
  channelsChanged: boolean
}

export const NOTHING_TOLD: Told = { endpointIds: [], channelsChanged: false }

/** An event of an item without the item itself, which is added as it is after the change. */
export type SkuEvent = {
  [T in 'sku.silenced' | 'sku.restored' | 'sku.low_stock']: { type: T; data: Omit<WebhookEventData<T>, 'sku'> }
}['sku.silenced' | 'sku.restored' | 'sku.low_stock']

/** The item with its places; null when the merchant has none with this id. */
export async function loadItem(
  tx: Tx,
  deps: Pick<CatalogDeps, 'catalog' | 'channels'>,
  { merchant, umsId }: { merchant: Pick<MerchantRecord, 'key'>; umsId: string },
): Promise<ItemState | null> {
  const row = await deps.catalog.item(tx, merchant.key, umsId)
  return row === null ? null : itemState(row, await deps.channels.links(tx, merchant.key, umsId))
}

/**
 * Writes a change and records its events.
 * @param change its state, with `channels` naming the places that differ from what is stored
 * @returns the state as it is stored now
 */
export async function saveItem(
  tx: Tx,
  deps: CatalogDeps,
  { merchant, change, events }: { merchant: MerchantRecord; change: Changed; events: readonly SkuEvent[] },
): Promise<{ state: ItemState; told: Told }> {
  const { state, channels } = change
  const nowMs = deps.clock.now()
  const row: CatalogItemsTable = {
    ...state.row,
    ...directColumns(state),
    silenced_at: silencedAt(state),
    sequence: state.row.sequence + events.length,
  }
  await deps.catalog.update(tx, row, changeable(row))
  let channelsChanged = false
  for (const { channelId, link, ...mark } of state.places) {
    if (link === null || !channels.includes(channelId)) continue
    const connected = link.channel_status === 'connected'
    const columns = { silenced_at: mark.silencedAt, silenced_until: mark.until, cause: mark.cause, reason: mark.reason }
    await deps.channels.mark(tx, link, { mark: columns, nextAt: connected ? nowMs : null })
    channelsChanged ||= connected
  }
  const saved = { ...state, row }
  const endpointIds = await recordEvents(tx, deps, { merchant, state: saved, events })
  return { state: saved, told: { endpointIds, channelsChanged } }
}

/** Fires the signals of what was recorded. Call it after the commit. */
export function wakeTold(deps: { deliveries: DeliveryStore; channels: ChannelStore }, told: Told): void {
  deps.deliveries.announce(told.endpointIds)
  if (told.channelsChanged) deps.channels.changed.notify()
}

async function recordEvents(
  tx: Tx,
  deps: CatalogDeps,
  { merchant, state, events }: { merchant: MerchantRecord; state: ItemState; events: readonly SkuEvent[] },
): Promise<WebhookId[]> {
  const { row } = state
  const sku = skuResource(state, merchant.publicId)
  const atMs = deps.clock.now()
  const endpointIds: WebhookId[] = []
  for (const [i, { type, data }] of events.entries()) {
    const recorded = await recordEvent(tx, deps, {
      type,
      audience: 'merchant',
      accountId: merchant.ownerAccountId,
      merchantKey: merchant.key,
      merchantId: merchant.publicId,
      environment: merchant.environment,
      subjectId: `${merchant.key}/${row.ums_id}`,
      sequence: row.sequence - events.length + i + 1,
      act: String(atMs),
      atMs,
      data: { sku, ...data },
    })
    endpointIds.push(...recorded.endpointIds)
  }
  return endpointIds
}

function directColumns(state: ItemState): Partial<CatalogItemsTable> {
  const direct = state.places.find(({ link }) => link === null)
  if (direct === undefined) return {}
  return {
    direct_silenced_at: direct.silencedAt,
    direct_silenced_until: direct.until,
    direct_cause: direct.cause,
    direct_reason: direct.reason,
  }
}

/** Everything except the key and the menu's own columns. */
function changeable(row: CatalogItemsTable): Partial<CatalogItemsTable> {
  const { merchant_id, ums_id, name, kind, price_cents, prep_minutes, station, category, ...columns } = row
  return columns
}
