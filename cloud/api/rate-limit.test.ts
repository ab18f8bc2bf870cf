// Limits as a client meets them: headers, 429 with Retry-After, one bucket for all keys of an account, wrong keys per address.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { makeApiKey } from '#cloud/auth/api-keys.ts'
import type { Environment } from '#cloud/auth/scopes.ts'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { RateBucketStore } from '#cloud/storage/rate-bucket-store.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type Answered, RelayApi } from '#test/doubles/relay-api.ts'
import { RateLimits } from './rate-limit.ts'

const PROXIES = new TrustedProxies(['10.0.0.0/8', '127.0.0.1'])
/** The source of calls without another one. */
const CLIENT = { 'x-forwarded-for': '198.51.100.9' }

let api: RelayApi
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({
    clock,
    server: (stores) => ({ rateLimits: new RateLimits(stores), proxies: PROXIES }),
  })
})
afterEach(() => api.close())

const ask = (key?: string | null, headers: Record<string, string> = {}) =>
  api.call('GET', '/v1/order/ord_unknown?merchantId=M-TEST-001', {
    ...(key === undefined ? {} : { key }),
    headers: { ...CLIENT, ...headers },
  })

async function drain(calls: number, key?: string): Promise<void> {
  for (let i = 0; i < calls; i++) expect((await ask(key)).status).toBe(404)
}

const limitsOf = ({ headers }: Answered) => [
  headers['x-ratelimit-limit'],
  headers['x-ratelimit-remaining'],
  headers['x-ratelimit-reset'],
]

async function issue(environment: Environment, plan?: 'starter'): Promise<string> {
  return api.db.unit(async (tx) => {
    if (plan) await api.stores.accounts.change(tx, api.account.accountId, { plan })
    return (await issueApiKey(tx, api.stores, { accountId: api.account.accountId, environment })).apiKey
  })
}

test('every authenticated answer has limit, remaining and reset, also a refusal', async () => {
  const seconds = Math.ceil((clock.now() + 120) / 1_000)
  expect(limitsOf(await ask())).toEqual(['500', '499', String(seconds)])
  const noSuchField = await api.call('POST', '/v1/order/inject', { body: {} })
  expect([noSuchField.status, ...limitsOf(noSuchField)]).toEqual([422, '500', '498', String(seconds)])
  const noKey = await ask(null)
  expect([noKey.status, noKey.headers['x-ratelimit-limit']]).toEqual([401, undefined])
})

test('over steady and burst it is 429 with Retry-After, and the wait lets the next call through', async () => {
  await drain(500)
  const refused = await ask()
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit.exceeded'])
  expect(limitsOf(refused).slice(0, 2)).toEqual(['500', '0'])
  expect(refused.headers['retry-after']).toBe('1')
  await clock.advance(1_000)
  expect((await ask()).status).toBe(404)
})

test('a wall clock that jumps changes nothing', async () => {
  await drain(500)
  clock.jump(3_600_000)
  expect((await ask()).status).toBe(429)
})

test('keys of one account share a bucket; another account and the other environment have their own', async () => {
  const second = await issue('sandbox')
  await drain(250)
  await drain(250, second)
  expect((await ask(second)).status).toBe(429)
  const stranger = await createSandboxAccount(api, { name: 'Stranger' })
  expect((await ask(stranger.apiKey)).status).toBe(404)
  const live = await ask(await issue('live', 'starter'))
  expect([live.status, ...limitsOf(live).slice(0, 2)]).toEqual([403, '1000', '999'])
})

test('a change of plan counts with the next call', async () => {
  const live = await issue('live', 'starter')
  expect(limitsOf(await ask(live))[0]).toBe('1000')
  await api.db.unit((tx) => api.stores.accounts.change(tx, api.account.accountId, { plan: 'growth' }))
  expect(limitsOf(await ask(live))[0]).toBe('5000')
})

test('the 61st wrong key of an address within a minute is 429; good keys from there continue', async () => {
  for (let i = 0; i < 60; i++) expect((await ask(makeApiKey('sandbox'))).body.code).toBe('auth.invalid_token')
  const refused = await ask('not even a key')
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
  expect((await ask()).status).toBe(404)
  expect((await ask(null)).body.code).toBe('auth.missing_token')
  const elsewhere = await ask(makeApiKey('live'), { 'x-forwarded-for': '203.0.113.7' })
  expect(elsewhere.body.code).toBe('auth.invalid_token')
  await clock.advance(1_000)
  expect((await ask(makeApiKey('sandbox'))).status).toBe(401)
})

test('an address behind a trusted proxy counts for itself, and all of one /64 counts as one', async () => {
  const from = (address: string) => ask(makeApiKey('sandbox'), { 'x-forwarded-for': address })
  for (let i = 0; i < 60; i++) expect((await from(`2001:db8::${i.toString(16)}`)).status).toBe(401)
  expect((await from('2001:db8:0:0:1:2:3:4')).status).toBe(429)
  expect((await from('2001:db8:0:1::1')).status).toBe(401)
})

test('wrong keys through a trusted proxy count against no other client', async () => {
  for (let i = 0; i < 100; i++)
    expect((await ask(makeApiKey('sandbox'), { 'x-forwarded-for': '10.1.1.1' })).status).toBe(401)
})

test('among several relays a call is counted in the row that they share, and the answer has the rest there', async () => {
  const among = await RelayApi.open({
    clock,
    server: (stores) => ({
      rateLimits: new RateLimits({
        clock,
        rateBuckets: new RateBucketStore(stores.db),
        replica: { id: 'r_1', fleet: { relays: 2, isKnownToAll: true } },
      }),
    }),
  })
  const asked = () => among.call('GET', '/v1/order/ord_unknown?merchantId=M-TEST-001', {})
  expect([(await asked()).status, limitsOf(await asked()).slice(0, 2)]).toEqual([404, ['500', '498']])
  const { accountId } = among.account
  await new RateBucketStore(among.db).change({ accountId, environment: 'sandbox' }, (stored, nowMs) => {
    expect(stored?.tokens).toBe(491)
    return { bucket: { tokens: 0.5, atMs: nowMs, ahead: {} }, result: null }
  })
  // What it has leased goes first; the row is filled up by the database's own clock meanwhile, more slowly than it is used.
  let refused = await asked()
  for (let calls = 0; refused.status === 404 && calls < 1_000; calls++) refused = await asked()
  expect([refused.status, ...limitsOf(refused).slice(0, 2)]).toEqual([429, '500', '0'])
  await among.close()
})

test('among several relays each knows the rest, also of calls to another, and what is leased is not used', async () => {
  const fleet = { relays: 2, isKnownToAll: true }
  let other: RateLimits | null = null
  const among = await RelayApi.open({
    server: ({ db }) => {
      const rateBuckets = new RateBucketStore(db)
      other = new RateLimits({ clock, rateBuckets, replica: { id: 'r_2', fleet } })
      return { rateLimits: new RateLimits({ clock, rateBuckets, replica: { id: 'r_1', fleet } }) }
    },
  })
  const { accountId } = among.account
  const plan = { steadyPerMinute: 500, burstPerMinute: 1_000 }
  const left = () => (other as unknown as RateLimits).left({ accountId, environment: 'sandbox', plan })
  expect(await left()).toBeNull()
  for (let calls = 0; calls < 3; calls++) await among.call('GET', '/v1/order/ord_unknown?merchantId=M-TEST-001', {})
  // The database's own clock fills it up meanwhile.
  expect(await left()).toBeGreaterThanOrEqual(497)
  expect(await left()).toBeLessThanOrEqual(500)
  await among.close()
})

test('of several relays each counts its part of the wrong keys', async () => {
  const among = await RelayApi.open({
    server: (stores) => ({
      rateLimits: new RateLimits({
        ...stores,
        clock,
        replica: { id: 'r_1', fleet: { relays: 3, isKnownToAll: true } },
      }),
    }),
  })
  const codes: number[] = []
  for (let i = 0; i < 21; i++)
    codes.push((await among.call('GET', '/v1/order/x?merchantId=M-TEST-001', { key: 'wrong' })).status)
  await among.close()
  expect([codes.filter((code) => code === 401).length, codes.at(-1)]).toEqual([20, 429])
})

test('X-Forwarded-For of a client is ignored without a trusted proxy', async () => {
  const bare = await RelayApi.open({
    server: (stores) => ({ rateLimits: new RateLimits(stores) }),
  })
  const codes = new Set<number>()
  for (let i = 0; i < 61; i++) {
    const headers = { 'x-forwarded-for': `203.0.113.${i}` }
    codes.add((await bare.call('GET', '/v1/order/x?merchantId=M-TEST-001', { key: 'wrong', headers })).status)
  }
  await bare.close()
  expect([...codes]).toEqual([401, 429])
})
