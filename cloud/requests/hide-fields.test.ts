// What is kept of a request's body, and what is shown of an event: no customer, no secret, and everything else as it was.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from '#cloud/api/openapi/json-schema.ts'
import * as catalog from '#shared/wire/api/catalog.ts'
import * as gateways from '#shared/wire/api/gateways.ts'
import * as orders from '#shared/wire/api/orders.ts'
import * as printing from '#shared/wire/api/printing.ts'
import * as webhooks from '#shared/wire/api/webhooks.ts'
import { keptBody, keptPath, withoutCustomers } from './hide-fields.ts'

const order = {
  merchantId: 'M-PROD-1',
  items: [{ umsId: 'UMS-1', qty: 2, price: 12.5, note: 'for Ana' }],
  customer: { name: 'Ana', phone: '+1 555 0100', email: null },
  note: '',
}

test('customers and notes are replaced wherever they stand, and what is empty stays empty', () => {
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
    config: { apiKey: 's3cret', clientSecret: 's3cret', password: ['s3cret'], headers: { Authorization: 's3cret' } },
    events: ['order.ready'],
  }
  expect(keptBody(body)).toEqual({
    url: 'https://hooks.bistro.test/***',
    callbackUrl: '/***',
    config: { apiKey: '***', clientSecret: '***', password: ['***'], headers: { Authorization: '***' } },
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

test('what the API does not know is replaced, because it may be a customer under a wrong name', () => {
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
  expect(keptPath('/v1/skus?q=Ana?merchantId=Bo&%6Cimit=Ana')).toBe('/v1/skus?q=***&%6Cimit=***')
  expect(['/v1/orders', '/v1/orders?'].map(keptPath)).toEqual(['/v1/orders', '/v1/orders?'])
})

test('of the fields that a body may have, these alone are hidden; whoever adds one decides here', () => {
  const names = [
    ...new Set(Object.values({ ...catalog, ...gateways, ...orders, ...printing, ...webhooks }).flatMap(namesIn)),
  ]
  expect(names).toEqual(expect.arrayContaining(['umsId', 'station', 'expireOldInHours']))
  const isKept = (name: string) => JSON.stringify(keptBody({ [name]: 'said' })).includes('said')
  expect(names.filter((name) => !isKept(name)).sort()).toEqual([
    ...['customer', 'data', 'description', 'email', 'from', 'name', 'note', 'phone', 'q', 'reason', 'server', 'table'],
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
