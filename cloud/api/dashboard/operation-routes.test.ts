// Calls of the dashboard's page: who may make them, how they are refused, and that they do not count as calls of the API.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RateLimits } from '#cloud/api/rate-limit.ts'
import { createAccount } from '#cloud/auth/accounts.ts'
import type { AnsweredCall } from '#cloud/billing/usage-meter.ts'
import { type AccountId, type MerchantKey, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { DashboardDesk, ORIGIN, type SignedInPerson } from '#test/fixtures/dashboard-desk.ts'

const clock = new ManualClock()
let desk: DashboardDesk
let owner: SignedInPerson
let counted: AnsweredCall[]

beforeEach(async () => {
  counted = []
  desk = await DashboardDesk.open({
    clock,
    server: (stores) => ({
      meter: { count: (call) => counted.push(call) },
      rateLimits: new RateLimits(stores),
    }),
  })
  owner = await desk.person()
})
afterEach(() => desk.close())

const newAccount = (name: string): Promise<AccountId> =>
  desk.api.db.unit((tx) => createAccount(tx, desk.control, { name }))
async function restaurantOf(accountId: AccountId, publicId: string): Promise<MerchantKey> {
  const id = newId('mer', clock.now())
  const facts = { time_zone: 'UTC', prep_minutes: 12, fire_at_horizon_ms: 86_400_000, created_at: clock.now() }
  const row = { id, account_id: accountId, public_id: publicId, environment: 'live', name: publicId, ...facts } as const
  await desk.api.db.unit((tx) => desk.control.merchants.insert(tx, row))
  return id
}
const newKey = { environment: 'sandbox' } as const

describe('a call', () => {
  test('returns the result of the operation, for the account that the call names', async () => {
    const other = await newAccount('Bistro')
    const both = await desk.person({ member: [{ role: 'developer' }, { role: 'owner', accountId: other }] })
    const here = await desk.ask(both, 'keys.list')
    expect([here.status, here.body.result.length]).toEqual([200, 1])
    const there = await desk.ask(both, 'keys.list', { account: other })
    expect([there.status, there.body]).toEqual([200, { result: [] }])
  })

  test('to a restaurant of others is refused with a message for people, not for programs', async () => {
    const merchantKey = await restaurantOf(await newAccount('Elsewhere'), 'M-PROD-ELSEWHERE')
    const foreign = await desk.ask(owner, 'kitchens.list', { body: { merchantId: 'M-PROD-ELSEWHERE' } })
    expect([foreign.status, foreign.body.code, foreign.body.said]).toEqual([
      403,
      'merchant.not_authorized',
      { key: 'merchant.not-yours' },
    ])
    const unknown = await desk.ask(owner, 'kitchens.list', { body: { merchantId: 'M-PROD-NOWHERE' } })
    expect([unknown.status, unknown.body.said]).toEqual([404, { key: 'merchant.unknown' }])
    const to = { accountId: desk.accountId, merchantKey }
    await desk.api.db.unit((tx) => desk.control.grants.add(tx, to, { scopes: ['orders:write'], atMs: 0 }))
    const lacks = await desk.ask(owner, 'orders.list', { body: { merchantId: 'M-PROD-ELSEWHERE' } })
    expect([lacks.status, lacks.body.said]).toEqual([403, { key: 'grant.lacks', values: { scope: 'orders:read' } }])
    for (const { body } of [foreign, unknown, lacks]) expect(body.message).not.toMatch(/\bkey\b|merchantId|merchant\b/)
  })

  test('that is too large names the limit of its route: 1 MiB, and 16 KiB before one has signed in', async () => {
    const large = await desk.ask(owner, 'keys.list', { body: { text: 'x'.repeat(2_000_000) } })
    expect([large.status, large.body.code, large.body.message, large.body.said]).toEqual([
      413,
      'request.too_large',
      'The request body is larger than 1 MiB.',
      { key: 'body.too-large', values: { limit: '1 MiB' } },
    ])
    const body = { email: 'ana@bistro.test', password: 'x'.repeat(20_000) }
    const signIn = await desk.api.call('POST', '/dashboard/api/session', {
      key: null,
      body,
      headers: { origin: ORIGIN },
    })
    expect([signIn.status, signIn.body.said.values]).toEqual([413, { limit: '16 KiB' }])
  })

  test('with any spelling of its path passes the same guard', async () => {
    const called = (path: string, headers: Record<string, string> = {}) =>
      desk.api.call('POST', path, { key: null, body: {}, headers: { origin: ORIGIN, ...headers } })
    for (const path of ['/dashboard/%61pi/keys.list', '/%64ashboard/api/keys.list']) {
      const foreign = await called(path, { cookie: owner.cookie, origin: 'https://evil.example' })
      expect([foreign.status, foreign.body.code]).toEqual([403, 'origin'])
      const stranger = await called(path)
      expect([stranger.status, stranger.body.code]).toEqual([401, 'signed-out'])
      const own = await called(path, { cookie: owner.cookie, 'x-account': desk.accountId })
      expect([own.status, own.body.result]).toEqual([200, [expect.objectContaining({ state: 'valid' })]])
    }
  })

  test('made again with the same tap is done once', async () => {
    const once = { body: newKey, tapId: 'tap-1' }
    const first = await desk.ask(owner, 'keys.create', once)
    const again = await desk.ask(owner, 'keys.create', once)
    expect([first.status, again.body]).toEqual([200, first.body])
    expect((await desk.ask(owner, 'keys.list')).body.result).toHaveLength(2)
  })

  test('is sent to no one else and stored by no cache', async () => {
    const { headers } = await desk.ask(owner, 'keys.list')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('is no call of the API: nothing is metered, no limit of a key is touched', async () => {
    const { headers } = await desk.ask(owner, 'keys.list')
    await desk.ask(owner, 'keys.create', { body: { environment: 'moon' } })
    expect(counted).toEqual([])
    expect(headers['x-ratelimit-limit']).toBeUndefined()
    // The meter of this test does count.
    await desk.api.call('GET', '/v1/merchants')
    await desk.api.call('GET', '/v1/order/ord_unknown?merchantId=M-TEST-001')
    expect(counted.map(({ status }) => status)).toEqual([404])
  })
})

describe('who has not signed in', () => {
  test('is refused as such, for every account', async () => {
    const refused = await desk.ask(null, 'keys.list')
    expect(refused.status).toBe(401)
    expect(refused.body).toMatchObject({ code: 'signed-out', said: { key: 'session.signed-out' }, errors: [] })
    expect(refused.body.requestId).toBe(refused.headers['x-request-id'])
  })

  test('includes an invalid cookie, or a key of the API', async () => {
    const forged = { ...owner, cookie: `ticketrail=${'A'.repeat(43)}` }
    expect((await desk.ask(forged, 'keys.list')).status).toBe(401)
    const headers = { authorization: `Bearer ${desk.api.account.apiKey}` }
    expect((await desk.ask(null, 'keys.list', { headers })).status).toBe(401)
  })

  test('includes who signed out, from the next call on', async () => {
    await desk.api.db.unit((tx) => desk.stores.logins.end(tx, owner.userId, owner.sessionId))
    expect((await desk.ask(owner, 'keys.list')).status).toBe(401)
  })

  test('never gets in at /v1 with the cookie', async () => {
    const headers = { cookie: owner.cookie, origin: ORIGIN, 'x-account': desk.accountId }
    for (const [method, path] of [
      ['GET', '/v1/order/ord_unknown?merchantId=M-TEST-001'],
      ['POST', '/v1/order/inject'],
    ] as const) {
      const answer = await desk.api.call(method, path, {
        key: null,
        headers,
        ...(method === 'POST' && { body: desk.api.order() }),
      })
      expect([answer.status, answer.body.code]).toEqual([401, 'auth.missing_token'])
    }
  })
})

describe('a membership', () => {
  test('that was removed applies from the next call on', async () => {
    expect((await desk.ask(owner, 'keys.list')).status).toBe(200)
    await desk.api.db.unit((tx) => desk.stores.memberships.remove(tx, owner.userId, desk.accountId))
    const refused = await desk.ask(owner, 'keys.list')
    expect([refused.status, refused.body.said.key]).toEqual([403, 'right.member'])
  })

  test('of another account opens nothing here', async () => {
    const neighbour = await desk.person({ member: [{ role: 'owner', accountId: await newAccount('Bistro') }] })
    expect((await desk.ask(neighbour, 'keys.list')).status).toBe(403)
    expect((await desk.ask(neighbour, 'keys.create', { body: newKey })).status).toBe(403)
    expect((await desk.ask(neighbour, 'keys.list', { account: null })).body.said.key).toBe('right.member')
  })

  test('is not required of an operator who views the account, until the time is over; changes are refused', async () => {
    const viewing = { accountId: desk.accountId, untilMs: clock.now() + 60_000 }
    const operator = await desk.person({ member: [], isOperator: true, viewing })
    expect((await desk.ask(operator, 'keys.list')).body.result).toHaveLength(1)
    expect((await desk.ask(operator, 'keys.create', { body: newKey })).body.said.key).toBe('right.viewing')
    const other = await newAccount('Bistro')
    expect((await desk.ask(operator, 'keys.list', { account: other })).status).toBe(403)
    await clock.advance(60_000)
    expect((await desk.ask(operator, 'keys.list')).status).toBe(403)
  })

  test('is required of who is no longer an operator', async () => {
    const viewing = { accountId: desk.accountId, untilMs: clock.now() + 60_000 }
    const former = await desk.person({ member: [], isOperator: false, viewing })
    expect((await desk.ask(former, 'keys.list')).status).toBe(403)
  })
})

describe('a request of another site', () => {
  test.each([
    ['says where it comes from', { origin: 'https://evil.example' }],
    ['says nothing', { origin: '' }],
    ['comes from another port of this machine', { origin: 'http://localhost:9999' }],
    ['has a page that the browser calls another site', { 'sec-fetch-site': 'cross-site' }],
    ['has a page of the same owner', { 'sec-fetch-site': 'same-site' }],
  ])('that %s changes nothing', async (_, headers) => {
    const refused = await desk.ask(owner, 'keys.create', { body: newKey, headers })
    expect([refused.status, refused.body.code]).toEqual([403, 'origin'])
    expect(refused.body.message).toContain(ORIGIN)
    expect((await desk.ask(owner, 'keys.list')).body.result).toHaveLength(1)
  })

  test('cannot send what a form can send', async () => {
    const refused = await desk.ask(owner, 'keys.create', { body: newKey, headers: { 'content-type': 'text/plain' } })
    expect([refused.status, refused.body.code]).toEqual([415, 'request.unsupported_media_type'])
  })
})

describe('a refusal', () => {
  test('names the fields that are wrong, and the one that it is about', async () => {
    const refused = await desk.ask(owner, 'keys.create', { body: { environment: 'moon' } })
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ code: 'invalid', field: 'environment' })
    expect(refused.body.errors).toEqual([{ field: 'environment', message: expect.any(String), rule: null }])
    const two = await desk.ask(owner, 'keys.create', { body: { environment: 'moon', expiresInDays: -1 } })
    expect([two.body.field, two.body.errors.length]).toEqual([null, 2])
    expect(two.body.errors[1]).toMatchObject({ field: 'expiresInDays', rule: { key: 'at-least', limit: 0 } })
  })

  test('names a header that is wrong', async () => {
    const account = await desk.ask(owner, 'keys.list', { account: 'somebody' })
    expect([account.status, account.body.field]).toEqual([422, 'x-account'])
    const tap = await desk.ask(owner, 'keys.create', { body: newKey, tapId: ' ' })
    expect([tap.status, tap.body.field]).toEqual([422, 'idempotency-key'])
    const place = await desk.ask(owner, 'keys.list', { headers: { 'x-environment': 'moon' } })
    expect([place.status, place.body.field]).toEqual([422, 'x-environment'])
  })

  test('of the rules of the relay keeps its own status, and the key of a sentence', async () => {
    const live = await desk.ask(await desk.person({ elevatedUntilMs: clock.now() + 1_000 }), 'keys.create', {
      body: { environment: 'live' },
    })
    expect([live.status, live.body.code, live.body.said.key]).toEqual([409, 'refused', 'key.not-live'])
    const broken = await desk.api.call('POST', '/dashboard/api/keys.list', {
      key: null,
      payload: '{"a":',
      headers: { origin: ORIGIN, cookie: owner.cookie },
    })
    expect(broken.status).toBe(400)
    expect(broken.body).toMatchObject({ code: 'request.malformed', said: { key: 'request.malformed' }, field: null })
  })

  test('has one shape for paths and methods that are not there', async () => {
    const headers = { origin: ORIGIN, cookie: owner.cookie }
    const unknown = await desk.api.call('POST', '/dashboard/api/keys.steal', { key: null, body: {}, headers })
    expect([unknown.status, unknown.body.code, unknown.body.said]).toEqual([
      404,
      'request.not_found',
      { key: 'request.not_found' },
    ])
    const read = await desk.api.call('GET', '/dashboard/api/nothing', { key: null })
    expect([read.status, read.body.code]).toEqual([404, 'request.not_found'])
    const method = await desk.api.call('GET', '/dashboard/api/keys.list', { key: null, headers })
    expect([method.status, method.body.code, method.headers['allow']]).toEqual([
      405,
      'request.method_not_allowed',
      'POST',
    ])
  })

  test('for an internal error reveals nothing of it, and the log has it', async () => {
    desk.control.apiKeys.ofAccount = () => Promise.reject(new Error('the secret inside'))
    const failed = await desk.ask(owner, 'keys.list')
    expect([failed.status, failed.body.code]).toEqual([500, 'internal'])
    expect(failed.text).not.toContain('secret inside')
    expect(desk.api.logLines.join('')).toContain('the secret inside')
  })
})

test('a browser with too many calls has to wait, and another one of the same person does not', async () => {
  const answers = await Promise.all(Array.from({ length: 61 }, () => desk.ask(owner, 'keys.list')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  const refused = answers.find(({ status }) => status !== 200)
  expect([refused?.status, refused?.body.code, refused?.headers['retry-after']]).toEqual([429, 'throttled', '1'])
  expect(refused?.body.retryAfterSeconds).toBe(1)
  expect((await desk.ask(await desk.person(), 'keys.list')).status).toBe(200)
  await clock.advance(1_000)
  expect((await desk.ask(owner, 'keys.list')).status).toBe(200)
})

describe('http from another machine', () => {
  const plain = { 'x-forwarded-for': '203.0.113.9' }

  test('is where a cookie could have been read: it opens nothing', async () => {
    const refused = await desk.ask(owner, 'keys.list', { headers: plain })
    expect([refused.status, refused.body.code]).toEqual([403, 'https'])
  })

  test('is https where the proxy says so: only a cookie of https counts', async () => {
    const headers = { ...plain, 'x-forwarded-proto': 'https' }
    expect((await desk.ask(owner, 'keys.list', { headers })).status).toBe(401)
    const far = await desk.person({ overHttps: true })
    expect((await desk.ask(far, 'keys.list', { headers })).status).toBe(200)
    // It is not accepted over http, on this machine either.
    expect((await desk.ask(far, 'keys.list')).status).toBe(401)
    const bare = { ...far, cookie: far.cookie.replace('__Host-', '') }
    expect((await desk.ask(bare, 'keys.list')).status).toBe(401)
  })

  test('is plain http, whatever an untrusted client claims', async () => {
    const far = await desk.person({ overHttps: true })
    const answer = await desk.api.app.inject({
      method: 'POST',
      url: '/dashboard/api/keys.list',
      remoteAddress: '203.0.113.9',
      headers: { origin: ORIGIN, cookie: far.cookie, 'x-account': desk.accountId, 'x-forwarded-proto': 'https' },
      payload: {},
    })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'https'])
  })

  test('is https where the public address is, and a proxy of ours names that host', async () => {
    const far = await desk.person({ overHttps: true })
    const headers = { ...plain, host: 'relay.example' }
    expect((await desk.ask(far, 'keys.list', { headers })).status).toBe(200)
    expect((await desk.ask(far, 'keys.list', { headers: { ...plain, host: 'other.example' } })).status).toBe(403)
  })
})
