// Which keys may act on which merchants: own ones, granted ones, and the refusals of all others.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceError } from '#shared/errors.ts'
import { type AccountId, type MerchantKey, newId } from '#shared/ids.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { createAccount } from './accounts.ts'
import type { Principal } from './api-keys.ts'

let api: RelayApi
let owner: AccountId
let partner: AccountId
let restaurant: MerchantKey
beforeEach(async () => {
  api = await RelayApi.open()
  ;[owner, partner, restaurant] = await api.db.unit(async (tx) => {
    const ownerId = await createAccount(tx, api.stores, { name: 'Owner' })
    const partnerId = await createAccount(tx, api.stores, { name: 'Partner' })
    const key = newId('mer', api.clock.now())
    await api.stores.merchants.insert(tx, {
      id: key,
      account_id: ownerId,
      public_id: 'M-PROD-BISTRO',
      environment: 'live',
      name: 'Bistro',
      time_zone: 'America/New_York',
      prep_minutes: 12,
      fire_at_horizon_ms: 1,
      created_at: 1,
    })
    return [ownerId, partnerId, key] as const
  })
})
afterEach(() => api.close())

function who(accountId: AccountId, environment: 'sandbox' | 'live'): Principal {
  return { accountId, environment, keyId: newId('key', 1), scopes: new Set(), wanted: null } as unknown as Principal
}

const refusal = (principal: Principal, merchantId: string) =>
  api.authorize(principal, merchantId).then(
    () => 'let through',
    (error: ServiceError) => error.code,
  )

const grant = () =>
  api.db.unit((tx) =>
    tx.insertInto('merchant_grants').values({ account_id: partner, merchant_id: restaurant, created_at: 1 }).execute(),
  )

test('the owner acts on its live merchant', async () => {
  const record = await api.authorize(who(owner, 'live'), 'M-PROD-BISTRO')
  expect(record).toMatchObject({ key: restaurant, accountId: owner, ownerAccountId: owner, autoSilence: true })
})

test('without a grant a live merchant of others is refused with 403, an unknown one with 404', async () => {
  expect(await refusal(who(partner, 'live'), 'M-PROD-BISTRO')).toBe('merchant.not_authorized')
  expect(await refusal(who(partner, 'live'), 'M-PROD-NOBODY')).toBe('merchant.not_found')
})

test('with a grant another account acts in its own name, until the grant is taken back', async () => {
  await grant()
  const record = await api.authorize(who(partner, 'live'), 'M-PROD-BISTRO')
  expect(record).toMatchObject({ key: restaurant, accountId: partner, ownerAccountId: owner })
  await api.db.unit((tx) => tx.deleteFrom('merchant_grants').execute())
  expect(await refusal(who(partner, 'live'), 'M-PROD-BISTRO')).toBe('merchant.not_authorized')
})

test('a grant with scopes lets through the calls that need one of them', async () => {
  await grant()
  await api.db.unit((tx) => tx.updateTable('merchant_grants').set({ scopes: '["orders:read"]' }).execute())
  const needs = (wanted: Principal['wanted']) => refusal({ ...who(partner, 'live'), wanted }, 'M-PROD-BISTRO')
  expect([await needs('orders:read'), await needs('orders:write')]).toEqual(['let through', 'merchant.not_authorized'])
  expect(await refusal({ ...who(owner, 'live'), wanted: 'orders:write' }, 'M-PROD-BISTRO')).toBe('let through')
})

test('a sandbox key touches no live merchant, not even a granted one, and a live key no test merchant', async () => {
  await grant()
  expect(await refusal(who(partner, 'sandbox'), 'M-PROD-BISTRO')).toBe('merchant.not_authorized')
  expect(await refusal(who(owner, 'sandbox'), 'M-PROD-BISTRO')).toBe('merchant.not_authorized')
  expect(await refusal(who(api.account.accountId, 'live'), 'M-TEST-001')).toBe('merchant.not_authorized')
})

test('the test merchants of another account do not exist', async () => {
  expect(await refusal(who(owner, 'sandbox'), 'M-TEST-001')).toBe('merchant.not_found')
})

test.each(['', 'M-', 'M-LIVE-1', 'm-test-001', 'M-PROD', '__proto__'])(
  'an id of no known kind (%s) is unknown',
  async (merchantId) => {
    expect(await refusal(who(owner, 'live'), merchantId)).toBe('merchant.not_found')
  },
)
