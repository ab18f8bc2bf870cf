// The menu in sections, as it comes: items of a category, then those of none, then modifiers. Pure.
import type { SkuResource } from '#cloud/control/menu-list.ts'

export interface MenuSection {
  kind: SkuResource['kind']
  /** Null: of items without one, and of modifiers. */
  category: string | null
  rows: SkuResource[]
}

/** @param rows in the order of `menu.list` */
export function menuSections(rows: readonly SkuResource[]): MenuSection[] {
  const sections: MenuSection[] = []
  for (const row of rows) {
    const category = row.kind === 'modifier' ? null : row.category
    const last = sections.at(-1)
    if (last?.kind === row.kind && last.category === category) last.rows.push(row)
    else sections.push({ kind: row.kind, category, rows: [row] })
  }
  return sections
}
