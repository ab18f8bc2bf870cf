// Checks the items of an order against the merchant's catalog.
import type { CatalogRows, CatalogStore } from '#cloud/storage/catalog-store.ts'
import { type FieldError, ServiceError } from '#shared/errors.ts'
import type { MerchantKey } from '#shared/ids.ts'
import { type OrderedItem, stockNeeds } from './stock-needs.ts'
import { tooFew } from './take-stock.ts'

/**
 * The catalog rows of all items and modifiers. Stock is checked here, so that the refusal names the fields; it is subtracted in the
 * transaction that stores the order.
 * @throws ServiceError ums.unknown_item naming every unknown id; ums.item_silenced naming every silenced or insufficient one (422)
 */
export async function findOrderItems(
  catalog: CatalogStore,
  merchantKey: MerchantKey,
  items: readonly OrderedItem[],
): Promise<CatalogRows> {
  const places = placesOf(items)
  const rows = await catalog.find(merchantKey, new Set(places.keys()))
  const needs = stockNeeds(items, rows)
  const unknown: FieldError[] = []
  const silenced: FieldError[] = []
  for (const [umsId, field] of places) {
    const row = rows.get(umsId)
    const needed = needs.get(umsId) ?? 0
    if (row === undefined) unknown.push({ field, message: `${umsId} is not in the merchant catalog` })
    else if (row.silenced_at !== null) silenced.push({ field, message: `${umsId} (${row.name}) is silenced` })
    else if (row.stock !== null && row.stock < needed) silenced.push({ field, message: tooFew(row, needed) })
  }
  if (unknown.length > 0) throw new ServiceError('ums.unknown_item', { errors: unknown })
  if (silenced.length > 0) throw new ServiceError('ums.item_silenced', { errors: silenced })
  return rows
}

/** Each id with the first field that names it. */
function placesOf(items: readonly OrderedItem[]): Map<string, string> {
  const places = new Map<string, string>()
  items.forEach((item, i) => {
    if (!places.has(item.umsId)) places.set(item.umsId, `items[${i}].umsId`)
    item.modifiers?.forEach((modifier, j) => {
      const isId = typeof modifier === 'string'
      const umsId = isId ? modifier : modifier.umsId
      if (!places.has(umsId)) places.set(umsId, `items[${i}].modifiers[${j}]${isId ? '' : '.umsId'}`)
    })
  })
  return places
}
