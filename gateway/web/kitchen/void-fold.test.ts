// Properties of a folded void, for orders of any length: it is short, shows how much was voided, loses nothing, and has its button.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boardLine, boardOrder, FRIDAY_MS, fortyLines, fridayNight } from '#test/fixtures/friday-orders.ts'
import { assertProperty } from '#test/harness/property.ts'
import { type BlockKind, type Grid, layOut } from './board-layout.ts'
import { blocksOf, type TicketBlock } from './ticket-blocks.ts'
import { FOLDED_LINES, withFold } from './void-fold.ts'

const EXPO = { displayId: 'd1', stations: [], served: ['grill', 'fry', 'cold'], adopts: false }
const GRILL = { ...EXPO, stations: ['grill'] }

const voids = fc
  .record({
    lines: fc.array(
      fc.record({
        name: fc.constantFrom('Soup', 'Burger', 'Salad'),
        station: fc.constantFrom('grill', 'fry'),
        modifiers: fc.array(fc.constantFrom('- NO onion', '+ bacon'), { maxLength: 6 }),
        note: fc.option(fc.string({ maxLength: 600 })),
        isAllergy: fc.boolean(),
        course: fc.constantFrom(null, 2),
      }),
      { minLength: 1, maxLength: 120 },
    ),
    isTest: fc.boolean(),
    note: fc.option(fc.string({ maxLength: 600 })),
    allergens: fc.array(fc.constantFrom({ words: 'nuts', seat: 1, item: 'Soup' }, { words: 'milk', seat: null }), {
      maxLength: 40,
    }),
    addOnTo: fc.constantFrom(null, '7'),
    recalledAtMs: fc.constantFrom(null, FRIDAY_MS),
    paper: fc.constantFrom('printed' as const, 'failed' as const),
  })
  .map(({ lines, ...order }) =>
    boardOrder(1, {
      ...order,
      lines: [boardLine({ name: 'First' }), ...lines.map((line) => boardLine(line))],
      courses: [{ course: 2, stations: ['grill', 'fry'], firedAtMs: null }],
      voidedAtMs: FRIDAY_MS,
      voidReason: 'guest left',
    }),
  )
const viewers = fc.constantFrom(EXPO, GRILL)

function holds(law: (whole: TicketBlock[], folded: readonly TicketBlock[], opened: readonly TicketBlock[]) => void) {
  assertProperty(
    fc.property(voids, viewers, (order, viewer) => {
      const whole = blocksOf(order, viewer, '8')
      law(whole, withFold(whole, order, false), withFold(whole, order, true))
    }),
  )
}
const ofKind = (blocks: readonly TicketBlock[], is: TicketBlock['content']['is']) =>
  blocks.filter(({ content }) => content.is === is)
const placesOf = (blocks: readonly TicketBlock[]) =>
  blocks.flatMap(({ content }) => (content.is === 'line' ? [content.place] : []))

describe('a folded void', () => {
  it('has its head, its banners, at most four lines without modifiers and notes, and its button last', () => {
    holds((whole, folded) => {
      if (folded === whole) return
      expect(folded[0]?.content.is).toBe('head')
      expect(folded[folded.length - 1]?.content).toEqual({ is: 'foot', buttons: 'void-seen' })
      expect(ofKind(folded, 'line').length).toBeLessThanOrEqual(FOLDED_LINES)
      expect(folded.every(({ kind }) => kind !== 'more')).toBe(true)
      expect(ofKind(folded, 'banner').length).toBe(ofKind(whole, 'banner').length)
    })
  })

  it('shows how many lines were voided, and how many of them it hides', () => {
    holds((whole, folded) => {
      if (folded === whole) return
      const places = placesOf(whole)
      expect(placesOf(folded)).toEqual(places.slice(0, FOLDED_LINES))
      const counts = ofKind(folded, 'banner').flatMap(({ content }) => ('lines' in content ? [content.lines] : []))
      expect(counts).toEqual(places.length > FOLDED_LINES ? [places.length] : [])
      expect(ofKind(folded, 'fold').map(({ content }) => content)).toEqual([
        { is: 'fold', more: places.length - placesOf(folded).length, isOpen: false },
      ])
    })
  })

  it('that is opened has all of its ticket, in its order, and the button to close it after its first lines', () => {
    holds((whole, folded, opened) => {
      if (folded === whole) return expect(opened).toBe(whole)
      const rest = opened.filter(({ content }) => content.is !== 'fold')
      expect(rest.map(({ kind }) => kind)).toEqual(whole.map(({ kind }) => kind))
      expect(placesOf(rest)).toEqual(placesOf(whole))
      const at = opened.findIndex(({ content }) => content.is === 'fold')
      expect(opened[at]?.content).toMatchObject({ isOpen: true })
      expect(placesOf(opened.slice(0, at))).toEqual(placesOf(whole).slice(0, FOLDED_LINES))
      expect(opened[at + 1]?.kind).not.toBe('more')
    })
  })

  it('is not folded with seven lines and its stations below them, whatever is above', () => {
    const folds = (count: number) => {
      const lines = Array.from({ length: count }, (_, n) => boardLine({ name: `Dish ${n}` }))
      const allergens = [{ words: 'nuts', seat: null }]
      const whole = blocksOf(boardOrder(1, { lines, allergens, voidedAtMs: FRIDAY_MS }), EXPO, '8')
      return withFold(whole, { voidedAtMs: FRIDAY_MS }, false) !== whole
    }
    expect([1, 7, 8, 40].map(folds)).toEqual([false, false, true, true])
  })

  it('takes at most two columns on any screen', () => {
    const heights: Readonly<Record<BlockKind, number>> = {
      head: 110,
      banner: 50,
      course: 52,
      line: 60,
      more: 30,
      tail: 50,
      foot: 70,
    }
    const grids = fc.record({
      columns: fc.integer({ min: 1, max: 8 }),
      heightPx: fc.integer({ min: 560, max: 1_000 }),
      gapPx: fc.constant(8),
      framePx: fc.constant(4),
      nextHeadPx: fc.constant(50),
      smallFootPx: fc.constant(54),
    }) satisfies fc.Arbitrary<Grid>
    assertProperty(
      fc.property(voids, viewers, grids, (order, viewer, grid) => {
        const blocks = withFold(blocksOf(order, viewer, '8'), order, false)
        if (blocks.every(({ content }) => content.is !== 'fold')) return
        const sized = blocks.map(({ kind }) => ({ kind, heightPx: heights[kind] }))
        const { parts } = layOut([{ id: 'void', blocks: sized }], grid)
        expect(parts.length).toBeLessThanOrEqual(2)
      }),
    )
  })
})

it('is only for voided orders: what is still to be made is never folded', () => {
  for (const order of [fortyLines(7), ...fridayNight().filter(({ voidedAtMs }) => voidedAtMs === null)]) {
    const whole = blocksOf(order, EXPO, '')
    expect(withFold(whole, order, false)).toBe(whole)
  }
})
