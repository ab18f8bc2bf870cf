// Taps and keys on one display: confirmations, double taps, accidental taps, the strip, and compatibility with gateways of other versions.
import { beforeEach, describe, expect, it } from 'vitest'
import { thresholdOf } from '#shared/kitchen-times.ts'
import type { KitchenHello } from '#shared/wire/kitchen.ts'
import { A, B, C, DisplayPage, done, GRILL } from '#test/doubles/web/display-page.ts'
import { boardLine, boardOfOrder, boardStation } from '#test/fixtures/two-station-orders.ts'
import { BOARD_TIMES } from './board-model.ts'

let page: DisplayPage
beforeEach(() => {
  page = new DisplayPage()
})

describe('an action', () => {
  it('has the revision, the lines and the display', async () => {
    page.greet([A], GRILL)
    page.tapNext('a')
    await page.settle()
    expect(page.sent).toMatchObject([{ kind: 'ready', orderId: 'a', stations: ['grill'], seenRev: 1, lines: [0] }])
    expect(page.sent[0]?.screen).toBe(page.kept.get('ticketrail.screen-id'))
  })

  it('has none of these for a gateway of an earlier version', async () => {
    const { rev: _, ...older } = A
    page.greet([older], GRILL)
    page.tapNext('a')
    await page.settle()
    expect(Object.keys(page.sent[0] ?? {}).sort()).toEqual(['atMs', 'id', 'kind', 'orderId', 'stations'])
  })

  it('that the gateway refuses is reported with its reason, at its order', async () => {
    page.results = (all) => all.map(({ id }) => ({ id, outcome: 'refused', reason: 'came-back' }))
    page.greet([A], GRILL)
    page.tapNext('a')
    await page.settle()
    expect(page.model.snapshot().refused).toEqual({ orderId: 'a', number: 'a', reason: 'came-back' })
    expect(page.model.snapshot().shown).toEqual([{ order: A, isHole: false }])
  })

  it('by finger directly after another at the same place is ignored, and at another place it is not', async () => {
    page.greet([A, B, C], GRILL)
    const touch = (x: number, orderId: string) => {
      page.model.touchBegan({ x, y: 0 })
      page.model.touchEnded()
      page.tapNext(orderId)
    }
    touch(100, 'a')
    touch(110, 'b')
    touch(400, 'c')
    await page.clock.advance(BOARD_TIMES.sameSpotMs)
    touch(400, 'b')
    await page.settle()
    expect(page.acts()).toEqual(['ready a', 'ready c', 'ready b'])
  })

  it('needs two taps if the display is set to that, and a key needs one', async () => {
    page.greet([A, B], GRILL)
    page.model.set({ doubleTap: true })
    page.tapNext('a')
    expect(page.model.snapshot().armed).toMatchObject({ kind: 'ready', orderId: 'a' })
    await page.clock.advance(BOARD_TIMES.doubleTapMs)
    expect(page.model.snapshot().armed).toBeNull()
    page.tapNext('a')
    await page.settle()
    expect(page.acts()).toEqual([])
    page.tapNext('a')
    page.model.press('2')
    page.model.press('Enter')
    await page.settle()
    expect(page.acts()).toEqual(['ready a', 'ready b'])
  })
})

describe('a key', () => {
  it('bumps the selected order and selects the next; a second Enter in haste only sounds', async () => {
    page.greet([A, B, C], GRILL)
    await page.clock.advance(BOARD_TIMES.sameSpotMs)
    page.model.press('Enter')
    expect(page.model.snapshot().selected).toBe('b')
    page.model.press('Enter')
    await page.clock.advance(BOARD_TIMES.sameSpotMs)
    page.model.press('Enter')
    await page.settle()
    expect(page.acts()).toEqual(['ready a', 'ready b'])
    expect(page.noises.filter((noise) => noise === 'deny')).toHaveLength(1)
  })

  it('bumps an order that was selected by its number at once', async () => {
    page.greet([A, B, C], GRILL)
    for (const key of ['3', 'Enter', '2', 'Enter']) page.model.press(key)
    await page.settle()
    expect(page.acts()).toEqual(['ready c', 'ready b'])
  })

  it('only sounds if another display has just taken the selected order', async () => {
    page.greet([A, B], GRILL)
    page.patch([done(A)])
    expect(page.model.snapshot().selected).toBeNull()
    page.model.press('Enter')
    await page.clock.advance(BOARD_TIMES.lostMs)
    expect([page.acts(), page.noises.at(-1), page.model.snapshot().selected]).toEqual([[], 'deny', 'b'])
    expect(page.model.snapshot().shown.map(({ order }) => order.orderId)).toEqual(['b'])
  })

  it('does nothing to an order that was selected automatically before anyone could see it', async () => {
    page.greet([A], GRILL)
    page.model.press('Enter')
    page.greet([A, B, C], GRILL)
    page.patch([done(A)])
    await page.clock.advance(BOARD_TIMES.lostMs)
    page.model.press('Enter')
    await page.settle()
    expect([page.acts(), page.model.snapshot().selected]).toEqual([[], 'b'])
    await page.clock.advance(BOARD_TIMES.sameSpotMs)
    page.model.press('Enter')
    await page.settle()
    expect(page.acts()).toEqual(['ready b'])
  })

  it('fires the next course only if it is pressed again, and not by its bounce', async () => {
    const later = { course: 2, stations: ['grill'], firedAtMs: null }
    page.greet(
      [
        boardOfOrder('a', {
          courses: [later],
          lines: [boardLine('Soup', 'grill'), boardLine('Steak', 'grill', { course: 2 })],
        }),
      ],
      GRILL,
    )
    await page.clock.advance(BOARD_TIMES.sameSpotMs)
    page.model.press('f')
    await page.clock.advance(50)
    page.model.press('f')
    await page.clock.advance(600)
    expect([page.acts(), page.model.snapshot().armed]).toMatchObject([[], { kind: 'fire', course: 2 }])
    page.model.press('f')
    await page.settle()
    expect(page.sent).toMatchObject([{ kind: 'fire', course: 2, lines: [1] }])
  })

  it('of a drawer is passed to the listeners', () => {
    page.greet([A])
    const told: string[] = []
    page.model.onPanel((name) => told.push(name))
    for (const key of ['a', 'r', 'x']) page.model.press(key)
    expect(told).toEqual(['allDay', 'recall'])
  })
})

describe('Ready at expo of an order with open stations', () => {
  it('asks for confirmation with what is open, and is sent only after a yes', async () => {
    page.greet([A])
    page.tapNext('a')
    expect(page.model.snapshot().asking?.open).toEqual([
      { name: 'grill', lines: 1 },
      { name: 'fry', lines: 1 },
    ])
    page.model.answer(false)
    await page.clock.advance(BOARD_TIMES.sameSpotMs)
    expect([page.acts(), page.model.snapshot().asking]).toEqual([[], null])
    page.tapNext('a')
    page.model.answer(true)
    await page.settle()
    expect(page.sent).toMatchObject([{ kind: 'ready', seenRev: 1, lines: [0, 1] }])
  })

  it('is sent or refused without a question if the display is set to that', async () => {
    page.greet([A])
    page.model.set({ expoAsk: 'forbid' })
    page.tapNext('a')
    expect(page.model.snapshot().refused).toMatchObject({ orderId: 'a', reason: 'stations-open' })
    page.model.set({ expoAsk: 'allow' })
    page.tapNext('a')
    await page.settle()
    expect(page.acts()).toEqual(['ready a'])
  })

  it('needs no confirmation if no station has a display of its own, or everything open is struck off', async () => {
    page.greet([A], { served: [] })
    page.tapNext('a')
    expect(page.model.snapshot().asking).toBeNull()
    page.greet([{ ...B, struckLines: [0, 1] }])
    await page.clock.advance(BOARD_TIMES.sameSpotMs)
    page.tapNext('b')
    expect(page.model.snapshot().asking).toBeNull()
  })

  it('closes the confirmation if the order is voided meanwhile', () => {
    page.greet([A])
    page.tapNext('a')
    page.patch([{ ...A, rev: 2, voidedAtMs: 9 }])
    expect(page.model.snapshot().asking).toBeNull()
  })
})

describe('a void and a change', () => {
  it('are in the strip, oldest first, and before all other tickets, until they are acknowledged', async () => {
    page.greet([A, B, C], GRILL)
    const off = { ...C, rev: 2, voidedAtMs: 90, voidReason: 'guest left' }
    page.patch([off, { ...boardOfOrder('d', { dueAtMs: 50 }), addOnTo: 'a' }])
    expect(page.model.snapshot().strip).toEqual([
      { kind: 'change', orderId: 'd', number: 'd' },
      { kind: 'void', orderId: 'c', number: 'c', reason: 'guest left' },
    ])
    expect(page.model.snapshot().shown.map(({ order }) => order.orderId)).toEqual(['c', 'd', 'a', 'b'])
    page.model.tap('void-seen', off)
    expect(page.model.snapshot().strip.map(({ orderId }) => orderId)).toEqual(['d'])
  })

  it('sound repeatedly until then, whatever is touched', async () => {
    page.greet([A], GRILL)
    page.patch([{ ...A, rev: 2, voidedAtMs: 90 }])
    const voids = () => page.noises.filter((noise) => noise === 'void').length
    for (let n = 0; n < 3; n++) {
      page.model.touchBegan()
      page.model.touchEnded()
      await page.clock.advance(10_000)
    }
    expect(voids()).toBe(4)
    page.model.tap('void-seen', page.model.snapshot().shown[0]?.order ?? A)
    await page.settle()
    page.patch([{ ...A, rev: 3, voidedAtMs: 90, voidSeenBy: ['d1'] }])
    await page.clock.advance(30_000)
    expect(voids()).toBe(4)
  })
})

describe('a line of a station that no display serves', () => {
  const bar = boardOfOrder('a', { lines: [boardLine('Tea', 'bar')], stations: [boardStation('bar')] })
  const isShown = () => page.model.snapshot().shown.length > 0

  it('is shown on the display that the gateway selected, as soon as it says so', () => {
    page.greet([bar], { ...GRILL, adopter: 'd2' })
    expect(isShown()).toBe(false)
    page.patch([], [], { adopter: 'd1' })
    expect(isShown()).toBe(true)
  })

  it('is shown on every display of a gateway of an earlier version', () => {
    page.greet([bar], GRILL)
    const { adopter: _, ...older } = page.model.snapshot().hello ?? ({} as KitchenHello)
    page.tell('hello', { ...older, orders: [bar] })
    expect(isShown()).toBe(true)
  })
})

describe('unchanged parts', () => {
  it('are the same object after a change of another order', () => {
    page.greet([A, B, C], GRILL)
    const before = page.model.snapshot()
    page.patch([{ ...B, rev: 2, note: 'hurry' }])
    const after = page.model.snapshot()
    expect(after.shown[0]).toBe(before.shown[0])
    expect(after.shown[1]).not.toBe(before.shown[1])
    expect([after.strip, after.undos, after.waiting, after.views.done]).toEqual([[], [], new Set(), []])
    expect(after.strip).toBe(before.strip)
    expect(after.waiting).toBe(before.waiting)
  })
})

describe('the minutes after which an order is late', () => {
  const box = { usual: { soonMin: 7, lateMin: 14 }, delivery: { soonMin: 8, lateMin: 15 } }
  const lateMin = (type: string) => thresholdOf(type, page.model.snapshot().thresholds).lateMin

  it('are those of the gateway, as soon as it sends them, unless this display has its own', () => {
    page.greet([A])
    expect([lateMin('dine-in'), lateMin('delivery')]).toEqual([10, 15])
    page.greet([A], { thresholds: box })
    expect([lateMin('dine-in'), lateMin('delivery')]).toEqual([14, 15])
    page.model.set({ ownThresholds: { delivery: { soonMin: 20, lateMin: 30 } } })
    page.greet([A], { thresholds: { ...box, delivery: { soonMin: 1, lateMin: 2 } } })
    expect([lateMin('dine-in'), lateMin('delivery')]).toEqual([14, 30])
  })
})
