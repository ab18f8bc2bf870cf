// The demo account: what npm start and the flows find in a fresh relay.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authenticate } from '#cloud/auth/api-keys.ts'
import { FireDue } from '#cloud/orders/fire-due.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { BISTRO_MENU } from './bistro-menu.ts'
import { provisionDemo } from './provision-demo.ts'

let api: RelayApi
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
})
afterEach(() => api.close())

test('the demo has a key with all scopes, a merchant whose items can be ordered, and a gateway for its kitchen', async () => {
  const demo = await provisionDemo(api.db, clock)
  const principal = await authenticate(api.stores, `Bearer ${demo.apiKey}`)
  expect(principal).toMatchObject({ accountId: demo.accountId, environment: 'sandbox' })
  expect(principal.scopes.size).toBe(6)
  expect((await api.stores.gateways.ofLocation(demo.locationId)).map((g) => g.gatewayId)).toEqual([demo.gatewayId])
  expect(demo.topics.down).toContain(demo.gatewayId)
  for (const [i, umsId] of demo.umsIds.entries()) {
    const body = api.order({ orderId: `o${i}`, items: [{ umsId, qty: 1, price: 1 }], total: 1 })
    const answer = await api.call('POST', '/v1/order/inject', { body, key: demo.apiKey })
    expect([umsId, answer.status]).toEqual([umsId, 200])
  }
})

test('each account has its own copy: silencing in one leaves the other alone', async () => {
  const demo = await provisionDemo(api.db, clock)
  await api.db.unit((tx) =>
    tx.updateTable('catalog_items').set({ silenced_at: 1 }).where('merchant_id', '=', api.merchantKey).execute(),
  )
  expect((await api.inject()).body.code).toBe('ums.item_silenced')
  expect((await api.call('POST', '/v1/order/inject', { body: api.order(), key: demo.apiKey })).status).toBe(200)
})

test('the menu has items and modifiers, each id once', () => {
  expect(BISTRO_MENU.filter((item) => item.kind === 'item')).toHaveLength(12)
  expect(new Set(BISTRO_MENU.map((item) => item.umsId)).size).toBe(BISTRO_MENU.length)
})

test('the running service marks a scheduled order as fired within half a second', async () => {
  const fireAt = new Date(clock.now() + 10_000).toISOString()
  const { serviceOrderId } = (await api.inject({ fireAt })).body
  const fireDue = new FireDue(api.stores)
  await fireDue.start()
  const fired = async () =>
    (await api.stores.orders.find({ accountId: api.account.accountId, key: api.merchantKey }, serviceOrderId))?.fired_at
  await clock.advance(9_999)
  expect(await fired()).toBeNull()
  await clock.advance(501)
  await fireDue.stop()
  expect(await fired()).toBe(Date.parse(fireAt))
})
