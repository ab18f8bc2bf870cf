// Sounds: which change of the board makes which, and which are repeated until somebody reacts.
import { describe, expect, it } from 'vitest'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import type { Viewer } from './board-view.ts'
import { soundOf, Unheard, USUAL_MODES } from './sound-events.ts'

const GRILL: Viewer = { displayId: 'd1', stations: ['grill'], served: ['grill', 'fry'] }
const EXPO: Viewer = { displayId: 'd2', stations: [], served: ['grill', 'fry'] }
const order = (over: Partial<BoardOrder> = {}): BoardOrder => ({
  orderId: 'ord_1',
  number: '1',
  clientOrderId: '1',
  source: 'kiosk',
  customer: null,
  orderType: null,
  table: null,
  guests: null,
  server: null,
  note: null,
  allergens: [],
  addOnTo: null,
  dueAtMs: 0,
  readyByMs: null,
  isScheduled: false,
  isTest: false,
  voidedAtMs: null,
  voidSeenBy: [],
  changeSeenBy: [],
  lines: [
    { name: 'Burger', qty: 1, note: null, modifiers: [], station: 'grill', isAllergy: false, seat: null, course: null },
  ],
  stations: [{ key: 'grill', name: 'grill', startedAtMs: null, readyAtMs: null }],
  paper: 'printed',
  readyAtMs: null,
  pickedUpAtMs: null,
  recalledAtMs: null,
  struckLines: [],
  courses: [],
  ...over,
})

describe('a sound', () => {
  it('is made for a new order, an order whose time has come, and an add-on, which sounds different', () => {
    expect(soundOf(undefined, order(), GRILL)).toBe('new')
    expect(soundOf(undefined, order({ isScheduled: true }), GRILL)).toBeNull()
    expect(soundOf(order({ isScheduled: true }), order(), GRILL)).toBe('new')
    expect(soundOf(undefined, order({ addOnTo: '0' }), GRILL)).toBe('changed')
  })

  it('is not made for other stations', () => {
    expect(soundOf(undefined, order(), { ...GRILL, stations: ['fry'] })).toBeNull()
  })

  it('is made once for a void, even if the order is hidden by other lines', () => {
    expect(soundOf(order(), order({ voidedAtMs: 1 }), GRILL)).toBe('void')
    expect(soundOf(order({ voidedAtMs: 1 }), order({ voidedAtMs: 1, voidSeenBy: ['d1'] }), GRILL)).toBeNull()
  })

  it('is made for an order that came back, and at expo for one that is ready', () => {
    expect(soundOf(order({ readyAtMs: 1 }), order({ recalledAtMs: 9 }), GRILL)).toBe('changed')
    expect(soundOf(order(), order({ readyAtMs: 1 }), EXPO)).toBe('ready')
    expect(soundOf(order(), order({ readyAtMs: 1 }), GRILL)).toBeNull()
  })
})

describe('a course', () => {
  const line = {
    name: 'Steak',
    qty: 1,
    note: null,
    modifiers: [],
    station: 'grill',
    isAllergy: false,
    seat: null,
    course: 2,
  }
  const withCourse = (firedAtMs: number | null) =>
    order({ lines: [line], courses: [{ course: 2, stations: ['grill'], firedAtMs }] })

  it('sounds like a new order when it is fired, where its lines are made', () => {
    expect(soundOf(withCourse(null), withCourse(5), GRILL)).toBe('new')
    expect(soundOf(withCourse(5), withCourse(5), GRILL)).toBeNull()
    expect(soundOf(withCourse(null), withCourse(5), { ...GRILL, stations: ['fry'] })).toBeNull()
  })
})

describe('an unseen order', () => {
  const repeat = { ...USUAL_MODES, new: 'repeat' } as const

  it('is repeated until somebody touches the screen', () => {
    const unheard = new Unheard()
    unheard.add('new', 'ord_1')
    expect(unheard.toRepeat(repeat, [order()], GRILL)).toEqual(['new'])
    expect(unheard.toRepeat(USUAL_MODES, [order()], GRILL)).toEqual([])
    unheard.clear()
    expect(unheard.toRepeat(repeat, [order()], GRILL)).toEqual([])
  })

  it('is dropped when its order has left the board', () => {
    const unheard = new Unheard()
    unheard.add('new', 'ord_1')
    unheard.add('new', 'ord_2')
    expect(unheard.toRepeat(repeat, [], GRILL)).toEqual([])
    unheard.keepOnly(new Set(['ord_2']))
    expect(unheard.toRepeat(repeat, [order()], GRILL)).toEqual([])
    expect(unheard.toRepeat(repeat, [order({ orderId: 'ord_2' })], GRILL)).toEqual(['new'])
  })

  it('is repeated in spite of touches until a void or a change is acknowledged', () => {
    const unheard = new Unheard()
    unheard.clear()
    const open = [order({ voidedAtMs: 1 }), order({ orderId: 'ord_2', addOnTo: '1' })]
    expect(unheard.toRepeat(repeat, open, GRILL)).toEqual(['changed', 'void'])
    expect(unheard.toRepeat({ ...repeat, void: 'off' }, open, GRILL)).toEqual(['changed'])
  })
})
