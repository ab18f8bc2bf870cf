// Properties of the board's layout, for any tickets on any screen: nothing is lost, cut or out of order, and Ready is on the page.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import {
  type Grid,
  idsByPage,
  type Layout,
  layOut,
  type Part,
  roomPx,
  type SizedBlock,
  type SizedTicket,
} from './board-layout.ts'

const GRID: Grid = { columns: 2, heightPx: 400, gapPx: 10, framePx: 6, nextHeadPx: 40, smallFootPx: 50 }
const block = (kind: SizedBlock['kind'], heightPx: number): SizedBlock => ({ kind, heightPx })
const ticket = (id: string, lines: number, linePx = 40): SizedTicket => ({
  id,
  blocks: [block('head', 60), ...Array.from({ length: lines }, () => block('line', linePx)), block('foot', 70)],
})
const placeOf = ({ page, column, topPx, heightPx, n, of }: Part) => [page, column, topPx, heightPx, `${n}/${of}`]

const grids: fc.Arbitrary<Grid> = fc.record({
  columns: fc.integer({ min: 1, max: 8 }),
  heightPx: fc.integer({ min: 300, max: 1_000 }),
  gapPx: fc.integer({ min: 0, max: 12 }),
  framePx: fc.integer({ min: 0, max: 10 }),
  nextHeadPx: fc.integer({ min: 20, max: 60 }),
  smallFootPx: fc.integer({ min: 20, max: 60 }),
})

/** Up to 120 lines. No block is taller than a column. */
const ticketBlocks = fc
  .record({
    head: fc.integer({ min: 30, max: 110 }),
    banners: fc.array(fc.integer({ min: 20, max: 120 }), { maxLength: 4 }),
    lines: fc.array(
      fc.record({
        isCourse: fc.boolean(),
        line: fc.integer({ min: 24, max: 120 }),
        more: fc.array(fc.integer({ min: 15, max: 90 }), { maxLength: 8 }),
      }),
      { minLength: 1, maxLength: 120 },
    ),
    hasTail: fc.boolean(),
    hasFoot: fc.boolean(),
  })
  .map(({ head, banners, lines, hasTail, hasFoot }): SizedBlock[] => [
    block('head', head),
    ...banners.map((heightPx) => block('banner', heightPx)),
    ...lines.flatMap(({ isCourse, line, more }) => [
      ...(isCourse ? [block('course', 40)] : []),
      block('line', line),
      ...more.map((heightPx) => block('more', heightPx)),
    ]),
    ...(hasTail ? [block('tail', 24)] : []),
    ...(hasFoot ? [block('foot', 70)] : []),
  ])
const boards = fc
  .array(ticketBlocks, { maxLength: 12 })
  .map((all) => all.map((blocks, index): SizedTicket => ({ id: `t${index}`, blocks })))

function holds(law: (tickets: readonly SizedTicket[], grid: Grid, layout: Layout) => void): void {
  assertProperty(fc.property(boards, grids, (tickets, grid) => law(tickets, grid, layOut(tickets, grid))))
}
const partsOf = ({ parts }: Layout, id: string): Part[] => parts.filter((part) => part.id === id)
const sum = (blocks: readonly SizedBlock[]): number => blocks.reduce((px, { heightPx }) => px + heightPx, 0)
/** Column number through all pages. */
const columnOf = ({ page, column }: Part, { columns }: Grid): number => page * columns + column

describe('the layout', () => {
  it('loses and repeats no block, and keeps their order, within a ticket and between tickets', () => {
    holds((tickets, grid, layout) => {
      expect([...new Set(layout.parts.map(({ id }) => id))]).toEqual(tickets.map(({ id }) => id))
      for (const { id, blocks } of tickets) {
        const parts = partsOf(layout, id)
        expect(parts.map(({ from }) => from)).toEqual([0, ...parts.slice(0, -1).map(({ to }) => to)])
        expect(parts[parts.length - 1]?.to).toBe(blocks.length)
        for (const { from, to } of parts) expect(to).toBeGreaterThan(from)
      }
      const places = layout.parts.map((part) => columnOf(part, grid) * 10_000 + part.topPx)
      expect(places).toEqual([...places].sort((a, b) => a - b))
    })
  })

  it('gives each part the space of its frame, its heads, its blocks and its buttons', () => {
    holds((tickets, grid, layout) => {
      for (const { id, blocks } of tickets)
        for (const { from, to, n, of, heightPx } of partsOf(layout, id)) {
          const headPx = n > 1 ? grid.nextHeadPx : 0
          const footPx = n === 1 && of > 1 ? grid.smallFootPx : 0
          expect(heightPx).toBe(grid.framePx + headPx + footPx + sum(blocks.slice(from, to)))
        }
    })
  })

  it('overlaps and cuts nothing', () => {
    holds((_tickets, grid, { parts, pages }) => {
      parts.forEach((part, index) => {
        expect(part.topPx + part.heightPx).toBeLessThanOrEqual(grid.heightPx)
        expect([part.column >= 0 && part.column < grid.columns, part.page >= 0 && part.page < pages]).toEqual([
          true,
          true,
        ])
        const before = parts[index - 1]
        if (!before || columnOf(before, grid) !== columnOf(part, grid)) expect(part.topPx).toBe(0)
        else expect(part.topPx).toBe(before.topPx + before.heightPx + grid.gapPx)
      })
    })
  })

  it('numbers the parts of a ticket from one', () => {
    holds((tickets, _grid, layout) => {
      for (const { id } of tickets) {
        const parts = partsOf(layout, id)
        expect(parts.map(({ n }) => n)).toEqual(parts.map((_, index) => index + 1))
        expect(parts.every(({ of }) => of === parts.length)).toBe(true)
      }
    })
  })

  it('moves no ticket when another is appended, and is the same for the same tickets', () => {
    holds((tickets, grid, layout) => {
      const fewer = layOut(tickets.slice(0, -1), grid)
      expect(layout.parts.slice(0, fewer.parts.length)).toEqual(fewer.parts)
      expect(layOut(tickets, grid)).toEqual(layout)
    })
  })

  it('begins a ticket in the next column only if its beginning does not fit below', () => {
    holds((tickets, grid, layout) => {
      tickets.forEach(({ id, blocks }, index) => {
        const [first] = partsOf(layout, id)
        const before = partsOf(layout, tickets[index - 1]?.id ?? '').pop()
        if (!first || !before || columnOf(before, grid) === columnOf(first, grid)) return
        expect(columnOf(first, grid)).toBe(columnOf(before, grid) + 1)
        const leftPx = grid.heightPx - before.topPx - before.heightPx - grid.gapPx - grid.framePx
        // Head, banners and first line; less only if even an empty column could not hold them.
        const line = blocks.findIndex(({ kind }) => kind === 'line')
        const next = blocks.findIndex(({ kind }, at) => at > line && kind !== 'more')
        const beginningPx = sum(blocks.slice(0, next < 0 ? blocks.length : next))
        if (sum(blocks) <= leftPx) throw new Error(`${id} fits whole`)
        // If only tail and foot follow, they are part of the beginning.
        const isAll = next < 0 || blocks[next]?.kind === 'tail' || blocks[next]?.kind === 'foot'
        if (!isAll && beginningPx <= roomPx(grid)) expect(beginningPx + grid.smallFootPx).toBeGreaterThan(leftPx)
      })
    })
  })

  it('keeps a line together unless it is taller than half a column, and puts no heading or button alone if a column holds both', () => {
    holds((tickets, grid, layout) => {
      for (const { id, blocks } of tickets)
        for (const { to } of partsOf(layout, id).slice(0, -1)) {
          const isFree = (at: number): boolean => {
            if (at <= 0 || at >= blocks.length) return true
            const before = blocks[at - 1]?.kind ?? 'line'
            const after = blocks[at]?.kind ?? 'line'
            return (
              !['head', 'banner', 'course'].includes(before) && !['tail', 'foot'].includes(after) && after !== 'more'
            )
          }
          let start = to
          let end = to
          const isMore = blocks[to]?.kind === 'more'
          const holdsOn = isMore ? (at: number) => blocks[at]?.kind === 'more' : (at: number) => !isFree(at)
          if (!holdsOn(to)) continue
          while (holdsOn(start)) start--
          while (holdsOn(end)) end++
          const heightPx = sum(blocks.slice(start, end))
          expect(heightPx).toBeGreaterThan(isMore ? grid.heightPx / 2 : 0)
          const isOfTall = blocks.slice(start, end).some(({ kind }) => kind === 'more')
          if (!isMore && !isOfTall) expect(heightPx).toBeGreaterThan(roomPx(grid))
        }
    })
  })

  it('shows Ready on the page on which a ticket begins, however long the tickets before it are', () => {
    const long: SizedTicket = ticket('long', 120)
    holds((tickets, grid, _layout) => {
      const layout = layOut([long, ...tickets], grid)
      for (const { id, blocks } of [long, ...tickets]) {
        const parts = partsOf(layout, id)
        const page = parts[0]?.page
        const hasFoot = blocks.some(({ kind }) => kind === 'foot')
        const isSplit = parts.length > 1
        const here = parts.filter((part) => part.page === page)
        const footHere = here.some(({ to }) => to === blocks.length)
        // The first part of a split ticket has its buttons too: after one page turn they are visible.
        if (hasFoot) expect(isSplit || footHere).toBe(true)
        expect(here[0]?.n).toBe(1)
      }
    })
  })

  it('puts every ticket on a page, and on none where it has no part', () => {
    holds((tickets, _grid, layout) => {
      const pages = idsByPage(layout)
      expect(pages).toHaveLength(layout.pages)
      expect([...new Set(pages.flat())]).toEqual(tickets.map(({ id }) => id))
      for (const { id } of tickets)
        expect(pages.flatMap((ids, page) => (ids.includes(id) ? [page] : []))).toEqual([
          ...new Set(partsOf(layout, id).map(({ page }) => page)),
        ])
    })
  })
})

describe('a board', () => {
  it('has one empty page without tickets', () => {
    expect(layOut([], GRID)).toEqual({ parts: [], pages: 1 })
  })

  it('fills a column from its top, then the next, then the next page', () => {
    const { parts, pages } = layOut(
      [ticket('a', 1), ticket('b', 1), ticket('c', 1), ticket('d', 1), ticket('e', 1)],
      GRID,
    )
    expect(parts.map(placeOf)).toEqual([
      [0, 0, 0, 176, '1/1'],
      [0, 0, 186, 176, '1/1'],
      [0, 1, 0, 176, '1/1'],
      [0, 1, 186, 176, '1/1'],
      [1, 0, 0, 176, '1/1'],
    ])
    expect(pages).toBe(2)
  })

  it('splits a long ticket: its first part has buttons, the others a small head, and its foot is with the last line', () => {
    const { parts } = layOut([ticket('long', 16)], GRID)
    expect(parts.map(placeOf)).toEqual([
      [0, 0, 0, 396, '1/3'],
      [0, 1, 0, 366, '2/3'],
      [1, 0, 0, 156, '3/3'],
    ])
    expect(parts.map(({ from, to }) => [from, to])).toEqual([
      [0, 8],
      [8, 16],
      [16, 18],
    ])
  })

  it('begins a ticket below another if its head and first line fit, with its buttons', () => {
    const { parts } = layOut([ticket('a', 3), ticket('b', 4)], GRID)
    expect(parts.map(placeOf)).toEqual([
      [0, 0, 0, 256, '1/1'],
      [0, 1, 0, 296, '1/1'],
    ])
    const below = layOut([ticket('a', 1), ticket('b', 4)], GRID)
    expect(below.parts.map(placeOf)).toEqual([
      [0, 0, 0, 176, '1/1'],
      [0, 0, 186, 196, '1/2'],
      [0, 1, 0, 196, '2/2'],
    ])
  })

  it('breaks a line with a long note between its pieces, and gives a piece that no column holds its own column', () => {
    const blocks = [
      block('head', 60),
      block('line', 40),
      ...Array.from({ length: 8 }, () => block('more', 60)),
      block('foot', 70),
    ]
    const { parts } = layOut([{ id: 'noted', blocks }], GRID)
    expect(parts.map(({ from, to }) => [from, to])).toEqual([
      [0, 6],
      [6, 11],
    ])
    const tall = layOut([{ id: 'tall', blocks: [block('head', 60), block('line', 900), block('foot', 70)] }], GRID)
    expect(tall.parts.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ])
  })
})
