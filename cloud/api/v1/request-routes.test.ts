// GET /v1/requests: a key sees its own calls, with the scope for it those of the account, never others', and not its own looking.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import type { Scope } from '#cloud/auth/scopes.ts'
import { RequestLog } from '#cloud/requests/request-log.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import type { AccountId } from '#shared/ids.ts'
import { createLogger } from '#shared/log.ts'
import type { ApiRequest } from '#shared/wire/api/requests.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { requestRoutes } from './request-routes.ts'

let clock: ManualClock
let folder: string
let requests: RequestLog
let api: RelayApi
let counted: string[]
let heard: () => void = () => undefined
beforeEach(async () => {
  clock = new ManualClock()
  counted = []
  folder = mkdtempSync(join(tmpdir(), 'requests-'))
  const log = createLogger('cloud', 'silent', { destination: new PassThrough() })
  requests = new RequestLog({ file: join(folder, 'requests.db'), days: 7, clock, log })
  await requests.start()
  api = await openApi(requests)
})
afterEach(async () => {
  await api.close()
  await requests.stop()
  rmSync(folder, { recursive: true })
})

function openApi(log: RequestLog | null): Promise<RelayApi> {
  return RelayApi.open({
    clock,
    server: () => ({
      requests: (request) => {
        requests.answered(request)
        // Ids of one millisecond are in no order.
        clock.jump(1)
        heard()
      },
      meter: { count: ({ keyId }: { keyId: string }) => counted.push(keyId) } as never,
    }),
    routes: (app, { authorize }) => requestRoutes(app, { requests: log, authorize }),
  })
}

async function keyWith(scopes?: readonly Scope[], accountId: AccountId = api.account.accountId): Promise<string> {
  const key = { accountId, environment: 'sandbox' as const, ...(scopes && { scopes }) }
  return (await api.db.unit((tx) => issueApiKey(tx, api.stores, key))).apiKey
}

/** Waits until the call is logged, which happens after the client has its answer. */
async function logged<T>(call: () => Promise<T>): Promise<T> {
  const isLogged = new Promise<void>((resolve) => {
    heard = resolve
  })
  const answer = await call()
  await isLogged
  return answer
}

const get = (path: string, key = api.account.apiKey) => logged(() => api.call('GET', path, { key }))
const inject = (change = {}) => logged(() => api.inject(change))

const ask = (query = '', key = api.account.apiKey) => api.call('GET', `/v1/requests${query}`, { key })

/** Method, path and status of each call. */
async function told(query = '', key?: string): Promise<string[]> {
  const { status, body } = await ask(query, key)
  expect([status, body]).toEqual([200, expect.anything()])
  return (body.data as ApiRequest[]).map((call) => `${call.method} ${call.path} ${call.status}`)
}

test('newest first, with error, subject and duration, and without what a customer typed', async () => {
  await inject({ customer: { name: 'Ana' } })
  await inject({ orderId: 'order-2', items: [{ umsId: 'UMS-BURGER-01', qty: 0, price: 12.5 }] })
  await get('/v1/order/one?merchantId=M-TEST-001&q=Ana')
  const { body, headers, text } = await ask()
  expect(body.data).toMatchObject([
    { method: 'GET', path: '/v1/order/one?merchantId=M-TEST-001&q=***', status: 422, code: 'request.invalid' },
    { method: 'POST', path: '/v1/order/inject', status: 422, code: 'request.invalid', fields: ['items[0].qty'] },
    { status: 200, code: null, fields: [], merchantId: 'M-TEST-001', durationMs: expect.any(Number) },
  ])
  expect(text).not.toContain('Ana')
  expect(headers['cache-control']).toBe('no-store')
})

test('a key sees its own calls; with keys=all and webhooks:manage it sees those of the account', async () => {
  const other = await keyWith()
  const reader = await keyWith(['orders:read'])
  await get('/v1/order/one?merchantId=M-TEST-001', other)
  await get('/v1/order/two?merchantId=M-TEST-001', reader)
  const one = 'GET /v1/order/one?merchantId=M-TEST-001 404'
  const two = 'GET /v1/order/two?merchantId=M-TEST-001 404'
  expect([await told(), await told('', other), await told('', reader)]).toEqual([[], [one], [two]])
  expect(await told('?keys=all')).toEqual([two, one])
  const refused = await ask('?keys=all', reader)
  expect([refused.status, refused.body.code]).toEqual([403, 'auth.insufficient_scope'])
})

test('another account sees nothing of it', async () => {
  await inject()
  const { accountId } = await createSandboxAccount({ db: api.db, clock }, { name: 'Other' })
  expect(await told('?keys=all', await keyWith(undefined, accountId))).toEqual([])
})

test('the filters status, method, path and merchant return only what matches', async () => {
  await inject()
  await inject({ orderId: 'order-2', merchantId: 'M-TEST-002', total: 1 })
  await get('/v1/order/none?merchantId=M-TEST-001')
  const [none, wrong, taken] = await told()
  expect([none, wrong, taken]).toEqual([
    'GET /v1/order/none?merchantId=M-TEST-001 404',
    'POST /v1/order/inject 422',
    'POST /v1/order/inject 200',
  ])
  expect(await told('?status=404')).toEqual([none])
  expect(await told('?status=4xx')).toEqual([none, wrong])
  expect(await told('?method=POST')).toEqual([wrong, taken])
  expect(await told('?path=/v1/order/inject&status=2xx')).toEqual([taken])
  expect(await told('?merchantId=M-TEST-002')).toEqual([wrong])
})

test.each([
  ['status=40', 'status'],
  ['status=6xx', 'status'],
  ['method=HEAD', 'method'],
  ['keys=mine', 'keys'],
  ['limit=101', 'limit'],
  ['bodies=true', 'bodies'],
])('%s is refused by its name', async (query, field) => {
  const { status, body } = await ask(`?${query}`)
  expect([status, body.errors[0].field]).toEqual([422, field])
})

test('a page continues where the previous one ended, and its cursor is valid for the same filters only', async () => {
  for (let i = 1; i <= 5; i++) await get(`/v1/order/o${i}?merchantId=M-TEST-001`)
  const first = (await ask('?limit=3')).body
  // What comes between two pages is on neither.
  await get('/v1/order/late?merchantId=M-TEST-001')
  const second = (await ask(`?limit=3&cursor=${first.nextCursor}`)).body
  const paths = [...first.data, ...second.data].map(({ path }: ApiRequest) => path.slice('/v1/order/'.length, 11 + 1))
  expect(paths).toEqual(['o5', 'o4', 'o3', 'o2', 'o1'])
  expect(second.nextCursor).toBeNull()
  for (const other of ['&status=4xx', '&keys=all'])
    expect((await ask(`?cursor=${first.nextCursor}${other}`)).body.errors[0].field).toBe('cursor')
})

test('reading the log is no call: it is not logged and not counted', async () => {
  await inject()
  await ask()
  await ask('?keys=all')
  expect(await told()).toEqual(['POST /v1/order/inject 200'])
  expect(counted).toHaveLength(1)
})

test('a relay that keeps no log reports that, and so does one whose log cannot be written', async () => {
  const without = await openApi(null)
  const { status, body } = await without.call('GET', '/v1/requests')
  expect([status, body.code]).toEqual([404, 'request_log.off'])
  await without.close()
  await requests.stop()
  const stopped = await ask()
  expect([stopped.status, stopped.body.code, stopped.body.message]).toEqual([
    ...[404, 'request_log.off', expect.stringContaining('cannot be written')],
  ])
})
