// What a menu file changes: each item beside what stands in the catalog. Pure.
import type { MenuItem } from '#cloud/catalog/menu-item.ts'
import { sha256Hex } from '#shared/gateway-token.ts'

/** More are counted, not listed. */
const MOST_LISTED = 500

type Value = string | number | null

export interface MenuDiff {
  added: number
  changed: number
  same: number
  /** In the order of the file: what is added and what changes. */
  items: MenuChange[]
}

export interface MenuChange {
  umsId: string
  name: string
  kind: 'added' | 'changed'
  /** Prices in cents. `before` is null for an item that is added. */
  fields: { field: MenuField; before: Value; after: Value }[]
}

export const MENU_FIELDS = ['name', 'kind', 'priceCents', 'prepMinutes', 'station', 'category'] as const
export type MenuField = (typeof MENU_FIELDS)[number]

/** @param present what the catalog has of these items, by umsId */
export function menuDiff(items: readonly MenuItem[], present: ReadonlyMap<string, MenuItem>): MenuDiff {
  const changes = items.flatMap((item): MenuChange[] => {
    const before = present.get(item.umsId)
    const fields = MENU_FIELDS.map((field) => ({ field, before: before?.[field] ?? null, after: item[field] }))
    const differs = fields.filter((one) => one.before !== one.after)
    if (before === undefined) return [{ umsId: item.umsId, name: item.name, kind: 'added', fields: differs }]
    return differs.length === 0 ? [] : [{ umsId: item.umsId, name: before.name, kind: 'changed', fields: differs }]
  })
  const added = changes.filter(({ kind }) => kind === 'added').length
  return {
    added,
    changed: changes.length - added,
    same: items.length - changes.length,
    items: changes.slice(0, MOST_LISTED),
  }
}

/** Stands for what the catalog has of these items: the same text, the same items. */
export function basisOf(items: readonly MenuItem[], present: ReadonlyMap<string, MenuItem>): string {
  return sha256Hex(JSON.stringify(items.map(({ umsId }) => present.get(umsId) ?? null)))
}
