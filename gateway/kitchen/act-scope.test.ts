// The rights of a screen: actions on stations that it does not show, and on orders that it never got, are refused; taps that waited while it had taken over are not lost.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import { ACT_KINDS, type KitchenAct } from '#shared/wire/kitchen.ts'
import type { DisplayKind } from '#shared/wire/kitchen-screens.ts'
import { stationItem as item, KitchenRoom } from '#test/doubles/kitchen-room.ts'

let room: KitchenRoom

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
})
afterEach(() => room.stop())

const arrive = (items = [item('grill'), item('fry')]) => room.arrive('pj_1', { order: { items } })
const find = () => room.kitchen.board.find('ord_1')
const MINUTE = 60_000

function screen(name: string, stations: string[] = [], kind: DisplayKind = 'kitchen'): string {
  const facts = { name, kind, stations, language: 'en', backupPrinterId: null }
  const added = room.kitchen.displays.add(facts, room.core.clock.now())
  if (!added.ok) throw new Error(added.reason)
  return added.display.displayId
}
const recordOf = (displayId: string) => room.kitchen.displays.find(displayId) as DisplayRecord
const send = (displayId: string, ...acts: KitchenAct[]) =>
  room.kitchen.act(recordOf(displayId), acts).map(({ outcome, reason }) => reason ?? outcome)
const act = (kind: KitchenAct['kind'], over: Partial<KitchenAct> = {}) => room.act(kind, 'ord_1', over)
/** The kitchen's own, at expo. */
const expo = (...kinds: KitchenAct['kind'][]) => room.send(...kinds.map((kind) => act(kind)))

describe('a runner', () => {
  it('changes nothing of what is being made, whatever it sends', async () => {
    await arrive()
    const runner = screen('Runner', [], 'runner')
    expo('start')
    const before = find()
    for (const kind of ACT_KINDS)
      for (const stations of [null, ['grill']])
        for (const seen of [{}, { seenRev: before?.rev ?? 0, lines: [], screen: 'x' }])
          expect(send(runner, act(kind, { stations, course: 2, line: 0, ...seen }))).not.toEqual(['done'])
    expect(find()).toEqual({ ...before, rev: find()?.rev })
  })

  it('gives a station no work: only what was picked up is called back', async () => {
    await arrive()
    const runner = screen('Runner', [], 'runner')
    room.send(act('ready', { stations: ['grill'] }))
    expect(send(runner, act('recall', { stations: ['grill'] }))).toEqual(['not-this-screen'])
    expo('ready')
    expect(send(runner, act('recall', { stations: ['grill'] }))).toEqual(['not-this-screen'])
    expect(find()?.readyAtMs).not.toBeNull()
  })

  it('brings out what is ready, and takes that back in the same message', async () => {
    await arrive()
    const runner = screen('Runner', [], 'runner')
    expo('ready')
    expect(send(runner, act('pick-up'), act('recall'), act('pick-up'))).toEqual(['done', 'done', 'done'])
  })

  it('gets the reason when the kitchen has recalled the order that it was shown', async () => {
    await arrive()
    const runner = screen('Runner', [], 'runner')
    expo('ready')
    const seen = { seenRev: find()?.rev ?? 0, lines: [0, 1], screen: 'runner' }
    expo('recall')
    expect(send(runner, act('pick-up', seen))).toEqual(['came-back'])
  })
})

describe('a screen of the fry station', () => {
  it('does nothing of the grill, nor of the order as a whole', async () => {
    await arrive()
    const fry = screen('Fry', ['Fry'])
    screen('Grill', ['grill'])
    for (const kind of ['start', 'unstart', 'ready', 'recall'] as const) {
      expect(send(fry, act(kind, { stations: ['grill'] })), kind).toEqual(['other-station'])
      expect(send(fry, act(kind, { stations: ['grill', 'fry'] })), kind).toEqual(['other-station'])
      expect(send(fry, act(kind)), kind).toEqual(['other-station'])
    }
    for (const kind of ['strike', 'unstrike'] as const)
      expect(send(fry, act(kind, { line: 0 }))).toEqual(['other-station'])
    expo('ready')
    expect(send(fry, act('pick-up'))).toEqual(['other-station'])
  })

  it('does its own, and what is about the order that it has a part in', async () => {
    await arrive([item('fry', 1), item('grill', 2)])
    const fry = screen('Fry', ['Fry'])
    const own = { stations: ['fry'] }
    const acts = [act('start', own), act('strike', { line: 0 }), act('fire', { course: 2 }), act('ready', own)]
    expect(send(fry, ...acts, act('recall', own))).toEqual(['done', 'done', 'done', 'done', 'done'])
    expo('ready', 'pick-up')
    expect(send(fry, act('recall'))).toEqual(['done'])
    expect(find()).toMatchObject({ pickedUpAtMs: null })
    expect(find()?.readyAtMs).not.toBeNull()
  })

  it('fires no course of an order that it does not show', async () => {
    await arrive([item('grill', 1), item('grill', 2)])
    screen('Grill', ['grill'])
    expect(send(screen('Fry', ['fry']), act('fire', { course: 2 }))).toEqual(['other-station'])
  })

  it('may act for other displays where the box allows it, and not elsewhere', async () => {
    await arrive([item('bar'), item('fry')])
    const fry = screen('Fry', ['fry'])
    const bar = () => send(fry, act('ready', { stations: ['bar'] }))
    expect(bar()).toEqual(['other-station'])
    room.kitchen.displays.update(room.display.displayId, { kind: 'runner' })
    await room.core.clock.advance(10 * MINUTE)
    expect(bar()).toEqual(['done'])
  })
})

describe('a screen that stood in', () => {
  async function stoodIn(): Promise<{ fry: string; tap: (over?: Partial<KitchenAct>) => KitchenAct }> {
    await arrive()
    const fry = screen('Fry', ['fry'])
    screen('Grill', ['grill'])
    room.kitchen.displays.update(fry, { stations: ['fry', 'grill'] })
    await room.core.clock.advance(1_000)
    return { fry, tap: (over) => act('ready', { stations: ['grill'], ...over }) }
  }
  const giveBack = (fry: string) => room.kitchen.displays.update(fry, { stations: ['fry'] })

  it('is not refused what was tapped before it gave back, and waited', async () => {
    const { fry, tap } = await stoodIn()
    const waiting = tap()
    giveBack(fry)
    await room.core.clock.advance(20 * MINUTE)
    expect(send(fry, waiting)).toEqual(['done'])
  })

  it('is refused, with a reason, what is tapped later', async () => {
    const { fry, tap } = await stoodIn()
    giveBack(fry)
    await room.core.clock.advance(2 * MINUTE)
    expect(send(fry, tap())).toEqual(['other-station'])
  })

  it('is refused a tap that waited for longer than an hour, or through a start of the box', async () => {
    const { fry, tap } = await stoodIn()
    const waiting = tap()
    giveBack(fry)
    await room.core.clock.advance(61 * MINUTE)
    expect(send(fry, waiting)).toEqual(['other-station'])
    room.kitchen.displays.update(fry, { stations: ['fry', 'grill'] })
    const second = tap()
    giveBack(fry)
    await room.restart()
    expect(send(fry, second)).toEqual(['other-station'])
  })
})

describe('the id of an act', () => {
  it('is taken for no other act: the same one is done once, another one is refused', async () => {
    await arrive()
    const tap = act('ready', { stations: ['grill'], seenRev: find()?.rev ?? 0, lines: [0], screen: 'mine' })
    const send = (change: Partial<KitchenAct> = {}) =>
      room.send({ ...tap, ...change }).map(({ outcome, reason }) => reason ?? outcome)
    expect(send()).toEqual(['done'])
    const { seenRev: _, lines: __, screen: ___, ...plain } = tap
    // A page leaves out what a box of an earlier version cannot read.
    for (const again of [tap, plain]) expect(room.send(again)).toMatchObject([{ outcome: 'already' }])
    for (const change of [
      { stations: ['fry'] },
      { stations: null },
      { kind: 'recall' as const },
      { orderId: 'ord_2' },
      { line: 1 },
    ])
      expect(send(change)).toEqual(['id-used'])
    expect(find()?.stations.map(({ readyAtMs }) => readyAtMs !== null)).toEqual([true, false])
  })
})
