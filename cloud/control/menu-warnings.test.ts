// Warnings about characters that no kitchen can print, and that a huge menu does not block other work.
import { expect, test } from 'vitest'
import type { MenuItem } from '#cloud/catalog/menu-item.ts'
import { menuWarnings } from './menu-warnings.ts'

/** Code points that are not assigned. */
const NO_FONT_HAS = 0x5_0000

const named = (name: string, at = 0): MenuItem => ({
  umsId: `item-${at}`,
  ...{ name, kind: 'item', priceCents: null, prepMinutes: null, station: null, category: null },
})
/** Items of so many characters each, all different. */
const menuOf = (items: number, { each, from }: { each: number; from: number }): MenuItem[] =>
  Array.from({ length: items }, (_, at) =>
    named(String.fromCodePoint(...Array.from({ length: each }, (_, i) => from + at * each + i)), at),
  )

test('an item is named with each character that no font has', async () => {
  const [warning, ...others] = await menuWarnings([named('Burger'), named('Crème 中\u0378', 1)])
  expect(others).toEqual([])
  expect(warning).toMatchObject({ umsId: 'item-1', field: 'name', characters: ['U+0378'] })
})

test('other work gets its turns while a large menu is checked', async () => {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const turnsAt: number[] = []
  const item = (_: unknown, at: number): MenuItem => ({
    ...named('', at),
    get name() {
      turnsAt[at] ??= turns
      return 'Crème'
    },
  })
  await menuWarnings(Array.from({ length: 5_000 }, item))
  isOver = true
  // Not of the first: while its fonts are read from the disk everybody has turns.
  expect((turnsAt.at(-1) ?? 0) - (turnsAt[100] ?? 0)).toBeGreaterThanOrEqual(90)
})

test('of a menu with more characters than any script has, the first 5,000 are checked', async () => {
  const warnings = await menuWarnings(menuOf(600, { each: 10, from: NO_FONT_HAS }))
  expect(warnings.flatMap(({ characters }) => characters)).toHaveLength(5_000)
})
