// The gateways of a merchant as the API shows them: each one's last report of its stations and its health.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import { GatewayListStore } from '#cloud/storage/gateway-list-store.ts'
import { asId } from '#shared/ids.ts'
import { gatewaysList } from '#shared/wire/api/gateways.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { listGateways } from './list-gateways.ts'

const GATEWAY = asId<'gw'>('gw_1')
let api: RelayApi

beforeEach(async () => {
  api = await RelayApi.open({ clock: new ManualClock() })
  const place = { locationId: api.locationId, name: 'Kitchen', tokenHash: 'x', shard: 0, createdAtMs: 1 }
  await api.db.unit((tx) => api.stores.gateways.insert(tx, { id: GATEWAY, ...place }))
})
afterEach(() => api.close())

async function shown() {
  const ofPlace = api.db.read.selectFrom('locations').select('merchant_id as key').where('id', '=', api.locationId)
  const { key } = await ofPlace.executeTakeFirstOrThrow()
  const deps = { gatewayList: new GatewayListStore(api.db), configs: new GatewayConfigStore(api.db) }
  return gatewaysList.parse({ data: await listGateways(deps, { key }) }).data.find((one) => one.gatewayId === GATEWAY)
}

test('a gateway that reports nothing of its stations and its health has neither', async () => {
  expect(await shown()).toMatchObject({ stations: null, health: null })
})

test('a gateway is shown with the ways of its stations and with its findings, counted', async () => {
  const way = { kind: 'backup' as const, id: 'p', name: 'Pass' }
  const stations = [
    { station: 'Grill', way },
    { station: null, way: null },
  ]
  const health = { critical: 1, warning: 2, advice: 3, worst: 'printer-down', sinceMs: 0 }
  await api.db.unit((tx) =>
    api.stores.gateways.recordStanding(tx, {
      ...{ gatewayId: GATEWAY, stations: JSON.stringify(stations), health: JSON.stringify(health) },
    }),
  )
  expect(await shown()).toMatchObject({
    stations: [
      { station: 'Grill', way: 'backup', name: 'Pass' },
      { station: null, way: null, name: null },
    ],
    health: { critical: 1, warning: 2, advice: 3, worst: 'printer-down', since: '1970-01-01T00:00:00.000Z' },
  })
})

test.each([1e308, -1e308, 8_640_000_000_000_001])(
  'an instant that is none (%d), as an older relay has stored it, takes no gateway from the list',
  async (sinceMs) => {
    const health = JSON.stringify({ critical: 1, warning: 0, advice: 0, worst: 'printer-down', sinceMs })
    await api.db.unit((tx) => api.stores.gateways.recordStanding(tx, { gatewayId: GATEWAY, stations: null, health }))
    expect(await shown()).toMatchObject({ health: { critical: 1, worst: 'printer-down', since: expect.any(String) } })
  },
)
