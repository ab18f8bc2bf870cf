// Calls without a valid key: so many, and so many bytes, of an address; signed calls and monitors are not touched by them.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeApiKey } from '#cloud/auth/api-keys.ts'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { RateLimits } from './rate-limit.ts'
import { StrangerBudget } from './stranger-budget.ts'

const PROXY = '127.0.0.1'

let api: RelayApi
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({
    clock,
    server: (stores) => ({
      rateLimits: new RateLimits(stores),
      strangers: new StrangerBudget(stores),
      proxies: new TrustedProxies([PROXY]),
    }),
  })
})
afterEach(() => api.close())

/** Resolves when the next answer is held back. */
function heldBack(): Promise<void> {
  const sleep = clock.sleep.bind(clock)
  return new Promise((resolve) => {
    vi.spyOn(clock, 'sleep').mockImplementationOnce((ms, signal) => {
      resolve()
      return sleep(ms, signal)
    })
  })
}

interface Asked {
  from?: string
  method?: 'GET' | 'DELETE'
  authorization?: string
  encoding?: string
}

/** Without a key, unless given. */
async function ask(url: string, { from = '203.0.113.1', method = 'GET', authorization, encoding }: Asked = {}) {
  const { statusCode, headers, body } = await api.app.inject({
    method,
    url,
    headers: {
      'x-forwarded-for': from,
      ...(authorization === undefined ? {} : { authorization }),
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
    },
  })
  return {
    status: statusCode,
    retryAfter: headers['retry-after'],
    code: body.startsWith('{"code"') && JSON.parse(body).code,
  }
}

/** Asks until it is refused. @returns how many were let through */
async function untilRefused(url: string, asked?: Asked): Promise<number> {
  for (let through = 0; ; through++) {
    const { status } = await ask(url, asked)
    if (status === 429) return through
  }
}

describe('calls without a valid key', () => {
  it.each([
    ['an unknown path', '/nosuch', {}],
    ['an invalid URL', '/%zz', {}],
    ['an unknown path, with a key or not', '/nosuch', { authorization: `Bearer ${makeApiKey('live')}` }],
    ['a known path by another method', '/healthz', { method: 'DELETE' as const }],
    ['the same with a key that nobody looks at', '/v1/order/inject', { authorization: 'Bearer x' }],
    ['a call without a key', '/v1/order/ord_1?merchantId=M-TEST-001', {}],
    ['a small document, again and again', '/docs/errors', { encoding: 'br' }],
  ])('%s: 600 at once, then 429 until there is one again', async (_what, url, asked) => {
    expect(await untilRefused(url, asked)).toBe(600)
    expect(await ask('/docs')).toEqual({ status: 429, retryAfter: '1', code: 'rate_limit.exceeded' })
    await clock.advance(1_000)
    expect((await ask(url, asked)).status).not.toBe(429)
  })

  it('are counted by address, and by /64', async () => {
    await untilRefused('/nosuch', { from: '2001:db8::1' })
    expect((await ask('/nosuch', { from: '2001:db8::2' })).status).toBe(429)
    expect((await ask('/nosuch', { from: '2001:db8:0:1::1' })).status).toBe(404)
    expect((await ask('/nosuch', { from: '[2001:db8::3]:4711' })).status).toBe(429)
  })

  it('of a trusted proxy itself are never refused', async () => {
    for (let n = 0; n < 700; n++) expect((await ask('/nosuch', { from: PROXY })).status).toBe(404)
  })

  it('get 16 MB of answers at once, so a large uncompressed document is refused long before the 600th', async () => {
    const { body } = await api.app.inject('/docs/reference')
    expect(await untilRefused('/docs/reference')).toBe(Math.ceil(16_000_000 / Buffer.byteLength(body)))
    const { retryAfter } = await ask('/nosuch')
    await clock.advance(Number(retryAfter) * 1_000)
    expect((await ask('/docs')).status).toBe(200)
  })
})

it('signed calls from an address with an empty budget continue', async () => {
  await untilRefused('/nosuch')
  const authorization = `Bearer ${api.account.apiKey}`
  for (let n = 0; n < 100; n++)
    expect((await ask('/v1/order/ord_1?merchantId=M-TEST-001', { authorization })).status).toBe(404)
})

it('monitors have a budget of their own, twenty a second', async () => {
  await untilRefused('/nosuch')
  expect(await untilRefused('/readyz')).toBe(1_200)
  expect((await ask('/healthz')).status).toBe(429)
  await clock.advance(50)
  expect((await ask('/healthz')).status).toBe(200)
})

it.each([
  ['calls without a key', undefined],
  ['wrong keys', 'Bearer wrong'],
])(
  'refusals of %s that go on are told after two seconds, and at once again when it has been quiet',
  async (_what, authorization) => {
    const url = '/v1/order/ord_1?merchantId=M-TEST-001'
    const asked = authorization === undefined ? {} : { authorization }
    await untilRefused(url, asked)
    for (let refused = 1; refused < 60; refused++) expect((await ask(url, asked)).status).toBe(429)
    const isHeld = heldBack()
    const late = ask(url, asked)
    await isHeld
    let isTold = false
    void late.then(() => {
      isTold = true
    })
    await clock.advance(1_999)
    expect(isTold).toBe(false)
    await clock.advance(1)
    expect((await late).status).toBe(429)
    await clock.advance(120_000)
    expect(await untilRefused(url, asked)).toBeGreaterThan(50)
  },
)
