// The kitchen's room on a real SQLite file: actions once, facts for the relay, what survives a power cut.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KitchenSender } from '#gateway/link/kitchen-sender.ts'
import { Signal } from '#shared/signal.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'
import { openKitchen } from './open-kitchen.ts'

let room: KitchenRoom

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
})

afterEach(() => room.stop())

const TWO_STATIONS = {
  items: ['grill', 'fry'].map((station) => ({ umsId: station, name: station, qty: 1, modifiers: [], station })),
}

describe('the board', () => {
  it('shows an order as soon as it is on disk, without the phone number', async () => {
    const patches: unknown[] = []
    room.kitchen.board.watch((patch) => patches.push(patch))
    await room.arrive('pj_1', { order: { customer: { name: 'Ana Maria Canary', phone: '555-0101' } } })
    expect(room.kitchen.board.orders()).toMatchObject([{ orderId: 'ord_1', number: 'O-pj_1', customer: 'Ana C.' }])
    expect(patches).toHaveLength(1)
    expect(JSON.stringify(patches)).not.toContain('555-0101')
  })

  it('shows what the order contains for the kitchen, and each station every allergy in it', async () => {
    const line = { umsId: 'u', qty: 1, station: 'grill' }
    const items = [
      { ...line, name: 'Burger', seat: 3, allergens: ['milk'], modifiers: [{ umsId: 'm', name: '86 pickles' }] },
      { ...line, name: 'Salad', station: 'cold', modifiers: [{ umsId: 'm', name: 'dressing', verb: 'side' }] },
    ]
    const head = { orderType: 'dine-in', table: '12', guests: 4, server: 'Kim', note: 'birthday', allergens: ['nuts'] }
    await room.arrive('pj_1', { order: { ...head, items } })
    expect(room.kitchen.board.find('ord_1')).toMatchObject({
      ...head,
      allergens: [
        { words: 'nuts', seat: null, item: null },
        { words: 'milk', seat: 3, item: 'Burger' },
      ],
      lines: [
        { seat: 3, isAllergy: true, allergens: ['milk'], modifiers: ['- 86 pickles'] },
        { seat: null, isAllergy: false, allergens: [], modifiers: ['// SIDE dressing'] },
      ],
    })
  })

  it('names each dish that an allergy is of, once, also where no order has seats', async () => {
    const line = { umsId: 'u', qty: 1, station: 'grill', modifiers: [] }
    const items = [
      { ...line, name: 'Burger', allergens: ['nuts'] },
      { ...line, name: 'Burger', allergens: ['nuts'] },
      { ...line, name: 'Steak', allergens: ['nuts', 'mustard'], note: 'egg allergy' },
    ]
    await room.arrive('pj_1', { order: { items } })
    const { allergens, lines } = room.kitchen.board.find('ord_1') ?? {}
    expect(allergens?.map(({ words, item }) => `${words}: ${item}`)).toEqual([
      'nuts: Burger',
      'nuts, mustard: Steak',
      'egg allergy: Steak',
    ])
    // The text of its note is shown as its note.
    expect(lines?.map(({ allergens }) => allergens)).toEqual([['nuts'], ['nuts'], ['nuts, mustard']])
  })

  it('is the same after a power cut', async () => {
    await room.arrive('pj_1', { order: TWO_STATIONS })
    room.send(room.act('ready', 'ord_1', { stations: ['grill'] }))
    await room.core.clock.advance(0)
    const shown = () => room.kitchen.board.orders().map((order) => ({ ...order, rev: null }))
    const before = shown()
    await room.powerCut()
    expect(shown()).toEqual(before)
  })

  it('lets an order go after twelve hours and never a scheduled one', async () => {
    await room.arrive('pj_1')
    await room.arrive('pj_2', { notBefore: room.core.clock.now() + 86_400_000, order: { serviceOrderId: 'ord_2' } })
    await room.core.clock.advance(12 * 3_600_000 + 10_000)
    expect(room.kitchen.board.orders().map(({ orderId }) => orderId)).toEqual(['ord_2'])
  })

  it('shows the void of an order from a relay whose clock is ahead of the box’s', async () => {
    await room.arrive('pj_1', { order: { queuedAtMs: room.core.clock.now() + 800 } })
    room.core.intake.cancel('pj_1', true)
    await room.core.clock.advance(0)
    expect(room.kitchen.board.orders()).toMatchObject([{ orderId: 'ord_1', voidedAtMs: expect.any(Number) }])
  })

  it.each([
    ['with paper', 'order'],
    ['without paper', 'board'],
  ])('says why an order %s was called off, also after a power cut', async (_, kind) => {
    const doc = { kind, order: room.core.order({}) }
    await room.arrive('pj_1', { doc, expiresAt: room.core.clock.now() + 3_600_000 })
    expect(room.kitchen.board.find('ord_1')?.voidReason).toBeNull()
    room.core.intake.cancel('pj_1', true, 'guest left')
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ voidReason: 'guest left' })
    await room.powerCut()
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ voidReason: 'guest left' })
  })

  it('does not show an order that was voided before its time', async () => {
    await room.arrive('pj_1', { notBefore: room.core.clock.now() + 60_000 })
    expect(room.kitchen.board.orders()).toMatchObject([{ isScheduled: true }])
    room.core.intake.cancel('pj_1', true)
    await room.core.clock.advance(0)
    expect(room.kitchen.board.orders()).toEqual([])
  })
})

describe('an order that is for the displays alone', () => {
  const arriveWithoutPaper = async (over: Parameters<KitchenRoom['arrive']>[1] = {}) => {
    const order = room.core.order({ fireAtMs: over.notBefore ?? null })
    await room.arrive('pj_1', {
      doc: { kind: 'board', order },
      expiresAt: room.core.clock.now() + 12 * 3_600_000,
      ...over,
    })
  }

  it('is on the board, prints no paper, and is reported ready', async () => {
    await room.core.queue.start()
    await arriveWithoutPaper()
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ paper: 'none', isScheduled: false })
    room.send(room.act('ready'))
    await room.core.pass(6_000)
    expect(room.facts()).toEqual(['ord_1 ready'])
    expect(room.core.transport('grill').sent).toHaveLength(0)
  })

  it('appears at its time, also after a restart, or when somebody starts it now', async () => {
    await arriveWithoutPaper({ notBefore: room.core.clock.now() + 3_600_000 })
    await room.restart()
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ isScheduled: true })
    expect(room.send(room.act('ready'))).toMatchObject([{ outcome: 'refused', reason: 'scheduled' }])
    await room.core.clock.advance(3_601_000)
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ isScheduled: false })
    await room.core.clock.advance(0)
    room.core.accept('pj_2', {
      doc: { kind: 'board', order: room.core.order({ serviceOrderId: 'ord_2' }) },
      notBefore: room.core.clock.now() + 3_600_000,
      expiresAt: room.core.clock.now() + 20 * 3_600_000,
    })
    await room.core.clock.advance(0)
    expect(room.send(room.act('start-now', 'ord_2'))).toMatchObject([{ outcome: 'done' }])
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_2')).toMatchObject({ isScheduled: false })
  })

  it('shows its void, and its end is reported to the relay', async () => {
    await arriveWithoutPaper()
    expect(room.core.intake.cancel('pj_1', true)).toBe('cancelled')
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_1')?.voidedAtMs).toBeGreaterThan(0)
    expect(await room.core.result('pj_1')).toMatchObject({ state: 'cancelled', tickets: [] })
  })

  it('that was never touched ends by itself after its time', async () => {
    await room.core.held.start()
    await arriveWithoutPaper({ expiresAt: room.core.clock.now() + 30_000 })
    await room.core.pass(60_000)
    const { state, endedAt } = await room.core.result('pj_1')
    expect([state, Number.isFinite(endedAt)]).toEqual(['cancelled', true])
    await room.core.held.stop()
  })
})

describe('an act', () => {
  it('is on disk before its answer, and the same id is the same act', async () => {
    await room.arrive('pj_1')
    const ready = room.act('ready')
    const before = room.core.db.commits
    expect(room.send(ready)).toEqual([{ id: ready.id, outcome: 'done' }])
    expect(room.core.db.commits).toBe(before + 1)
    expect(room.send(ready)).toEqual([{ id: ready.id, outcome: 'already' }])
  })

  it('that a tablet sends again is not done again, also when the order was called back meanwhile', async () => {
    await room.arrive('pj_1')
    const ready = room.act('ready')
    room.send(ready)
    room.send(room.act('recall'))
    expect(room.send(ready)).toEqual([{ id: ready.id, outcome: 'already' }])
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ readyAtMs: null })
  })

  it('that completes an order can be recalled before it is reported: then it is ready, not completed', async () => {
    await room.arrive('pj_1')
    room.send(room.act('ready'))
    await room.core.clock.advance(2_000)
    room.send(room.act('pick-up'))
    await room.core.clock.advance(2_000)
    room.send(room.act('recall'))
    await room.core.clock.advance(10_000)
    expect(room.facts()).toEqual(['ord_1 ready'])
    // Completed would wait for it.
    room.kitchen.facts.acknowledge([{ orderId: 'ord_1', fact: 'ready' }], room.core.clock.now())
    expect(room.facts()).toEqual([])
  })

  it('makes the order ready only when all its stations are, or at expo at once', async () => {
    await room.arrive('pj_1', { order: TWO_STATIONS })
    await room.arrive('pj_2', { order: { ...TWO_STATIONS, serviceOrderId: 'ord_2' } })
    room.send(room.act('ready', 'ord_1', { stations: ['grill'] }), room.act('ready', 'ord_2'))
    await room.core.clock.advance(5_000)
    expect(room.facts()).toEqual(['ord_2 ready'])
    room.send(room.act('ready', 'ord_1', { stations: ['fry'] }))
    await room.core.clock.advance(5_000)
    expect(room.facts()).toEqual(['ord_2 ready', 'ord_1 ready'])
  })

  it('is not reported for five seconds, and not at all when it is undone', async () => {
    await room.arrive('pj_1')
    room.send(room.act('ready'))
    await room.core.clock.advance(4_999)
    expect(room.facts()).toEqual([])
    room.send(room.act('recall'))
    await room.core.clock.advance(10_000)
    expect(room.facts()).toEqual([])
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ readyAtMs: null, recalledAtMs: null })
  })

  it('returns marked when it was already reported, and a second Ready is no second event', async () => {
    await room.arrive('pj_1')
    room.send(room.act('ready'))
    await room.core.clock.advance(6_000)
    expect(room.facts()).toEqual(['ord_1 ready'])
    room.kitchen.facts.acknowledge([{ orderId: 'ord_1', fact: 'ready' }], room.core.clock.now())
    room.send(room.act('recall'))
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_1')?.recalledAtMs).toBeGreaterThan(0)
    room.send(room.act('ready'))
    await room.core.clock.advance(60_000)
    expect(room.facts()).toEqual([])
  })

  it('returns marked when it was already reported, also by a tablet whose clock is slightly behind', async () => {
    await room.arrive('pj_1')
    const tap = (kind: 'ready' | 'recall') => room.send(room.act(kind, 'ord_1', { atMs: room.core.clock.now() - 40 }))
    tap('ready')
    await room.core.clock.advance(5_000)
    expect(room.facts()).toEqual(['ord_1 ready'])
    tap('recall')
    await room.core.clock.advance(0)
    const marked = room.kitchen.board.find('ord_1')?.recalledAtMs
    expect(marked).toBeGreaterThan(0)
    // A Ready that is undone after that leaves the mark as it is.
    await room.core.clock.advance(1_000)
    tap('ready')
    tap('recall')
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ readyAtMs: null, recalledAtMs: marked })
  })

  it('that waited on a tablet keeps its own time, within reason', async () => {
    await room.arrive('pj_1')
    const orderedMs = room.core.clock.now()
    await room.core.clock.advance(3_600_000)
    room.send(room.act('ready', 'ord_1', { atMs: orderedMs - 999_999 }))
    await room.core.clock.advance(1_000)
    expect(room.kitchen.facts.openFacts(room.core.clock.now(), 9)).toEqual([
      { orderId: 'ord_1', fact: 'ready', atMs: orderedMs },
    ])
  })

  it('that was undone on a tablet without network is never reported', async () => {
    await room.arrive('pj_1')
    const tappedMs = room.core.clock.now() + 1_000
    await room.core.clock.advance(3_600_000)
    room.send(room.act('ready', 'ord_1', { atMs: tappedMs }), room.act('recall', 'ord_1', { atMs: tappedMs + 2_000 }))
    await room.core.clock.advance(60_000)
    expect(room.facts()).toEqual([])
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ readyAtMs: null, recalledAtMs: null })
  })

  it('strikes a line off for every display, also after a power cut, and takes that back', async () => {
    await room.arrive('pj_1', { order: TWO_STATIONS })
    const strike = room.act('strike', 'ord_1', { line: 1 })
    expect(room.send(strike, strike)).toMatchObject([{ outcome: 'done' }, { outcome: 'already' }])
    await room.powerCut()
    expect(room.kitchen.board.find('ord_1')?.struckLines).toEqual([1])
    expect(room.send(room.act('strike', 'ord_1', { line: 7 }))).toMatchObject([
      { outcome: 'refused', reason: 'unknown-line' },
    ])
    room.send(room.act('strike', 'ord_1', { line: 0 }), room.act('unstrike', 'ord_1', { line: 1 }))
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ struckLines: [0], readyAtMs: null })
  })

  it('acknowledges a change for its own display only', async () => {
    await room.arrive('pj_1')
    await room.arrive('pj_2', { order: { serviceOrderId: 'ord_2', addOnTo: 'O-pj_1' } })
    expect(room.send(room.act('change-seen'), room.act('change-seen', 'ord_2'))).toMatchObject([
      { outcome: 'refused', reason: 'not-changed' },
      { outcome: 'done' },
    ])
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_2')?.changeSeenBy).toEqual([room.display.displayId])
  })

  it('is refused with a reason where it makes no sense', async () => {
    await room.arrive('pj_1', { notBefore: room.core.clock.now() + 60_000 })
    expect(room.send(room.act('ready'), room.act('void-seen'), room.act('ready', 'ord_x'))).toMatchObject([
      { outcome: 'refused', reason: 'scheduled' },
      { outcome: 'refused', reason: 'not-voided' },
      { outcome: 'refused', reason: 'unknown-order' },
    ])
  })

  it('starts a scheduled order now, its paper included', async () => {
    await room.core.queue.start()
    const fireAtMs = room.core.clock.now() + 3_600_000
    await room.arrive('pj_1', { notBefore: fireAtMs, order: { fireAtMs } })
    expect(room.send(room.act('start-now'))).toMatchObject([{ outcome: 'done' }])
    expect((await room.core.result('pj_1')).state).toBe('printed')
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ isScheduled: false })
    expect(room.kitchen.board.find('ord_1')?.dueAtMs).toBeLessThanOrEqual(room.core.clock.now())
  })

  it('starts no other order: by a clock that may be wrong, none is due before the relay has sent the time', async () => {
    const { core } = room
    core.isTimeKnown = () => false
    await core.held.start()
    await room.arrive('pj_1', { notBefore: core.clock.now() + 3_600_000 })
    await room.arrive('pj_2', { notBefore: core.clock.now() + 1_000, order: { serviceOrderId: 'ord_2' } })
    await core.clock.advance(2_000)
    expect(room.send(room.act('start-now'))).toMatchObject([{ outcome: 'done' }])
    expect(core.states()).toMatchObject({ 'pj_1-1': 'queued', 'pj_2-1': 'held' })
    await core.clock.advance(3_000)
    expect(core.states()).toMatchObject({ 'pj_2-1': 'queued' })
  })
})

describe('facts for the relay', () => {
  it('are reported again until they are acknowledged, completed after ready', async () => {
    const said: string[] = []
    const sender = new KitchenSender(
      { facts: room.kitchen.facts, relayTime: room.core.relayTime, clock: room.core.clock },
      (open) => said.push(open.map(({ fact }) => fact).join()),
    )
    await room.arrive('pj_1')
    sender.start(true)
    room.send(room.act('ready'), room.act('pick-up'))
    await room.core.clock.advance(5_000)
    expect(said).toEqual(['ready'])
    await room.core.clock.advance(5_000)
    expect(said).toEqual(['ready', 'ready'])
    sender.acknowledged([{ orderId: 'ord_1', fact: 'ready' }])
    expect(said).toEqual(['ready', 'ready', 'completed'])
    sender.acknowledged([{ orderId: 'ord_1', fact: 'completed' }])
    await room.core.clock.advance(60_000)
    expect(said).toHaveLength(3)
    sender.stop()
  })

  it('are reported although the millisecond in which they become due passes during the read', async () => {
    const said: string[] = []
    let reads = 0
    const relayTime = { now: () => room.core.relayTime.now() + reads++ }
    const sender = new KitchenSender({ facts: room.kitchen.facts, relayTime, clock: room.core.clock }, (open) =>
      said.push(open.map(({ fact }) => fact).join()),
    )
    await room.arrive('pj_1')
    room.send(room.act('ready'))
    await room.core.clock.advance(KITCHEN_TIMES.undoMs - 1)
    sender.start(true)
    await room.core.clock.advance(1)
    expect(said).toEqual(['ready'])
    sender.stop()
  })
})

it('gives displays only the printer states that need attention', () => {
  const { db, jobs, intake, relayTime: time, clock } = room.core
  const printer = {
    printerId: 'p',
    name: 'Grill',
    stations: [],
    state: 'online',
    hint: 'The printer is ready.',
    reasons: ['none'],
  }
  const queue = { printers: () => [printer], changed: new Signal(), printLocal: () => '' }
  const site = { gatewayId: '', merchantName: '', timeZone: 'UTC' }
  const other = openKitchen({ db, queue, jobs, intake, time, clock, log: pino({ level: 'silent' }), app: '', site })
  expect(other.printers()[0]?.hint).toBe('')
  printer.reasons = ['media-low']
  expect(other.printers()[0]?.hint).toBe('The printer is ready.')
})
