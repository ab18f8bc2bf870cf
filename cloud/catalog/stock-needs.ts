// How many pieces of which counted items an order needs. Pure.
import type { CatalogRows } from '#cloud/storage/catalog-store.ts'

/** An item of an order. */
export interface OrderedItem {
  umsId: string
  qty: number
  /** Each an id, or an object with how many for one piece of the item (absent: one) and what it does: what is left out takes no stock. */
  modifiers?: readonly (string | { umsId: string; qty?: number | undefined; verb?: string | undefined })[] | undefined
}

/** Pieces by umsId, modifiers counted with each piece of their item. Items that are not counted are left out: empty for most orders. */
export function stockNeeds(items: readonly OrderedItem[], catalog: CatalogRows): Map<string, number> {
  const needs = new Map<string, number>()
  const need = (id: string, pieces: number) => {
    if ((catalog.get(id)?.stock ?? null) !== null) needs.set(id, (needs.get(id) ?? 0) + pieces)
  }
  for (const { umsId, qty, modifiers = [] } of items) {
    need(umsId, qty)
    for (const modifier of modifiers) {
      if (typeof modifier === 'string') need(modifier, qty)
      else if (modifier.verb !== 'remove') need(modifier.umsId, qty * (modifier.qty ?? 1))
    }
  }
  return needs
}
