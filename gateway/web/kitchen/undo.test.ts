// What a display can undo: its last actions, by name, for a while.
import { beforeEach, describe, expect, it } from 'vitest'
import { A, B, C, DisplayPage, done, GRILL } from '#test/doubles/web/display-page.ts'
import { boardOfOrder } from '#test/fixtures/two-station-orders.ts'
import { BOARD_TIMES } from './board-model.ts'

let page: DisplayPage
beforeEach(() => {
  page = new DisplayPage()
})

describe('what can be undone', () => {
  it('is the last ten actions, newest first, each with its own name', async () => {
    const many = Array.from({ length: 12 }, (_, n) => boardOfOrder(`o${n}`, { dueAtMs: n }))
    page.greet(many, GRILL)
    for (const { orderId } of many) page.tapNext(orderId)
    await page.settle()
    expect(page.model.snapshot().undos.map(({ number }) => number)).toEqual(
      many
        .slice(2)
        .map(({ orderId }) => orderId)
        .reverse(),
    )
    const [, second] = page.model.snapshot().undos
    page.model.undo(second?.id)
    await page.settle()
    expect(page.sent.at(-1)).toMatchObject({ kind: 'recall', orderId: 'o10', stations: ['grill'] })
    expect(page.model.snapshot().undos).toHaveLength(9)
  })

  it('is offered by the button for fifteen seconds and kept for half an hour, also after a reload', async () => {
    page.greet([A], GRILL)
    page.tapNext('a')
    await page.settle()
    page.patch([done(A)])
    expect(page.model.snapshot().undo).toMatchObject({ orderId: 'a', kind: 'ready' })
    await page.clock.advance(BOARD_TIMES.undoButtonMs)
    expect([page.model.snapshot().undo, page.model.snapshot().undos.length]).toEqual([null, 1])
    page.open()
    page.greet([done(A)], GRILL)
    expect(page.model.snapshot().undos).toMatchObject([{ orderId: 'a', kind: 'ready' }])
    await page.clock.advance(BOARD_TIMES.undoKeptMs)
    expect(page.model.snapshot().undos).toEqual([])
  })

  it('keeps its age if the gateway’s clock is set back', async () => {
    page.greet([A], GRILL)
    page.tapNext('a')
    page.patch([done(A)])
    page.tell('beat', {})
    await page.clock.advance(BOARD_TIMES.undoButtonMs - 1_000)
    for (let beats = 0; beats < 3; beats++) page.tell('beat', { nowMs: page.clock.now() - 2 * 3_600_000 })
    expect(page.model.snapshot().undo).toMatchObject({ orderId: 'a' })
    await page.clock.advance(1_000)
    expect([page.model.snapshot().undo, page.model.snapshot().undos.length]).toEqual([null, 1])
  })

  it('does not get older by heartbeats that come late, nor younger by a clock that was set ahead', async () => {
    page.greet([A], GRILL)
    page.tell('beat', {})
    page.tapNext('a')
    page.patch([done(A)])
    for (let beats = 0; beats < 4; beats++) {
      page.tell('beat', { nowMs: page.clock.now() - 5_000 })
      page.tell('beat', {})
    }
    for (let beats = 0; beats < 9; beats++) page.tell('beat', { nowMs: page.clock.now() - 1_500 })
    page.tell('beat', {})
    await page.clock.advance(BOARD_TIMES.undoButtonMs - 1_000)
    expect(page.model.snapshot().undo).toMatchObject({ orderId: 'a' })
    for (let beats = 0; beats < 4; beats++) page.tell('beat', { nowMs: page.clock.now() + 60_000 })
    await page.clock.advance(1_000)
    expect(page.model.snapshot().undo).toBeNull()
  })

  it('does not include what others have undone or changed, or what has left the board', async () => {
    page.greet([A, B, C], GRILL)
    for (const id of ['a', 'b', 'c']) page.tapNext(id)
    await page.settle()
    page.patch(
      [
        { ...A, rev: 3 },
        { ...done(B), readyAtMs: 5, pickedUpAtMs: 6 },
      ],
      ['c'],
    )
    expect(page.model.snapshot().undos).toEqual([])
  })

  it('includes a start, a struck line and a seen change', async () => {
    page.greet([{ ...A, addOnTo: '7' }, B], GRILL)
    const shown = (id: string) => page.model.snapshot().shown.find(({ order }) => order.orderId === id)?.order ?? A
    page.model.tap('start', shown('b'), ['grill'])
    page.model.strike(shown('b'), 0)
    page.model.tap('change-seen', shown('a'))
    await page.settle()
    for (let n = 0; n < 3; n++) page.model.undo()
    await page.settle()
    expect(page.acts().slice(3)).toEqual(['change-unseen a', 'unstrike b', 'unstart b'])
  })

  it('is undone by R pressed in a row, and Recall opens only with an R that comes a second after the last R', async () => {
    page.greet([A, B], GRILL)
    const told: string[] = []
    page.model.onPanel((name) => told.push(name))
    for (const id of ['a', 'b']) page.tapNext(id)
    await page.settle()
    for (let n = 0; n < 2; n++) page.model.press('r')
    await page.clock.advance(BOARD_TIMES.undoRunMs - 1)
    page.model.press('r')
    await page.settle()
    expect([page.acts().slice(2), told, page.noises.at(-1)]).toEqual([['recall b', 'recall a'], [], 'deny'])
    await page.clock.advance(BOARD_TIMES.undoRunMs - 1)
    page.model.press('r')
    expect(told).toEqual([])
    await page.clock.advance(BOARD_TIMES.undoRunMs)
    page.model.press('r')
    expect(told).toEqual(['recall'])
  })
})
