// Requests that are legal HTTP and JSON but unusual: each gets the answer that the contract has for it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '#shared/clock.ts'
import { injectOrder } from '#shared/wire/api/orders.ts'
import { createWebhook } from '#shared/wire/api/webhooks.ts'
import { type Answered, RelayApi } from '#test/doubles/relay-api.ts'
import { fieldErrors } from './zod-schema.ts'

let api: RelayApi
beforeAll(async () => {
  api = await RelayApi.open({
    clock: systemClock,
    routes: (app) => {
      app.route({
        method: 'DELETE',
        url: '/thing/:id',
        config: { access: 'any-key' },
        handler: (_request, reply) => reply.code(204).send(),
      })
    },
  })
})
afterAll(() => api.close())

const post = (options: Parameters<RelayApi['call']>[2]) => api.call('POST', '/v1/order/inject', options)
const codeOf = (answer: Answered) => [answer.status, answer.body?.code]

describe('bodies', () => {
  test('null is JSON that breaks the schema, nothing at all is malformed', async () => {
    expect(codeOf(await post({ payload: 'null' }))).toEqual([422, 'request.invalid'])
    expect(codeOf(await post({ payload: '' }))).toEqual([400, 'request.malformed'])
    expect(codeOf(await post({ payload: '', headers: { 'content-type': 'application/json' } }))).toEqual([
      400,
      'request.malformed',
    ])
  })

  test('a DELETE without a body may carry a content type, as many HTTP clients send it', async () => {
    const answer = await api.call('DELETE', '/thing/1', { headers: { 'content-type': 'application/json' } })
    expect(answer.status).toBe(204)
  })

  test('a compressed body is 415, also when only its header declares it', async () => {
    for (const encoding of ['gzip', 'br'])
      expect(codeOf(await post({ body: api.order(), headers: { 'content-encoding': encoding } }))).toEqual([
        415,
        'request.unsupported_media_type',
      ])
    const plain = await post({ body: api.order({ orderId: 'plain' }), headers: { 'content-encoding': 'identity' } })
    expect(plain.status).toBe(200)
  })

  test('half a surrogate pair is refused in every text, a whole emoji is taken', async () => {
    const line = { umsId: 'UMS-BURGER-01', qty: 1, price: 1 }
    const changes = [
      ['source', { source: 'a\ud800' }],
      ['items[0].note', { items: [{ ...line, note: '\udc00b' }], total: 1 }],
      ['items[0].umsId', { items: [{ ...line, umsId: '\ud83c' }], total: 1 }],
      ['customer.name', { customer: { name: '\ud83c!' } }],
    ] as const
    for (const [field, change] of changes) {
      const answer = await post({ body: api.order({ orderId: field, ...change }) })
      expect(codeOf(answer)).toEqual([422, 'request.invalid'])
      expect(answer.body.errors.map((e: { field: string }) => e.field)).toEqual([field])
    }
    const emoji = await post({ body: api.order({ orderId: 'emoji', source: 'kiosk 🍔' }) })
    expect(emoji.status).toBe(200)
    const hook = { merchantId: 'M-TEST-001', url: 'https://example.com/\ud800' }
    expect(createWebhook.safeParse(hook).success).toBe(false)
  })

  test('of thousands of unknown fields only those with messages are checked', () => {
    let looked = 0
    const keys = new Proxy<string[]>(
      Array.from({ length: 6_000 }, (_, i) => `field${i}`),
      {
        get(target, name, receiver) {
          if (typeof name === 'string' && /^\d+$/.test(name)) looked++
          return Reflect.get(target, name, receiver)
        },
      },
    )
    const error = new z.ZodError([{ code: 'unrecognized_keys', keys, path: [], message: '' }])
    expect(fieldErrors(injectOrder, error, { data: {}, inQuery: false })).toHaveLength(20)
    expect(looked).toBeLessThanOrEqual(21)
  })
})

describe('paths', () => {
  test('a path that is spelled out beats a pattern: it is 405 for every method that it does not have', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const) {
      for (const key of [null, undefined]) {
        const answer = await api.call(method, '/v1/order/inject?merchantId=M-TEST-001', key === null ? { key } : {})
        expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, 'POST'])
      }
    }
  })
})

test('an unknown event type is refused with the names of the known ones', () => {
  const refused = createWebhook.safeParse({
    merchantId: 'M-TEST-001',
    url: 'https://example.com',
    events: ['order.eaten'],
  })
  expect(refused.error?.issues.map((issue) => [issue.path, issue.message])).toEqual([
    [['events', 0], expect.stringContaining('order.accepted')],
  ])
})
