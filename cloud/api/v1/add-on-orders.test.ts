// POST /v1/order/inject with addOnTo: the kitchen and every reader see that the order adds to an earlier one.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { orderAgain } from '#cloud/orders/print-document.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'

let api: RelayApi
beforeEach(async () => {
  api = await RelayApi.open({ clock: new ManualClock() })
})
afterEach(() => api.close())

describe('an order that adds to an earlier one', () => {
  const kitchenOf = async (printJobId: string) => {
    const row = api.db.read.selectFrom('dispatches').select('doc').where('id', '=', asId<'pj'>(printJobId))
    return JSON.parse((await row.executeTakeFirstOrThrow()).doc).order
  }

  test('shows the kitchen the first order’s display number, and returns its orderId to readers', async () => {
    const earlier = await api.inject()
    const answer = await api.inject({ orderId: 'order-2', addOnTo: 'order-1', tip: 2 })
    expect(answer.status).toBe(200)
    expect(await kitchenOf(answer.body.printJobId)).toMatchObject({
      addOnTo: '1',
      receipt: { totalCents: 3295, tipCents: 200 },
    })
    const read = await api.call('GET', `/v1/order/${answer.body.serviceOrderId}?merchantId=M-TEST-001`)
    expect(read.body.addOnTo).toBe('order-1')
    const first = await api.call('GET', `/v1/order/${earlier.body.serviceOrderId}?merchantId=M-TEST-001`)
    expect(first.body.addOnTo).toBeNull()
  })

  test('is an order of its own, taken also when that one is voided', async () => {
    const earlier = await api.inject()
    await api.db.unit((tx) =>
      api.stores.orders.update(tx, asId<'ord'>(earlier.body.serviceOrderId), { status: 'voided' }),
    )
    expect((await api.inject({ orderId: 'order-2', addOnTo: 'order-1' })).status).toBe(200)
  })

  test('is refused when the first order does not exist or belongs to another account, and its orderId stays free', async () => {
    const other = await createSandboxAccount(api, { name: 'Other' })
    await api.call('POST', '/v1/order/inject', { body: api.order({ orderId: 'theirs' }), key: other.apiKey })
    for (const addOnTo of ['order-1', 'nowhere', 'theirs']) {
      const answer = await api.inject({ addOnTo })
      expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
      expect(answer.body.errors).toEqual([{ field: 'addOnTo', message: expect.stringContaining('earlier order') }])
    }
    expect((await api.inject()).status).toBe(200)
  })

  test('is another order than the same without it', async () => {
    await api.inject()
    await api.inject({ orderId: 'order-2', addOnTo: 'order-1' })
    const again = await api.inject({ orderId: 'order-2', addOnTo: 'order-1' })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await api.inject({ orderId: 'order-2' })).body.code).toBe('order.duplicate_id')
  })

  test('is named on a ticket that is printed later as well', async () => {
    await api.inject()
    const { serviceOrderId } = (await api.inject({ orderId: 'order-2', addOnTo: 'order-1', print: false })).body
    const merchant = await api.stores.merchants.byKey(api.merchantKey)
    const row = await api.stores.orders.find(merchant, asId<'ord'>(serviceOrderId))
    const again = await api.db.unit((tx) => orderAgain(tx, api.stores, { merchant, order: row! }))
    expect(again).toMatchObject({ addOnTo: '1', receipt: { totalCents: 3295 } })
  })
})
