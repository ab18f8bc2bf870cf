// POST /v1/order/check: it answers what inject would answer, and changes nothing.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import type { Scope } from '#cloud/auth/scopes.ts'
import { orderCheck } from '#shared/wire/api/orders.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'

const HOUR = 3_600_000
let api: RelayApi
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
})
afterEach(() => api.close())

const check = (change: Record<string, unknown> = {}) => api.call('POST', '/v1/order/check', { body: api.order(change) })

const silence = (umsId: string) =>
  api.db.unit((tx) =>
    api.stores.catalog.update(
      tx,
      { merchant_id: api.merchantKey, ums_id: umsId },
      { silenced_at: clock.now(), direct_silenced_at: clock.now(), direct_cause: 'call' },
    ),
  )

/** Everything that an order leaves behind. */
async function rows() {
  const counts = ['orders', 'dispatches', 'events', 'pos_outbox', 'idempotency'] as const
  const found = await Promise.all(counts.map((table) => api.db.read.selectFrom(table).selectAll().execute()))
  return [...found, await api.db.read.selectFrom('catalog_items').selectAll().orderBy('ums_id').execute()]
}

describe('the check of an order', () => {
  test('names the items, shows their prices of the menu, and stores nothing', async () => {
    await api.db.unit((tx) =>
      api.stores.catalog.update(tx, { merchant_id: api.merchantKey, ums_id: 'UMS-BURGER-01' }, { stock: 5 }),
    )
    const before = await rows()
    const answer = await check({ tip: 4 })
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(orderCheck.strict().parse(answer.body)).toEqual({
      serviceOrderId: null,
      total: 32.95,
      tip: 4,
      fireAt: null,
      estimatedReadyAt: '2026-11-20T18:12:00.000Z',
      locationId: api.locationId,
      items: [
        {
          umsId: 'UMS-BURGER-01',
          name: 'Smash Burger',
          menuPrice: 12.5,
          qty: 2,
          price: 12.5,
          modifiers: [{ umsId: 'UMS-MOD-CHEESE', name: 'Extra Cheese', menuPrice: null }],
        },
        { umsId: 'UMS-BRULEE-01', name: 'Crème brûlée', menuPrice: 7.95, qty: 1, price: 7.95, modifiers: [] },
      ],
      ways: [
        { station: 'grill', way: 'printer', name: 'Kitchen' },
        { station: 'cold', way: 'printer', name: 'Cold Line' },
      ],
    })
    expect(await rows()).toEqual(before)
  })

  test('shows when an order for later would go to the kitchen', async () => {
    const fireAt = new Date(clock.now() + HOUR).toISOString()
    expect((await check({ fireAt })).body).toMatchObject({ fireAt, estimatedReadyAt: '2026-11-20T19:12:00.000Z' })
    // Inject takes it for now.
    expect((await check({ fireAt: new Date(clock.now() - 60_000).toISOString() })).body.fireAt).toBeNull()
  })

  test.each([
    ['another total', { total: 30 }],
    ['an unknown item', { items: [{ umsId: 'UMS-NO', qty: 1, price: 1 }], total: 1 }],
    ['an unknown location', { locationId: 'loc_other' }],
    ['a time too far ahead', { fireAt: '2027-12-01T00:00:00Z' }],
    ['an add-on to nothing', { addOnTo: 'order-0' }],
    ['no items', { items: [] }],
  ])('with %s is refused as inject refuses it', async (_, change) => {
    const checked = await check(change)
    const injected = await api.inject(change)
    expect(checked.status).toBeGreaterThanOrEqual(404)
    expect({ ...checked.body, requestId: '' }).toEqual({ ...injected.body, requestId: '' })
  })

  test('names what is silenced, and what there are too few of', async () => {
    await silence('UMS-BRULEE-01')
    await api.db.unit((tx) =>
      api.stores.catalog.update(tx, { merchant_id: api.merchantKey, ums_id: 'UMS-BURGER-01' }, { stock: 1 }),
    )
    expect(await check()).toMatchObject({
      status: 422,
      body: {
        code: 'ums.item_silenced',
        errors: [
          { field: 'items[0].umsId', message: 'UMS-BURGER-01 (Smash Burger): 2 wanted, 1 left' },
          { field: 'items[1].umsId', message: 'UMS-BRULEE-01 (Crème brûlée) is silenced' },
        ],
      },
    })
  })

  test('of an order that was taken has its id and its answer, whatever the menu says since', async () => {
    const { serviceOrderId, estimatedReadyAt } = (await api.inject({ tip: 2 })).body
    await silence('UMS-BURGER-01')
    await clock.advance(HOUR)
    expect((await check({ tip: 2 })).body).toMatchObject({ serviceOrderId, estimatedReadyAt, total: 32.95, tip: 2 })
    expect(await check({ tip: 3 })).toMatchObject({
      status: 409,
      body: { code: 'order.duplicate_id', serviceOrderId },
    })
  })

  test('is 200 where inject is 503 because no printer is connected, and says so', async () => {
    const merchantId = 'M-TEST-PRINTER-OFFLINE'
    const checked = await check({ merchantId })
    expect(checked).toMatchObject({ status: 200, body: { printPending: true, serviceOrderId: null } })
    expect(await api.inject({ merchantId })).toMatchObject({ status: 503, body: { code: 'printer.offline' } })
    expect((await check({ merchantId })).body).toMatchObject({
      printPending: true,
      serviceOrderId: expect.stringMatching(/^ord_/),
    })
    expect((await check({ merchantId, print: false, orderId: 'no-paper' })).body.printPending).toBeUndefined()
  })

  test('needs orders:read alone', async () => {
    const keyWith = async (...scopes: Scope[]) => {
      const key = { accountId: api.account.accountId, environment: 'sandbox', scopes } as const
      return (await api.db.unit((tx) => issueApiKey(tx, { ...api.stores, clock }, key))).apiKey
    }
    const body = api.order()
    expect(await api.call('POST', '/v1/order/check', { body, key: await keyWith('orders:read') })).toMatchObject({
      status: 200,
    })
    expect(await api.call('POST', '/v1/order/check', { body, key: await keyWith('orders:write') })).toMatchObject({
      status: 403,
      body: { code: 'auth.insufficient_scope' },
    })
  })
})
