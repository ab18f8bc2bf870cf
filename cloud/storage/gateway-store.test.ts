// The simulated kitchens among the gateways: nothing can connect as one, no sweep touches one, and a paired gateway ends it.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import { type GatewayId, type LocationId, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'

let api: RelayApi
let clock: ManualClock
let kitchen: GatewayId
let location: LocationId
const TOKEN_HASH = createHash('sha256').update('a token').digest('hex')

beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  location = newId('loc', clock.now())
  kitchen = newId('gw', clock.now())
  await api.db.unit(async (tx) => {
    const row = { id: location, merchant_id: api.merchantKey, name: 'Pop-up', is_default: 0 }
    await api.stores.locations.insert(tx, { ...row, kitchen: 'simulated', created_at: 1 })
    await api.stores.gateways.insert(tx, {
      id: kitchen,
      locationId: location,
      name: 'Simulated kitchen',
      tokenHash: TOKEN_HASH,
      shard: 0,
      createdAtMs: 1,
    })
    await tx.updateTable('gateways').set({ simulated: 1 }).where('id', '=', kitchen).execute()
  })
})
afterEach(() => api.close())

const gateways = () => api.stores.gateways
const pair = () => registerGateway({ ...api.stores, db: api.db }, { locationId: location, name: 'Pi' })

test('no client connects as a simulated kitchen, with any password', async () => {
  expect(await gateways().tokenHash(kitchen)).toBeNull()
  const paired = await pair()
  expect(await gateways().tokenHash(paired.gatewayId)).not.toBeNull()
})

test('the start and the sweeps of the registry leave its presence alone', async () => {
  const at = { gatewayId: kitchen, epoch: null, seenAtMs: null }
  await api.db.unit((tx) => gateways().setPresence(tx, { ...at, presence: 'online' }))
  await api.db.unit((tx) => gateways().forgetPresence(tx))
  expect((await gateways().byId(kitchen))?.presence).toBe('online')
  await api.db.unit((tx) => gateways().setPresence(tx, { ...at, presence: 'unknown' }))
  expect(await gateways().hasUnknown(clock.now())).toBe(false)
  expect(await api.db.unit((tx) => gateways().unknownToOffline(tx, clock.now()))).toEqual([])
})

test('it is none of the gateways that are waited for', async () => {
  const before = await gateways().count()
  await pair()
  expect(await gateways().count()).toBe(before + 1)
})

test('pairing a gateway ends it, and its end is not taken for a revoked connection', async () => {
  const paired = await pair()
  expect((await gateways().ofLocation(location)).map(({ gatewayId }) => gatewayId)).toEqual([paired.gatewayId])
  expect((await api.stores.locations.find(location))?.kitchen).toBe('gateway')
  expect(await gateways().revokedSince(0)).toEqual([])
})
