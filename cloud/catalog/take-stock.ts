// Stock that orders take and voids give back, in the order's own unit, and what follows from a stock: low, out, back again.
import type { Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { CatalogItemsTable } from '#cloud/storage/schema-catalog.ts'
import { type FieldError, ServiceError } from '#shared/errors.ts'
import { type Changed, type ItemState, itemState, restored, silencedByStock } from './item-state.ts'
import { type CatalogDeps, NOTHING_TOLD, type SkuEvent, saveItem, type Told } from './save-item.ts'

/**
 * Takes what an order needs. Items that are not counted any more give nothing and refuse nothing.
 * @param needs from `stockNeeds`
 * @returns `taken`: what `giveBackStock` must give back at a void; the rest is for `wakeTold`
 * @throws ServiceError ums.item_silenced (422) naming every item that has too few; the caller's unit must fail with it
 */
export async function takeStock(
  tx: Tx,
  deps: CatalogDeps,
  { merchant, needs, atMs }: { merchant: MerchantRecord; needs: ReadonlyMap<string, number>; atMs: number },
): Promise<Told & { taken: Record<string, number> }> {
  const taken: StockChange[] = []
  const short: FieldError[] = []
  for (const [umsId, quantity] of byUmsId(needs)) {
    const row = await deps.catalog.countDown(tx, { merchantKey: merchant.key, umsId, quantity })
    if (row !== null) {
      taken.push({ row, previous: (row.stock ?? 0) + quantity, atMs })
      continue
    }
    const left = await deps.catalog.item(tx, merchant.key, umsId)
    if (left !== null && left.stock !== null) short.push({ field: 'items', message: tooFew(left, quantity) })
  }
  if (short.length > 0) throw new ServiceError('ums.item_silenced', { errors: short })
  const told = await followAll(tx, deps, { merchant, changes: taken })
  return { ...told, taken: Object.fromEntries(taken.map(({ row }) => [row.ums_id, needs.get(row.ums_id) ?? 0])) }
}

/** Holds the items that `giveBackStock` changes: called before the order's own event, because events come after items (hold.ts). */
export async function holdStock(
  tx: Tx,
  { catalog }: Pick<CatalogDeps, 'catalog'>,
  { merchant, taken }: { merchant: MerchantRecord; taken: Readonly<Record<string, number>> },
): Promise<void> {
  for (const [umsId] of byUmsId(Object.entries(taken))) await catalog.item(tx, merchant.key, umsId)
}

/** Gives back exactly what an order took. Items that are not counted any more get nothing. */
export async function giveBackStock(
  tx: Tx,
  deps: CatalogDeps,
  { merchant, taken, atMs }: { merchant: MerchantRecord; taken: Readonly<Record<string, number>>; atMs: number },
): Promise<Told> {
  const given: StockChange[] = []
  for (const [umsId, quantity] of byUmsId(Object.entries(taken))) {
    const row = await deps.catalog.countUp(tx, { merchantKey: merchant.key, umsId, quantity })
    if (row !== null) given.push({ row, previous: (row.stock ?? 0) - quantity, atMs })
  }
  return followAll(tx, deps, { merchant, changes: given })
}

/** All orders take their items in this order, so that no two wait for each other. */
const byUmsId = (quantities: Iterable<[string, number]>): [string, number][] =>
  [...quantities].sort(([a], [b]) => (a < b ? -1 : 1))

/** When all items are held: an event holds the merchant's stream of events, and comes after them. */
async function followAll(
  tx: Tx,
  deps: CatalogDeps,
  { merchant, changes }: { merchant: MerchantRecord; changes: readonly StockChange[] },
): Promise<Told> {
  let told = NOTHING_TOLD
  for (const change of changes) told = sum(told, await followStock(tx, deps, { merchant, change }))
  return told
}

/** `Entrecôte (UMS-STEAK-01): 3 wanted, 1 left`. */
export function tooFew(row: Pick<CatalogItemsTable, 'ums_id' | 'name' | 'stock'>, wanted: number): string {
  return `${row.ums_id} (${row.name}): ${wanted} wanted, ${row.stock ?? 0} left`
}

export interface StockChange {
  /** With the new stock and threshold, as they are stored. */
  row: CatalogItemsTable
  /** The stock before. */
  previous: number | null
  atMs: number
}

/**
 * What follows from a new stock: `sku.low_stock` once per crossing of the threshold; at 0 the item is silenced everywhere (where the
 * merchant wants that), and above 0 whatever that has silenced is restored.
 */
export async function followStock(
  tx: Tx,
  deps: CatalogDeps,
  { merchant, change: { row, previous, atMs } }: { merchant: MerchantRecord; change: StockChange },
): Promise<Told> {
  const isLow = row.stock !== null && row.stock <= row.low_threshold
  const crossed = isLow && row.low_stock_at === null
  const emptied = row.stock === 0 && previous !== 0
  const refilled = row.stock !== 0 && previous === 0
  const recovered = !isLow && row.low_stock_at !== null
  if (!crossed && !emptied && !refilled && !recovered) return NOTHING_TOLD

  const low_stock_at = isLow ? (row.low_stock_at ?? atMs) : null
  const state = itemState({ ...row, low_stock_at }, await deps.channels.links(tx, merchant.key, row.ums_id))
  const events: SkuEvent[] = []
  if (crossed) events.push(lowStock(state))
  let change: Changed = { state, channels: [] }
  if (emptied && merchant.autoSilence) change = silencedByStock(state, atMs)
  if (refilled) change = restored(state, (place) => place.cause === 'out_of_stock')
  if (change.channels.length > 0) events.push(emptied ? soldOut(change.channels) : inStock(change.channels))
  return (await saveItem(tx, deps, { merchant, change, events })).told
}

function lowStock({ row }: ItemState): SkuEvent {
  return { type: 'sku.low_stock', data: { quantity: row.stock ?? 0, lowThreshold: row.low_threshold } }
}

function soldOut(channels: string[]): SkuEvent {
  return { type: 'sku.silenced', data: { channels, cause: 'out_of_stock', until: null, reason: null } }
}

function inStock(channels: string[]): SkuEvent {
  return { type: 'sku.restored', data: { channels, cause: 'in_stock' } }
}

function sum(a: Told, b: Told): Told {
  return {
    endpointIds: [...a.endpointIds, ...b.endpointIds],
    channelsChanged: a.channelsChanged || b.channelsChanged,
  }
}
