// The budget of bytes for a client: stored bodies count, beyond it 429 with the time to wait, and a stored answer is returned again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { ByteBudget } from './byte-budget.ts'
import { answerOnce } from './idempotency.ts'

const NOTE = 'n'.repeat(9_000)

let api: RelayApi
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({
    clock,
    server: (stores) => ({
      bytes: { clock, idempotency: new IdempotencyStore(stores.db), budget: new ByteBudget(stores) },
    }),
    routes: (app, { db }) => {
      const deps = { db, idempotency: new IdempotencyStore(db), secretBox: new SecretBox(Buffer.alloc(32, 1)), clock }
      const schema = { body: z.strictObject({ text: z.string() }), response: { 200: z.object({ length: z.number() }) } }
      app.route({
        method: 'POST',
        url: '/notes',
        config: { access: 'any-key' },
        schema,
        handler: async (request, reply) =>
          answerOnce(deps, async () => ({ answer: { length: request.body.text.length } }), { request, reply }),
      })
      app.route({
        method: ['PUT', 'PATCH'],
        url: '/note',
        config: { access: 'any-key' },
        schema,
        handler: async (request) => ({ length: request.body.text.length }),
      })
    },
  })
})
afterEach(() => api.close())

/** What the sandbox of this account may send. */
const allow = (bodyBytesPerMinute: number, bodyBytesAtOnce: number, accountId = api.account.accountId) => {
  const plan_overrides = JSON.stringify({ sandbox: { bodyBytesPerMinute, bodyBytesAtOnce } })
  return api.db.unit((tx) => api.stores.accounts.change(tx, accountId, { plan_overrides }))
}
const note = (headers: Record<string, string> = {}, text = NOTE) =>
  api.call('POST', '/notes', { body: { text }, headers })
/** Sends until it is refused. @returns how many were let through, and the refusal */
async function drain(send = () => note()) {
  for (let passed = 0; ; passed++) {
    const answer = await send()
    if (answer.status !== 200) return { passed, refused: answer }
  }
}

test('beyond its bytes an account is refused with what it may send and when, and the wait lets the next body through', async () => {
  await allow(6_000, 20_000)
  const { passed, refused } = await drain()
  expect([passed, refused.status, refused.body.code]).toEqual([3, 429, 'rate_limit.exceeded'])
  expect(refused.body.message).toContain('20,000 bytes at once and 6,000 bytes a minute in sandbox')
  const wait = Number(refused.headers['retry-after'])
  expect(wait).toBeGreaterThan(60)
  await clock.advance(wait * 1_000)
  expect((await note()).status).toBe(200)
  expect((await note()).status).toBe(429)
})

test('a sandbox has 10 MB at once by default', async () => {
  const { passed } = await drain(() => note({}, 'n'.repeat(250_000)))
  expect(passed).toBe(40)
})

test('each method with a body counts, a call without one never', async () => {
  await allow(6_000, 1)
  expect((await api.call('PUT', '/note', { body: { text: NOTE } })).status).toBe(200)
  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    const url = method === 'POST' ? '/notes' : '/note'
    expect((await api.call(method, url, { body: { text: 'x' } })).status).toBe(429)
  }
  expect((await api.call('GET', '/v1/order/ord_unknown?merchantId=M-TEST-001')).status).toBe(404)
})

test('a body counts also when its schema or its JSON is refused, and beyond the budget it is refused unread', async () => {
  await allow(6_000, 20_000)
  const wrong = () => api.call('POST', '/notes', { body: { wrong: NOTE } })
  const statuses = [(await wrong()).status, (await wrong()).status]
  const broken = await api.call('POST', '/notes', { payload: `{"text":"${NOTE}"` })
  expect([...statuses, broken.status]).toEqual([422, 422, 400])
  const parse = vi.spyOn(JSON, 'parse')
  const refused = await wrong()
  const parsed = parse.mock.calls.filter(([text]) => String(text).includes(NOTE))
  parse.mockRestore()
  expect([refused.status, parsed]).toEqual([429, []])
})

test('orders of an account without a budget left are read only so often, to see whether they were taken before', async () => {
  await allow(6_000, 1)
  await drain()
  const parse = vi.spyOn(JSON, 'parse')
  for (let i = 0; i < 60; i++) expect([422, 429]).toContain((await api.inject({ wide: 'n'.repeat(250_000) })).status)
  const read = parse.mock.calls.filter(([text]) => text.length > 250_000)
  parse.mockRestore()
  expect(read.length).toBeGreaterThan(0)
  expect(read.length).toBeLessThan(45)
})

test('an order that was taken is answered again whatever is left, and costs nothing', async () => {
  await allow(6_000, 20_000)
  const first = await api.inject()
  for (let n = 0; n < 100; n++) expect((await api.inject()).headers['idempotent-replayed']).toBe('true')
  const { passed } = await drain()
  expect(passed).toBe(3)
  const again = await api.inject()
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  expect((await api.inject({ note: 'another' })).status).toBe(409)
  const fresh = await api.inject({ orderId: 'order-2' })
  expect(fresh.status).toBe(429)
  expect(await api.stores.orders.first(await merchant(), 'order-2')).toBeNull()
})

test('so is a call with an Idempotency-Key that is known', async () => {
  await allow(6_000, 20_000)
  const first = await note({ 'idempotency-key': 'k-1' })
  await drain()
  const again = await note({ 'idempotency-key': 'k-1' })
  expect([again.status, again.text]).toEqual([200, first.text])
  expect((await note({ 'idempotency-key': 'k-1' }, 'another')).status).toBe(409)
  expect((await note({ 'idempotency-key': 'k-2' })).status).toBe(429)
})

test('keys of an account share its budget, another account has its own', async () => {
  await allow(6_000, 20_000)
  await drain()
  const { accountId } = api.account
  const second = await api.db.unit((tx) => issueApiKey(tx, api.stores, { accountId, environment: 'sandbox' }))
  const stranger = await createSandboxAccount(api, { name: 'Stranger' })
  const of = (key: string) => api.call('POST', '/notes', { body: { text: NOTE }, key })
  expect([(await of(second.apiKey)).status, (await of(stranger.apiKey)).status]).toEqual([429, 200])
})

test('a larger budget of the contract counts from the next call on', async () => {
  await allow(6_000, 1)
  await drain()
  await allow(60_000_000, 600_000_000)
  await clock.advance(10)
  expect((await note()).status).toBe(200)
})

test('the log names the account that is refused, once a minute', async () => {
  await allow(6_000, 1)
  await drain()
  await note()
  const lines = api.logLines.filter((line) => line.includes('it sends more bytes than its budget'))
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ accountId: api.account.accountId, environment: 'sandbox' })
})

const merchant = () => api.stores.merchants.byKey(api.merchantKey)
