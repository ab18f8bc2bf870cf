// The relay's answers about a gateway's jobs, on a real SQLite file: only of its own location, and only to the session that asks.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asId, type GatewayId, type LocationId } from '#shared/ids.ts'
import { kitchenOrder } from '#shared/order.ts'
import { ask, type DownMessage, downMessage, hello } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { registerGateway } from './gateway-registry.ts'
import { OrderDispatcher } from './order-dispatcher.ts'
import { ToldJobs } from './told-jobs.ts'

let api: RelayApi
let clock: ManualClock
let dispatcher: OrderDispatcher
let published: DownMessage[]
let told: ToldJobs
let gatewayId: GatewayId
let here: LocationId
let elsewhere: LocationId

beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  published = []
  dispatcher = new OrderDispatcher({
    ...api.stores,
    publish: (_topic, payload) => published.push(downMessage.parse(JSON.parse(payload))),
    settle: async () => undefined,
    onTwins: () => undefined,
    onMissed: () => undefined,
  })
  told = new ToldJobs({ ...api.stores, clock })
  const locations = api.account.merchants.flatMap(({ locations: of }) => of.map(({ locationId }) => locationId))
  here = locations[0] ?? asId('none')
  elsewhere = locations[1] ?? asId('none')
  gatewayId = (await registerGateway(api.stores, { locationId: here, name: 'Pi' })).gatewayId
  await sayHello()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await dispatcher.stop()
  await api.close()
})

function sayHello(change: { e?: number; bootId?: string; machine?: string } = {}): Promise<void> {
  const said = { v: 1, id: 'm', ts: 0, e: 1, proto: [1, 1], stream: 's', last: 0, bootId: 'b', app: 'a' }
  const facts = { ...said, t: 'hello', cfgVer: 0, caps: [], t0: 0, unreported: 0, machine: 'm1', ...change }
  return dispatcher.hello(gatewayId, hello.parse(facts), clock.now())
}

async function job(id: string, locationId: LocationId, state?: 'printed' | 'uncertain' | 'failed' | 'cancelled') {
  const order = kitchenOrder.parse({
    ...{ serviceOrderId: id, orderId: id, merchantId: 'M-TEST-001', locationId, source: 'kiosk', posOrderId: null },
    ...{ queuedAtMs: 0, fireAtMs: null, readyByMs: null, timeZone: 'UTC', customer: { name: 'Ana', phone: '' } },
    items: [{ umsId: 'U-1', name: 'Burger', qty: 1, modifiers: [], station: 'grill' }],
  })
  const { dispatches } = api.stores
  await api.db.unit(async (tx) => {
    const times = { availableAtMs: 0, notBeforeMs: null, expiresAtMs: null, createdAtMs: 0 }
    await dispatches.insert(tx, { id: asId(id), orderId: null, locationId, doc: { kind: 'order', order }, ...times })
    if (state) await dispatches.settle(tx, { jobId: asId(id), state, evidence: [], atMs: 1 })
  })
}

const question = (jobIds: string[], e = 1) => ask.parse({ v: 1, id: 'q', ts: 0, e, t: 'ask', jobIds })
const answers = () => published.filter((message) => message.t === 'told').map(({ jobs }) => jobs)

it('distinguishes what is on paper from what has ended, and both from what is open or not of this location', async () => {
  await job('pj_1', here, 'printed')
  await job('pj_2', here, 'uncertain')
  await job('pj_3', here, 'failed')
  await job('pj_4', here, 'cancelled')
  await job('pj_5', here)
  await job('pj_6', elsewhere, 'printed')
  const jobIds = ['pj_1', 'pj_2', 'pj_3', 'pj_4', 'pj_5', 'pj_6', 'pj_7']
  await told.answer(dispatcher.session(gatewayId), question(jobIds))
  const states = ['on-paper', 'on-paper', 'ended', 'ended', 'open', 'unknown', 'unknown']
  expect(answers()).toEqual([jobIds.map((jobId, n) => ({ jobId, state: states[n] }))])
})

it('answers one question at a time, and none of an older connection or of a gateway that is not here', async () => {
  const session = dispatcher.session(gatewayId)
  await Promise.all(Array.from({ length: 20 }, () => told.answer(session, question(['pj_1']))))
  expect(answers()).toHaveLength(1)
  await told.answer(session, question(['pj_1'], 2))
  await told.answer(null, question(['pj_1']))
  expect(answers()).toHaveLength(1)
  await told.answer(session, question(['pj_1']))
  expect(answers()).toHaveLength(2)
})

it('answers sixty questions of a gateway in a minute, for any number of hellos', async () => {
  const asked = async (times: number, e: number) => {
    for (let n = 0; n < times; n++) await told.answer(dispatcher.session(gatewayId), question(['pj_1'], e))
  }
  await asked(40, 1)
  await sayHello({ e: 2 })
  await asked(40, 2)
  expect(answers()).toHaveLength(60)
  await clock.advance(60_000)
  await asked(1, 2)
  expect(answers()).toHaveLength(61)
})

it('logs once a minute that questions cannot be answered, for any number of them', async () => {
  vi.spyOn(api.stores.dispatches, 'statesOf').mockRejectedValue(new Error('no disk'))
  for (let n = 0; n < 20; n++) await told.answer(dispatcher.session(gatewayId), question(['pj_1']))
  expect(answers()).toEqual([])
  expect(api.logLines.filter((line) => line.includes('could not be answered'))).toHaveLength(1)
})

it('keeps the machine on which a gateway was first seen', async () => {
  const { gateways } = api.stores
  expect(await gateways.machine(gatewayId)).toBe('m1')
  dispatcher.ended(gatewayId, { placeIsFree: true })
  await sayHello({ e: 2, bootId: 'c', machine: 'm2' })
  expect(dispatcher.session(gatewayId)?.facts.epoch).toBe(2)
  expect(await gateways.machine(gatewayId)).toBe('m1')
})
