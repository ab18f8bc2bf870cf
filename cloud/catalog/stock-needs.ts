// How many pieces of which counted items an order needs. Pure.
import type { CatalogRows } from '#cloud/storage/catalog-store.ts'

/** What an order says about its items. */
export interface OrderedItem {
  umsId: string
  qty: number
  modifiers?: readonly string[] | undefined
}

/** Pieces by umsId, modifiers counted with each piece of their item. Items that are not counted are left out: empty for most orders. */
export function stockNeeds(items: readonly OrderedItem[], catalog: CatalogRows): Map<string, number> {
  const needs = new Map<string, number>()
  for (const { umsId, qty, modifiers } of items) {
    for (const id of modifiers === undefined ? [umsId] : [umsId, ...modifiers]) {
      if ((catalog.get(id)?.stock ?? null) !== null) needs.set(id, (needs.get(id) ?? 0) + qty)
    }
  }
  return needs
}
