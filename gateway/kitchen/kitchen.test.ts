// The kitchen's room on a real SQLite file: acts once, facts for the relay, silent screens, what survives a power cut.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KitchenSender } from '#gateway/link/kitchen-sender.ts'
import { Signal } from '#shared/signal.ts'
import type { ActKind, KitchenAct } from '#shared/wire/kitchen.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import type { Kitchen } from './kitchen.ts'
import { openKitchen } from './open-kitchen.ts'

let core: GatewayCore
let kitchen: Kitchen
let displayId: string
let taps = 0

function open(): Kitchen {
  const { db, reports, queue, jobs, relayTime: time, clock } = core
  const site = { gatewayId: '', merchantName: 'Bistro', timeZone: 'America/New_York' }
  return openKitchen({ db, reports, queue, jobs, time, clock, log: pino({ level: 'silent' }), app: 'test', site })
}

beforeEach(async () => {
  core = new GatewayCore()
  kitchen = open()
  const added = kitchen.displays.add(
    { name: 'Expo', stations: [], language: 'en', backupPrinterId: null },
    core.clock.now(),
  )
  if (!added.ok) throw new Error(added.reason)
  displayId = added.display.displayId
  await kitchen.start()
})

afterEach(async () => {
  await kitchen.stop()
  await core.stop()
})

const display = () => {
  const found = kitchen.displays.find(displayId)
  if (!found) throw new Error('no display')
  return found
}
const act = (kind: ActKind, orderId = 'ord_1', over: Partial<KitchenAct> = {}): KitchenAct => ({
  id: `tap-${String(++taps).padStart(8, '0')}`,
  kind,
  orderId,
  stations: null,
  atMs: core.clock.now(),
  ...over,
})
const send = (...acts: KitchenAct[]) => kitchen.act(display(), acts)
const arrive = async (jobId: string, over: Parameters<GatewayCore['accept']>[1] = {}) => {
  core.accept(jobId, over)
  await core.clock.advance(0)
}
const facts = () => kitchen.facts.openFacts(core.clock.now(), 64).map(({ orderId, fact }) => `${orderId} ${fact}`)
const TWO_STATIONS = {
  items: ['grill', 'fry'].map((station) => ({ umsId: station, name: station, qty: 1, modifiers: [], station })),
}

describe('the board', () => {
  it('shows an order as soon as it is on disk, without the phone number', async () => {
    const patches: unknown[] = []
    kitchen.board.patched.subscribe((patch) => patches.push(patch))
    await arrive('pj_1', { order: { customer: { name: 'Ana Maria Canary', phone: '555-0101' } } })
    expect(kitchen.board.orders()).toMatchObject([{ orderId: 'ord_1', number: 'O-pj_1', customer: 'Ana C.' }])
    expect(patches).toHaveLength(1)
    expect(JSON.stringify(patches)).not.toContain('555-0101')
  })

  it('is the same after a power cut', async () => {
    await arrive('pj_1', { order: TWO_STATIONS })
    send(act('ready', 'ord_1', { stations: ['grill'] }))
    await core.clock.advance(0)
    const before = kitchen.board.orders()
    await kitchen.stop()
    core = core.crash()
    kitchen = open()
    await kitchen.start()
    expect(kitchen.board.orders()).toEqual(before)
  })

  it('lets an order go after twelve hours and never a scheduled one', async () => {
    await arrive('pj_1')
    await arrive('pj_2', { notBefore: core.clock.now() + 86_400_000, order: { serviceOrderId: 'ord_2' } })
    await core.clock.advance(12 * 3_600_000 + 10_000)
    expect(kitchen.board.orders().map(({ orderId }) => orderId)).toEqual(['ord_2'])
  })

  it('shows the void of an order that comes from a relay whose clock is ahead of what the box believes', async () => {
    await arrive('pj_1', { order: { queuedAtMs: core.clock.now() + 800 } })
    core.intake.cancel('pj_1', true)
    await core.clock.advance(0)
    expect(kitchen.board.orders()).toMatchObject([{ orderId: 'ord_1', voidedAtMs: expect.any(Number) }])
  })

  it('does not know an order that was called off before its time', async () => {
    await arrive('pj_1', { notBefore: core.clock.now() + 60_000 })
    expect(kitchen.board.orders()).toMatchObject([{ isScheduled: true }])
    core.intake.cancel('pj_1', true)
    await core.clock.advance(0)
    expect(kitchen.board.orders()).toEqual([])
  })
})

describe('an order that is for the displays alone', () => {
  const arriveWithoutPaper = async (over: Parameters<GatewayCore['accept']>[1] = {}) => {
    const order = core.order({ fireAtMs: over.notBefore ?? null })
    await arrive('pj_1', { doc: { kind: 'board', order }, expiresAt: core.clock.now() + 12 * 3_600_000, ...over })
  }

  it('stands on the board, makes no paper, and is told ready', async () => {
    await core.queue.start()
    await arriveWithoutPaper()
    expect(kitchen.board.find('ord_1')).toMatchObject({ paper: 'none', isScheduled: false })
    send(act('ready'))
    await core.pass(6_000)
    expect(facts()).toEqual(['ord_1 ready'])
    expect(core.transport('grill').sent).toHaveLength(0)
  })

  it('comes at its time, also after a restart, or when somebody starts it now', async () => {
    await arriveWithoutPaper({ notBefore: core.clock.now() + 3_600_000 })
    await kitchen.stop()
    kitchen = open()
    await kitchen.start()
    expect(kitchen.board.find('ord_1')).toMatchObject({ isScheduled: true })
    expect(send(act('ready'))).toMatchObject([{ outcome: 'refused', reason: 'scheduled' }])
    await core.clock.advance(3_601_000)
    expect(kitchen.board.find('ord_1')).toMatchObject({ isScheduled: false })
    await core.clock.advance(0)
    core.accept('pj_2', {
      doc: { kind: 'board', order: core.order({ serviceOrderId: 'ord_2' }) },
      notBefore: core.clock.now() + 3_600_000,
      expiresAt: core.clock.now() + 20 * 3_600_000,
    })
    await core.clock.advance(0)
    expect(send(act('start-now', 'ord_2'))).toMatchObject([{ outcome: 'done' }])
    await core.clock.advance(0)
    expect(kitchen.board.find('ord_2')).toMatchObject({ isScheduled: false })
  })

  it('shows its void, and its end is told to the relay', async () => {
    await arriveWithoutPaper()
    expect(core.intake.cancel('pj_1', true)).toBe('cancelled')
    await core.clock.advance(0)
    expect(kitchen.board.find('ord_1')?.voidedAtMs).toBeGreaterThan(0)
    expect(await core.result('pj_1')).toMatchObject({ state: 'cancelled', tickets: [] })
  })

  it('that nobody touched ends by itself after its time', async () => {
    await core.held.start()
    await arriveWithoutPaper({ expiresAt: core.clock.now() + 30_000 })
    await core.pass(60_000)
    const { state, endedAt } = await core.result('pj_1')
    expect([state, Number.isFinite(endedAt)]).toEqual(['cancelled', true])
    await core.held.stop()
  })
})

describe('an act', () => {
  it('is on disk before its answer, and the same id is the same act', async () => {
    await arrive('pj_1')
    const ready = act('ready')
    const before = core.db.commits
    expect(send(ready)).toEqual([{ id: ready.id, outcome: 'done' }])
    expect(core.db.commits).toBe(before + 1)
    expect(send(ready)).toEqual([{ id: ready.id, outcome: 'already' }])
  })

  it('makes the order ready only when all its stations are, or at expo at once', async () => {
    await arrive('pj_1', { order: TWO_STATIONS })
    await arrive('pj_2', { order: { ...TWO_STATIONS, serviceOrderId: 'ord_2' } })
    send(act('ready', 'ord_1', { stations: ['grill'] }), act('ready', 'ord_2'))
    await core.clock.advance(5_000)
    expect(facts()).toEqual(['ord_2 ready'])
    send(act('ready', 'ord_1', { stations: ['fry'] }))
    await core.clock.advance(5_000)
    expect(facts()).toEqual(['ord_2 ready', 'ord_1 ready'])
  })

  it('is told to nobody for five seconds, and not at all when it is undone', async () => {
    await arrive('pj_1')
    send(act('ready'))
    await core.clock.advance(4_999)
    expect(facts()).toEqual([])
    send(act('recall'))
    await core.clock.advance(10_000)
    expect(facts()).toEqual([])
    expect(kitchen.board.find('ord_1')).toMatchObject({ readyAtMs: null, recalledAtMs: null })
  })

  it('comes back marked when it was told already, and a second Ready is no second fact', async () => {
    await arrive('pj_1')
    send(act('ready'))
    await core.clock.advance(6_000)
    expect(facts()).toEqual(['ord_1 ready'])
    kitchen.facts.acknowledge([{ orderId: 'ord_1', fact: 'ready' }], core.clock.now())
    send(act('recall'))
    await core.clock.advance(0)
    expect(kitchen.board.find('ord_1')?.recalledAtMs).toBeGreaterThan(0)
    send(act('ready'))
    await core.clock.advance(60_000)
    expect(facts()).toEqual([])
  })

  it('that waited on a tablet keeps its own time, within reason', async () => {
    await arrive('pj_1')
    const orderedMs = core.clock.now()
    await core.clock.advance(3_600_000)
    send(act('ready', 'ord_1', { atMs: orderedMs - 999_999 }))
    await core.clock.advance(1_000)
    expect(kitchen.facts.openFacts(core.clock.now(), 9)).toEqual([{ orderId: 'ord_1', fact: 'ready', atMs: orderedMs }])
  })

  it('that was undone on a tablet without network is told to nobody', async () => {
    await arrive('pj_1')
    const tappedMs = core.clock.now() + 1_000
    await core.clock.advance(3_600_000)
    send(act('ready', 'ord_1', { atMs: tappedMs }), act('recall', 'ord_1', { atMs: tappedMs + 2_000 }))
    await core.clock.advance(60_000)
    expect(facts()).toEqual([])
    expect(kitchen.board.find('ord_1')).toMatchObject({ readyAtMs: null, recalledAtMs: null })
  })

  it('strikes a line off for every display, also after a power cut, and takes that back', async () => {
    await arrive('pj_1', { order: TWO_STATIONS })
    const strike = act('strike', 'ord_1', { line: 1 })
    expect(send(strike, strike)).toMatchObject([{ outcome: 'done' }, { outcome: 'already' }])
    await kitchen.stop()
    core = core.crash()
    kitchen = open()
    await kitchen.start()
    expect(kitchen.board.find('ord_1')?.struckLines).toEqual([1])
    expect(send(act('strike', 'ord_1', { line: 7 }))).toMatchObject([{ outcome: 'refused', reason: 'unknown-line' }])
    send(act('strike', 'ord_1', { line: 0 }), act('unstrike', 'ord_1', { line: 1 }))
    await core.clock.advance(0)
    expect(kitchen.board.find('ord_1')).toMatchObject({ struckLines: [0], readyAtMs: null })
  })

  it('acknowledges a change for its own display only', async () => {
    await arrive('pj_1')
    await arrive('pj_2', { order: { serviceOrderId: 'ord_2', addOnTo: 'O-pj_1' } })
    expect(send(act('change-seen'), act('change-seen', 'ord_2'))).toMatchObject([
      { outcome: 'refused', reason: 'not-changed' },
      { outcome: 'done' },
    ])
    await core.clock.advance(0)
    expect(kitchen.board.find('ord_2')?.changeSeenBy).toEqual([displayId])
  })

  it('is refused in words where it makes no sense', async () => {
    await arrive('pj_1', { notBefore: core.clock.now() + 60_000 })
    expect(send(act('ready'), act('void-seen'), act('ready', 'ord_x'))).toMatchObject([
      { outcome: 'refused', reason: 'scheduled' },
      { outcome: 'refused', reason: 'not-voided' },
      { outcome: 'refused', reason: 'unknown-order' },
    ])
  })

  it('starts a scheduled order now, its paper included', async () => {
    await core.queue.start()
    const fireAtMs = core.clock.now() + 3_600_000
    await arrive('pj_1', { notBefore: fireAtMs, order: { fireAtMs } })
    expect(send(act('start-now'))).toMatchObject([{ outcome: 'done' }])
    expect((await core.result('pj_1')).state).toBe('printed')
    await core.clock.advance(0)
    expect(kitchen.board.find('ord_1')).toMatchObject({ isScheduled: false })
    expect(kitchen.board.find('ord_1')?.dueAtMs).toBeLessThanOrEqual(core.clock.now())
  })
})

describe('facts for the relay', () => {
  it('are said again until they are acknowledged, completed behind ready', async () => {
    const said: string[] = []
    const sender = new KitchenSender({ facts: kitchen.facts, relayTime: core.relayTime, clock: core.clock }, (open) =>
      said.push(open.map(({ fact }) => fact).join()),
    )
    await arrive('pj_1')
    sender.start()
    send(act('ready'), act('pick-up'))
    await core.clock.advance(5_000)
    expect(said).toEqual(['ready'])
    await core.clock.advance(5_000)
    expect(said).toEqual(['ready', 'ready'])
    sender.acknowledged([{ orderId: 'ord_1', fact: 'ready' }])
    expect(said).toEqual(['ready', 'ready', 'completed'])
    sender.acknowledged([{ orderId: 'ord_1', fact: 'completed' }])
    await core.clock.advance(60_000)
    expect(said).toHaveLength(3)
    sender.stop()
  })

  it('are said although the millisecond in which they become due passes while they are looked up', async () => {
    const said: string[] = []
    let reads = 0
    const relayTime = { now: () => core.relayTime.now() + reads++ }
    const sender = new KitchenSender({ facts: kitchen.facts, relayTime, clock: core.clock }, (open) =>
      said.push(open.map(({ fact }) => fact).join()),
    )
    await arrive('pj_1')
    send(act('ready'))
    await core.clock.advance(KITCHEN_TIMES.undoMs - 1)
    sender.start()
    await core.clock.advance(1)
    expect(said).toEqual(['ready'])
    sender.stop()
  })
})

describe('a silent screen', () => {
  const slips = () =>
    core
      .transport('grill')
      .sent.map(({ text }) => text)
      .filter((text) => text.includes('SCREEN OFFLINE'))

  beforeEach(async () => {
    await core.queue.start()
    const code = kitchen.displays.newCode(displayId, core.clock.now())?.code ?? ''
    kitchen.displays.claim(code, core.clock.now())
    kitchen.displays.update(displayId, { backupPrinterId: 'grill' })
    kitchen.present(display(), { rendered: [], noticed: [], onShift: true })
  })

  it('has what it did not draw printed once, marked, after 15 seconds', async () => {
    await arrive('pj_1')
    await core.pass(14_000)
    expect(slips()).toHaveLength(0)
    await core.pass(3_000)
    expect(slips()).toHaveLength(1)
    expect(slips()[0]).toContain('POSSIBLE DUPLICATE')
    await core.pass(60_000)
    expect(slips()).toHaveLength(1)
  })

  it('that has drawn the order has nothing printed, also not after a restart of the box', async () => {
    await arrive('pj_1')
    kitchen.present(display(), { rendered: ['ord_1'], noticed: [], onShift: true })
    core.db.flush()
    await core.pass(30_000)
    expect(slips()).toHaveLength(0)
    await kitchen.stop()
    kitchen = open()
    await kitchen.start()
    await core.pass(30_000)
    expect(slips()).toHaveLength(0)
  })

  it('prints nothing while no backup printer is set', async () => {
    kitchen.displays.update(displayId, { backupPrinterId: null })
    await arrive('pj_1')
    await core.pass(60_000)
    expect(slips()).toHaveLength(0)
  })
})

it('tells displays of printers only what somebody must know', () => {
  const { db, reports, jobs, relayTime: time, clock } = core
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
  const other = openKitchen({ db, reports, queue, jobs, time, clock, log: pino({ level: 'silent' }), app: '', site })
  expect(other.printers()[0]?.hint).toBe('')
  printer.reasons = ['media-low']
  expect(other.printers()[0]?.hint).toBe('The printer is ready.')
})
