// The sections of the menu page.
import { expect, test } from 'vitest'
import type { SkuResource } from '#cloud/control/menu-list.ts'
import { menuSections } from './menu-sections.ts'

const row = (umsId: string, category: string | null, kind: SkuResource['kind'] = 'item') =>
  ({ umsId, category, kind }) as SkuResource

test('a category begins where the one before ends, and all modifiers are one section', () => {
  const sections = menuSections([
    row('ale', 'Drinks'),
    row('cola', 'Drinks'),
    row('soup', 'Starters'),
    row('water', null),
    row('bacon', 'Extras', 'modifier'),
    row('rare', null, 'modifier'),
  ])
  expect(sections.map(({ kind, category, rows }) => [kind, category, rows.map(({ umsId }) => umsId)])).toEqual([
    ['item', 'Drinks', ['ale', 'cola']],
    ['item', 'Starters', ['soup']],
    ['item', null, ['water']],
    ['modifier', null, ['bacon', 'rare']],
  ])
})

test('of no item there is no section', () => {
  expect(menuSections([])).toEqual([])
})
