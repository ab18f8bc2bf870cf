// The changes of a menu file: each item compared with the catalog.
import { createHash } from 'node:crypto'
import type { MenuItem } from '#cloud/catalog/menu-item.ts'
import { slicesOf } from './list-slices.ts'

/** 1 ms of work. */
const AT_ONCE = 1_000
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
export async function menuDiff(items: readonly MenuItem[], present: ReadonlyMap<string, MenuItem>): Promise<MenuDiff> {
  const diff: MenuDiff = { added: 0, changed: 0, same: 0, items: [] }
  for await (const slice of slicesOf(items, AT_ONCE))
    for (const item of slice) {
      const change = changeOf(item, present.get(item.umsId))
      diff[change?.kind ?? 'same'] += 1
      if (change !== null && diff.items.length < MOST_LISTED) diff.items.push(change)
    }
  return diff
}

/** Null: the catalog has the same item. */
function changeOf(item: MenuItem, before: MenuItem | undefined): MenuChange | null {
  const fields = MENU_FIELDS.map((field) => ({ field, before: before?.[field] ?? null, after: item[field] }))
  const differs = fields.filter((one) => one.before !== one.after)
  if (before === undefined) return { umsId: item.umsId, name: item.name, kind: 'added', fields: differs }
  return differs.length === 0 ? null : { umsId: item.umsId, name: before.name, kind: 'changed', fields: differs }
}

/** A hash of the catalog's rows of these items: the same text means the same items. */
export async function basisOf(items: readonly MenuItem[], present: ReadonlyMap<string, MenuItem>): Promise<string> {
  const hash = createHash('sha256')
  for await (const slice of slicesOf(items, AT_ONCE))
    hash.update(JSON.stringify(slice.map(({ umsId }) => present.get(umsId) ?? null)))
  return hash.digest('hex')
}
