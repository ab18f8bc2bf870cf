// Calls of the client against a scripted relay and a fake clock: what is retried, when, and with which headers.
import { describe, expect, it, vi } from 'vitest'
import { ACCEPTED, ended, errorOf, ORDER, ok, refused, type Scripted, sdkSite } from '#test/doubles/sdk-site.ts'
import { Ticketrail, type TicketrailOptions } from './client.ts'
import {
  AuthError,
  ConflictError,
  ConnectionError,
  isTotalMismatch,
  NotFoundError,
  RateLimitError,
  ServerError,
  type TicketrailError,
  ValidationError,
} from './error.ts'

describe('one call', () => {
  it('sends the key, JSON, and the merchant of the client', async () => {
    const { client, sent } = sdkSite([ok()])
    await client.orders.inject(ORDER)
    expect(sent[0]).toMatchObject({ url: 'https://relay.example/v1/order/inject', method: 'POST' })
    expect(sent[0]?.headers).toMatchObject({ Authorization: 'Bearer sk_sandbox_1', 'Content-Type': 'application/json' })
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ merchantId: 'M-TEST-001', ...ORDER })
  })

  it('uses another merchant if the call names one, and none if the operation belongs to the account', async () => {
    const { client, sent } = sdkSite([ok({ data: [], nextCursor: null })])
    await client.skus.list({ merchantId: 'M-TEST-002', q: 'a b&c' }).page()
    await client.merchants.list({ limit: 5 }).page()
    await client.usage.get()
    expect(sent.map(({ url }) => url.replace('https://relay.example/v1', ''))).toEqual([
      '/skus?merchantId=M-TEST-002&q=a+b%26c',
      '/merchants?limit=5',
      '/usage?',
    ])
    expect(sent[0]?.body).toBeUndefined()
  })

  it('returns the request id and whether it is a replay, without adding them to the JSON', async () => {
    const { client } = sdkSite([ok(ACCEPTED, { 'idempotent-replayed': 'true' })])
    const order = await client.orders.inject(ORDER)
    expect([order.requestId, order.replayed, order.printPending]).toEqual(['req_9', true, false])
    expect(JSON.parse(JSON.stringify(order))).toEqual(ACCEPTED)
  })

  it('returns printPending when the retry after a lost 503 has it, and leaves the JSON as the relay sent it', async () => {
    const stored = { ...ACCEPTED, printPending: true }
    for (const answered of [ok(stored), refused(503, 'printer.offline', { order: stored })]) {
      const order = await sdkSite([answered]).client.orders.inject(ORDER)
      expect(order.printPending).toBe(true)
      expect(JSON.stringify(order)).toBe(JSON.stringify(stored))
    }
  })

  it('encodes ids so that they cannot change the path', async () => {
    const { client, sent } = sdkSite([ok()])
    await client.orders.get('ord/../x?y')
    expect(sent[0]?.url).toBe('https://relay.example/v1/order/ord%2F..%2Fx%3Fy?merchantId=M-TEST-001')
    for (const id of ['', '..', '.']) expect(() => client.orders.get(id)).toThrow('serviceOrderId is not an id')
    expect(() => client.orders.get(undefined as never)).toThrow(TypeError)
  })

  it('refuses a live key in a browser, with the reason', () => {
    vi.stubGlobal('document', {})
    try {
      expect(() => sdkSite([], { apiKey: 'sk_live_1' })).toThrow('never in a browser')
      expect(() => sdkSite([])).not.toThrow()
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it.each<[string, object, RegExp]>([
    ['no apiKey', { apiKey: undefined }, /^apiKey is missing or invalid: .*sk_sandbox_/],
    ['a key of something else', { apiKey: 'whsec_1' }, /^apiKey is missing or invalid: .*sk_sandbox_/],
    ['no baseUrl', { baseUrl: undefined }, /^baseUrl is missing or invalid: .*https:/],
    ['an empty baseUrl', { baseUrl: '' }, /^baseUrl is missing or invalid: .*https:/],
    ['a baseUrl without a scheme', { baseUrl: 'relay.example:8080' }, /^baseUrl is missing or invalid: .*https:/],
    ['a baseUrl with a space', { baseUrl: 'https://relay .example' }, /^baseUrl is missing or invalid: .*https:/],
  ])('names the option that is wrong, for %s, and shows no key', (_what, options, message) => {
    const given: Record<string, unknown> = { apiKey: 'sk_sandbox_1', baseUrl: 'https://relay.example', ...options }
    const make = () => new Ticketrail(given as unknown as TicketrailOptions)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
    expect(make).not.toThrow(/whsec_1/)
  })

  it('does not print the key when the client is logged', () => {
    expect(JSON.stringify(sdkSite([]).client)).not.toContain('sk_sandbox_1')
  })
})

describe('a failed attempt', () => {
  it.each<[string, Scripted]>([
    ['no connection', 'cut'],
    ['no answer in 15 s', 'hang'],
    ['408', refused(408, 'request.timeout')],
    ['429', refused(429, 'rate_limit.exceeded')],
    ['500', refused(500, 'internal.error')],
    ['502 of a proxy', { status: 502, text: '<h1>Bad Gateway</h1>' }],
    ['504 of a proxy', { status: 504, text: '' }],
    ['503 of a proxy', { status: 503, text: '' }],
    ['503 service.unavailable', refused(503, 'service.unavailable')],
    ['half an answer', { status: 200, text: '{"serv', headers: { 'content-type': 'application/json' } }],
  ])('is made again after %s, with the same bytes', async (_name, failure) => {
    const { client, clock, sent } = sdkSite([failure, failure, ok()])
    expect((await ended(clock, client.orders.inject(ORDER))).serviceOrderId).toBe('ord_1')
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
    expect(sent.every(({ headers }) => headers['Idempotency-Key'] === undefined)).toBe(true)
  })

  it.each<[number, string]>([
    [400, 'request.malformed'],
    [401, 'auth.invalid_token'],
    [403, 'merchant.not_authorized'],
    [404, 'order.not_found'],
    [409, 'order.duplicate_id'],
    [413, 'request.too_large'],
    [422, 'request.invalid'],
    [503, 'printer.offline'],
  ])('is not made again after %i %s', async (status, code) => {
    const { client, clock, sent } = sdkSite([refused(status, code)])
    expect(await errorOf(clock, client.orders.inject(ORDER))).toMatchObject({ code, status, requestId: 'req_9' })
    expect(sent).toHaveLength(1)
  })

  it('is made again with growing pauses, up to 8 seconds, until a minute is over', async () => {
    const { client, clock, sent } = sdkSite([refused(500, 'internal.error')])
    expect(await errorOf(clock, client.orders.inject(ORDER))).toBeInstanceOf(ServerError)
    const pauses = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0))
    expect(pauses).toEqual([125, 250, 500, 1_000, 2_000, ...Array(14).fill(4_000)])
  })

  it('is repeated after the seconds of Retry-After and a little more', async () => {
    const { client, clock, sent } = sdkSite([
      refused(429, 'rate_limit.exceeded', { headers: { 'retry-after': '7' } }),
      ok(),
    ])
    await ended(clock, client.orders.inject(ORDER))
    expect((sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0)).toBe(7_125)
  })

  it('ends the call at once when Retry-After is beyond its time limit', async () => {
    const { client, clock, sent } = sdkSite([refused(429, 'rate_limit.exceeded', { headers: { 'retry-after': '60' } })])
    const error = await errorOf(clock, client.orders.inject(ORDER))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error.retryAfter).toBe(60)
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['false', 503, 'service.unavailable', 1],
    ['true', 503, 'service.unavailable', 20],
  ])('obeys Should-Retry: %s', async (said, status, code, tries) => {
    const { client, clock, sent } = sdkSite([refused(status, code, { headers: { 'should-retry': said } })])
    await errorOf(clock, client.orders.inject(ORDER))
    expect(sent).toHaveLength(tries)
  })

  it('has a limit of 15 seconds, and the call one of 60', async () => {
    const { client, clock, sent } = sdkSite(['hang'])
    const error = await errorOf(clock, client.orders.inject(ORDER))
    expect(error).toMatchObject({ code: 'client.timeout', status: 0 })
    expect(error).toBeInstanceOf(ConnectionError)
    // The last attempt has what is left of the minute.
    expect(error.message).toContain('in time')
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 15_125, 30_375, 45_875])
  })

  it('respects a shorter time limit for the whole call', async () => {
    const { client, clock, sent } = sdkSite(['hang'])
    await errorOf(clock, client.orders.inject(ORDER, { timeoutMs: 2_000 }))
    expect(sent).toHaveLength(1)
  })
})

describe('idempotency', () => {
  it('uses one Idempotency-Key for all attempts of a POST, and another one for the next call', async () => {
    const failure = refused(500, 'internal.error')
    const { client, clock, sent } = sdkSite([failure, failure, ok()])
    await ended(clock, client.orders.refund('ord_1', { amount: 5 }))
    await ended(clock, client.orders.refund('ord_1', { amount: 5 }))
    const keys = sent.map(({ headers }) => headers['Idempotency-Key'])
    expect(keys[0]).toMatch(/^[\w-]{36}$/)
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(keys[3]).not.toBe(keys[0])
  })

  it('uses your own key if you set one', async () => {
    const { client, sent } = sdkSite([ok()])
    await client.printJobs.submit({ type: 'kitchen', text: 'x' }, { idempotencyKey: 'note-1' })
    expect(sent[0]?.headers['Idempotency-Key']).toBe('note-1')
  })

  it('sends no key with GET, PUT, PATCH and DELETE', async () => {
    const { client, sent } = sdkSite([ok({ data: [] })])
    await client.orders.get('ord_1')
    await client.skus.setStock('U', { quantity: 3 })
    await client.webhooks.update('we_1', { status: 'disabled' })
    await client.webhooks.delete('we_1')
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT', 'PATCH', 'DELETE'])
    expect(sent.some(({ headers }) => headers['Idempotency-Key'] !== undefined)).toBe(false)
  })

  it('treats a DELETE whose first response was lost as done, and no other', async () => {
    const gone = refused(404, 'webhook.not_found')
    const lost = sdkSite(['cut', gone])
    expect((await ended(lost.clock, lost.client.webhooks.delete('we_1'))).replayed).toBe(true)
    const never = sdkSite([gone])
    expect(await errorOf(never.clock, never.client.webhooks.delete('we_1'))).toBeInstanceOf(NotFoundError)
  })
})

describe('503 printer.offline', () => {
  it.each([
    ['order', ACCEPTED],
    ['printJob', { printJobId: 'pj_1' }],
    ['fired', { course: 2 }],
  ])('with what was stored in %s is success, and printPending', async (field, stored) => {
    const { client, clock, sent } = sdkSite([refused(503, 'printer.offline', { [field]: stored })])
    const answer = await ended(clock, client.orders.inject(ORDER))
    expect(answer).toEqual(stored)
    expect(answer.printPending).toBe(true)
    expect(sent).toHaveLength(1)
  })
})

describe('an error', () => {
  it.each<[number, string, typeof TicketrailError]>([
    [401, 'auth.invalid_token', AuthError],
    [403, 'auth.insufficient_scope', AuthError],
    [404, 'order.not_found', NotFoundError],
    [410, 'event.place_gone', NotFoundError],
    [409, 'order.not_voidable', ConflictError],
    [429, 'rate_limit.exceeded', RateLimitError],
    [422, 'request.invalid', ValidationError],
    [500, 'internal.error', ServerError],
  ])('of status %i, %s, has a class of its own', async (status, code, type) => {
    const { client, clock } = sdkSite([refused(status, code)])
    expect(await errorOf(clock, client.orders.void('ord_1'))).toBeInstanceOf(type)
  })

  it('has both sums of a total that does not match', async () => {
    const { client, clock } = sdkSite([refused(422, 'order.total_mismatch', { expected: 5, received: 6 })])
    const error: unknown = await errorOf(clock, client.orders.inject(ORDER))
    if (!isTotalMismatch(error)) throw new Error('no mismatch')
    expect(error.details).toEqual({ expected: 5, received: 6 })
  })

  it('names the invalid fields, and the first one in its message', async () => {
    const errors = [
      { field: 'items[0].qty', message: 'must be a whole number' },
      { field: 'total', message: 'is missing' },
    ]
    const { client, clock } = sdkSite([refused(422, 'request.invalid', { errors })])
    const error = await errorOf(clock, client.orders.inject(ORDER))
    expect(error.errors).toEqual(errors)
    expect(error.message).toBe('about request.invalid items[0].qty: must be a whole number')
  })

  it.each<[string, unknown, string]>([
    [
      'what the system says',
      { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') },
      'connect ECONNREFUSED 127.0.0.1:9',
    ],
    [
      'the code, for a host with several addresses',
      { cause: Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }) },
      'ECONNREFUSED',
    ],
    ['a certificate', { cause: new Error('self-signed certificate') }, 'self-signed certificate'],
    ['what fetch says, where it gives no cause', {}, 'fetch failed'],
  ])('without an answer has the address and the cause: %s', async (_what, options, reason) => {
    const failure = new TypeError('fetch failed', options as ErrorOptions)
    const { client, clock } = sdkSite([], { fetch: () => Promise.reject(failure) })
    const error = await errorOf(clock, client.keys.get())
    expect(error).toBeInstanceOf(ConnectionError)
    expect([error.code, error.message]).toEqual([
      'client.connection',
      `No answer from https://relay.example: ${reason}`,
    ])
    expect(error.cause).toBe(failure)
  })

  it('reports a response that is not from a relay', async () => {
    const { client, clock, sent } = sdkSite([{ status: 200, text: '<html>' }])
    const error = await errorOf(clock, client.orders.inject(ORDER))
    expect([error.code, error.message]).toEqual(['client.answer', expect.stringContaining('baseUrl')])
    expect(sent).toHaveLength(1)
  })
})

describe('an aborted signal', () => {
  it('ends a call that waits for its response', async () => {
    const { client, sent } = sdkSite(['hang'])
    const stop = new AbortController()
    const call = client.orders.get('ord_1', {}, { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })

  it('ends a call during a pause, without another attempt', async () => {
    const { client, clock, sent } = sdkSite([refused(429, 'rate_limit.exceeded', { headers: { 'retry-after': '30' } })])
    const stop = new AbortController()
    const call = client.orders.get('ord_1', {}, { signal: stop.signal })
    await clock.advance(1_000)
    stop.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })
})
