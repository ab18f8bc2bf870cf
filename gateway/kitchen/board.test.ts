// The cost of the board: nothing while no page watches, one order a change while one does, and never the event loop for long.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BoardRows } from '#gateway/storage/board-rows.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'

let room: KitchenRoom

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
})

afterEach(async () => {
  await room.stop()
  vi.restoreAllMocks()
})

/** Orders that wait for paper. */
async function arrive(count: number, first = 1): Promise<void> {
  for (let n = first; n < first + count; n++) room.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}` } })
  await room.core.clock.advance(0)
}

const patched = (): string[][] => {
  const patches: string[][] = []
  room.kitchen.board.watch(({ orders }) => patches.push(orders.map(({ orderId }) => orderId)))
  return patches
}

const watchReads = (): { documents: () => number; reads: () => number } => {
  const spies = [vi.spyOn(BoardRows.prototype, 'doc'), vi.spyOn(BoardRows.prototype, 'progress')] as const
  return { documents: () => spies[0].mock.calls.length, reads: () => spies[1].mock.calls.length }
}

describe('the board, without viewers,', () => {
  it('reads nothing of what arrives and is printed', async () => {
    const cost = watchReads()
    await arrive(20)
    await room.core.queue.start()
    await room.core.result('pj_20')
    await room.core.clock.advance(60_000)
    expect([cost.documents(), cost.reads()]).toEqual([0, 0])
  })

  it('keeps no more notes than a large kitchen needs: after more changes it reads what it noted and the newest', async () => {
    await arrive(2_200)
    const cost = watchReads()
    await room.kitchen.board.catchUp()
    expect(cost.documents()).toBe(2_000)
  })

  it('does not read orders whose time is over: they are read on request', async () => {
    await arrive(1)
    room.core.intake.cancel('pj_1', true)
    await room.kitchen.board.catchUp()
    expect(room.kitchen.board.orders()).toHaveLength(1)
    const cost = watchReads()
    await room.core.clock.advance(7_300_000)
    await room.kitchen.board.catchUp()
    expect(cost.reads()).toBe(0)
    expect(room.kitchen.board.orders()).toEqual([])
  })

  it('is right for a later viewer, also after more changes than it stores', async () => {
    await arrive(1_200)
    await room.kitchen.board.catchUp()
    const shown = room.kitchen.board.orders().map(({ orderId }) => orderId)
    expect([shown.length, shown.includes('ord_1200'), shown.includes('ord_1')]).toEqual([400, true, false])
  })
})

describe('the board, when it was not read for long,', () => {
  it('reads anew what it has no record of, also what it has shown before', async () => {
    await arrive(1)
    await room.kitchen.board.catchUp()
    await arrive(1_001, 2)
    room.core.intake.cancel('pj_1', true)
    room.core.intake.cancel('pj_1000', true)
    await room.kitchen.board.catchUp()
    const voided = room.kitchen.board.orders().filter(({ voidedAtMs }) => voidedAtMs !== null)
    expect(voided.map(({ orderId }) => orderId)).toEqual(['ord_1000'])
    expect(room.kitchen.board.find('ord_1')).toBeNull()
  })

  it('keeps what it shows right although it is older than all candidates', async () => {
    const fireAtMs = room.core.clock.now() + 86_400_000
    room.core.accept('pj_0', { notBefore: fireAtMs, order: { serviceOrderId: 'ord_0', fireAtMs } })
    await room.kitchen.board.catchUp()
    await arrive(1_100)
    room.core.intake.cancel('pj_0', true)
    await room.kitchen.board.catchUp()
    expect(room.kitchen.board.find('ord_0')).toBeNull()
  })

  it('shows changes from before the call to a viewer who joins a running round', async () => {
    await arrive(3)
    const first = room.kitchen.board.catchUp()
    room.core.accept('pj_9', { order: { serviceOrderId: 'ord_9' } })
    await room.kitchen.board.catchUp()
    await first
    expect(room.kitchen.board.jobOf('ord_9')).toBe('pj_9')
  })

  it('prints what a screen that does not answer has not shown, even with many changes in each second', async () => {
    room.claim()
    room.kitchen.displays.update(room.display.displayId, { backupPrinterId: 'grill' })
    room.here([])
    await room.core.queue.start()
    const slips = () => room.core.history.list({ limit: 200 }).filter(({ kind }) => kind === 'slip').length
    for (let second = 0; second < 20; second++) {
      await arrive(60, 1 + second * 60)
      await room.core.clock.advance(1_000)
    }
    expect(slips()).toBeGreaterThan(50)
  })
})

describe('the board, with a viewer,', () => {
  it('continues with changes after a round, without a second call', async () => {
    const patches = patched()
    await room.core.clock.advance(1_000)
    for (let n = 1; n <= 3; n++) {
      await arrive(1, n)
      await room.core.clock.advance(1_000)
    }
    expect(patches).toEqual([['ord_1'], ['ord_2'], ['ord_3']])
  })

  it('reports nothing about an order that its full board does not hold', async () => {
    for (let n = 1; n <= 450; n++) {
      room.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}` } })
      await room.core.clock.advance(10)
    }
    await room.kitchen.board.catchUp()
    const patches = patched()
    await room.core.clock.advance(1_000)
    await room.core.queue.start()
    await room.core.result('pj_1')
    room.core.intake.cancel('pj_2', true)
    await room.core.clock.advance(1_000)
    expect(patches.flat()).not.toContain('ord_1')
    expect(patches.flat()).not.toContain('ord_2')
    expect(room.kitchen.board.orders()).toHaveLength(400)
  })

  it('does not read an order that its full board does not hold when it goes to paper', async () => {
    for (let n = 1; n <= 450; n++) {
      room.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}` } })
      await room.core.clock.advance(10)
    }
    patched()
    await room.core.clock.advance(1_000)
    const cost = watchReads()
    await room.core.queue.start()
    await room.core.result('pj_20')
    await room.core.clock.advance(1_000)
    expect(cost.documents()).toBe(0)
  })

  it('reads the one order that went to paper, and its document not again, however many wait', async () => {
    await arrive(300)
    const patches = patched()
    await room.core.clock.advance(1_000)
    expect(patches.flat()).toHaveLength(300)
    const cost = watchReads()
    room.core.jobs.door.take('grill', () => undefined)
    const [waiting] = room.core.history.list({ limit: 1, state: 'sending' })
    const claimed = waiting?.ticketId ?? ''
    room.core.jobs.door.recover(9, () => true)
    await room.core.clock.advance(10_000)
    expect(patches.at(-1)).toEqual([`ord_${claimed.replace(/\D+(\d+)-1/, '$1')}`])
    expect([cost.documents(), cost.reads()]).toEqual([0, 1])
  })

  it('sends the first change at once, and later ones together', async () => {
    const patches = patched()
    await room.core.clock.advance(1_000)
    await arrive(1)
    expect(patches).toEqual([['ord_1']])
    await arrive(1, 2)
    await arrive(1, 3)
    expect(patches).toEqual([['ord_1']])
    await room.core.clock.advance(100)
    expect(patches).toEqual([['ord_1'], ['ord_2', 'ord_3']])
  })

  it('yields to the event loop between slices, and waits four times as long as each took', async () => {
    await arrive(12)
    const { clock } = room.core
    let workedMs = 0
    vi.spyOn(clock, 'monotonicMs').mockImplementation(() => workedMs)
    const progress = BoardRows.prototype.progress
    vi.spyOn(BoardRows.prototype, 'progress').mockImplementation(function (this: BoardRows, ...input) {
      workedMs += 2
      return progress.apply(this, input)
    })
    const sleeps = vi.spyOn(clock, 'sleep')
    const caughtUp = room.kitchen.board.catchUp()
    for (let n = 0; n < 6; n++) await clock.advance(100)
    await caughtUp
    expect(sleeps.mock.calls.map(([ms]) => ms)).toEqual([16, 16, 16, 16, 16])
    expect(room.kitchen.board.orders()).toHaveLength(12)
  })

  it('reads no more when the screen has gone', async () => {
    const leave = room.kitchen.board.watch(() => undefined)
    await room.core.clock.advance(1_000)
    leave()
    const cost = watchReads()
    await arrive(5)
    await room.core.clock.advance(10_000)
    expect(cost.documents()).toBe(0)
  })

  it('shows an order that arrives while the others are still being read', async () => {
    await arrive(2)
    const { clock } = room.core
    let workedMs = 0
    vi.spyOn(clock, 'monotonicMs').mockImplementation(() => {
      workedMs += 10
      return workedMs
    })
    const caughtUp = room.kitchen.board.catchUp()
    await arrive(1, 3)
    await clock.advance(1_000)
    await caughtUp
    expect(room.kitchen.board.find('ord_3')).not.toBeNull()
  })

  it('continues, without a call, with an order that arrived while it was reading', async () => {
    const { clock } = room.core
    const patches = patched()
    await clock.advance(1_000)
    const monotonicMs = clock.monotonicMs.bind(clock)
    let workedMs = 0
    vi.spyOn(clock, 'monotonicMs').mockImplementation(() => monotonicMs() + workedMs)
    const progress = BoardRows.prototype.progress
    vi.spyOn(BoardRows.prototype, 'progress').mockImplementation(function (this: BoardRows, ...input) {
      workedMs += 5
      return progress.apply(this, input)
    })
    for (const n of [1, 2]) room.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}` } })
    await clock.advance(0)
    expect(patches).toEqual([['ord_1']])
    room.core.accept('pj_3', { order: { serviceOrderId: 'ord_3' } })
    await clock.advance(1_000)
    expect(patches).toEqual([['ord_1'], ['ord_2'], ['ord_3']])
  })
})

describe('the board, when an order cannot be read,', () => {
  /** The next read of the job fails. */
  function failsOnce(jobId: string, what: 'doc' | 'progress'): void {
    let hasFailed = false
    const read = BoardRows.prototype[what] as (...input: unknown[]) => unknown
    vi.spyOn(BoardRows.prototype, what).mockImplementation(function (this: BoardRows, ...input: unknown[]) {
      if (input[0] !== jobId || hasFailed) return read.apply(this, input) as null
      hasFailed = true
      throw new Error('disk I/O error')
    })
  }

  it('reads it with the next round, and the orders behind it', async () => {
    await arrive(3)
    failsOnce('pj_2', 'doc')
    await expect(room.kitchen.board.catchUp()).rejects.toThrow('disk I/O error')
    expect(room.kitchen.board.jobOf('ord_1')).toBe('pj_1')
    await room.kitchen.board.catchUp()
    expect(['ord_1', 'ord_2', 'ord_3'].map((orderId) => room.kitchen.board.jobOf(orderId))).toEqual([
      'pj_1',
      'pj_2',
      'pj_3',
    ])
  })

  it('reads the changes of an order that it shows with the next round', async () => {
    await arrive(1)
    await room.kitchen.board.catchUp()
    room.core.intake.cancel('pj_1', true)
    failsOnce('pj_1', 'progress')
    await expect(room.kitchen.board.catchUp()).rejects.toThrow('disk I/O error')
    await room.kitchen.board.catchUp()
    const shown = room.kitchen.board.orders().filter(({ voidedAtMs }) => voidedAtMs === null)
    expect(shown).toEqual([])
  })

  it('reports each order to viewers once: earlier orders at once, this one with the next round', async () => {
    const patches = patched()
    await room.core.clock.advance(1_000)
    for (const n of [1, 2, 3]) room.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}` } })
    failsOnce('pj_2', 'doc')
    await expect(room.kitchen.board.catchUp()).rejects.toThrow('disk I/O error')
    expect(patches).toEqual([['ord_1']])
    await room.core.clock.advance(1_000)
    expect(patches).toEqual([['ord_1'], ['ord_2', 'ord_3']])
  })
})
