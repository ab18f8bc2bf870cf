// The log of requests at the dashboard: calls of the API as they are shown, with what to do about each error.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RequestLog } from '#cloud/requests/request-log.ts'
import { createLogger } from '#shared/log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { AskingDesk } from '#test/fixtures/asking-desk.ts'

let folder: string
let requests: RequestLog
let desk: AskingDesk
const environment = 'sandbox' as const

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'requests-'))
  const clock = new ManualClock()
  const log = createLogger('test', 'error', { destination: { write: () => {} } })
  requests = new RequestLog({ file: join(folder, 'requests.db'), days: 7, clock, log })
  await requests.start()
  desk = await AskingDesk.open({ requests, clock })
})
afterEach(async () => {
  await desk.close()
  await requests.stop()
  rmSync(folder, { recursive: true })
})

const list = (more = {}) => desk.ask('requests.list', { environment, ...more })

test('a call with a key is shown with its answer, its key and its body', async () => {
  await desk.api.inject({ customer: { name: 'Ana' } })
  const { data, log } = await list()
  expect(log).toMatchObject({ state: 'on', days: 7, leftOut: 0 })
  expect(data).toMatchObject([
    { method: 'POST', route: '/v1/order/inject', status: 200, code: null, fields: [], merchantId: 'M-TEST-001' },
  ])
  const one = await desk.ask('requests.get', { environment, requestId: data[0]!.requestId })
  expect(one).toMatchObject({
    isMasked: true,
    isCut: false,
    help: null,
    key: { endsWith: desk.api.account.apiKey.slice(-4) },
  })
  expect(JSON.parse(one.body!)).toMatchObject({ orderId: 'order-1', customer: { name: '***' } })
  expect(JSON.stringify(one)).not.toContain(desk.api.account.apiKey)
})

test('a refused call has the field and what to do, also when it was refused before its handler', async () => {
  await desk.api.inject({ total: 'much' })
  desk.clock.stall(1)
  await desk.api.call('GET', '/v1/order/ord_0?merchantId=M-TEST-001')
  const { data } = await list()
  expect(data.map(({ status, code, fields }) => [status, code, fields])).toEqual([
    [404, 'order.not_found', []],
    [422, 'request.invalid', ['total']],
  ])
  const one = await desk.ask('requests.get', { environment, requestId: data[1]!.requestId })
  expect(one.help).toMatchObject({ retry: 'no', path: '/docs/errors#request.invalid' })
})

test('equal errors are one group, which leads to its requests', async () => {
  for (let i = 0; i < 3; i++) await desk.api.inject({ total: 'much' })
  await desk.api.inject({ total: 1 })
  const { data } = await desk.ask('requests.groups', { environment })
  expect(data).toMatchObject([
    { count: 3, code: 'request.invalid', fields: ['total'], help: { retry: 'no' } },
    { count: 1, code: 'order.total_mismatch' },
  ])
  const [group] = data
  const { route, code, fields } = group!
  expect((await list({ route, code: code!, fields: fields.join(',') })).data).toHaveLength(3)
})

test('calls without a key, and of another account, are shown to no other account', async () => {
  await desk.api.call('GET', '/v1/merchants', { key: null })
  await desk.api.inject()
  const { data } = await list()
  expect(data).toHaveLength(1)
  const foreign = { environment, requestId: data[0]!.requestId }
  const stranger = await desk.stranger()
  expect((await desk.refused('requests.get', foreign, { accountId: stranger })).code).toBe('not-found')
  expect((await desk.ask('requests.list', { environment }, { accountId: stranger })).data).toEqual([])
  expect((await desk.refused('requests.list', { environment }, { role: 'staff' })).code).toBe('forbidden')
})

test('pages continue, and a cursor of other filters is refused', async () => {
  for (let i = 0; i < 3; i++) await desk.api.inject({ orderId: `order-${i}` })
  const first = await list({ limit: 2 })
  expect((await list({ limit: 2, cursor: first.nextCursor! })).data).toHaveLength(1)
  expect((await desk.refused('requests.list', { environment, status: 4, cursor: first.nextCursor })).fields).toEqual([
    'cursor',
  ])
})

test('a call is made again in the sandbox, by a key that is gone afterwards', async () => {
  const { running, apiKeys, audit } = desk.context
  running!.callApi = async ({ method, path, apiKey, body }) => {
    const answer = await desk.api.call(method, path, { key: apiKey, ...(body === null ? {} : { payload: body }) })
    return { status: answer.status, requestId: String(answer.headers['x-request-id']), text: answer.text }
  }
  const account = desk.api.account.accountId
  const before = await apiKeys.ofAccount(account)
  const body = desk.api.order({ orderId: 'order-again' })
  const made = await desk.ask('requests.again', { environment, method: 'POST', path: '/v1/order/inject', body })
  expect(made.status).toBe(200)
  expect(JSON.parse(made.body)).toMatchObject({ status: 'accepted' })
  expect(await apiKeys.ofAccount(account)).toEqual(before)
  expect((await audit.list(account, 1))[0]).toMatchObject({ action: 'request.again' })
  const one = await desk.ask('requests.get', { environment, requestId: made.requestId })
  expect(one.key.endsWith).toBeNull()
})

test.each([
  ['live', '/v1/order/inject', 'environment'],
  ['sandbox', 'https://elsewhere.test/v1/order/inject', 'path'],
  ['sandbox', '/dashboard/api/keys.list', 'path'],
  ['sandbox', '/v1/../dashboard/api/session', 'path'],
  ['sandbox', '/v1/orders/%2e%2E/.%2e/readyz', 'path'],
])('no call is made in %s at %s', async (where, path, field) => {
  expect((await desk.refused('requests.again', { environment: where, method: 'POST', path })).fields).toEqual([field])
})

test('a relay without a request log reports that', async () => {
  desk.context.running!.requests = null
  expect(await list()).toMatchObject({ log: { state: 'off' }, data: [] })
})
