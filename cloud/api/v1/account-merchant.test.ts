// The calls about the account, from a client that sends its merchant with every call.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UsageMeter } from '#cloud/billing/usage-meter.ts'
import { InvoiceStore } from '#cloud/storage/invoice-store.ts'
import { MerchantListStore } from '#cloud/storage/merchant-list-store.ts'
import { UsageStore } from '#cloud/storage/usage-store.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { accountRoutes } from './account-routes.ts'

let api: RelayApi
beforeEach(async () => {
  api = await RelayApi.open({
    clock: new ManualClock(Date.UTC(2026, 10, 20, 18)),
    routes: (app, { stores, db, authorize }) => {
      const usage = new UsageStore(db)
      const meter = new UsageMeter({ ...stores, usage })
      const merchantList = new MerchantListStore(db)
      accountRoutes(app, { ...stores, usage, meter, authorize, merchantList, invoices: new InvoiceStore(db) })
    },
  })
})
afterEach(() => api.close())

describe.each([
  ['GET', '/v1/merchants'],
  ['GET', '/v1/usage'],
  ['POST', '/v1/keys/revoke'],
] as const)('%s %s with a merchantId', (method, url) => {
  const call = (merchantId: string) =>
    method === 'GET'
      ? api.call(method, `${url}?merchantId=${merchantId}`)
      : api.call(method, url, { body: { merchantId } })

  test('answers as without one, when the key may act on that merchant', async () => {
    expect((await call('M-TEST-001')).status).toBe(200)
  })

  test.each([
    ['M-TEST-NONE', 404, 'merchant.not_found'],
    ['M-PROD-1', 403, 'merchant.not_authorized'],
  ])('that is %s is refused', async (merchantId, status, code) => {
    const answer = await call(merchantId)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect((await api.call('GET', '/v1/usage')).status).toBe(200)
  })
})
