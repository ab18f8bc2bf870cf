// Actions on an order that has changed since the screen saw it: done if that does not matter, refused with a reason if it does.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ActKind, KitchenAct } from '#shared/wire/kitchen.ts'
import { stationItem as item, KitchenRoom } from '#test/doubles/kitchen-room.ts'

let room: KitchenRoom

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
})
afterEach(() => room.stop())

const TWO = { items: [item('grill'), item('fry')] }
const COURSES = { items: [item('grill', 1), item('grill', 2), item('fry', 2)] }
const revOf = () => room.kitchen.board.find('ord_1')?.rev ?? 0
/** By another screen than this one. */
const other = (kind: ActKind, over: Partial<KitchenAct> = {}) =>
  room.send(room.act(kind, 'ord_1', { screen: 'other', ...over }))
/** By this screen, which saw the order at a revision, all of its lines that were due. */
const mine = (kind: ActKind, seenRev: number, over: Partial<KitchenAct> = {}) =>
  room
    .send(room.act(kind, 'ord_1', { screen: 'mine', seenRev, lines: [0, 1], ...over }))
    .map(({ outcome, reason }) => reason ?? outcome)
/** Longer than a Ready can be undone without a mark. */
const pass = () => room.core.clock.advance(6_000)

describe('a revision', () => {
  it('grows with each change of the order, and with none of another', async () => {
    await room.arrive('pj_1', { order: TWO })
    await room.arrive('pj_2', { order: { serviceOrderId: 'ord_2' } })
    const [before, others] = [revOf(), room.kitchen.board.find('ord_2')?.rev]
    other('start')
    expect(revOf()).toBeGreaterThan(before)
    expect(room.kitchen.board.find('ord_2')?.rev).toBe(others)
  })

  it('grows when an order is recalled and made again, though it looks as before', async () => {
    await room.arrive('pj_1', { order: TWO })
    other('ready')
    const seen = revOf()
    room.send(room.act('recall', 'ord_1', { screen: 'other' }), room.act('ready', 'ord_1', { screen: 'other' }))
    expect(revOf()).toBeGreaterThan(seen)
    expect(mine('pick-up', seen)).toEqual(['came-back'])
    expect(mine('pick-up', revOf())).toEqual(['done'])
  })
})

describe('an act on what a screen saw', () => {
  it('is done when only others’ work went on', async () => {
    await room.arrive('pj_1', { order: TWO })
    const seen = revOf()
    other('ready', { stations: ['fry'] })
    other('strike', { line: 0 })
    expect(mine('ready', seen, { stations: ['grill'], lines: [0] })).toEqual(['done'])
  })

  it('is refused when the order was called off', async () => {
    await room.arrive('pj_1', { order: TWO })
    const seen = revOf()
    room.core.intake.cancel('pj_1', true)
    expect(mine('ready', seen)).toEqual(['voided'])
  })

  it('is refused when a course was fired that brings the station work which the screen had not seen, and only there', async () => {
    await room.arrive('pj_1', { order: { items: [...COURSES.items, item('cold', 1)] } })
    const seen = revOf()
    other('fire', { course: 2 })
    expect(mine('ready', seen, { stations: ['grill'], lines: [0] })).toEqual(['new-work'])
    expect(mine('ready', seen, { stations: ['cold'], lines: [3] })).toEqual(['done'])
    expect(mine('ready', revOf(), { stations: ['grill'], lines: [0, 1] })).toEqual(['done'])
  })

  it('is refused when the station was recalled by somebody else, and only there', async () => {
    await room.arrive('pj_1', { order: TWO })
    const seen = revOf()
    other('ready', { stations: ['grill'] })
    await pass()
    other('recall', { stations: ['grill'] })
    expect(mine('ready', seen, { stations: ['grill'], lines: [0] })).toEqual(['came-back'])
    expect(mine('ready', seen, { stations: ['fry'], lines: [1] })).toEqual(['done'])
  })

  it('is done after this screen’s own recall that its board did not yet contain', async () => {
    await room.arrive('pj_1', { order: TWO })
    const seen = revOf()
    expect(['ready', 'recall', 'ready'].flatMap((kind) => mine(kind as ActKind, seen))).toEqual([
      'done',
      'done',
      'done',
    ])
  })

  it('does not complete lines that were recalled meanwhile', async () => {
    await room.arrive('pj_1', { order: TWO })
    other('ready')
    const seen = revOf()
    other('recall', { stations: ['grill'] })
    expect(mine('pick-up', seen)).toEqual(['came-back'])
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ pickedUpAtMs: null })
  })

  it('does not recall twice what two people recall at once', async () => {
    await room.arrive('pj_1', { order: TWO })
    other('ready')
    other('pick-up')
    const seen = revOf()
    other('recall')
    expect(mine('recall', seen)).toEqual(['came-back'])
    expect(room.kitchen.board.find('ord_1')?.readyAtMs).not.toBeNull()
    other('recall')
    expect(mine('recall', seen)).toEqual(['already'])
  })

  it('does not bring back to a station what was handed out meanwhile', async () => {
    await room.arrive('pj_1', { order: TWO })
    other('ready')
    const seen = revOf()
    other('pick-up')
    expect(mine('recall', seen, { stations: ['grill'] })).toEqual(['handed-out'])
  })

  it('is refused when it names a line that the order does not have', async () => {
    await room.arrive('pj_1', { order: TWO })
    expect(mine('start', revOf(), { lines: [0, 7] })).toEqual(['unknown-line'])
  })

  it('that waited through a restart of the box is refused when the order was called back since', async () => {
    await room.arrive('pj_1', { order: TWO })
    const seen = revOf()
    other('ready')
    await pass()
    other('recall')
    await room.restart()
    expect(mine('ready', seen)).toEqual(['came-back'])
    expect(mine('ready', revOf())).toEqual(['done'])
  })

  it('of a page of an earlier version, which sends no revisions, is done as before', async () => {
    await room.arrive('pj_1', { order: TWO })
    other('ready')
    await pass()
    other('recall')
    expect(room.send(room.act('ready'))).toMatchObject([{ outcome: 'done' }])
  })
})

describe('what a screen takes back', () => {
  const find = () => room.kitchen.board.find('ord_1')

  it('is the start of a station that is not ready', async () => {
    await room.arrive('pj_1', { order: TWO })
    room.send(room.act('start'), room.act('ready', 'ord_1', { stations: ['fry'] }), room.act('unstart'))
    expect(find()?.stations.map(({ startedAtMs }) => startedAtMs !== null)).toEqual([false, true])
  })

  it('is that it has seen a void or a change, also within one message', async () => {
    await room.arrive('pj_1', { order: { ...TWO, addOnTo: '7' } })
    room.send(room.act('change-seen'), room.act('change-unseen'))
    expect(find()?.changeSeenBy).toEqual([])
    expect(room.send(room.act('change-unseen'))).toMatchObject([{ outcome: 'already' }])
    room.core.intake.cancel('pj_1', true)
    room.send(room.act('void-seen'), room.act('void-unseen'), room.act('void-seen'))
    expect(find()?.voidSeenBy).toEqual([room.display.displayId])
  })
})
