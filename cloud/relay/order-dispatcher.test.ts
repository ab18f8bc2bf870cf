// When the dispatcher polls for jobs, on a real SQLite file: once per turn for each location that changed, and again for later changes.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import { asId, type GatewayId, type LocationId } from '#shared/ids.ts'
import { kitchenOrder } from '#shared/order.ts'
import { type DownMessage, downMessage, hello } from '#shared/wire/gateway-link.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { workEnded as turn } from '#test/harness/databases-at-work.ts'
import { registerGateway } from './gateway-registry.ts'
import { OrderDispatcher } from './order-dispatcher.ts'

let api: RelayApi
let dispatcher: OrderDispatcher
let published: DownMessage[]
let locations: LocationId[]
/** Writes jobs as another program does, without a signal here. */
let elsewhere: DispatchStore

beforeEach(async () => {
  api = await RelayApi.open()
  published = []
  elsewhere = new DispatchStore(api.db)
  dispatcher = new OrderDispatcher({
    ...api.stores,
    publish: (_topic, payload) => published.push(downMessage.parse(JSON.parse(payload))),
    settle: async () => undefined,
    onTwins: () => undefined,
    onMissed: () => undefined,
  })
  await dispatcher.start()
  locations = api.account.merchants
    .flatMap((merchant) => merchant.locations.map(({ locationId }) => locationId))
    .slice(0, 3)
  for (const locationId of locations) {
    const { gatewayId } = await registerGateway(api.stores, { locationId, name: 'Pi' })
    await dispatcher.hello(gatewayId, helloOf(gatewayId), api.clock.now())
  }
  await allLooked()
  published = []
})

afterEach(async () => {
  vi.restoreAllMocks()
  await dispatcher.stop()
  await api.close()
})

const helloOf = (gatewayId: GatewayId) =>
  hello.parse({
    ...{ v: 1, id: 'm', ts: 0, e: 1, t: 'hello', proto: [1, 1], stream: `s-${gatewayId}`, last: 0, bootId: gatewayId },
    ...{ app: 'a', cfgVer: 0, caps: [], t0: 0, unreported: 0 },
  })

/** Resolves when everything that was begun before is on disk and sent: the writer does one thing after the other. */
async function allLooked(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await turn()
    await api.db.unit(async () => undefined)
  }
}

async function insert(id: string, locationId: LocationId): Promise<void> {
  const order = kitchenOrder.parse({
    ...{ serviceOrderId: id, orderId: id, merchantId: 'M-TEST-001', locationId, source: 'kiosk', posOrderId: null },
    ...{ queuedAtMs: 0, fireAtMs: null, readyByMs: null, timeZone: 'UTC', customer: { name: 'Ana', phone: '' } },
    items: [{ umsId: 'U-1', name: 'Burger', qty: 1, modifiers: [], station: 'grill' }],
  })
  const times = { availableAtMs: 0, notBeforeMs: null, expiresAtMs: null, createdAtMs: 0 }
  await api.db.unit((tx) =>
    elsewhere.insert(tx, { id: asId(id), orderId: null, locationId, doc: { kind: 'order', order }, ...times }),
  )
}

/** The locations that the database was asked about, in order. */
function watchLooks(): LocationId[] {
  const looks: LocationId[] = []
  const { dispatches } = api.stores
  const hasQueued = dispatches.hasQueued.bind(dispatches)
  vi.spyOn(dispatches, 'hasQueued').mockImplementation((locationId, nowMs) => {
    looks.push(locationId)
    return hasQueued(locationId, nowMs)
  })
  return looks
}

const change = (locationId: LocationId | undefined): void => {
  if (locationId) api.stores.dispatches.changed.notify(locationId)
}
const jobsSaid = (): string[] => published.flatMap((message) => (message.t === 'job' ? [message.jobId] : []))

describe('the changes of one turn of the event loop', () => {
  it('are one check for each location, after the turn', async () => {
    const looks = watchLooks()
    const [first, second] = locations
    for (const locationId of [first, second, first, first, second]) {
      change(locationId)
      // A signal that comes later in the same turn, such as by another transaction of one COMMIT.
      await Promise.resolve()
    }
    expect(looks).toEqual([])
    await turn()
    expect(looks).toEqual([first, second])
    await allLooked()
    expect(looks).toEqual([first, second])
  })

  it('bring out what waits at each of these locations', async () => {
    for (const [index, locationId] of locations.entries()) await insert(`pj_${index}`, locationId)
    for (const locationId of [...locations, ...locations]) change(locationId)
    await allLooked()
    expect(jobsSaid().toSorted()).toEqual(['pj_0', 'pj_1', 'pj_2'])
  })
})

describe('a change after that', () => {
  it('is another check of its location, and of no other', async () => {
    const looks = watchLooks()
    const [first, second] = locations
    for (const locationId of [first, second]) change(locationId)
    await turn()
    change(second)
    await turn()
    for (const locationId of [second, first]) change(locationId)
    await turn()
    expect(looks).toEqual([first, second, second, second, first])
  })

  it('is another check also while previous ones are still running, so that no job is lost', async () => {
    const answers: (() => void)[] = []
    const nothingYet = async (): Promise<boolean> => {
      await new Promise<void>((resolve) => answers.push(resolve))
      return false
    }
    const looks = vi.spyOn(api.stores.dispatches, 'hasQueued')
    for (const locationId of locations) {
      looks.mockImplementationOnce(nothingYet)
      change(locationId)
    }
    await turn()
    expect(answers).toHaveLength(3)
    for (const [index, locationId] of locations.entries()) await insert(`pj_${index}`, locationId)
    for (const locationId of locations) change(locationId)
    await allLooked()
    expect(jobsSaid().toSorted()).toEqual(['pj_0', 'pj_1', 'pj_2'])
    for (const answer of answers) answer()
    await allLooked()
  })

  it('is checked, too, when the previous check failed', async () => {
    vi.spyOn(api.stores.dispatches, 'hasQueued').mockRejectedValueOnce(new Error('disk I/O error'))
    for (const locationId of locations) change(locationId)
    await allLooked()
    for (const [index, locationId] of locations.entries()) await insert(`pj_${index}`, locationId)
    for (const locationId of locations) change(locationId)
    await allLooked()
    expect(jobsSaid().toSorted()).toEqual(['pj_0', 'pj_1', 'pj_2'])
  })
})

it('the failures of one gateway hide no line about another', async () => {
  vi.spyOn(api.stores.dispatches, 'claim').mockRejectedValue(new Error('no number is left'))
  const [first, second] = locations as [LocationId, LocationId]
  for (const [index, locationId] of [first, second].entries()) await insert(`pj_${index}`, locationId)
  for (let n = 0; n < 15; n++) {
    change(first)
    await allLooked()
  }
  change(second)
  await allLooked()
  const lines = api.logLines.filter((line) => line.includes('jobs could not be claimed'))
  expect(lines).toHaveLength(11)
  const gateways = lines.map((line) => (JSON.parse(line) as { of: string }).of)
  expect(new Set(gateways.slice(0, 10)).size).toBe(1)
  expect(gateways[10]).not.toBe(gateways[0])
})
