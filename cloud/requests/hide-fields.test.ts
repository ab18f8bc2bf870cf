// What is kept of a request's body, and what is shown of an event: no customer, no secret, and everything else as it was.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from '#cloud/api/openapi/json-schema.ts'
import * as catalog from '#shared/wire/api/catalog.ts'
import * as gateways from '#shared/wire/api/gateways.ts'
import * as orders from '#shared/wire/api/orders.ts'
import * as printing from '#shared/wire/api/printing.ts'
import * as webhooks from '#shared/wire/api/webhooks.ts'
import { keptField, keptJson, keptPath, withoutCustomers } from './hide-fields.ts'

const keptBody = (value: unknown): unknown => JSON.parse(keptJson(value, 100_000))

const order = {
  merchantId: 'M-PROD-1',
  items: [{ umsId: 'UMS-1', qty: 2, price: 12.5, note: 'for Ana' }],
  customer: { name: 'Ana', phone: '+1 555 0100', email: null },
  note: '',
}

test('customers and notes are replaced wherever they occur, and what is empty stays empty', () => {
  expect(keptBody(order)).toEqual({
    merchantId: 'M-PROD-1',
    items: [{ umsId: 'UMS-1', qty: 2, price: 12.5, note: '***' }],
    customer: { name: '***', phone: '***', email: null },
    note: '',
  })
  expect(withoutCustomers(order)).toEqual(keptBody(order))
})

test('the reasons of voids and refunds are replaced, those of programs stay', () => {
  const told = {
    order: { voidReason: 'Ana left', refunds: [{ refundId: 'ref_1', amount: 4, reason: 'hair, says Ana' }] },
    refund: { refundId: 'ref_1', reason: null },
    sku: { umsId: 'UMS-1', reason: 'sold out' },
  }
  expect(withoutCustomers(told)).toEqual({
    order: { voidReason: '***', refunds: [{ refundId: 'ref_1', amount: 4, reason: '***' }] },
    refund: { refundId: 'ref_1', reason: null },
    sku: { umsId: 'UMS-1', reason: 'sold out' },
  })
})

test('secrets are replaced by their names, and of an address its origin stays', () => {
  const body = {
    url: 'https://hooks.bistro.test/in/s3cret?token=s3cret',
    callbackUrl: 'not an address',
    config: { apiKey: 's3cret', clientSecret: 's3cret', password: ['s3cret'], headers: { authorization: 's3cret' } },
    events: ['order.ready'],
  }
  expect(keptBody(body)).toEqual({
    url: 'https://hooks.bistro.test/***',
    callbackUrl: '/***',
    config: { apiKey: '***', clientSecret: '***', password: ['***'], headers: { authorization: '***' } },
    events: ['order.ready'],
  })
  expect(JSON.stringify(keptBody([body, { inner: [body] }]))).not.toContain('s3cret')
})

test('what is no object is hidden when it is text or a number', () => {
  expect([null, 'text', 4, true].map(keptBody)).toEqual([null, '***', '***', true])
})

test('what people typed is replaced wherever a body has it', () => {
  const [reason, text] = ['Ana Lopez left', 'Happy birthday, Ana']
  expect(keptBody({ merchantId: 'M-TEST-001', amount: 4, reason })).toEqual({
    ...{ merchantId: 'M-TEST-001', amount: 4, reason: '***' },
  })
  expect(keptBody({ type: 'kitchen', title: text, text, content: [{ type: 'text', text }] })).toEqual({
    ...{ type: 'kitchen', title: '***', text: '***', content: [{ type: 'text', text: '***' }] },
  })
  expect(JSON.stringify(keptBody({ table: 'Ana', server: 'Ana', description: 'Ana', name: 'Ana' }))).not.toContain(
    'Ana',
  )
})

test('unknown fields are replaced, because one may be a customer under a wrong name', () => {
  const body = { orderId: 'o-1', costumer: { name: 'Ana', phone: 15550100 }, deliveryNotes: ['for Ana'], vip: true }
  expect(keptBody(body)).toEqual({
    ...{ orderId: 'o-1', costumer: { name: '***', phone: '***' }, deliveryNotes: ['***'], vip: true },
  })
})

test('of an address the query keeps what a body would, and the times of a list', () => {
  const list = '/v1/orders?merchantId=M-TEST-001&limit=5&from=2026-11-29T00%3A00%3A00Z'
  expect(keptPath(list)).toBe(list)
  expect(keptPath('/v1/orders?customer=Ana+Lopez&from=2026-11-29+Ana&limit=5&api_key=sk_live_1&Ana')).toBe(
    '/v1/orders?customer=***&from=***&limit=5&api_key=***&***',
  )
  expect(keptPath('/v1/skus?q=Ana?merchantId=Bo&%6Cimit=Ana')).toBe('/v1/skus?q=***&***')
  expect(['/v1/orders', '/v1/orders?'].map(keptPath)).toEqual(['/v1/orders', '/v1/orders?'])
})

test('a text under a list of objects, and one with blanks where the API has a word, is replaced', () => {
  const typed = 'Anna +49 999'
  const body = { content: typed, items: [typed, { umsId: 'Big burger', qty: 1 }], events: [typed, '*'], source: typed }
  expect(keptBody({ ...body, group: 'Extra sauce', orderId: typed })).toEqual({
    ...{ content: '***', items: ['***', { umsId: 'Big burger', qty: 1 }], events: ['***', '*'], source: '***' },
    ...{ group: 'Extra sauce', orderId: '***' },
  })
})

test('what stands in place of a name is replaced unless a program would name a field so', () => {
  const body = { 'Anna +49 999': 1, costumer: { Anna: true, 'anna@bistro.test': [], sk_live_1: 1 } }
  expect(keptJson(body, 200)).toBe('{"***":"***","costumer":{"***":true,"***":[],"***":"***"}}')
  expect(
    ['items[0].qty', 'customer.Anna +49 999', 'Idempotency-Key', 'a.sk_live_1', '[4999123456].x'].map(keptField),
  ).toEqual([...['items[0].qty', 'customer.***', 'Idempotency-Key', 'a.***', '[***].x']])
})

test('an API key is replaced also where an id is expected', () => {
  const key = `sk_live_${'a1'.repeat(24)}`
  expect(keptBody({ merchantId: key, orderId: `x-${key}`, modifiers: [key] })).toEqual({
    ...{ merchantId: '***', orderId: 'x-***', modifiers: ['***'] },
  })
  expect(keptPath(`/v1/order/${key}?merchantId=${key}&limit=5`)).toBe('/v1/order/***?merchantId=***&limit=5')
})

test('of a body with thousands of fields no more is read than is kept', () => {
  let read = 0
  const one = { enumerable: true, get: () => ++read }
  const wide = Object.defineProperties({}, Object.fromEntries(Array.from({ length: 8_600 }, (_, i) => [`f${i}`, one])))
  const list = {
    items: new Proxy(Array(8_600).fill('x'), {
      get: (of, at) => {
        if (typeof at === 'string') read++
        return Reflect.get(of, at)
      },
    }),
  }
  expect(keptJson(wide, 4_096)).toHaveLength(4_096)
  expect(read).toBeLessThan(600)
  read = 0
  expect(keptJson(list, 4_096)).toHaveLength(4_096)
  expect(read).toBeLessThan(1_500)
})

test('of the fields that a body may have, these alone are hidden; whoever adds one decides here', () => {
  const names = [
    ...new Set(Object.values({ ...catalog, ...gateways, ...orders, ...printing, ...webhooks }).flatMap(namesIn)),
  ]
  expect(names).toEqual(expect.arrayContaining(['umsId', 'station', 'expireOldInHours']))
  const isKept = (name: string) => JSON.stringify(keptBody({ [name]: 'said' })).includes('said')
  expect(names.filter((name) => !isKept(name)).sort()).toEqual([
    ...[
      'content',
      'customer',
      'data',
      'description',
      'email',
      'from',
      'items',
      'name',
      'note',
      'phone',
      'q',
      'reason',
      'server',
      'table',
    ],
    ...['text', 'title', 'to', 'url'],
  ])
})

/** Every field name of a call's input: such schemas refuse unknown ones. */
function namesIn(exported: unknown): string[] {
  if (!(exported instanceof z.ZodObject) || !(exported.def.catchall instanceof z.ZodNever)) return []
  return namesInside(z.toJSONSchema(exported, { io: 'input', unrepresentable: 'any' }) as JsonSchema & Defs)
}

interface Defs {
  $defs?: Record<string, JsonSchema>
}

function namesInside({ properties = {}, items, anyOf = [], oneOf = [], $defs = {} }: JsonSchema & Defs): string[] {
  const inner = [...Object.values(properties), ...Object.values($defs), ...(items ? [items] : []), ...anyOf, ...oneOf]
  return [...Object.keys(properties), ...inner.flatMap(namesInside)]
}
