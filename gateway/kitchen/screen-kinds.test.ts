// What a runner and the guests' board are sent, and what may be done there.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ACT_KINDS, type BoardOrder } from '#shared/wire/kitchen.ts'
import { DISPLAY_KINDS } from '#shared/wire/kitchen-screens.ts'
import { assertProperty } from '#test/harness/property.ts'
import { isForRunner, mayAct, PickUpNumbers, RunnerOrders } from './screen-kinds.ts'

const NOW = 10_000_000
const MINUTE = 60_000
const station = (key: string, readyAtMs: number | null = null) => ({ key, name: key, startedAtMs: null, readyAtMs })
const line = (name: string, course: number | null = null, at = 'grill'): BoardOrder['lines'][number] => ({
  ...{ name, qty: 1, note: null, modifiers: [], station: at, isAllergy: false, seat: null, course },
})
const order = (change: Partial<BoardOrder> = {}): BoardOrder => ({
  ...{ orderId: 'ord_1', number: '41', clientOrderId: 'W-1', source: 'web', customer: null, orderType: 'takeaway' },
  ...{ table: null, guests: null, server: null, note: null, allergens: [], addOnTo: null, isTest: false },
  ...{ dueAtMs: NOW - MINUTE, readyByMs: null, isScheduled: false, voidedAtMs: null, voidSeenBy: [], changeSeenBy: [] },
  ...{ stations: [station('grill')], courses: [], readyAtMs: null, pickedUpAtMs: null, recalledAtMs: null },
  ...{ struckLines: [], lines: [line('Burger')], paper: 'printed' },
  ...change,
})
const numbers = (orders: BoardOrder[], showNames = false, nowMs = NOW) =>
  new PickUpNumbers(orders).rows(nowMs, { showNames }).map(({ number, state }) => `${number} ${state}`)

describe('an act', () => {
  it('of the kitchen is anything, of a runner what he carries, of guests nothing', () => {
    const allowed = (kind: (typeof DISPLAY_KINDS)[number]) => ACT_KINDS.filter((act) => mayAct(kind, act))
    expect(DISPLAY_KINDS.map(allowed)).toEqual([ACT_KINDS, ['pick-up', 'recall'], []])
  })
})

describe('a runner', () => {
  it.each<[string, Partial<BoardOrder>, boolean]>([
    ['what is being made', {}, false],
    ['what is ready', { readyAtMs: NOW }, true],
    ['what was picked up, to take it back', { readyAtMs: NOW, pickedUpAtMs: NOW }, true],
    ['what was called off', { readyAtMs: NOW, voidedAtMs: NOW }, false],
    ['what is for later', { isScheduled: true }, false],
  ])('%s: %j', (_, change, isSent) => {
    expect(isForRunner(order(change))).toBe(isSent)
  })

  it('gets an order whose first course is made and whose second one is held, and loses it when that is fired', () => {
    const courses = (firedAtMs: number | null) => [{ course: 2, stations: ['grill'], firedAtMs }]
    const lines = [line('Soup', 1), line('Steak', 2)]
    const made = { lines, stations: [station('grill', NOW)] }
    expect(isForRunner(order({ ...made, courses: courses(null) }))).toBe(true)
    expect(isForRunner(order({ lines, courses: courses(null) }))).toBe(false)
    expect(isForRunner(order({ lines, courses: courses(NOW) }))).toBe(false)
  })

  it('gets the removal of an order that the kitchen recalls, and nothing about an order that it never had', () => {
    const ready = (orderId: string) => order({ orderId, readyAtMs: NOW })
    const patch = (orders: BoardOrder[], gone: string[] = []) => ({ rev: 7, nowMs: NOW, orders, gone })
    const runner = new RunnerOrders([ready('ord_1'), order({ orderId: 'ord_3' })])
    expect(runner.take(patch([order({ orderId: 'ord_4' })], ['ord_3']))).toBeNull()
    expect(runner.take(patch([order(), ready('ord_2')], ['ord_5']))).toEqual(patch([ready('ord_2')], ['ord_1']))
    expect(runner.take(patch([order()], ['ord_2', 'ord_1']))).toEqual(patch([], ['ord_2']))
  })
})

describe("the guests' board", () => {
  it('has what is prepared, oldest first, and what is ready, newest first', () => {
    const rows = numbers([
      order({ orderId: 'a', number: '2', dueAtMs: NOW - 2 * MINUTE }),
      order({ orderId: 'b', number: '1', dueAtMs: NOW - 3 * MINUTE }),
      order({ orderId: 'c', number: '8', readyAtMs: NOW - 3 * MINUTE }),
      order({ orderId: 'd', number: '9', readyAtMs: NOW - 2 * MINUTE }),
    ])
    expect(rows).toEqual(['1 preparing', '2 preparing', '9 ready', '8 ready'])
  })

  it('has no dine-in, test, scheduled, voided or picked-up orders', () => {
    const none = [{ table: '12' }, { isTest: true }, { isScheduled: true }, { voidedAtMs: NOW }, { pickedUpAtMs: NOW }]
    expect(none.flatMap((change) => numbers([order({ readyAtMs: 1, ...change })]))).toEqual([])
  })

  it('shows ready when the cook can no longer undo it', () => {
    const ready = [order({ readyAtMs: NOW })]
    expect([4_999, 5_000].map((ms) => numbers(ready, false, NOW + ms))).toEqual([['41 preparing'], ['41 ready']])
  })

  it('drops a number that was not picked up for an hour, and one that the kitchen dropped for two', () => {
    expect(numbers([order({ readyAtMs: NOW - 61 * MINUTE })])).toEqual([])
    expect(numbers([order({ readyAtMs: NOW - 59 * MINUTE })])).toEqual(['41 ready'])
    expect(numbers([order({ dueAtMs: NOW - 121 * MINUTE })])).toEqual([])
  })

  it('follows what changes', () => {
    const board = new PickUpNumbers([order()])
    const statesWith = (orders: BoardOrder[], gone: string[] = []) => {
      board.take({ orders, gone })
      return board.rows(NOW, { showNames: false }).map(({ state }) => state)
    }
    expect(statesWith([order({ readyAtMs: NOW - MINUTE })])).toEqual(['ready'])
    expect(statesWith([order()])).toEqual(['preparing'])
    expect(statesWith([order({ pickedUpAtMs: NOW })])).toEqual([])
    expect(statesWith([order()])).toEqual(['preparing'])
    expect(statesWith([], ['ord_1'])).toEqual([])
  })

  it('has first names only where they are to be shown', () => {
    const guest = [order({ customer: 'Ana L.' })]
    const rows = (showNames: boolean) => new PickUpNumbers(guest).rows(NOW, { showNames })
    expect(rows(false)).toEqual([{ number: '41', state: 'preparing', sinceMs: NOW - MINUTE }])
    expect(rows(true)).toEqual([{ number: '41', state: 'preparing', sinceMs: NOW - MINUTE, name: 'Ana' }])
  })

  it('is never sent a word of the order but its number', () => {
    const word = fc.stringMatching(/^SECRET[a-z]{0,9}$/)
    assertProperty(
      fc.property(word, fc.constantFrom(null, NOW - MINUTE), (secret, readyAtMs) => {
        const told = order({
          ...{ clientOrderId: secret, source: secret, customer: secret, server: secret, note: secret, readyAtMs },
          allergens: [{ words: secret, seat: null, item: secret }],
          lines: [{ ...line(secret), note: secret, modifiers: [secret], allergens: [secret] }],
          voidReason: secret,
        })
        const rows = new PickUpNumbers([told]).rows(NOW, { showNames: false })
        expect(rows).toHaveLength(1)
        expect(JSON.stringify(rows)).not.toContain('SECRET')
      }),
    )
  })
})
