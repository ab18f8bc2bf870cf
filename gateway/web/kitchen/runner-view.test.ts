// What a runner's display shows of ready orders.
import { describe, expect, it } from 'vitest'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { carriedKey, minutesAndSeconds, passLevel, runsOf, TAKEN_SHOWN_MS } from './runner-view.ts'

const NOW = 10_000_000
const line = (name: string, course: number | null = null): BoardOrder['lines'][number] => ({
  ...{ name, qty: 1, note: null, modifiers: [], station: 'grill', isAllergy: false, seat: null, course },
})
const order = (orderId: string, change: Partial<BoardOrder> = {}): BoardOrder => ({
  ...{ orderId, number: orderId, clientOrderId: orderId, source: 'web', customer: null, orderType: null, table: null },
  ...{ guests: null, server: null, note: null, allergens: [], addOnTo: null, isTest: false, dueAtMs: NOW - 600_000 },
  ...{ readyByMs: null, isScheduled: false, voidedAtMs: null, voidSeenBy: [], changeSeenBy: [], courses: [] },
  stations: [{ key: 'grill', name: 'Grill', startedAtMs: null, readyAtMs: NOW - 60_000 }],
  ...{ readyAtMs: NOW - 60_000, pickedUpAtMs: null, recalledAtMs: null, struckLines: [] },
  ...{ lines: [line('Burger')], paper: 'printed' },
  ...change,
})
const NOTHING = { taken: new Map(), carried: new Set<string>(), nowMs: NOW }
const namesOf = (runs: ReturnType<typeof runsOf>) =>
  runs.map(({ table, orders }) => [
    table,
    ...orders.map(({ order: { number }, isTaken }) => number + (isTaken ? '!' : '')),
  ])

describe('runs', () => {
  it('are by table, the longest waiting first; an order without a table is a run of its own', () => {
    const open = [
      order('1', { table: '12', readyAtMs: NOW - 10_000 }),
      order('2', { readyAtMs: NOW - 90_000 }),
      order('3', { table: '12', readyAtMs: NOW - 120_000 }),
      order('4', { readyAtMs: NOW - 95_000 }),
    ]
    expect(namesOf(runsOf(open, NOTHING))).toEqual([
      ['12', '3', '1'],
      [null, '4'],
      [null, '2'],
    ])
  })

  it('keep the place of a taken order for some seconds, and then close up', () => {
    const [first, second] = [order('1', { readyAtMs: NOW - 90_000 }), order('2')]
    const taken = new Map([['1', { order: first, atMs: NOW }]])
    const at = (ms: number) => namesOf(runsOf([second], { ...NOTHING, taken, nowMs: NOW + ms }))
    expect(at(TAKEN_SHOWN_MS - 1)).toEqual([
      [null, '1!'],
      [null, '2'],
    ])
    expect(at(TAKEN_SHOWN_MS)).toEqual([[null, '2']])
  })

  it('of an order with held courses show what is to be carried now, until it was carried or a course is fired', () => {
    const held = (firedAtMs: number | null) =>
      order('1', {
        readyAtMs: null,
        courses: [{ course: 2, stations: ['grill'], firedAtMs }],
        lines: [line('Soup', 1), line('Steak', 2)],
      })
    const [run] = runsOf([held(null)], NOTHING)
    expect(run?.orders[0]).toMatchObject({ held: [2], lines: [{ name: 'Soup' }], readyAtMs: NOW - 60_000 })
    const carried = new Set([carriedKey(held(null))])
    expect(runsOf([held(null)], { ...NOTHING, carried })).toEqual([])
    expect(runsOf([held(NOW)], { ...NOTHING, carried })).toHaveLength(1)
  })
})

describe('the age of food at the pass', () => {
  it('is soon late after two minutes and late after four', () => {
    expect([0, 119_999, 120_000, 239_999, 240_000].map(passLevel)).toEqual(['fresh', 'fresh', 'soon', 'soon', 'late'])
  })

  it('is shown in minutes and seconds', () => {
    expect([-5, 0, 65_000, 754_000, 3_600_000].map(minutesAndSeconds)).toEqual([
      '0:00',
      '0:00',
      '1:05',
      '12:34',
      '60:00',
    ])
  })
})
