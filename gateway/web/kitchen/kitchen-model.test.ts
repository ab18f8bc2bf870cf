// What taps and keys do on one screen: questions, two taps, the taps of a wet finger, undo, the strip, and what is said to boxes of other versions.
import { beforeEach, describe, expect, it } from 'vitest'
import { thresholdOf } from '#shared/kitchen-times.ts'
import type { BoardOrder, KitchenAct, KitchenHello } from '#shared/wire/kitchen.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { boardLine, boardOfOrder, boardStation } from '#test/fixtures/two-station-orders.ts'
import { BOARD_TIMES } from './board-model.ts'
import { nextStep } from './board-view.ts'
import { KitchenModel } from './kitchen-model.ts'

type Listen = (event: { data?: unknown }) => void

let clock: ManualClock
let model: KitchenModel
let sent: KitchenAct[]
let noises: string[]
let kept: Map<string, string>
let feed: Map<string, Listen>
let results: (acts: KitchenAct[]) => object[]

beforeEach(() => {
  clock = new ManualClock()
  kept = new Map()
  results = (acts) => acts.map(({ id }) => ({ id, outcome: 'done' }))
  openPage()
})

function openPage(): void {
  sent = []
  noises = []
  feed = new Map()
  let ids = 0
  model = new KitchenModel(clock, {
    post: async (path, body) => {
      const { acts = [] } = body as { acts?: KitchenAct[] }
      if (path.endsWith('/acts')) sent.push(...acts)
      return { status: 200, body: { results: results(acts) } }
    },
    openFeed: () => ({ addEventListener: (name, listen) => void feed.set(name, listen), close: () => undefined }),
    random: () => 0.5,
    randomId: () => `id${String(++ids).padStart(8, '0')}`,
    remember: (key, value) => void kept.set(key, value),
    remembered: (key) => kept.get(key) ?? null,
    apply: () => undefined,
    reload: () => undefined,
    sounds: { isOn: true, unlock: async () => undefined, play: (noise) => void noises.push(noise) },
  })
  model.start(null)
}

function tell(name: string, data: object): void {
  feed.get(name)?.({ data: JSON.stringify({ rev: 1, nowMs: clock.now(), ...data }) })
}

function greet(orders: BoardOrder[], over: Partial<KitchenHello> & { stations?: string[] } = {}): void {
  const { stations = [], ...rest } = over
  const display = { displayId: 'd1', name: 'Screen', stations, language: 'en' }
  const site = { app: 'test', timeZone: 'UTC', restaurant: 'Bistro' }
  tell('hello', { ...site, display, served: ['grill', 'fry'], adopter: 'd1', orders, printers: [], ...rest })
  model.drawn([orders.map(({ orderId }) => orderId)])
}

const patch = (orders: BoardOrder[], gone: string[] = [], more: object = {}) => tell('patch', { orders, gone, ...more })
const GRILL = { stations: ['grill'] }
const [A, B, C] = ['a', 'b', 'c'].map((id, index) => boardOfOrder(id, { dueAtMs: index })) as [
  BoardOrder,
  BoardOrder,
  BoardOrder,
]
const done = (order: BoardOrder, rev = 2): BoardOrder => ({
  ...order,
  rev,
  stations: order.stations.map((station) => ({ ...station, readyAtMs: 5 })),
})
const acts = () => sent.map(({ kind, orderId }) => `${kind} ${orderId}`)
const settle = () => clock.advance(0)
/** As the view does: on the order as it is drawn. */
function tapReady(orderId: string): void {
  const order = model.snapshot().shown.find((one) => one.order.orderId === orderId)?.order
  const step = order && nextStep(order, model.snapshot().viewer)
  if (order && step) model.tap(step.kind, order, step.stations)
}

describe('an act', () => {
  it('says of which revision, lines and screen it is', async () => {
    greet([A], GRILL)
    tapReady('a')
    await settle()
    expect(sent).toMatchObject([{ kind: 'ready', orderId: 'a', stations: ['grill'], seenRev: 1, lines: [0] }])
    expect(sent[0]?.screen).toBe(kept.get('ticketrail.screen-id'))
  })

  it('says nothing of that to a box of an earlier program', async () => {
    const { rev: _, ...older } = A
    greet([older], GRILL)
    tapReady('a')
    await settle()
    expect(Object.keys(sent[0] ?? {}).sort()).toEqual(['atMs', 'id', 'kind', 'orderId', 'stations'])
  })

  it('that the box refuses is told with its reason, at its order', async () => {
    results = (all) => all.map(({ id }) => ({ id, outcome: 'refused', reason: 'came-back' }))
    greet([A], GRILL)
    tapReady('a')
    await settle()
    expect(model.snapshot().refused).toEqual({ orderId: 'a', number: 'a', reason: 'came-back' })
    expect(model.snapshot().shown).toEqual([{ order: A, isHole: false }])
  })

  it('by finger right behind another at its place is ignored, and at another place it is not', async () => {
    greet([A, B, C], GRILL)
    const touch = (x: number, orderId: string) => {
      model.touchBegan({ x, y: 0 })
      model.touchEnded()
      tapReady(orderId)
    }
    touch(100, 'a')
    touch(110, 'b')
    touch(400, 'c')
    await clock.advance(BOARD_TIMES.sameSpotMs)
    touch(400, 'b')
    await settle()
    expect(acts()).toEqual(['ready a', 'ready c', 'ready b'])
  })

  it('needs two taps where the screen is set to that, and a key needs one', async () => {
    greet([A, B], GRILL)
    model.set({ doubleTap: true })
    tapReady('a')
    expect(model.snapshot().armed).toMatchObject({ kind: 'ready', orderId: 'a' })
    await clock.advance(BOARD_TIMES.doubleTapMs)
    expect(model.snapshot().armed).toBeNull()
    tapReady('a')
    await settle()
    expect(acts()).toEqual([])
    tapReady('a')
    model.press('2')
    model.press('Enter')
    await settle()
    expect(acts()).toEqual(['ready a', 'ready b'])
  })
})

describe('a key', () => {
  it('bumps what is selected and goes on; a second Enter in haste only sounds', async () => {
    greet([A, B, C], GRILL)
    model.press('Enter')
    expect(model.snapshot().selected).toBe('b')
    model.press('Enter')
    await clock.advance(BOARD_TIMES.sameSpotMs)
    model.press('Enter')
    await settle()
    expect(acts()).toEqual(['ready a', 'ready b'])
    expect(noises.filter((noise) => noise === 'deny')).toHaveLength(1)
  })

  it('chosen by its number is bumped at once', async () => {
    greet([A, B, C], GRILL)
    for (const key of ['3', 'Enter', '2', 'Enter']) model.press(key)
    await settle()
    expect(acts()).toEqual(['ready c', 'ready b'])
  })

  it('does nothing but sound when somebody else has just taken the selected order', async () => {
    greet([A, B], GRILL)
    patch([done(A)])
    expect(model.snapshot().selected).toBeNull()
    model.press('Enter')
    await clock.advance(BOARD_TIMES.lostMs)
    expect([acts(), noises.at(-1), model.snapshot().selected]).toEqual([[], 'deny', 'b'])
    expect(model.snapshot().shown.map(({ order }) => order.orderId)).toEqual(['b'])
  })

  it('fires the next course only when it is pressed again, and not by its bounce', async () => {
    const later = { course: 2, stations: ['grill'], firedAtMs: null }
    greet(
      [
        boardOfOrder('a', {
          courses: [later],
          lines: [boardLine('Soup', 'grill'), boardLine('Steak', 'grill', { course: 2 })],
        }),
      ],
      GRILL,
    )
    model.press('f')
    await clock.advance(50)
    model.press('f')
    await clock.advance(600)
    expect([acts(), model.snapshot().armed]).toMatchObject([[], { kind: 'fire', course: 2 }])
    model.press('f')
    await settle()
    expect(sent).toMatchObject([{ kind: 'fire', course: 2, lines: [1] }])
  })

  it('of a drawer is told to whoever shows them', () => {
    greet([A])
    const told: string[] = []
    model.onPanel((name) => told.push(name))
    for (const key of ['a', 'r', 'x']) model.press(key)
    expect(told).toEqual(['allDay', 'recall'])
  })
})

describe('Ready at expo of an order whose stations are not done', () => {
  it('asks, naming what is open, and does it only after a yes', async () => {
    greet([A])
    tapReady('a')
    expect(model.snapshot().asking?.open).toEqual([
      { name: 'grill', lines: 1 },
      { name: 'fry', lines: 1 },
    ])
    model.answer(false)
    await clock.advance(BOARD_TIMES.sameSpotMs)
    expect([acts(), model.snapshot().asking]).toEqual([[], null])
    tapReady('a')
    model.answer(true)
    await settle()
    expect(sent).toMatchObject([{ kind: 'ready', seenRev: 1, lines: [0, 1] }])
  })

  it('is done or refused where the screen is set to that', async () => {
    greet([A])
    model.set({ expoAsk: 'forbid' })
    tapReady('a')
    expect(model.snapshot().refused).toMatchObject({ orderId: 'a', reason: 'stations-open' })
    model.set({ expoAsk: 'allow' })
    tapReady('a')
    await settle()
    expect(acts()).toEqual(['ready a'])
  })

  it('asks nothing where no station has a screen of its own, or all that is open is struck off', async () => {
    greet([A], { served: [] })
    tapReady('a')
    expect(model.snapshot().asking).toBeNull()
    greet([{ ...B, struckLines: [0, 1] }])
    await clock.advance(BOARD_TIMES.sameSpotMs)
    tapReady('b')
    expect(model.snapshot().asking).toBeNull()
  })

  it('asks no longer when the order is called off meanwhile', () => {
    greet([A])
    tapReady('a')
    patch([{ ...A, rev: 2, voidedAtMs: 9 }])
    expect(model.snapshot().asking).toBeNull()
  })
})

describe('what can be taken back', () => {
  it('is the last ten acts, newest first, each by its own name', async () => {
    const many = Array.from({ length: 12 }, (_, n) => boardOfOrder(`o${n}`, { dueAtMs: n }))
    greet(many, GRILL)
    for (const { orderId } of many) tapReady(orderId)
    await settle()
    expect(model.snapshot().undos.map(({ number }) => number)).toEqual(
      many
        .slice(2)
        .map(({ orderId }) => orderId)
        .reverse(),
    )
    const [, second] = model.snapshot().undos
    model.undo(second?.id)
    await settle()
    expect(sent.at(-1)).toMatchObject({ kind: 'recall', orderId: 'o10', stations: ['grill'] })
    expect(model.snapshot().undos).toHaveLength(9)
  })

  it('is offered by the button for fifteen seconds and kept for half an hour, through a reload', async () => {
    greet([A], GRILL)
    tapReady('a')
    await settle()
    patch([done(A)])
    expect(model.snapshot().undo).toMatchObject({ orderId: 'a', kind: 'ready' })
    await clock.advance(BOARD_TIMES.undoButtonMs)
    expect([model.snapshot().undo, model.snapshot().undos.length]).toEqual([null, 1])
    openPage()
    greet([done(A)], GRILL)
    expect(model.snapshot().undos).toMatchObject([{ orderId: 'a', kind: 'ready' }])
    await clock.advance(BOARD_TIMES.undoKeptMs)
    expect(model.snapshot().undos).toEqual([])
  })

  it('is as old as it is, when the clock of the box is set back meanwhile', async () => {
    greet([A], GRILL)
    tapReady('a')
    patch([done(A)])
    await clock.advance(BOARD_TIMES.undoButtonMs - 1_000)
    tell('beat', { nowMs: clock.now() - 2 * 3_600_000 })
    expect(model.snapshot().undo).toMatchObject({ orderId: 'a' })
    await clock.advance(1_000)
    expect([model.snapshot().undo, model.snapshot().undos.length]).toEqual([null, 1])
  })

  it('is not what others have taken back or gone on from, nor what has left the board', async () => {
    greet([A, B, C], GRILL)
    for (const id of ['a', 'b', 'c']) tapReady(id)
    await settle()
    patch(
      [
        { ...A, rev: 3 },
        { ...done(B), readyAtMs: 5, pickedUpAtMs: 6 },
      ],
      ['c'],
    )
    expect(model.snapshot().undos).toEqual([])
  })

  it('is a start, a struck line and a seen change, too', async () => {
    greet([{ ...A, addOnTo: '7' }, B], GRILL)
    const shown = (id: string) => model.snapshot().shown.find(({ order }) => order.orderId === id)?.order ?? A
    model.tap('start', shown('b'), ['grill'])
    model.strike(shown('b'), 0)
    model.tap('change-seen', shown('a'))
    await settle()
    for (let n = 0; n < 3; n++) model.undo()
    await settle()
    expect(acts().slice(3)).toEqual(['change-unseen a', 'unstrike b', 'unstart b'])
  })

  it('is taken back by R pressed in a row, and Recall opens only at an R that comes a second after the last of them', async () => {
    greet([A, B], GRILL)
    const told: string[] = []
    model.onPanel((name) => told.push(name))
    for (const id of ['a', 'b']) tapReady(id)
    await settle()
    for (let n = 0; n < 2; n++) model.press('r')
    await clock.advance(BOARD_TIMES.undoRunMs - 1)
    model.press('r')
    await settle()
    expect([acts().slice(2), told, noises.at(-1)]).toEqual([['recall b', 'recall a'], [], 'deny'])
    await clock.advance(1)
    model.press('r')
    expect(told).toEqual(['recall'])
  })
})

describe('a void and a change', () => {
  it('stand in the strip, oldest first, and before all other tickets, until they are acknowledged', async () => {
    greet([A, B, C], GRILL)
    const off = { ...C, rev: 2, voidedAtMs: 90, voidReason: 'guest left' }
    patch([off, { ...boardOfOrder('d', { dueAtMs: 50 }), addOnTo: 'a' }])
    expect(model.snapshot().strip).toEqual([
      { kind: 'change', orderId: 'd', number: 'd' },
      { kind: 'void', orderId: 'c', number: 'c', reason: 'guest left' },
    ])
    expect(model.snapshot().shown.map(({ order }) => order.orderId)).toEqual(['c', 'd', 'a', 'b'])
    model.tap('void-seen', off)
    expect(model.snapshot().strip.map(({ orderId }) => orderId)).toEqual(['d'])
  })

  it('sound again and again until that, whatever is touched', async () => {
    greet([A], GRILL)
    patch([{ ...A, rev: 2, voidedAtMs: 90 }])
    const voids = () => noises.filter((noise) => noise === 'void').length
    for (let n = 0; n < 3; n++) {
      model.touchBegan()
      model.touchEnded()
      await clock.advance(10_000)
    }
    expect(voids()).toBe(4)
    model.tap('void-seen', model.snapshot().shown[0]?.order ?? A)
    await settle()
    patch([{ ...A, rev: 3, voidedAtMs: 90, voidSeenBy: ['d1'] }])
    await clock.advance(30_000)
    expect(voids()).toBe(4)
  })
})

describe('a line of a station that no display serves', () => {
  const bar = boardOfOrder('a', { lines: [boardLine('Tea', 'bar')], stations: [boardStation('bar')] })
  const isShown = () => model.snapshot().shown.length > 0

  it('is shown where the box says, from the moment that it says so', () => {
    greet([bar], { ...GRILL, adopter: 'd2' })
    expect(isShown()).toBe(false)
    patch([], [], { adopter: 'd1' })
    expect(isShown()).toBe(true)
  })

  it('is shown on every display of a box of an earlier program', () => {
    greet([bar], GRILL)
    const { adopter: _, ...older } = model.snapshot().hello ?? ({} as KitchenHello)
    tell('hello', { ...older, orders: [bar] })
    expect(isShown()).toBe(true)
  })
})

describe('what did not change', () => {
  it('is the same object after a change of another order', () => {
    greet([A, B, C], GRILL)
    const before = model.snapshot()
    patch([{ ...B, rev: 2, note: 'hurry' }])
    const after = model.snapshot()
    expect(after.shown[0]).toBe(before.shown[0])
    expect(after.shown[1]).not.toBe(before.shown[1])
    expect([after.strip, after.undos, after.waiting, after.views.done]).toEqual([[], [], new Set(), []])
    expect(after.strip).toBe(before.strip)
    expect(after.waiting).toBe(before.waiting)
  })
})

describe('the minutes after which an order is late', () => {
  const box = { usual: { soonMin: 7, lateMin: 14 }, delivery: { soonMin: 8, lateMin: 15 } }
  const lateMin = (type: string) => thresholdOf(type, model.snapshot().thresholds).lateMin

  it('are those of the box, as soon as it tells them, unless this screen has its own', () => {
    greet([A])
    expect([lateMin('dine-in'), lateMin('delivery')]).toEqual([10, 15])
    greet([A], { thresholds: box })
    expect([lateMin('dine-in'), lateMin('delivery')]).toEqual([14, 15])
    model.set({ ownThresholds: { delivery: { soonMin: 20, lateMin: 30 } } })
    greet([A], { thresholds: { ...box, delivery: { soonMin: 1, lateMin: 2 } } })
    expect([lateMin('dine-in'), lateMin('delivery')]).toEqual([14, 30])
  })
})
