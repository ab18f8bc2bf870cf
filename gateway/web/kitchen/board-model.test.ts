// Places of the grid and the selection: nothing moves under a finger, and no key acts on an order that was not visible.
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { boardOfOrder } from '#test/fixtures/two-station-orders.ts'
import { assertProperty } from '#test/harness/property.ts'
import * as grid from './board-model.ts'

const { BOARD_TIMES, EMPTY_BOARD } = grid
const ORDERS = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, boardOfOrder(id)]))
const orders = (ids: string): BoardOrder[] => [...ids].flatMap((id) => ORDERS.get(id) ?? [])
/** `a b- c`: b has left. */
const placesOf = (state: grid.BoardState) =>
  state.shown.map(({ order, isHole }) => order.orderId + (isHole ? '-' : '')).join(' ')

let state: grid.BoardState
let nowMs: number
/** @param own orders that leave by an action of this display */
const open = (ids: string, own = '') => {
  const left = new Set(own)
  state = grid.settle(state, { open: orders(ids), own: left, left, nowMs })
}
const pass = (ms: number) => {
  nowMs += ms
}

beforeEach(() => {
  state = EMPTY_BOARD
  nowMs = 1_000
})

describe('a place', () => {
  it('that becomes free stays until the quiet time after the last touch is over', () => {
    open('abc')
    open('ac')
    expect(placesOf(state)).toBe('a b- c')
    expect(grid.wakeAtMs(state, nowMs)).toBe(nowMs + BOARD_TIMES.quietMs)
    pass(BOARD_TIMES.quietMs - 1)
    state = grid.touchBegan(state, nowMs)
    state = grid.touchEnded(state, nowMs)
    pass(BOARD_TIMES.quietMs - 1)
    open('ac')
    expect(placesOf(state)).toBe('a b- c')
    pass(1)
    open('ac')
    expect(placesOf(state)).toBe('a c')
    expect(grid.wakeAtMs(state, nowMs)).toBeNull()
  })

  it('belongs to the order again if it comes back in the quiet time', () => {
    open('abc')
    open('ac', 'b')
    open('abc', 'b')
    expect(placesOf(state)).toBe('a b c')
  })

  it('does not move or change while a finger is down; an action of this display shows at once', () => {
    open('abc')
    state = grid.touchBegan(state, nowMs)
    pass(2_000)
    open('dbe', 'c')
    expect(placesOf(state)).toBe('a b c-')
    state = grid.touchEnded(state, nowMs)
    open('dbe', 'c')
    expect(placesOf(state)).toBe('a- b c- e')
    pass(BOARD_TIMES.quietMs)
    open('dbe')
    expect(placesOf(state)).toBe('d b e')
  })

  it('moves again even if the end of a touch was never reported', () => {
    open('ab')
    state = grid.touchBegan(state, nowMs)
    open('b')
    expect(grid.wakeAtMs(state, nowMs)).not.toBeNull()
    pass(BOARD_TIMES.longestTouchMs + BOARD_TIMES.quietMs)
    open('b')
    pass(BOARD_TIMES.quietMs)
    open('b')
    expect(placesOf(state)).toBe('b')
  })

  it('of a new order is before others only after the quiet time, and behind all of them at once', () => {
    open('bd')
    open('d')
    open('adf')
    expect(placesOf(state)).toBe('b- d f')
    pass(BOARD_TIMES.quietMs)
    open('adf')
    expect(placesOf(state)).toBe('a d f')
  })

  it('of a new order is behind all others if constant touches prevent its sorted place', () => {
    open('bd')
    open('abd')
    expect(placesOf(state)).toBe('a b d')
    open('ad')
    for (let ms = 0; ms < BOARD_TIMES.longestWaitMs; ms += 500) {
      state = grid.touchEnded(grid.touchBegan(state, nowMs), nowMs)
      open('acd')
      expect(placesOf(state)).toBe('a b- d')
      pass(500)
    }
    state = grid.touchEnded(grid.touchBegan(state, nowMs), nowMs)
    open('acd')
    expect(placesOf(state)).toBe('a b- d c')
    pass(BOARD_TIMES.quietMs)
    open('acd')
    expect(placesOf(state)).toBe('a c d')
  })

  it('is the same object as long as its order is', () => {
    open('ab')
    const [first] = state.shown
    const before = state.shown
    open('ab')
    expect(state.shown).toBe(before)
    open('abc')
    expect(state.shown[0]).toBe(first)
  })
})

describe('the selection', () => {
  beforeEach(() => {
    open('abcd')
    state = grid.drawn(state, [['a', 'b'], ['b', 'c'], ['d']])
  })

  it('is the first ticket until a person selects one, and then that order, wherever it moves', () => {
    expect(state.selected).toBe('a')
    state = grid.select(state, 'c')
    open('bcad')
    expect(state.selected).toBe('c')
  })

  it('moves to the next order when its order is bumped here, or to the last one after the last', () => {
    state = grid.select(state, 'b')
    open('acd', 'b')
    expect([state.selected, grid.isJustMoved(state, nowMs)]).toEqual(['c', true])
    pass(BOARD_TIMES.sameSpotMs)
    expect(grid.isJustMoved(state, nowMs)).toBe(false)
    state = grid.select(state, 'd')
    open('ac', 'd')
    expect(state.selected).toBe('c')
  })

  it('is empty for a moment if another display bumps its order, and then the first of the page', () => {
    state = grid.turnPage(state, 1)
    expect(state.selected).toBe('b')
    open('acd')
    expect([state.selected, grid.selectedInSight(state)]).toEqual([null, null])
    expect(grid.wakeAtMs(state, nowMs)).toBe(nowMs + BOARD_TIMES.lostMs)
    pass(BOARD_TIMES.lostMs - 1)
    open('acd')
    expect(state.selected).toBeNull()
    pass(1)
    open('acd')
    expect([state.selected, grid.isJustMoved(state, nowMs)]).toEqual(['c', true])
    pass(BOARD_TIMES.sameSpotMs)
    expect(grid.isJustMoved(state, nowMs)).toBe(false)
  })

  it("is a person's choice at once, also in that moment", () => {
    open('bcd')
    state = grid.select(state, 'd')
    open('bcd')
    expect(state.selected).toBe('d')
  })

  it('by number is the n-th ticket of the page as shown; the place of a ticket that has left selects nothing', () => {
    state = grid.turnPage(state, 1)
    expect([1, 2, 3].map((n) => grid.nthOnPage(state, n))).toEqual(['b', 'c', null])
    open('acd')
    expect([1, 2].map((n) => grid.nthOnPage(state, n))).toEqual([null, 'c'])
  })

  it('turns to its page, and turning a page selects its first ticket', () => {
    state = grid.moveSelection(grid.select(state, 'b'), 1)
    expect([state.selected, state.page]).toEqual(['c', 1])
    state = grid.turnPage(state, 5)
    expect([state.selected, state.page]).toEqual(['d', 2])
    state = grid.goTo(state, 'a')
    expect([state.selected, state.page]).toEqual(['a', 0])
  })

  it('is not visible if it was shown on another page', () => {
    state = grid.drawn(state, [['b'], ['a', 'c'], ['d']])
    expect([state.selected, grid.selectedInSight(state)?.orderId]).toEqual(['a', undefined])
  })
})

describe('after any events', () => {
  const ids = fc.subarray([...ORDERS.keys()]).map((some) => some.join(''))
  const step = fc.oneof(
    fc.record({ open: ids, own: ids }),
    fc.record({ ms: fc.integer({ min: 0, max: 900 }) }),
    fc.constantFrom({ hand: 'down' }, { hand: 'up' }),
    fc.record({ key: fc.integer({ min: 0, max: 5 }) }),
  )

  it('no ticket is shown twice, none moves under a finger, none is missing at rest, and the selection is shown', () => {
    assertProperty(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        state = EMPTY_BOARD
        let last = ''
        for (const one of steps as { open?: string; own?: string; ms?: number; hand?: string; key?: number }[]) {
          const before = state
          if (one.ms !== undefined) pass(one.ms)
          if (one.hand === 'down') state = grid.touchBegan(state, nowMs)
          if (one.hand === 'up') state = grid.touchEnded(state, nowMs)
          if (one.key !== undefined) state = grid.select(state, [...ORDERS.keys()][one.key] ?? '')
          last = one.open ?? last
          open(last, one.own)
          const places = state.shown.map(({ order }) => order.orderId)
          expect(new Set(places).size).toBe(places.length)
          if (
            before.downSinceMs !== null &&
            state.downSinceMs !== null &&
            nowMs - before.downSinceMs < BOARD_TIMES.longestTouchMs
          )
            expect(places.slice(0, before.shown.length)).toEqual(before.shown.map(({ order }) => order.orderId))
          if (state.selected !== null) expect(grid.standing(state, state.selected)).not.toBeNull()
          if (state.behindSinceMs === null) expect(placesOf(state)).toBe([...last].join(' '))
          else expect(grid.wakeAtMs(state, nowMs)).not.toBeNull()
        }
      }),
    )
  })
})
