// Cursors over the whole API: each list takes its own and refuses, by the name of the field, that of every other list, filter and merchant.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Parameter } from '#cloud/api/openapi/json-schema.ts'
import { FIXTURE_MERCHANTS } from '#cloud/sandbox/fixture-merchants.ts'
import { GIVEN } from './given.ts'
import { WholeRelay } from './whole-relay.ts'

const relay = await WholeRelay.start()
/** Values of filters that are no enum and no time. */
const VALUES: Readonly<Record<string, string>> = {
  channelId: 'direct',
  path: '/v1',
  q: 'e',
  source: 'given',
  status: '2xx',
}

interface List {
  path: string
  parameters: Parameter[]
}

const lists: List[] = Object.entries(relay.document.paths).flatMap(([path, { get }]) => {
  const parameters = (get?.parameters ?? []).filter((one): one is Parameter => 'name' in one && one.in === 'query')
  return parameters.some(({ name }) => name === 'cursor') ? [{ path, parameters }] : []
})
let params: Record<string, string>
let firstOf: Map<string, string>

const query = ({ parameters }: List, more: Record<string, string> = {}) => {
  const merchantId = parameters.some(({ name }) => name === 'merchantId') ? { merchantId: 'M-TEST-001' } : {}
  return { limit: '1', ...merchantId, ...more }
}
async function get({ path }: List, search: Record<string, string>) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
  const answer = await relay.call({ method: 'GET', path: `${filled}?${new URLSearchParams(search)}` })
  expect(relay.faultsOf(answer)).toEqual([])
  return { status: answer.status, body: JSON.parse(answer.text) }
}

beforeAll(async () => {
  params = (await GIVEN['GET /v1/webhook/{webhookId}/deliveries']?.(relay, 'http://127.0.0.1:9/')) ?? {}
  for (let i = 0; i < 2; i++) {
    await GIVEN['POST /v1/order/{serviceOrderId}/void']?.(relay, '')
    const path = `/v1/webhook/${params['webhookId']}/test`
    const body = JSON.stringify({ merchantId: 'M-TEST-001', type: 'order.ready' })
    expect((await relay.call({ method: 'POST', path, body })).status).toBe(200)
  }
  firstOf = new Map()
  for (const list of lists) firstOf.set(list.path, (await get(list, query(list))).body.nextCursor)
})
afterAll(() => relay.stop())

const refused = (field: string, message: RegExp) => ({
  status: 422,
  body: { code: 'request.invalid', errors: [{ field, message: expect.stringMatching(message) }] },
})

test('there are the lists that the guide names', () => {
  expect(lists.map(({ path }) => path).sort()).toEqual([
    '/v1/events',
    '/v1/merchants',
    '/v1/orders',
    '/v1/requests',
    '/v1/skus',
    '/v1/webhook/{webhookId}/deliveries',
  ])
})

describe.each(lists)('$path', (list) => {
  test('takes its own cursor, also with another limit', async () => {
    const cursor = firstOf.get(list.path) ?? ''
    expect((await get(list, query(list, { cursor, limit: '2' }))).status).toBe(200)
  })

  test('refuses the cursor of every other list', async () => {
    const others = [...firstOf].filter(([path]) => path !== list.path)
    for (const [, cursor] of others)
      expect(await get(list, query(list, { cursor }))).toMatchObject(refused('cursor', /another list.*begin anew/))
  })

  test('refuses its cursor with a filter more', async () => {
    const cursor = firstOf.get(list.path) ?? ''
    const filters = list.parameters.filter(({ name }) => !['cursor', 'limit', 'merchantId', 'after'].includes(name))
    for (const { name, schema } of filters) {
      const { enum: values, format } = schema
      const value = values?.[0] ?? (format === 'date-time' ? '2026-01-01T00:00:00Z' : (VALUES[name] ?? 'x'))
      const answer = await get(list, query(list, { cursor, [name]: String(value) }))
      expect(answer, name).toMatchObject(refused('cursor', /other filters.*begin anew/))
    }
  })

  test('refuses its cursor for another merchant', async () => {
    const other = FIXTURE_MERCHANTS.find(({ merchantId }) => merchantId !== 'M-TEST-001')?.merchantId ?? ''
    if (!('merchantId' in query(list)) || list.path.includes('{')) return
    const answer = await get(list, query(list, { cursor: firstOf.get(list.path) ?? '', merchantId: other }))
    expect(answer).toMatchObject(refused('cursor', /another list.*merchant/))
  })
})

describe('GET /v1/events?after=', () => {
  const events = lists.find(({ path }) => path === '/v1/events')!

  test('gives a cursor with every page, which is none of the list, and the other way round', async () => {
    const first = await get(events, query(events, { after: 'start' }))
    expect(first).toMatchObject({ status: 200, body: { data: [{}], nextCursor: expect.any(String) } })
    const after = first.body.nextCursor
    const last = await get(events, query(events, { after: 'now' }))
    expect(last.body).toMatchObject({ data: [], nextCursor: expect.any(String) })
    expect((await get(events, query(events, { after, limit: '100' }))).body.data.length).toBeGreaterThan(1)
    expect(await get(events, query(events, { cursor: after }))).toMatchObject(
      refused('cursor', /earlier answer of this list/),
    )
    const cursor = firstOf.get('/v1/events') ?? ''
    expect(await get(events, query(events, { after: cursor }))).toMatchObject(refused('after', /after=start/))
  })

  test.each([
    ['cursor', 'x'],
    ['from', '2026-01-01T00:00:00Z'],
    ['to', '2026-01-01T00:00:00Z'],
  ])('is not joined with %s', async (name, value) => {
    const answer = await get(events, query(events, { after: 'start', [name]: value }))
    expect(answer).toMatchObject(refused(name, /cannot be sent with after/))
  })

  test('explains what to do about an event that does not exist', async () => {
    const answer = await get(events, query(events, { after: 'evt_01kaj2vq92e3s9vd2m4xw7rbtr' }))
    expect(answer).toMatchObject({
      status: 410,
      body: { code: 'event.place_gone', errors: [{ field: 'after', message: expect.stringContaining('after=start') }] },
    })
  })
})
