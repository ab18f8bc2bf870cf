// What a kitchen page gets while it connects: the whole board and then each change once, in order; or an end, so that it reconnects.
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BoardRows } from '#gateway/storage/board-rows.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
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
  app.get('/live', async (_request, reply) => {
    await feed.open(room.display, reply)
    return reply
  })
})

afterEach(async () => {
  vi.restoreAllMocks()
  feed.close()
  await app.close()
  await room.stop()
})

const open = (): Promise<FeedPage> => FeedPage.open(app, '/live')
const pass = (ms: number): Promise<void> => room.core.clock.advance(ms)
/** It is on disk; nothing else has happened since. */
const accept = (n: number): void => room.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}` } })

/** Each order takes a whole slice to read, so that a page is greeted over many turns. */
function readSlowly(): void {
  let workedMs = 0
  const { clock } = room.core
  const monotonicMs = clock.monotonicMs.bind(clock)
  vi.spyOn(clock, 'monotonicMs').mockImplementation(() => monotonicMs() + workedMs)
  const progress = BoardRows.prototype.progress
  vi.spyOn(BoardRows.prototype, 'progress').mockImplementation(function (this: BoardRows, ...input) {
    workedMs += 5
    return progress.apply(this, input)
  })
}

/** The next read of the order's document fails. */
function failsOnce(jobId: string): void {
  let hasFailed = false
  const doc = BoardRows.prototype.doc
  vi.spyOn(BoardRows.prototype, 'doc').mockImplementation(function (this: BoardRows, asked) {
    if (asked !== jobId || hasFailed) return doc.call(this, asked)
    hasFailed = true
    throw new Error('disk I/O error')
  })
}

/** The revisions of the board and of the changes, in the order of arrival. */
const revisions = ({ events }: FeedPage): number[] =>
  events.filter(({ event }) => event !== 'beat').map(({ data }) => data.rev)
const counted = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i)

/** The board of a page that applies every message. */
function shownBy({ events }: FeedPage): string[] {
  const orders = new Set<string>()
  for (const { event, data } of events) {
    if (event === 'hello') orders.clear()
    for (const { orderId } of (data.orders ?? []) as BoardOrder[]) orders.add(orderId)
    for (const orderId of data.gone ?? []) orders.delete(orderId)
  }
  return [...orders].sort()
}
const onBoard = (): string[] =>
  room.kitchen.board
    .orders()
    .map(({ orderId }) => orderId)
    .sort()

describe('a page that opens while the board changes', () => {
  it('gets the whole board first, and then every change once, at any timing', async () => {
    for (let n = 1; n <= 6; n++) accept(n)
    readSlowly()
    const page = await open()
    for (let n = 7; n <= 30; n++) {
      accept(n)
      await pass(7)
    }
    await pass(10_000)
    expect(page.names().filter((name) => name === 'hello')).toHaveLength(1)
    expect(page.names()[0]).toBe('hello')
    // Some of them came while it was greeted, and some after that.
    expect(page.events[0]?.data.orders.length).toBeGreaterThan(6)
    expect(page.events.length).toBeGreaterThan(2)
    expect(revisions(page)).toEqual(counted(revisions(page)[0] ?? 0, revisions(page).length))
    expect(shownBy(page)).toEqual(onBoard())
  })

  it('does not get a change beside the board that contains it, and the page that was connected before does', async () => {
    const first = await open()
    await pass(100)
    const { board } = room.kitchen
    const catchUp = board.catchUp.bind(board)
    vi.spyOn(board, 'catchUp').mockImplementationOnce(async () => {
      await catchUp()
      // Only the greeting reads it.
      accept(1)
    })
    const second = await open()
    await pass(1_000)
    expect(first.names()).toEqual(['hello', 'patch'])
    expect(second.names()).toEqual(['hello'])
    expect(revisions(second)).toEqual(revisions(first).slice(-1))
    accept(2)
    await pass(1_000)
    expect(second.events.at(-1)).toEqual(first.events.at(-1))
    for (const page of [first, second]) expect(shownBy(page)).toEqual(['ord_1', 'ord_2'])
  })

  it('gets a new greeting when the settings of the box change', async () => {
    const page = await open()
    await pass(100)
    room.kitchen.boxWasChanged()
    await pass(1_000)
    expect(page.names()).toEqual(['hello', 'hello'])
  })

  it('gets a change that happens in the same event-loop turn as its greeting', async () => {
    const { kitchen } = room
    const hello = kitchen.hello.bind(kitchen)
    vi.spyOn(kitchen, 'hello').mockImplementationOnce((display) => {
      queueMicrotask(() => {
        accept(1)
        void kitchen.board.catchUp()
      })
      return hello(display)
    })
    const page = await open()
    await pass(100)
    expect(page.names()).toEqual(['hello', 'patch'])
    expect(revisions(page)).toEqual(counted(revisions(page)[0] ?? 0, 2))
    expect(shownBy(page)).toEqual(['ord_1'])
  })
})

describe('a page that leaves while it is greeted', () => {
  it('drops a board without viewers: later changes are not read', async () => {
    for (let n = 1; n <= 3; n++) accept(n)
    readSlowly()
    const greetings = vi.spyOn(room.kitchen, 'hello')
    const page = await open()
    await pass(5)
    page.leave()
    await pass(10_000)
    expect(greetings).not.toHaveBeenCalled()
    const reads = vi.spyOn(BoardRows.prototype, 'doc')
    accept(4)
    await pass(10_000)
    expect(reads).not.toHaveBeenCalled()
  })

  it('is not missed by the next page: it gets the board and what changes', async () => {
    accept(1)
    accept(2)
    readSlowly()
    const gone = await open()
    await pass(5)
    gone.leave()
    await pass(5)
    const page = await open()
    await pass(10_000)
    accept(3)
    await pass(10_000)
    expect([gone.names(), page.names().filter((name) => name !== 'beat')]).toEqual([[], ['hello', 'patch']])
    expect(shownBy(page)).toEqual(['ord_1', 'ord_2', 'ord_3'])
  })

  it('takes nothing from a page that stays', async () => {
    for (let n = 1; n <= 3; n++) accept(n)
    readSlowly()
    const [stays, leaves] = [await open(), await open()]
    await pass(5)
    leaves.leave()
    await pass(10_000)
    accept(4)
    await pass(10_000)
    expect(shownBy(stays)).toEqual(['ord_1', 'ord_2', 'ord_3', 'ord_4'])
  })
})

describe('a page whose board cannot be read', () => {
  it('is disconnected, so that it reconnects and gets all of it', async () => {
    accept(1)
    accept(2)
    failsOnce('pj_2')
    const page = await open()
    await pass(0)
    expect([page.names(), page.hasEnded]).toEqual([[], true])
    const again = await open()
    await pass(0)
    expect([shownBy(again), again.hasEnded]).toEqual([['ord_1', 'ord_2'], false])
  })

  it('is disconnected, too, when only the last read before its greeting fails, and leaves no viewer behind', async () => {
    accept(1)
    vi.spyOn(room.kitchen.board, 'orders').mockImplementationOnce(() => {
      throw new Error('disk I/O error')
    })
    const page = await open()
    await pass(100)
    expect([page.names(), page.hasEnded]).toEqual([[], true])
    const reads = vi.spyOn(BoardRows.prototype, 'doc')
    accept(2)
    await pass(10_000)
    expect(reads).not.toHaveBeenCalled()
  })

  it('is disconnected when its display was renamed and the board cannot be read; the renaming stands', async () => {
    const page = await open()
    await pass(100)
    vi.spyOn(room.kitchen.board, 'orders').mockImplementationOnce(() => {
      throw new Error('disk I/O error')
    })
    room.kitchen.displays.update(room.display.displayId, { name: 'Pass' })
    await pass(0)
    expect([page.names(), page.hasEnded]).toEqual([['hello'], true])
    const again = await open()
    await pass(0)
    expect(again.events[0]?.data.display.name).toBe('Pass')
  })
})
