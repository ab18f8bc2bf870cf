// What pages of the three kinds of screen get from the same board.
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DisplayKind } from '#shared/wire/kitchen-screens.ts'
import { FeedPage, feedApp } from '#test/doubles/feed-page.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'
import { KitchenFeed } from './kitchen-feed.ts'

let room: KitchenRoom
let feed: KitchenFeed
let app: FastifyInstance

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
  feed = new KitchenFeed({ kitchen: room.kitchen, clock: room.core.clock })
  app = feedApp()
  app.get<{ Params: { id: string } }>('/live/:id', async ({ params }, reply) => {
    const display = room.kitchen.displays.find(params.id)
    if (display) await feed.open(display, reply)
    return reply
  })
})

afterEach(async () => {
  feed.close()
  await app.close()
  await room.stop()
})

const pass = (ms: number): Promise<void> => room.core.clock.advance(ms)

async function open(kind: DisplayKind, showNames = false): Promise<{ page: FeedPage; displayId: string }> {
  const facts = { name: `${kind} ${showNames}`, kind, stations: [], language: 'en', backupPrinterId: null, showNames }
  const added = room.kitchen.displays.add(facts, room.core.clock.now())
  if (!added.ok) throw new Error(added.reason)
  const { displayId } = added.display
  const page = await FeedPage.open(app, `/live/${displayId}`)
  await pass(0)
  return { page, displayId }
}

const accept = (n: number): void =>
  room.core.accept(`pj_${n}`, {
    order: { serviceOrderId: `ord_${n}`, posOrderId: `20261121-04${n}`, customer: { name: 'Canary Bird' } },
  })
const numbersOf = ({ events }: FeedPage): unknown[] =>
  events.filter(({ event }) => event === 'hello').map(({ data }) => data.pickUp)
/** Everything that the page was sent. */
const allOf = ({ events }: FeedPage): string => JSON.stringify(events)

describe("the guests' board", () => {
  it('gets numbers and states, each change once, and nothing else of any order', async () => {
    accept(1)
    const { page } = await open('pick-up')
    accept(2)
    await pass(1_000)
    room.send(room.act('ready', 'ord_1'))
    await pass(10_000)
    room.send(room.act('start', 'ord_2'))
    await pass(10_000)
    const now = expect.any(Number)
    const preparing = (number: string) => ({ number, state: 'preparing', sinceMs: now })
    expect(numbersOf(page)).toEqual([
      [preparing('41')],
      [preparing('41'), preparing('42')],
      [preparing('42'), { number: '41', state: 'ready', sinceMs: now }],
    ])
    expect(new Set(page.names())).toEqual(new Set(['hello', 'beat']))
    for (const word of ['Canary', 'Burger', 'ord_', 'WEB', 'A-1', 'grill']) expect(allOf(page)).not.toContain(word)
  })

  it('gets first names where its display is set to show them, as soon as it is', async () => {
    accept(1)
    const { page, displayId } = await open('pick-up')
    expect(allOf(page)).not.toContain('Canary')
    room.kitchen.displays.update(displayId, { showNames: true })
    await pass(0)
    expect(numbersOf(page).at(-1)).toMatchObject([{ number: '41', name: 'Canary' }])
    expect(allOf(page)).not.toContain('Bird')
  })

  it('that a kitchen screen becomes is sent nothing more of the orders', async () => {
    accept(1)
    const { page, displayId } = await open('kitchen')
    expect(allOf(page)).toContain('ord_1')
    room.kitchen.displays.update(displayId, { kind: 'pick-up' })
    await pass(0)
    const before = page.events.length
    accept(2)
    room.send(room.act('start', 'ord_1'))
    await pass(10_000)
    expect(page.events.at(before - 1)?.data).toMatchObject({ orders: [], display: { kind: 'pick-up' } })
    expect(JSON.stringify(page.events.slice(before))).not.toContain('ord_')
  })
})

describe('a runner', () => {
  it('gets an order when it is ready, and its removal when it is recalled', async () => {
    accept(1)
    accept(2)
    room.send(room.act('ready', 'ord_1'))
    const { page } = await open('runner')
    const ids = (orders: { orderId: string }[]) => orders.map(({ orderId }) => orderId)
    expect(ids(page.events[0]?.data.orders)).toEqual(['ord_1'])
    expect(page.events[0]?.data.display.kind).toBe('runner')
    room.send(room.act('ready', 'ord_2'))
    await pass(100)
    expect(ids(page.events.at(-1)?.data.orders)).toEqual(['ord_2'])
    room.send(room.act('recall', 'ord_1'))
    await pass(100)
    expect(page.events.at(-1)?.data).toMatchObject({ orders: [], gone: ['ord_1'] })
  })

  it('gets no id of an order in preparation, also when it arrives, changes and leaves', async () => {
    const { page } = await open('runner')
    accept(1)
    await pass(100)
    room.send(room.act('start', 'ord_1'))
    await pass(100)
    room.core.intake.cancel('pj_1', true)
    room.send(room.act('void-seen', 'ord_1'))
    await pass(3 * 3_600_000)
    expect(allOf(page)).not.toContain('ord_')
  })
})

it('a kitchen screen gets what it always did, with its kind', async () => {
  accept(1)
  const { page } = await open('kitchen')
  expect(page.events[0]?.data).toMatchObject({ display: { kind: 'kitchen' }, orders: [{ orderId: 'ord_1' }] })
  expect(page.events[0]?.data.pickUp).toBeUndefined()
  accept(2)
  await pass(100)
  expect(page.events.at(-1)).toMatchObject({ event: 'patch', data: { orders: [{ orderId: 'ord_2' }] } })
})
