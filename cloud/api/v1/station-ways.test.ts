// Orders and their gateway's report of its stations: 503 only if nothing can take them, and the order contains how it reaches the kitchen.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { printFactsOf } from '#cloud/orders/print-facts.ts'
import { asId } from '#shared/ids.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import { errorBody } from '#shared/wire/api/errors.ts'
import { orderResource, orderResult } from '#shared/wire/api/orders.ts'
import type { GatewayRouting } from '#shared/wire/gateway-routing.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'

type Kind = 'printer' | 'backup' | 'display' | null

const GATEWAY = asId<'gw'>('gw_1')
let api: RelayApi
let clock: ManualClock

beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  await api.db.unit(async (tx) => {
    const place = { locationId: api.locationId, name: 'Kitchen', tokenHash: 'x', shard: 0, createdAtMs: clock.now() }
    await api.stores.gateways.insert(tx, { id: GATEWAY, ...place })
    const dead = { printerId: 'p', name: 'Pass', stations: [], isDefault: true, state: 'offline' as const }
    await api.stores.gateways.replacePrinters(tx, GATEWAY, {
      printers: [{ ...dead, reasons: [], queued: 0 }],
      nowMs: clock.now(),
    })
  })
  await be('online')
})
afterEach(() => api.close())

const be = (presence: 'online' | 'offline') =>
  api.db.unit((tx) =>
    api.stores.gateways.setPresence(tx, { gatewayId: GATEWAY, presence, epoch: null, seenAtMs: null }),
  )

/** The order of these tests has lines for grill and cold. */
const say = (grill: Kind, rest: Kind) => {
  const way = (kind: Kind, name: string) => (kind === null ? null : { kind, id: name, name })
  const stations = [
    { station: 'Grill', way: way(grill, 'Grill 1') },
    { station: null, way: way(rest, 'Pass 2') },
  ]
  return api.db.unit((tx) =>
    api.stores.gateways.recordStanding(tx, { gatewayId: GATEWAY, stations: JSON.stringify(stations), health: null }),
  )
}

const read = async (serviceOrderId: string) =>
  orderResource.strict().parse((await api.call('GET', `/v1/order/${serviceOrderId}?merchantId=M-TEST-001`)).body)

describe('an order whose printers are all off', () => {
  test.each(['printer', 'backup', 'display'] as const)(
    'is taken by a %s, which the order shows from then on',
    async (kind) => {
      await say(kind, null)
      const answer = await api.inject()
      const ways = [
        { station: 'grill', way: kind, name: 'Grill 1' },
        { station: 'cold', way: null, name: null },
      ]
      expect([answer.status, orderResult.strict().parse(answer.body).ways]).toEqual([200, ways])
      await say(null, null)
      const again = await api.inject()
      expect([again.status, again.body]).toEqual([200, answer.body])
      expect(await read(answer.body.serviceOrderId)).toMatchObject({ ways, cameBy: [] })
    },
  )

  test('is answered with 503, and stored, where nothing can take any line of it', async () => {
    await say(null, null)
    const answer = await api.inject()
    expect(errorBody.parse(answer.body)).toMatchObject({ code: 'printer.offline', status: 503 })
    const ways = ['grill', 'cold'].map((station) => ({ station, way: null, name: null }))
    expect(orderResult.strict().parse(answer.body.order).ways).toEqual(ways)
    expect((await read(answer.body.order.serviceOrderId)).ways).toEqual(ways)
  })

  test('is judged by the latest status of its gateway, order by order', async () => {
    await say('display', null)
    expect((await api.inject()).status).toBe(200)
    await say(null, null)
    expect((await api.inject({ orderId: 'order-2' })).status).toBe(503)
    await say(null, 'backup')
    expect((await api.inject({ orderId: 'order-3' })).status).toBe(200)
  })

  test('is answered with 503 where its gateway is away, whatever its last status', async () => {
    await say('printer', 'printer')
    await be('offline')
    const answer = await api.inject()
    expect([answer.status, answer.body.order.ways[0].way]).toEqual([503, null])
  })

  test('is judged by its printers where the gateway is too old to report more', async () => {
    const answer = await api.inject()
    expect([answer.status, answer.body.order.ways[0]]).toEqual([503, { station: 'grill', way: null, name: null }])
  })

  test('is taken without a word of ways when it is for later, or not wanted on paper', async () => {
    await say(null, null)
    const later = await api.inject({ fireAt: new Date(clock.now() + 3_600_000).toISOString() })
    const paperless = await api.inject({ orderId: 'order-2', print: false })
    expect([later, paperless].map(({ status, body }) => [status, body.ways])).toEqual([
      [200, undefined],
      [200, undefined],
    ])
    expect((await read(later.body.serviceOrderId)).ways).toEqual([])
  })

  test('is judged by what is due now: a course that is held can wait for its printer', async () => {
    await say(null, 'printer')
    const items = (api.order()['items'] as object[]).map((item, index) => ({ ...item, course: index + 1 }))
    const answer = await api.inject({ items })
    expect(answer.status).toBe(503)
    expect(answer.body.order.ways).toEqual([{ station: 'grill', way: null, name: null }])
  })

  test('is judged by the rules of its gateway, where that reports them: by category, source and type', async () => {
    await say(null, null)
    const bar = { printerId: 'bar', name: 'Bar', stations: ['bar'], isDefault: false, state: 'online' as const }
    await api.db.unit(async (tx) => {
      await api.stores.gateways.replacePrinters(tx, GATEWAY, {
        printers: [{ ...bar, reasons: [], queued: 0 }],
        nowMs: clock.now(),
      })
      const routing: GatewayRouting = {
        printers: [{ id: 'bar', orders: true, by: 'bar' }],
        rules: [{ when: { source: 'Kiosk-8' }, to: ['bar'], stop: true }],
        screens: [{ station: null, way: null }],
      }
      const told = { gatewayId: GATEWAY, stations: '[]', health: null, routing: JSON.stringify(routing) }
      await api.stores.gateways.recordStanding(tx, told)
    })
    const taken = await api.inject({ source: 'kiosk-8' })
    const ways = ['grill', 'cold'].map((station) => ({ station, way: 'printer', name: 'Bar' }))
    expect([taken.status, taken.body.ways]).toEqual([200, ways])
  })

  test('has in its event what is in its answer', async () => {
    await say('display', 'backup')
    const answer = await api.inject()
    const { payload } = await api.db.read.selectFrom('events').select('payload').executeTakeFirstOrThrow()
    expect(JSON.parse(payload).data.order.ways).toEqual(answer.body.ways)
  })
})

test('an order on paper names its printers, including one that printed as a backup', async () => {
  const { serviceOrderId } = (await api.inject()).body.order
  const at = clock.now()
  const ticket = (printerName: string, more: Partial<TicketEvidence> = {}): TicketEvidence => ({
    ...{ ticketId: printerName, printerId: printerName, printerName, state: 'printed', attempts: 1 },
    ...{ confirmation: 'confirmed', method: 'gs-i', firstByteAtMs: at, printedAtMs: at, possibleDuplicate: false },
    ...{ reason: null, ...more },
  })
  const tickets = [ticket('Bar', { movedFrom: 'grill', printedAtMs: at + 2 }), ticket('Pass'), ticket('Pass')]
  const facts = printFactsOf(tickets, { notBeforeMs: at, nowMs: at + 9 })?.facts
  await api.db.unit((tx) =>
    api.stores.orders.update(tx, serviceOrderId, { print_facts: JSON.stringify(facts), printed_at: at + 2 }),
  )
  const { cameBy, printProof } = await read(serviceOrderId)
  expect(cameBy).toEqual([
    { way: 'printer', name: 'Pass', at: new Date(at).toISOString() },
    { way: 'backup', name: 'Bar', at: new Date(at + 2).toISOString() },
  ])
  expect(printProof?.printers[0]).toMatchObject({ name: 'Bar', movedFrom: 'grill' })
})
