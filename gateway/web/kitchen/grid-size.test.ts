// How many columns a screen has.
import { expect, it } from 'vitest'
import { COLUMN_PX, gridSize } from './grid-size.ts'

it.each([
  [390, [1, 1, 1, 1]],
  [800, [3, 2, 2, 1]],
  [1_024, [4, 3, 3, 2]],
  [1_280, [5, 4, 3, 3]],
  [1_920, [8, 6, 5, 4]],
])('a screen of %i px has %j columns, from small to very large tickets', (width, columns) => {
  const area = { width: width - 16, height: 600 }
  const found = (['S', 'M', 'L', 'XL'] as const).map((density) => gridSize(area, { density, columns: 'auto' }).columns)
  expect(found).toEqual(columns)
})

it('columns and the gaps between them fill the width, and a fixed number is kept', () => {
  const { columns, columnPx, gapPx } = gridSize({ width: 1_264, height: 600.7 }, { density: 'M', columns: '3' })
  expect(columns).toBe(3)
  expect(1_264 - (3 * columnPx + 2 * gapPx)).toBeLessThan(3)
  expect(gridSize({ width: 200, height: 600 }, { density: 'L', columns: 'auto' }).columns).toBe(1)
  expect(Object.values(COLUMN_PX)).toEqual([220, 280, 340, 420])
})
