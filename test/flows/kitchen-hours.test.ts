// Hours without internet, told by a clock that the test moves: what the kitchen taps meanwhile becomes one event each, with the time of its tap.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordKitchenFact } from '#cloud/orders/record-kitchen-fact.ts'
import { KitchenFacts } from '#cloud/relay/kitchen-facts.ts'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import { openKitchen } from '#gateway/kitchen/open-kitchen.ts'
import { KitchenSender } from '#gateway/link/kitchen-sender.ts'
import type { OpenFact } from '#gateway/storage/kitchen-store.ts'
import { toIso } from '#shared/clock.ts'
import { CAP_KITCHEN, CAP_PRINT_JOBS, downMessage, kitchen as kitchenMessage } from '#shared/wire/gateway-link.ts'
import type { ActKind, KitchenAct } from '#shared/wire/kitchen.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const log = pino({ level: 'silent' })

let clock: ManualClock
let desk: OrderDesk
let core: GatewayCore
let kitchen: Kitchen
let sender: KitchenSender
let relay: KitchenFacts
/** What the link does with each message of the box, and with each answer. */
let link: { isUp: boolean; losesAnswers: boolean; doubles: boolean }
let taps = 0

function openBox(): void {
  const { db, queue, jobs, intake, relayTime: time } = core
  const site = { gatewayId: '', merchantName: 'Bistro', timeZone: 'America/New_York' }
  kitchen = openKitchen({ db, queue, jobs, intake, time, clock, log, app: 'test', site })
  sender = new KitchenSender({ facts: kitchen.facts, relayTime: time, clock }, carry)
}

function openRelay(): void {
  const { stores } = desk.api
  relay = new KitchenFacts({
    gateways: stores.gateways,
    recordKitchenFact: (fact) => recordKitchenFact(stores, fact),
    publish: (_topic, payload) => {
      const message = downMessage.parse(JSON.parse(payload))
      if (link.isUp && !link.losesAnswers && message.t === 'kack') sender.acknowledged(message.facts)
      return link.isUp
    },
    clock,
    log,
  })
}

/** As MQTT does: perhaps, perhaps twice. */
function carry(facts: OpenFact[]): void {
  if (!link.isUp) return
  const text = JSON.stringify({ v: 1, t: 'kitchen', id: 'm', ts: clock.now(), e: 1, facts })
  for (let copies = link.doubles ? 2 : 1; copies > 0; copies--)
    void relay.take(desk.gatewayId, kitchenMessage.parse(JSON.parse(text)))
}

/** Time goes on, and what the relay got is on its disk. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE_MS) {
    await clock.advance(Math.min(MINUTE_MS, left))
    await relay.drain()
  }
}

/** The power goes: nothing is finished, the file stays as it is. */
async function powerCut(): Promise<void> {
  sender.stop()
  await kitchen.stop()
  core.db.sqlite.close()
  core = new GatewayCore([], { dir: core.dir, clock })
  openBox()
  await kitchen.start()
}

beforeEach(async () => {
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
  await desk.pair([printer('pass')], [CAP_PRINT_JOBS, CAP_KITCHEN])
  core = new GatewayCore([], { clock })
  link = { isUp: true, losesAnswers: false, doubles: false }
  openBox()
  openRelay()
  await kitchen.start()
})

afterEach(async () => {
  sender.stop()
  await kitchen.stop()
  await core.stop()
  await desk.api.close()
})

/** An order of the relay, on the box's disk. */
async function ordered(orderId: string): Promise<string> {
  const { serviceOrderId } = (await desk.api.inject({ orderId, print: false })).body
  for (const { jobId, doc, expiresAtMs } of await desk.handOver())
    core.accept(jobId, { doc: JSON.parse(doc), expiresAt: expiresAtMs })
  await clock.advance(0)
  return serviceOrderId
}
function tapped(kind: ActKind, orderId: string): KitchenAct {
  const act = { id: `tap-${String(++taps).padStart(8, '0')}`, kind, orderId, stations: null, atMs: clock.now() }
  const [display] = kitchen.displays.all()
  const added = kitchen.displays.add({ name: 'Expo', stations: [], language: 'en', backupPrinterId: null }, clock.now())
  const by = display ?? (added.ok ? added.display : null)
  if (!by) throw new Error('no display')
  expect(kitchen.act(by, [act])).toMatchObject([{ outcome: 'done' }])
  // The answer was lost: the screen sends it again.
  expect(kitchen.act(by, [act])).toMatchObject([{ outcome: 'already' }])
  return act
}
async function told(): Promise<{ type: string; orderId: string; timestamp: string }[]> {
  const rows = await desk.api.db.read.selectFrom('events').select('payload').orderBy('position').execute()
  return rows
    .map(({ payload }) => JSON.parse(payload))
    .filter(({ type }) => type === 'order.ready' || type === 'order.completed')
    .map(({ type, timestamp, data }) => ({ type, timestamp, orderId: data.order.serviceOrderId }))
}

describe('acts of a kitchen that is without internet for hours', () => {
  it('become one event each with the time of the tap, through power cuts, lost answers and repeated messages', async () => {
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.push(await ordered(`order-${n}`))
    link.isUp = false
    sender.start(true)
    const expected: { type: string; orderId: string; timestamp: string }[] = []
    for (const [n, orderId] of ids.entries()) {
      await pass(40 * MINUTE_MS)
      expected.push({ type: 'order.ready', orderId, timestamp: toIso(tapped('ready', orderId).atMs) })
      if (n % 2 === 0) await powerCut()
      await pass(20 * MINUTE_MS)
      expected.push({ type: 'order.completed', orderId, timestamp: toIso(tapped('pick-up', orderId).atMs) })
    }
    expect(await told()).toEqual([])
    await powerCut()

    // The internet is back, and answers get lost on it.
    link = { isUp: true, losesAnswers: true, doubles: true }
    sender.start(true)
    await pass(MINUTE_MS)
    await powerCut()
    openRelay()
    sender.start(true)
    await pass(MINUTE_MS)
    link.losesAnswers = false
    await pass(MINUTE_MS)
    const byTime = (a: { timestamp: string }, b: { timestamp: string }) => (a.timestamp < b.timestamp ? -1 : 1)
    expect((await told()).sort(byTime)).toEqual(expected)
    expect(kitchen.facts.openFacts(clock.now(), 64)).toEqual([])
    await pass(HOUR_MS)
    expect(await told()).toHaveLength(expected.length)
  })

  it('that were undone within five seconds are never sent, and those undone later once', async () => {
    const undone = await ordered('undone')
    const recalled = await ordered('recalled')
    link.isUp = false
    sender.start(true)
    await pass(HOUR_MS)
    tapped('ready', undone)
    const ready = tapped('ready', recalled)
    await clock.advance(2_000)
    tapped('recall', undone)
    await powerCut()
    await pass(3 * HOUR_MS)
    tapped('recall', recalled)
    tapped('ready', recalled)
    link.isUp = true
    sender.start(true)
    await pass(5 * MINUTE_MS)
    expect(await told()).toEqual([{ type: 'order.ready', orderId: recalled, timestamp: toIso(ready.atMs) }])
  })
})
