// Counts in the drawers: nothing that is made, held, voided or a test; equal lines once, with every ticket.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BoardLine, BoardOrder } from '#shared/wire/kitchen.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { Viewer } from './board-view.ts'
import { batchesOf, countsByStation } from './panel-lists.ts'

const EXPO: Viewer = { displayId: 'd1', stations: [], served: ['grill', 'fry'] }
const GRILL: Viewer = { displayId: 'd2', stations: ['grill'], served: ['grill', 'fry'] }
const station = (key: string, readyAtMs: number | null = null) => ({
  ...{ key, name: key === 'grill' ? 'Grill' : 'Fry', startedAtMs: null, readyAtMs },
})
const line = (name: string, change: Partial<BoardLine> = {}): BoardLine => ({
  ...{ name, qty: 1, note: null, modifiers: [], station: 'grill', isAllergy: false, seat: null, course: null },
  ...change,
})
const order = (number: string, lines: BoardLine[], change: Partial<BoardOrder> = {}): BoardOrder => ({
  ...{ orderId: `ord_${number}`, number, clientOrderId: number, source: 'web', customer: null, orderType: null },
  ...{ table: null, guests: null, server: null, note: null, allergens: [], addOnTo: null, isTest: false, dueAtMs: 0 },
  ...{ readyByMs: null, isScheduled: false, voidedAtMs: null, voidSeenBy: [], changeSeenBy: [], courses: [] },
  ...{ stations: [station('grill'), station('fry')], readyAtMs: null, pickedUpAtMs: null, recalledAtMs: null },
  ...{ struckLines: [], paper: 'printed', lines },
  ...change,
})
const fries = (qty: number) => line('Fries', { qty, station: 'fry' })
const nobody = () => false

describe('all day', () => {
  const counts = (open: BoardOrder[], viewer = EXPO, isLate: (order: BoardOrder) => boolean = nobody) =>
    countsByStation(open, viewer, isLate).map(({ name, items }) => [name, ...items.map((item) => Object.values(item))])

  it('counts by station, the largest first, and of this display only', () => {
    const open = [order('1', [line('Burger', { qty: 2 }), fries(3)]), order('2', [line('Steak'), line('Burger')])]
    expect(counts(open)).toEqual([
      ['Fry', ['Fries', 3, 0]],
      ['Grill', ['Burger', 3, 0], ['Steak', 1, 0]],
    ])
    expect(counts(open, GRILL)).toEqual([['Grill', ['Burger', 3, 0], ['Steak', 1, 0]]])
  })

  it('has late stations and dishes first', () => {
    const open = [order('1', [line('Steak')]), order('2', [fries(9), line('Burger', { qty: 5 })])]
    expect(counts(open, EXPO, ({ number }) => number === '1')).toEqual([
      ['Grill', ['Steak', 1, 1], ['Burger', 5, 0]],
      ['Fry', ['Fries', 9, 0]],
    ])
  })

  it('leaves out struck, ready, held and voided lines, and tests', () => {
    const later = [{ course: 2, stations: ['grill'], firedAtMs: null }]
    const open = [
      order('1', [line('Burger'), line('Steak')], { struckLines: [0] }),
      order('2', [fries(1)], { stations: [station('fry', 5)] }),
      order('3', [line('Cake', { course: 2 })], { courses: later }),
      order('4', [line('Soup')], { voidedAtMs: 5 }),
      order('5', [line('Test')], { isTest: true }),
    ]
    expect(counts(open)).toEqual([['Grill', ['Steak', 1, 0]]])
  })
})

describe('combined lines', () => {
  const batches = (open: BoardOrder[], next = 10) =>
    batchesOf(open, EXPO, next).map(({ name, qty, tickets }) => [
      `${qty} ${name}`,
      ...tickets.map((ticket) => `${ticket.number}: ${ticket.qty}`),
    ])

  it('are the same dish made in the same way, with the numbers of their tickets', () => {
    const open = [
      order('41', [line('Burger', { qty: 2 }), fries(1)]),
      order('42', [line('Burger'), line('Burger', { modifiers: ['- NO onion'] })]),
      order('43', [line('Burger', { seat: 2 }), line('Burger', { seat: 3 }), line('Burger', { note: 'well done' })]),
    ]
    expect(batches(open)).toEqual([
      ['5 Burger', '41: 2', '42: 1', '43: 2'],
      ['1 Burger', '42: 1'],
      ['1 Burger', '43: 1'],
      ['1 Fries', '41: 1'],
    ])
  })

  it('never combine a line with an allergy with one that has none or another one', () => {
    const allergens = (...words: string[]) => line('Burger', { isAllergy: words.length > 0, allergens: words })
    const open = [order('1', [allergens()]), order('2', [allergens('nuts')]), order('3', [allergens('milk')])]
    expect(batches(open)).toHaveLength(3)
    const nuts = [order('2', [allergens('nuts', 'milk')]), order('3', [allergens('milk', 'nuts')])]
    expect(batches(nuts)).toEqual([['2 Burger', '2: 1', '3: 1']])
  })

  it('are of the next tickets that have something to make', () => {
    const done = order('1', [line('Burger')], { stations: [station('grill', 5)] })
    const open = [done, order('2', [line('Burger')]), order('3', [line('Burger')]), order('4', [line('Burger')])]
    expect(batches(open, 2)).toEqual([['2 Burger', '2: 1', '3: 1']])
  })

  it('add up to everything to be made, in each batch and over all of them', () => {
    const someLine = fc.record({ name: fc.constantFrom('A', 'B', 'C'), qty: fc.integer({ min: 1, max: 9 }) })
    const someLines = fc.array(
      someLine.map(({ name, qty }) => line(name, { qty })),
      { maxLength: 5 },
    )
    assertProperty(
      fc.property(fc.array(someLines, { maxLength: 8 }), (all) => {
        const open = all.map((lines, n) => order(String(n), lines))
        const found = batchesOf(open, EXPO, 100)
        const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
        for (const { qty, tickets } of found) expect(sum(tickets.map((ticket) => ticket.qty))).toBe(qty)
        expect(sum(found.map(({ qty }) => qty))).toBe(sum(all.flat().map(({ qty }) => qty)))
        expect(found.length).toBeLessThanOrEqual(3)
      }),
    )
  })
})
