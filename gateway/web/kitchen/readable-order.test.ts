// One unreadable order never removes the others from a display.
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BoardOrder, KitchenAct } from '#shared/wire/kitchen.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { boardOfOrder } from '#test/fixtures/two-station-orders.ts'
import { assertProperty } from '#test/harness/property.ts'
import { KitchenModel } from './kitchen-model.ts'
import { isUnreadable, standInOf } from './readable-order.ts'
import { runsOf } from './runner-view.ts'
import { blocksOf } from './ticket-blocks.ts'

type Listen = (event: { data?: unknown }) => void

let clock: ManualClock
let model: KitchenModel
let sent: KitchenAct[]
let signs: string[]
let feed: Map<string, Listen>

beforeEach(() => openPage())

function openPage(): void {
  clock = new ManualClock()
  sent = []
  signs = []
  feed = new Map()
  let ids = 0
  model = new KitchenModel(clock, {
    post: async (path, body) => {
      const { acts = [] } = body as { acts?: KitchenAct[] }
      sent.push(...acts)
      if (path.endsWith('/here')) signs.push(path)
      return { status: 200, body: { results: acts.map(({ id }) => ({ id, outcome: 'done' })) } }
    },
    openFeed: () => ({ addEventListener: (name, listen) => void feed.set(name, listen), close: () => undefined }),
    random: () => 0.5,
    randomId: () => `id${String(++ids).padStart(8, '0')}`,
    remember: () => undefined,
    remembered: () => null,
    apply: () => undefined,
    reload: () => undefined,
    sounds: { isOn: true, unlock: async () => undefined, play: () => undefined },
  })
  model.start(null)
}

function tell(name: string, data: object): void {
  feed.get(name)?.({ data: JSON.stringify({ rev: 1, nowMs: clock.now(), ...data }) })
}

function greet(orders: unknown, stations: readonly string[] = []): void {
  const display = { displayId: 'd1', name: 'Screen', stations, language: 'en' }
  const site = { app: 'test', timeZone: 'UTC', restaurant: 'Bistro' }
  tell('hello', { ...site, display, served: ['grill', 'fry'], adopter: 'd1', orders, printers: [] })
}

const open = () => model.snapshot().views.open
const ids = () => open().map(({ orderId }) => orderId)
const GOOD = [boardOfOrder('a'), boardOfOrder('c')]
const broken = (over: object): BoardOrder => ({ ...boardOfOrder('b'), ...over }) as BoardOrder

describe('an unreadable order', () => {
  it('without lines is on the board of each of its stations, with the other orders', () => {
    greet([...GOOD, broken({ lines: null })], ['grill'])
    expect(ids().sort()).toEqual(['a', 'b', 'c'])
    expect(
      open()
        .filter(isUnreadable)
        .map(({ number }) => number),
    ).toEqual(['b'])
  })

  it('in a patch does not break the feed: later messages are shown', () => {
    greet(GOOD)
    tell('patch', { orders: [broken({ lines: null }), null, { orderId: 7 }], gone: [] })
    tell('patch', { orders: [boardOfOrder('d')], gone: ['a'] })
    expect(ids().sort()).toEqual(['b', 'c', 'd'])
  })

  it('can be bumped and leaves the board, without reporting its unknown lines as seen', () => {
    greet([...GOOD, broken({ lines: null })], ['grill'])
    const [order] = open().filter(isUnreadable)
    if (order) model.tap('ready', order, ['grill'])
    expect(sent).toMatchObject([{ kind: 'ready', orderId: 'b', stations: ['grill'] }])
    expect(sent[0]).not.toHaveProperty('seenRev')
    expect(ids()).not.toContain('b')
  })

  it('is shown normally once it can be read', () => {
    greet([...GOOD, broken({ lines: null })])
    tell('patch', { orders: [boardOfOrder('b')], gone: [] })
    expect(open().some(isUnreadable)).toBe(false)
  })

  it('on a board without a list of orders gives an empty board', () => {
    greet(null)
    expect(model.snapshot()).toMatchObject({ phase: 'board', views: { open: [] } })
  })

  it('with any value in a field leaves the others on the board, and has a ticket or a replacement', () => {
    const field = fc.constantFrom(...Object.keys(boardOfOrder('b')).filter((key) => key !== 'orderId'))
    const deep = fc.jsonValue({ maxDepth: 2 })
    const junk = fc.oneof(deep, fc.constantFrom(null, [null], [{}], [[]], { key: null }))
    assertProperty(
      fc.property(field, junk, fc.constantFrom([], ['grill']), (key, value, stations) => {
        openPage()
        greet(GOOD, stations)
        tell('patch', { orders: [broken({ [key]: value })], gone: [] })
        greet([...GOOD, broken({ [key]: value })], stations)
        expect(ids()).toEqual(expect.arrayContaining(['a', 'c']))
        const { viewer } = model.snapshot()
        const [bad] = open().filter(({ orderId }) => orderId === 'b')
        if (bad) expect(blocksOf(standInOf(bad), viewer, '').length).toBeGreaterThan(1)
        const runs = runsOf(open(), { taken: new Map(), carried: new Set(), nowMs: 0 })
        expect(runs.flatMap(({ orders }) => orders)).toHaveLength(open().length)
      }),
    )
  })
})

describe('a page that cannot be rendered', () => {
  it('stops its reports, so that the gateway counts the display as silent, and still sends the taps', async () => {
    greet(GOOD, ['grill'])
    await clock.advance(5_000)
    expect(signs.length).toBeGreaterThan(0)
    model.failed()
    signs = []
    await clock.advance(20_000)
    expect(signs).toEqual([])
    model.tap('ready', GOOD[0] as BoardOrder)
    expect(sent).toMatchObject([{ kind: 'ready', orderId: 'a' }])
  })
})
