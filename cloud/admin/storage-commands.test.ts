// accounts storage: what each account stores, counted in the file of an open relay.
import { afterEach, beforeEach, expect } from 'vitest'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { AdminDesk } from '#test/fixtures/admin-desk.ts'
import { FILES, ofSqlite } from '#test/harness/engines.ts'

let desk: AdminDesk
beforeEach(async () => {
  desk = await AdminDesk.open()
})
afterEach(() => desk.close())

const DAY_MS = 86_400_000
const stored = () => desk.json('accounts', 'storage')
const textOf = async () => (await desk.run('accounts', 'storage')).out

ofSqlite(FILES)('names who stores most first, with the orders and bytes of all time and of the last day', async () => {
  const { api, clock } = desk
  await api.inject({ orderId: 'old' })
  await clock.advance(2 * DAY_MS)
  await api.inject({ orderId: 'new' })
  const big = await createSandboxAccount(api, { name: 'Big' })
  const items = Array.from({ length: 100 }, () => ({ umsId: 'UMS-BRULEE-01', qty: 1, price: 1, note: 'n'.repeat(400) }))
  const body = api.order({ items, total: 100 })
  expect((await api.call('POST', '/v1/order/inject', { body, key: big.apiKey })).status).toBe(200)

  const [first, second, more] = await stored()
  expect(first).toMatchObject({
    accountId: big.accountId,
    name: 'Big',
    environment: 'sandbox',
    orders: 1,
    ordersOfDay: 1,
  })
  // Body, job and event hold the notes.
  expect(first.bytes).toBeGreaterThan(3 * 40_000)
  expect(first.bytesOfDay).toBe(first.bytes)
  expect(second).toMatchObject({ accountId: api.account.accountId, orders: 2, ordersOfDay: 1 })
  expect(second.bytesOfDay).toBe(second.bytes / 2)
  expect(more).toBeUndefined()
  expect(await textOf()).toContain('Big')
})

ofSqlite(FILES)('counts rows beyond one piece once', async () => {
  const { api } = desk
  const { body } = await api.inject()
  await api.db.unit(async (tx) => {
    const { order } = await api.stores.orders.load(tx, body.serviceOrderId)
    for (let n = 0; n < 5_100; n++) {
      const copy = { ...order, id: `ord_${n}` as typeof order.id, client_order_id: `copy-${n}` }
      await api.stores.orders.insert(tx, copy, { source: 'kiosk' })
    }
  })
  expect((await stored())[0]).toMatchObject({ orders: 5_101 })
})

ofSqlite(FILES)('a relay without orders stores nothing', async () => {
  expect(await stored()).toEqual([])
  expect(await textOf()).toBe('Nothing is stored yet.')
})
