// An item as in menu files and test merchants, and as a row of the catalog. Pure.
import type { CatalogItemsTable } from '#cloud/storage/schema-catalog.ts'

/** Without stock and silences: those are no menu's. */
export interface MenuItem {
  umsId: string
  name: string
  kind: 'item' | 'modifier'
  priceCents: number | null
  prepMinutes: number | null
  /** Null goes to the default printer. */
  station: string | null
  category: string | null
}

/** The columns of the catalog, without the keys. */
export function columnsOfItem({ name, kind, priceCents, prepMinutes, station, category }: MenuItem) {
  return { name, kind, price_cents: priceCents, prep_minutes: prepMinutes, station, category }
}

/** A row of the catalog in the form of a menu. */
export function menuItemOf(row: CatalogItemsTable): MenuItem {
  return {
    umsId: row.ums_id,
    name: row.name,
    kind: row.kind,
    priceCents: row.price_cents,
    prepMinutes: row.prep_minutes,
    station: row.station,
    category: row.category,
  }
}
