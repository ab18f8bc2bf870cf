// A disk that cannot be read for a while, or an order that never can: the kitchen's background checks continue, and printing is not affected.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BoardRows } from '#gateway/storage/board-rows.ts'
import { KitchenStore } from '#gateway/storage/kitchen-store.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'

let room: KitchenRoom
/** What cannot be read now. */
let ill: Set<string>

beforeEach(async () => {
  room = new KitchenRoom()
  ill = new Set()
  await room.kitchen.start()
  const fail = (name: string) => {
    if (ill.has(name)) throw new Error('disk I/O error')
  }
  const { doc, candidates } = BoardRows.prototype
  vi.spyOn(BoardRows.prototype, 'doc').mockImplementation(function (this: BoardRows, jobId) {
    fail(jobId)
    fail('every order')
    return doc.call(this, jobId)
  })
  vi.spyOn(BoardRows.prototype, 'candidates').mockImplementation(function (this: BoardRows, most) {
    fail('the list')
    return candidates.call(this, most)
  })
  const { seen } = KitchenStore.prototype
  vi.spyOn(KitchenStore.prototype, 'seen').mockImplementation(function (this: KitchenStore, orderId) {
    fail(`seen ${orderId}`)
    return seen.call(this, orderId)
  })
})

afterEach(async () => {
  vi.restoreAllMocks()
  await room.stop()
})

const accept = (n: number) => room.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}` } })
const shown = () => room.kitchen.board.orders().map(({ orderId }) => orderId)
const faults = () => room.core.logged.filter((line) => line.includes('disk I/O error'))
const pass = (ms: number) => room.core.clock.advance(ms)

describe('the board', () => {
  it('shows every other order while one cannot be read, logs that once a minute, and shows it when it can', async () => {
    const told: string[] = []
    room.kitchen.board.watch(({ orders }) => told.push(...orders.map(({ orderId }) => orderId)))
    ill.add('pj_2')
    for (const n of [1, 2, 3]) accept(n)
    await pass(20_000)
    accept(4)
    await pass(100_000)
    expect([told, shown()]).toEqual([
      ['ord_1', 'ord_3', 'ord_4'],
      ['ord_1', 'ord_3', 'ord_4'],
    ])
    expect(faults().length).toBeGreaterThan(0)
    expect(faults().length).toBeLessThan(4)
    ill.clear()
    await pass(10_000)
    expect(told).toContain('ord_2')
  })

  it('never pretends that nothing is open: while nothing can be read, it cannot be had', async () => {
    ill.add('every order')
    accept(1)
    for (let n = 0; n < 5; n++) {
      await expect(room.kitchen.board.catchUp()).rejects.toThrow('disk I/O error')
      await pass(10_000)
    }
    ill.clear()
    await room.kitchen.board.catchUp()
    expect(shown()).toEqual(['ord_1'])
  })

  it('continues after its list was unreadable for minutes', async () => {
    ill.add('the list')
    room.kitchen.board.watch(() => undefined)
    accept(1)
    await pass(300_000)
    expect(faults().length).toBeLessThan(8)
    ill.clear()
    await pass(10_000)
    expect(shown()).toEqual(['ord_1'])
  })
})

describe('what watches the screens', () => {
  const sent = (words: string) => room.core.transport('grill').sent.filter(({ text }) => text.includes(words))

  beforeEach(async () => {
    await room.core.queue.start()
    room.claim()
  })

  it('prints what a silent screen has not shown once it can be read, and every other order before', async () => {
    room.kitchen.displays.update(room.display.displayId, { backupPrinterId: 'grill' })
    for (const n of [1, 2]) accept(n)
    await pass(0)
    shown()
    ill.add('seen ord_1')
    await room.core.pass(40_000)
    expect(sent('SCREEN OFFLINE')).toHaveLength(1)
    expect(sent('SCREEN OFFLINE')[0]?.text).toContain('O-pj_2')
    ill.clear()
    await room.core.pass(10_000)
    expect(sent('SCREEN OFFLINE')).toHaveLength(2)
  })

  it('does so, and calls by the buzzer, after the whole board could not be read for minutes', async () => {
    room.kitchen.displays.update(room.display.displayId, { backupPrinterId: 'grill', buzzAfterS: 10 })
    ill.add('the list')
    accept(1)
    await room.core.pass(120_000)
    expect(sent('SCREEN OFFLINE')).toHaveLength(0)
    ill.clear()
    await room.core.pass(10_000)
    expect(sent('SCREEN OFFLINE')).toHaveLength(1)
    accept(2)
    for (let left = 30; left > 0; left -= 5) {
      room.here(['ord_2'])
      await room.core.pass(5_000)
    }
    expect(sent('LOOK AT SCREEN')).toHaveLength(1)
    expect(room.core.fatal).toEqual([])
  })
})
