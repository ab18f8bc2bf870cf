// Reads items for the API and the dashboard: one, or a page of a list.
import type { CatalogOrder, CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { ChannelStore } from '#cloud/storage/channel-store.ts'
import { type Cursor, ListCursors } from '#cloud/storage/cursor.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { CatalogItemsTable } from '#cloud/storage/schema-catalog.ts'
import { ServiceError } from '#shared/errors.ts'
import { folded } from '#shared/folded.ts'
import { DIRECT_CHANNEL, type SkuResource, type SkusQuery } from '#shared/wire/api/catalog.ts'
import { itemState } from './item-state.ts'
import { skuResource } from './sku-resource.ts'

export interface ReadSkuDeps {
  db: RelayDatabase
  catalog: CatalogStore
  channels: ChannelStore
}

/** @throws ServiceError ums.not_found (404) */
export async function getSku(deps: ReadSkuDeps, merchant: MerchantRecord, umsId: string): Promise<SkuResource> {
  const row = await deps.catalog.item(deps.db.read, merchant.key, umsId)
  if (row === null) throw new ServiceError('ums.not_found')
  return skuResource(itemState(row, await deps.channels.links(deps.db.read, merchant.key, umsId)), merchant.publicId)
}

/** @throws ServiceError channel.unknown, request.invalid: the cursor (422) */
export async function listSkus(
  deps: ReadSkuDeps,
  merchant: MerchantRecord,
  { order, ...query }: Omit<SkusQuery, 'merchantId'> & { order: CatalogOrder },
): Promise<{ data: SkuResource[]; nextCursor: string | null }> {
  await requireChannel(deps, merchant, query.channelId)
  const { q, channelId, state } = query
  const of = [merchant.accountId, merchant.key]
  const cursors = new ListCursors({
    list: order === 'menu' ? 'the menu' : 'skus',
    of,
    filters: { q, channelId, state },
  })
  const found = await rowsOf(deps, merchant, { ...query, order, after: cursors.decode(query.cursor) })
  const { rows, nextCursor } = cursors.page(found, query.limit, (row) => ({ at: 0, id: row.ums_id }))
  const links = await deps.channels.linksOfMany(
    merchant.key,
    rows.map((row) => row.ums_id),
  )
  const data = rows.map((row) => skuResource(itemState(row, links.get(row.ums_id) ?? []), merchant.publicId))
  return { data, nextCursor }
}

/** Rows read at a time while looking for a word. */
const SEARCH_PIECE = 500

/** `limit + 1` rows, if there are as many. The text is searched here, because SQLite folds the case of ASCII letters only. */
async function rowsOf(
  deps: ReadSkuDeps,
  merchant: MerchantRecord,
  query: Omit<SkusQuery, 'merchantId' | 'cursor'> & { order: CatalogOrder; after: Cursor | null },
): Promise<CatalogItemsTable[]> {
  const word = query.q === undefined ? null : folded(query.q)
  const filter = { order: query.order, channelId: query.channelId ?? null, state: query.state ?? null }
  const wanted = query.limit + 1
  const piece = word === null ? wanted : SEARCH_PIECE
  const found: CatalogItemsTable[] = []
  let after = query.after?.id ?? null
  for (;;) {
    const rows = await deps.catalog.page(merchant.key, { ...filter, after }, piece)
    found.push(...rows.filter((row) => word === null || matches(row, word)))
    after = rows.at(-1)?.ums_id ?? null
    if (found.length >= wanted || rows.length < piece) return found.slice(0, wanted)
  }
}

function matches(row: CatalogItemsTable, word: string): boolean {
  return folded(row.name).includes(word) || folded(row.ums_id).includes(word)
}

async function requireChannel(
  deps: ReadSkuDeps,
  merchant: MerchantRecord,
  channelId: string | undefined,
): Promise<void> {
  if (channelId === undefined || channelId === DIRECT_CHANNEL) return
  const known = await deps.channels.list(merchant.key)
  if (known.some((channel) => channel.channel_id === channelId)) return
  throw new ServiceError('channel.unknown', {
    errors: [{ field: 'channelId', message: `${channelId} is not connected` }],
  })
}
