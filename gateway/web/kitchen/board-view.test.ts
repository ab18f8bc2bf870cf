// What a display shows of the board: its orders, counts, ages, and taps that are not confirmed yet.
import { describe, expect, it } from 'vitest'
import type { BoardOrder, KitchenAct } from '#shared/wire/kitchen.ts'
import {
  addOnsOf,
  ageLevel,
  ageMs,
  allergyBanners,
  isChangeUnseen,
  isNobodys,
  nextStep,
  openStations,
  ownLines,
  ownPlaces,
  type Viewer,
  viewsOf,
  withTaps,
} from './board-view.ts'
import { countsByStation } from './panel-lists.ts'

const MIN = 60_000
const station = (key: string, readyAtMs: number | null = null) => ({ key, name: key, startedAtMs: null, readyAtMs })
const line = (name: string, key: string, qty = 1) => ({
  name,
  qty,
  note: null,
  modifiers: [],
  station: key,
  isAllergy: false,
  seat: null,
  course: null,
})
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
  isTest: false,
  dueAtMs: 0,
  readyByMs: null,
  isScheduled: false,
  voidedAtMs: null,
  voidSeenBy: [],
  changeSeenBy: [],
  struckLines: [],
  courses: [],
  lines: [line('Burger', 'grill', 2), line('Fries', 'fry')],
  stations: [station('grill'), station('fry')],
  paper: 'printed',
  readyAtMs: null,
  pickedUpAtMs: null,
  recalledAtMs: null,
  ...over,
})
const tap = (kind: KitchenAct['kind'], stations: string[] | null = null): KitchenAct => ({
  id: `tap-${kind}`,
  kind,
  orderId: 'ord_1',
  stations,
  atMs: 5 * MIN,
})
const GRILL: Viewer = { displayId: 'd1', stations: ['grill'], served: ['grill', 'fry'] }
const EXPO: Viewer = { displayId: 'd2', stations: [], served: ['grill', 'fry'] }

/** Everything to be made, largest count first. */
const allDay = (open: readonly BoardOrder[], viewer: Viewer) =>
  countsByStation(open, viewer, () => false)
    .flatMap(({ items }) => items.map(({ name, qty }) => ({ name, qty })))
    .sort((a, b) => b.qty - a.qty || (a.name < b.name ? -1 : 1))

describe('a display', () => {
  it('shows its own lines, and those of stations that no display serves', () => {
    expect(ownLines(order(), GRILL).map(({ name }) => name)).toEqual(['Burger'])
    expect(ownLines(order(), { ...GRILL, served: ['grill'] }).map(({ name }) => name)).toEqual(['Burger', 'Fries'])
    expect(ownLines(order(), EXPO)).toHaveLength(2)
  })

  it('is done with an order when its own station is; expo only when it was picked up', () => {
    const half = order({ stations: [station('grill', MIN), station('fry')] })
    expect(viewsOf([half], GRILL)).toMatchObject({ open: [], done: [half] })
    expect(viewsOf([half], EXPO).open).toEqual([half])
    const gone = order({ pickedUpAtMs: 2 * MIN })
    expect(viewsOf([gone], EXPO)).toMatchObject({ open: [], done: [gone] })
  })

  it('keeps a void until it is acknowledged at this display', () => {
    const isVoid = order({ voidedAtMs: MIN, voidSeenBy: ['d2'] })
    expect(viewsOf([isVoid], GRILL).open).toHaveLength(1)
    expect(viewsOf([isVoid], EXPO).open).toHaveLength(0)
  })

  it('counts what is still to be made at its stations, without voided and test orders', () => {
    const open = [
      order(),
      order({ orderId: 'ord_2', stations: [station('grill', MIN), station('fry')] }),
      order({ orderId: 'ord_3', voidedAtMs: MIN }),
      order({ orderId: 'ord_4', isTest: true }),
    ]
    expect(allDay(open, EXPO)).toEqual([
      { name: 'Burger', qty: 2 },
      { name: 'Fries', qty: 2 },
    ])
    expect(allDay(open, GRILL)).toEqual([{ name: 'Burger', qty: 2 }])
  })
})

describe('lines that a display adopts', () => {
  const bar = line('Tea', 'bar')

  it('are shown there, marked, and on no other display of a station; expo shows them unmarked', () => {
    const shown = (viewer: Viewer) => ownLines({ lines: [bar] }, viewer).length > 0
    const adopting: Viewer = { ...GRILL, adopts: true }
    const other: Viewer = { ...GRILL, adopts: false }
    expect([adopting, other, { ...EXPO, adopts: false }].map(shown)).toEqual([true, false, true])
    expect([adopting, other, { ...EXPO, adopts: false }].map((viewer) => isNobodys(bar, viewer))).toEqual([
      true,
      false,
      false,
    ])
    expect(isNobodys(line('Burger', 'grill'), adopting)).toBe(false)
  })

  it('are not marked if no display has stations, or if the line has no station', () => {
    expect(isNobodys(bar, { ...EXPO, served: [], adopts: true })).toBe(false)
    expect(isNobodys(line('Bag', ''), { ...EXPO, adopts: true })).toBe(false)
  })
})

describe('the confirmation at expo', () => {
  it('counts what each station with a display has not made, without struck and held lines', () => {
    const lines = [
      line('Burger', 'grill'),
      line('Steak', 'grill'),
      { ...line('Cake', 'fry'), course: 2 },
      line('Tea', 'bar'),
    ]
    const courses = [{ course: 2, stations: ['fry'], firedAtMs: null }]
    const stations = [station('grill'), station('fry'), station('bar')]
    expect(openStations(order({ lines, courses, stations, struckLines: [1] }), EXPO)).toEqual([
      { name: 'grill', lines: 1 },
    ])
    expect(openStations(order({ stations: [station('grill', 1), station('fry', 1)] }), EXPO)).toEqual([])
  })
})

describe('a line', () => {
  it('that is struck off is not counted any more, on any display', () => {
    const struck = withTaps(order(), [{ ...tap('strike'), line: 1 }], EXPO)
    expect(allDay([struck], EXPO)).toEqual([{ name: 'Burger', qty: 2 }])
    expect(allDay([withTaps(struck, [{ ...tap('unstrike'), line: 1 }], EXPO)], EXPO)).toHaveLength(2)
    const fry: Viewer = { ...GRILL, displayId: 'd3', stations: ['fry'] }
    expect(ownPlaces(struck, fry).map(({ place }) => place)).toEqual([1])
  })
})

describe('an order that changes an earlier one', () => {
  const changing = order({ orderId: 'ord_2', number: '2', addOnTo: '1' })

  it('is unseen until it is acknowledged at this display', () => {
    expect(isChangeUnseen(changing, GRILL)).toBe(true)
    expect(isChangeUnseen(withTaps(changing, [{ ...tap('change-seen'), orderId: 'ord_2' }], GRILL), GRILL)).toBe(false)
    expect(isChangeUnseen({ ...changing, changeSeenBy: ['d2'] }, GRILL)).toBe(true)
    expect(isChangeUnseen(order(), GRILL)).toBe(false)
  })

  it('is named on the card of the earlier one', () => {
    const third = { ...changing, orderId: 'ord_3', number: '3' }
    expect(addOnsOf([order(), changing, third]).get('1')).toBe('2, 3')
    expect(addOnsOf([order(), { ...changing, voidedAtMs: 1 }]).size).toBe(0)
  })
})

describe('an allergy', () => {
  it('has one banner with all its dishes, and a separate one if it applies to the whole order', () => {
    const of = (words: string, item: string | null, seat: number | null = null) => ({ words, item, seat })
    const said = [of('nuts', null), of('nuts', 'Burger'), of('milk', 'Cake', 1), of('nuts', 'Steak', 2)]
    const banners = allergyBanners(said).map(({ words, dishes }) => [words, ...dishes.map(({ item }) => item)])
    expect(banners).toEqual([['nuts'], ['nuts', 'Burger', 'Steak'], ['milk', 'Cake']])
  })

  it('of an older gateway, which sends no dishes, is shown with its seat', () => {
    expect(allergyBanners([{ words: 'nuts', seat: 3 }])).toEqual([
      { words: 'nuts', dishes: [{ words: 'nuts', seat: 3 }] },
    ])
  })
})

describe('an age', () => {
  it('is never negative', () => {
    expect(ageMs(order({ dueAtMs: 9 * MIN }), GRILL, 0)).toBe(0)
  })

  it('is soon late after five minutes and late after ten; for a delivery after eight and fifteen', () => {
    const levelsOf = (orderType: string | null) => (minutes: number) =>
      ageLevel(order({ orderType }), { ageMs: minutes * MIN, nowMs: minutes * MIN })
    expect([4, 5, 9, 10].map(levelsOf('dine-in'))).toEqual(['fresh', 'soon', 'soon', 'late'])
    expect([7, 8, 14, 15].map(levelsOf('delivery'))).toEqual(['fresh', 'soon', 'soon', 'late'])
  })

  it('uses the minutes of the display, by type, and a missed promised time makes it late', () => {
    const thresholds = { usual: { soonMin: 2, lateMin: 4 }, catering: { soonMin: 30, lateMin: 60 } }
    const at = (minutes: number) => ({ ageMs: minutes * MIN, nowMs: minutes * MIN })
    expect(ageLevel(order(), at(4), thresholds)).toBe('late')
    expect(ageLevel(order({ orderType: 'catering' }), at(4), thresholds)).toBe('fresh')
    expect(ageLevel(order({ readyByMs: 3 * MIN }), at(2), thresholds)).toBe('soon')
    expect(ageLevel(order({ readyByMs: 3 * MIN }), at(3.5), thresholds)).toBe('late')
  })
})

describe('unconfirmed taps', () => {
  it('are shown at once, and have no effect if the gateway has them already', () => {
    const shown = withTaps(order(), [tap('ready', ['grill'])], GRILL)
    expect(viewsOf([shown], GRILL).open).toEqual([])
    expect(withTaps(shown, [tap('ready', ['grill'])], GRILL)).toEqual(shown)
  })

  it('are applied in their order: ready and undone is open', () => {
    const shown = withTaps(order(), [tap('ready'), tap('recall')], EXPO)
    expect(shown).toMatchObject({ readyAtMs: null, recalledAtMs: null })
  })

  it('acknowledge a void and start an order for later', () => {
    expect(withTaps(order({ voidedAtMs: 1 }), [tap('void-seen')], GRILL).voidSeenBy).toEqual(['d1'])
    expect(withTaps(order({ isScheduled: true }), [tap('start-now')], GRILL).isScheduled).toBe(false)
  })
})

describe('an order with a held course', () => {
  const held = (over: Partial<BoardOrder> = {}) =>
    order({
      lines: [
        { ...line('Soup', 'grill'), course: 1 },
        { ...line('Steak', 'grill', 2), course: 2 },
        { ...line('Fries', 'fry'), course: 2 },
      ],
      courses: [{ course: 2, stations: ['grill', 'fry'], firedAtMs: null }],
      ...over,
    })
  const made = [{ ...station('grill'), readyAtMs: 1 }, station('fry')]
  const FRY: Viewer = { ...GRILL, stations: ['fry'] }

  it('stays open while lines are held, and has no big button once the rest is made', () => {
    expect(nextStep(held(), GRILL)).toEqual({ kind: 'ready', stations: ['grill'] })
    expect(nextStep(held({ stations: made }), GRILL)).toBeNull()
    expect(nextStep(held({ stations: made }), EXPO)).toBeNull()
    expect(nextStep(held(), FRY)).toBeNull()
    expect(viewsOf([held({ stations: made })], GRILL).open).toHaveLength(1)
  })

  it('counts held lines only when they are fired', () => {
    expect(allDay([held()], EXPO)).toEqual([{ name: 'Soup', qty: 1 }])
    const fired = withTaps(held(), [{ ...tap('fire'), course: 2 }], EXPO)
    expect(allDay([fired], EXPO)).toEqual([
      { name: 'Steak', qty: 2 },
      { name: 'Fries', qty: 1 },
      { name: 'Soup', qty: 1 },
    ])
  })

  it('reopens a station that was ready before its course was fired', () => {
    const fired = withTaps(held({ stations: made }), [{ ...tap('fire'), course: 2 }], GRILL)
    expect(nextStep(fired, GRILL)).toEqual({ kind: 'ready', stations: ['grill'] })
    expect(fired.stations.map(({ readyAtMs }) => readyAtMs)).toEqual([null, null])
  })
})

describe('the age of an order with courses', () => {
  const [SOUP, BURGER, SALAD, CAKE] = [0, 1, 2, 3] as const
  const three = (over: Partial<BoardOrder> = {}) =>
    order({
      lines: [
        { ...line('Soup', 'fry'), course: 1 },
        { ...line('Burger', 'grill'), course: 2 },
        { ...line('Salad', 'cold'), course: 1 },
        { ...line('Cake', 'cold'), course: 3 },
      ],
      stations: [station('grill'), station('fry'), station('cold')],
      courses: [
        { course: 2, stations: ['grill'], firedAtMs: null },
        { course: 3, stations: ['cold'], firedAtMs: null },
      ],
      ...over,
    })
  const served = ['grill', 'fry', 'cold']
  const screen = (...stations: string[]): Viewer => ({ displayId: 'd1', served, stations })
  const [FRY, GRILL_3, COLD, PASS] = [screen('fry'), screen('grill'), screen('cold'), screen()]
  const act = (kind: KitchenAct['kind'], minutes: number, over: Partial<KitchenAct> = {}): KitchenAct => ({
    ...{ ...tap(kind), atMs: minutes * MIN },
    ...over,
  })
  const acted = (...acts: KitchenAct[]) => withTaps(three(), acts, PASS)
  const minutes = (shown: BoardOrder, viewer: Viewer) => ageMs(shown, viewer, 30 * MIN) / MIN

  it('is the same after a fire if the earlier course is not made, and at expo', () => {
    const fired = acted(act('fire', 10, { course: 3 }))
    expect([FRY, GRILL_3, COLD, PASS].map((viewer) => minutes(fired, viewer))).toEqual([30, 30, 30, 30])
    const other = order({ orderId: 'ord_2', dueAtMs: MIN, lines: [line('Fries', 'fry')] })
    expect(viewsOf([other, fired], FRY).open.map(({ orderId }) => orderId)).toEqual(['ord_1', 'ord_2'])
  })

  it('is that of the fired course if the earlier one is made, with Ready or line by line', () => {
    const ready = acted(act('ready', 5, { stations: ['cold'] }), act('fire', 10, { course: 3 }))
    expect(minutes(ready, COLD)).toBe(20)
    expect(allDay([ready], COLD)).toEqual([{ name: 'Cake', qty: 1 }])
    const struck = acted(act('strike', 5, { line: SALAD }), act('fire', 10, { course: 3 }))
    expect(minutes(struck, COLD)).toBe(20)
    expect(minutes(struck, FRY)).toBe(30)
    expect(minutes(acted(act('fire', 10, { course: 2 })), GRILL_3)).toBe(20)
  })

  it('is at expo that of the oldest dish that is not made, and of the last one if all are', () => {
    const fires = [act('fire', 10, { course: 2 }), act('fire', 20, { course: 3 })]
    expect(minutes(acted(act('strike', 5, { line: SOUP }), act('strike', 5, { line: SALAD }), ...fires), PASS)).toBe(20)
    expect(minutes(acted(...fires, act('ready', 25)), PASS)).toBe(10)
    const notCake = [SOUP, BURGER, SALAD].map((line) => act('strike', 25, { line }))
    expect(minutes(acted(...fires, ...notCake), PASS)).toBe(10)
    expect(minutes(acted(...fires, act('strike', 25, { line: CAKE })), PASS)).toBe(30)
  })
})
