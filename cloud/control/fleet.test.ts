// The gateways of all accounts, for operators.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GatewayId, newId } from '#shared/ids.ts'
import { AccountDesk } from '#test/fixtures/account-desk.ts'

let desk: AccountDesk
beforeEach(async () => {
  desk = await AccountDesk.open()
})
afterEach(() => desk.close())

/** One at the main place of a new restaurant. */
async function gateway(
  restaurant: string,
  { presence, version, revoked = false }: { presence: 'online' | 'offline'; version: string | null; revoked?: boolean },
): Promise<GatewayId> {
  const { locationId } = await desk.restaurant(restaurant)
  await desk.clock.advance(1_000)
  const atMs = desk.clock.now()
  const id = newId('gw', atMs)
  await desk.api.db.unit((tx) =>
    tx
      .insertInto('gateways')
      .values({
        ...{ id, location_id: locationId, name: 'Pi', token_hash: id, shard: 0, acked_seq: 0, last_seq: 0 },
        ...{ session_epoch: 0, presence, app_version: version, last_seen_at: atMs, created_at: atMs },
        revoked_at: revoked ? atMs : null,
      })
      .execute(),
  )
  return id
}

const fleet = (raw: object = {}) => desk.perform(desk.operator(), 'op.fleet', raw)

test('every gateway is listed with its account, newest first and page by page; retired ones are not', async () => {
  const first = await gateway('bistro', { presence: 'online', version: '1.2.0' })
  const second = await gateway('kiosk', { presence: 'offline', version: '1.1.0' })
  await gateway('closed', { presence: 'offline', version: '0.9.0', revoked: true })
  const page = await fleet({ limit: 1 })
  expect(page.gateways).toMatchObject([{ gatewayId: second, accountName: 'kiosk', state: 'offline', version: '1.1.0' }])
  expect((await fleet({ limit: 1, after: page.next })).gateways).toMatchObject([{ gatewayId: first }])
})

test('silent ones and those of one version are found among the others, and versions are counted', async () => {
  await gateway('bistro', { presence: 'online', version: '1.2.0' })
  const silent = await gateway('kiosk', { presence: 'offline', version: '1.2.0' })
  await gateway('bar', { presence: 'online', version: null })
  expect((await fleet({ silent: true })).gateways.map(({ gatewayId }) => gatewayId)).toEqual([silent])
  expect((await fleet({ version: '1.2.0' })).gateways).toHaveLength(2)
  expect((await fleet()).versions).toEqual([
    { version: '1.2.0', gateways: 2, online: 1 },
    { version: null, gateways: 1, online: 1 },
  ])
})

test('an owner sees nothing of it', async () => {
  const { accountId } = await desk.restaurant('bistro')
  expect((await desk.refusal(desk.person('owner', accountId), 'op.fleet')).said?.key).toBe('right.operator')
})
