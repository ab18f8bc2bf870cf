// The HTTP edge with app.inject: one error shape, the order of the checks, field errors, keys, merchants, stopping.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAccount, issueApiKey } from '#cloud/auth/accounts.ts'
import { hashApiKey, isWellFormedApiKey, makeApiKey } from '#cloud/auth/api-keys.ts'
import type { Scope } from '#cloud/auth/scopes.ts'
import { ERROR_TABLE, type ErrorCode } from '#shared/errors.ts'
import { type AccountId, newId } from '#shared/ids.ts'
import { errorBody } from '#shared/wire/api/errors.ts'
import type { ManualClock } from '#test/doubles/manual-clock.ts'
import { type Answered, RelayApi } from '#test/doubles/relay-api.ts'

let api: RelayApi
beforeEach(async () => {
  api = await RelayApi.open({
    routes: (app) => {
      app.route({
        method: 'GET',
        url: '/bug',
        config: { access: 'any-key' },
        handler: () => {
          throw new Error('secret detail of a bug')
        },
      })
    },
  })
})
afterEach(() => api.close())

function expectRefusal(answer: Answered, code: ErrorCode): void {
  const [status] = ERROR_TABLE[code]
  expect([answer.status, answer.body?.code]).toEqual([status, code])
  const body = errorBody.parse(answer.body)
  expect(body.status).toBe(status)
  expect(body.docUrl).toBe(`https://relay.example/docs/errors#${code}`)
  expect(answer.headers['x-request-id']).toBe(body.requestId)
  expect(body.requestId).toMatch(/^req_[0-9a-z]{26}$/)
}

const post = (options: Parameters<RelayApi['call']>[2]) => api.call('POST', '/v1/order/inject', options)
const issue = (key: { environment?: 'sandbox' | 'live'; scopes?: Scope[]; expiresAtMs?: number } = {}) =>
  api.db.unit((tx) => issueApiKey(tx, api.stores, { accountId: api.account.accountId, environment: 'sandbox', ...key }))

describe('the order of the checks', () => {
  const tooLarge = 'x'.repeat(300_000)

  test('a stranger cannot make us read the body: 401 before 413, 415 and 400', async () => {
    expectRefusal(await post({ key: null, payload: tooLarge }), 'auth.missing_token')
    expectRefusal(
      await post({ key: null, payload: '{', headers: { 'content-type': 'text/plain' } }),
      'auth.missing_token',
    )
  })

  test('the scope is checked before the body', async () => {
    const { apiKey } = await issue({ scopes: ['orders:read'] })
    expectRefusal(await post({ key: apiKey, payload: tooLarge }), 'auth.insufficient_scope')
  })

  test('the body is checked before the schema, the schema before the merchant, the merchant before the order', async () => {
    expectRefusal(await post({ payload: '{' }), 'request.malformed')
    expectRefusal(await post({ body: { merchantId: 'M-TEST-999' } }), 'request.invalid')
    expectRefusal(await post({ body: api.order({ merchantId: 'M-TEST-999', total: 1 }) }), 'merchant.not_found')
  })
})

describe('keys', () => {
  test('no header, another scheme, a mistyped, an unknown key', async () => {
    expectRefusal(await post({ key: null }), 'auth.missing_token')
    const other = [
      `Basic ${api.account.apiKey}`,
      'Bearer',
      `Bearer ${api.account.apiKey}x`,
      `Bearer ${makeApiKey('sandbox')}`,
    ]
    for (const authorization of other) {
      const answer = await post({ key: null, headers: { authorization } })
      expectRefusal(answer, 'auth.invalid_token')
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })

  test('a header that is no bearer token, and a truncated key, are reported as such', async () => {
    const told = async (authorization: string) =>
      (await post({ key: null, body: api.order(), headers: { authorization } })).body.message
    expect(await told(api.account.apiKey)).toContain('must be `Bearer <API key>`')
    expect(await told(`Bearer ${api.account.apiKey.slice(0, -1)}`)).toContain('cut off')
  })

  test('the scheme may be written in any case', async () => {
    expect(
      (await post({ key: null, body: api.order(), headers: { authorization: `bearer ${api.account.apiKey}` } })).status,
    ).toBe(200)
  })

  test('a revoked key ends with the next request', async () => {
    const { apiKey, keyId } = await issue()
    expect((await post({ key: apiKey, body: api.order() })).status).toBe(200)
    await api.db.unit((tx) => api.stores.apiKeys.revoke(tx, keyId, api.clock.now()))
    expectRefusal(await post({ key: apiKey, body: api.order() }), 'auth.invalid_token')
  })

  test('an expired key ends at its time', async () => {
    const { apiKey } = await issue({ expiresAtMs: api.clock.now() + 1_000 })
    expect((await post({ key: apiKey, body: api.order() })).status).toBe(200)
    ;(api.clock as ManualClock).jump(1_000)
    expectRefusal(await post({ key: apiKey, body: api.order() }), 'auth.invalid_token')
  })

  test('have the specified form and reveal a mistyped character', () => {
    for (const environment of ['sandbox', 'live'] as const) {
      const key = makeApiKey(environment)
      expect(key).toMatch(new RegExp(`^sk_${environment}_[0-9A-Za-z]{49}$`))
      expect(isWellFormedApiKey(key)).toBe(true)
      for (let i = `sk_${environment}_`.length; i < key.length; i++) {
        const other = key[i] === 'a' ? 'b' : 'a'
        expect(isWellFormedApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false)
      }
    }
  })

  test('are stored only as a hash', async () => {
    const row = await api.stores.apiKeys.byHash(hashApiKey(api.account.apiKey))
    expect(row?.hint).toBe(api.account.apiKey.slice(-4))
    expect(JSON.stringify(row)).not.toContain(api.account.apiKey.slice(11, 50))
  })

  test('a live key starts read-only', async () => {
    const { apiKey } = await issue({ environment: 'live' })
    const row = await api.stores.apiKeys.byHash(hashApiKey(apiKey))
    expect(JSON.parse(row?.scopes ?? '')).toEqual(['orders:read', 'menu:read'])
    expectRefusal(await post({ key: apiKey, body: api.order() }), 'auth.insufficient_scope')
  })
})

describe('merchants', () => {
  const inject = (merchantId: string, key?: string) =>
    post({ body: api.order({ merchantId }), ...(key === undefined ? {} : { key }) })
  async function liveMerchant(accountId: AccountId, publicId: string): Promise<void> {
    const now = api.clock.now()
    await api.db.unit((tx) =>
      api.stores.merchants.insert(tx, {
        id: newId('mer', now),
        account_id: accountId,
        public_id: publicId,
        environment: 'live',
        name: 'Live',
        time_zone: 'UTC',
        prep_minutes: 1,
        fire_at_horizon_ms: 1,
        created_at: now,
      }),
    )
  }

  test('unknown, of another form, of another environment', async () => {
    const live = (await issue({ environment: 'live', scopes: ['orders:write'] })).apiKey
    expectRefusal(await inject('M-TEST-999'), 'merchant.not_found')
    expectRefusal(await inject('X-1'), 'merchant.not_found')
    expectRefusal(await inject('M-PROD-1'), 'merchant.not_authorized')
    expectRefusal(await inject('M-TEST-001', live), 'merchant.not_authorized')
    expectRefusal(await inject('M-PROD-1', live), 'merchant.not_found')
  })

  test('a live merchant of another account is 403, the own one continues', async () => {
    const live = (await issue({ environment: 'live', scopes: ['orders:write'] })).apiKey
    const other = await api.db.unit((tx) => createAccount(tx, api.stores, { name: 'Other' }))
    await liveMerchant(other, 'M-PROD-1')
    expectRefusal(await inject('M-PROD-1', live), 'merchant.not_authorized')
    await liveMerchant(api.account.accountId, 'M-PROD-2')
    expectRefusal(await inject('M-PROD-2', live), 'location.unknown')
  })
})

describe('bodies', () => {
  test.each([
    ['{"a":', 'request.malformed'],
    ['', 'request.malformed'],
    ['null', 'request.invalid'],
    ['nonsense', 'request.malformed'],
    ['{"__proto__":{"x":1}}', 'request.invalid'],
    ['{"constructor":{"prototype":{"x":1}}}', 'request.invalid'],
    [`${'['.repeat(17)}${']'.repeat(17)}`, 'request.malformed'],
    [`${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`, 'request.malformed'],
    ['[]', 'request.invalid'],
    ['"text"', 'request.invalid'],
    ['1e400', 'request.invalid'],
  ] as const)('%s is %s', async (payload, code) => {
    expectRefusal(await post({ payload }), code)
    expect({}).not.toHaveProperty('x')
  })

  test('brackets inside strings do not count as depth', async () => {
    expect((await post({ body: api.order({ source: '[[[[[[[[[[[[[[[[[[[[{{{{{{"\\' }) })).status).toBe(200)
  })

  test('no body at all', async () => {
    expectRefusal(await post({}), 'request.malformed')
  })

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'nonsense',
  ])('content type %s is 415', async (type) => {
    expectRefusal(
      await post({ body: api.order(), headers: { 'content-type': type } }),
      'request.unsupported_media_type',
    )
  })

  test('application/json with charset utf-8 is taken', async () => {
    const answer = await post({ body: api.order(), headers: { 'content-type': 'application/json; charset=UTF-8' } })
    expect(answer.status).toBe(200)
  })

  test('262,144 bytes are read, one more is 413', async () => {
    const pad = (bytes: number) => JSON.stringify(api.order()).padEnd(bytes, ' ')
    expect((await post({ payload: pad(262_144) })).status).toBe(200)
    const refused = await post({ payload: pad(262_145) })
    expectRefusal(refused, 'request.too_large')
    expect(refused.body.message).toBe('The request body is larger than 256 KiB.')
  })
})

describe('field errors', () => {
  const errorsOf = async (change: Record<string, unknown>): Promise<Record<string, string>> => {
    const answer = await post({ body: api.order(change) })
    expectRefusal(answer, 'request.invalid')
    return Object.fromEntries(answer.body.errors.map((e: { field: string; message: string }) => [e.field, e.message]))
  }
  const line = { umsId: 'UMS-BURGER-01', qty: 1, price: 1 }

  test('all of them are listed, with their paths', async () => {
    const errors = await errorsOf({
      orderId: 'has space',
      source: '',
      total: '25',
      items: [
        { umsId: 'A', qty: 0 },
        { ...line, qty: 1.5, modifiers: ['ok', 7] },
      ],
    })
    expect(Object.keys(errors).sort()).toEqual([
      'items[0].price',
      'items[0].qty',
      'items[1].modifiers[1]',
      'items[1].qty',
      'orderId',
      'source',
      'total',
    ])
    expect(errors['items[0].price']).toBe('is required')
  })

  test('an unknown field is named, with the field that was probably meant', async () => {
    const errors = await errorsOf({
      fire_at: '2026-01-01T00:00:00Z',
      Tip: 1,
      zzz: 1,
      items: [{ ...line, qantity: 1, modifier: [] }],
    })
    expect(errors).toEqual({
      fire_at: 'unknown field; did you mean fireAt?',
      Tip: 'unknown field; did you mean tip?',
      zzz: 'unknown field',
      'items[0].qantity': 'unknown field',
      'items[0].modifier': 'unknown field; did you mean modifiers?',
    })
  })

  test.each(['-0', '-0.0', '1e-7', '0.30000000000000004', '1e400'])('the price %s is refused', async (price) => {
    const payload = JSON.stringify(api.order({ total: 0 })).replace('"price":12.5', `"price":${price}`)
    expectRefusal(await post({ payload }), 'request.invalid')
  })

  test('at most 20', async () => {
    const answer = await post({ body: api.order({ items: Array.from({ length: 200 }, () => ({})) }) })
    expect(answer.body.errors).toHaveLength(20)
  })

  test.each([
    ['a price below zero', { items: [{ ...line, price: -1 }] }, 'items[0].price'],
    ['three decimals', { items: [{ ...line, price: 1.005 }] }, 'items[0].price'],
    ['too much', { total: 100_000 }, 'total'],
    ['qty 1000', { items: [{ ...line, qty: 1_000 }] }, 'items[0].qty'],
    ['no items', { items: [] }, 'items'],
    ['201 items', { items: Array.from({ length: 201 }, () => line) }, 'items'],
    ['a control character in a note', { items: [{ ...line, note: 'a\u001bp' }] }, 'items[0].note'],
    ['a control character in a name', { customer: { name: 'a\u0000b' } }, 'customer.name'],
    ['a wrong e-mail address', { customer: { email: 'nope' } }, 'customer.email'],
    ['print as text', { print: 'true' }, 'print'],
  ])('%s', async (_name, change, field) => {
    const answer = await post({ body: api.order(change) })
    expect(answer.body.errors.map((e: { field: string }) => e.field)).toContain(field)
  })
})

describe('paths', () => {
  test('an unknown path is 404, also without a key and with any method', async () => {
    for (const url of ['/v1', '/v2/order/inject', '/api/receptionist/calls', '/v1/order/inject/']) {
      expectRefusal(await api.call('GET', url, { key: null }), 'request.not_found')
      expectRefusal(await api.call('POST', url, { key: null }), 'request.not_found')
    }
  })

  test('a known path with another method is 405 with the allowed ones', async () => {
    const answer = await api.call('DELETE', '/v1/order/ord_1', { key: null })
    expectRefusal(answer, 'request.method_not_allowed')
    expect(answer.headers['allow']).toBe('GET')
    expect((await api.call('PUT', '/v1/order/inject')).headers['allow']).toBe('POST')
  })

  test.each(['/v1/order/%', '/v1/order/%zz?merchantId=M-TEST-001', '/%c0%af'])('the bad URL %s is 400', async (url) => {
    expectRefusal(await api.call('GET', url), 'request.malformed')
  })

  test('a parameter that is too long finds nothing', async () => {
    expectRefusal(await api.call('GET', `/v1/order/${'x'.repeat(300)}?merchantId=M-TEST-001`), 'request.not_found')
  })

  test('a query given twice is 422', async () => {
    expectRefusal(await api.call('GET', '/v1/order/ord_1?merchantId=a&merchantId=b'), 'request.invalid')
  })
})

test('a bug is 500 without its details, and is logged', async () => {
  const answer = await api.call('GET', '/bug')
  expectRefusal(answer, 'internal.error')
  expect(answer.text).not.toContain('secret detail')
  expect(api.logLines.join('')).toContain('secret detail of a bug')
})

test('every docUrl leads to an anchor of a page', async () => {
  const page = await api.call('GET', '/docs/errors', { key: null })
  expect(page.status).toBe(200)
  for (const code of Object.keys(ERROR_TABLE)) expect(page.text).toContain(`id="${code}"`)
})

test('every route declares who may call it, and only health and docs are public', async () => {
  const routes = api.app.printRoutes({ commonPrefix: false })
  expect(routes).toContain('v1/order/inject')
  for (const url of ['/v1/order/inject', '/bug']) {
    const method = url.endsWith('inject') ? 'POST' : 'GET'
    expectRefusal(await api.call(method, url, { key: null }), 'auth.missing_token')
  }
  const { buildServer } = await import('./server.ts')
  const app = buildServer({ ...api.stores, docBase: () => '', stopping: () => false })
  expect(() => app.route({ method: 'GET', url: '/x', handler: () => 'x' })).toThrow('who may call it')
})

test('while it stops, requests get 503 with Retry-After; health still answers, readiness is negative', async () => {
  api.stopping = true
  const answer = await post({ body: api.order() })
  expectRefusal(answer, 'service.unavailable')
  expect(answer.headers['retry-after']).toBe('1')
  expect(answer.headers['connection']).toBe('close')
  expect((await api.call('GET', '/healthz', { key: null })).status).toBe(200)
  api.ready = false
  const ready = await api.call('GET', '/readyz', { key: null })
  expect([ready.status, ready.body]).toEqual([503, { status: 'not ready', checks: { test: false }, warnings: [] }])
})

test('no key, no customer, no note and no body is ever in the log', async () => {
  const customer = { name: 'Canary Person', phone: '+1 555 CANARY', email: 'canary@example.org' }
  const body = api.order({
    customer,
    items: [{ umsId: 'UMS-BURGER-01', qty: 1, price: 1, note: 'canary-note' }],
    total: 1,
  })
  await post({ body })
  await post({ body })
  await post({ body: { ...body, total: 2 } })
  await post({ body: { ...body, total: 'canary-note' } })
  await post({ payload: '{"canary-note' })
  await post({ key: makeApiKey('sandbox'), body })
  await api.call('GET', `/v1/order/canary-note?merchantId=M-TEST-001`)
  const log = api.logLines.join('')
  expect(log).toContain('an order came in')
  for (const secret of ['Canary', 'CANARY', 'canary@', 'canary-note', 'sk_sandbox_', api.account.apiKey.slice(11, 30)])
    expect(log).not.toContain(secret)
})
