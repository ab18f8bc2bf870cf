// The message about each invalid field: the required value, in words, wherever the field is.
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { injectOrder, ordersQuery } from '#shared/wire/api/orders.ts'
import { submitPrintJob } from '#shared/wire/api/printing.ts'
import { recoverWebhook, testWebhook } from '#shared/wire/api/webhooks.ts'
import { type InvalidRequest, validatorCompiler } from './zod-schema.ts'

function messagesOf(schema: z.ZodType, data: unknown, httpPart = 'body'): Record<string, string> {
  const checked = validatorCompiler({ schema, httpPart, method: 'POST', url: '/' })(data) as { error: InvalidRequest }
  return Object.fromEntries(checked.error.errors.map(({ field, message }) => [field, message]))
}

const order = { merchantId: 'M-TEST-001', orderId: 'a', source: 'test', total: 1 }
const line = { umsId: 'A', qty: 1, price: 1 }

test('each field has a message with the expected value', () => {
  const wrong = {
    merchantId: 'M-TEST-001',
    source: '',
    total: '25',
    items: [
      { umsId: 'A', qty: 0 },
      { ...line, qty: 1.5, modifiers: ['ok', 7] },
    ],
    customer: { email: 'nobody', name: 'x'.repeat(121) },
    print: 'yes',
    tip: null,
  }
  expect(messagesOf(injectOrder, wrong)).toEqual({
    orderId: 'is required',
    source: 'must have at least 1 character',
    total: 'must be a number',
    'items[0].price': 'is required',
    'items[0].qty': 'must be 1 or more',
    'items[1].modifiers[1]': 'must be text or an object',
    'items[1].qty': 'must be a whole number',
    'customer.email': 'must be an e-mail address',
    'customer.name': 'must have at most 120 characters',
    print: 'must be true or false',
    tip: 'must be a number',
  })
})

test('a field of two forms has the message of the form that was sent', () => {
  const modifiers = [{ umsId: 'A', verb: 'sub' }, { umsId: 'A', qty: 0 }, { umsId: 'A', size: 1 }, {}, '']
  expect(messagesOf(injectOrder, { ...order, items: [{ ...line, modifiers }] })).toEqual({
    'items[0].modifiers[0].verb': 'must be add, remove, instead or side',
    'items[0].modifiers[1].qty': 'must be 1 or more',
    'items[0].modifiers[2].size': 'unknown field',
    'items[0].modifiers[3].umsId': 'is required',
    'items[0].modifiers[4]': 'must have at least 1 character',
  })
})

test('a body that is no object is reported under the name body', () => {
  expect(messagesOf(injectOrder, [])).toEqual({ body: 'must be an object' })
})

test('a list that is too short, and a word that is not known', () => {
  expect(messagesOf(injectOrder, { ...order, items: [] })).toEqual({ items: 'must have at least 1 entry' })
  expect(messagesOf(ordersQuery, { merchantId: 'M', status: 'lost', limit: '101' }, 'querystring')).toEqual({
    status: 'must be accepted, printed, ready, completed, voided or refunded',
    limit: 'must be 100 or less',
  })
  const content = [{ type: 'picture' }]
  expect(messagesOf(submitPrintJob, { merchantId: 'M', type: 'kitchen', content })).toEqual({
    'content[0].type': 'must be text, rule, qr or barcode',
  })
})

test('a missing field is required, also where a schema has its own text, and a query names its place', () => {
  expect(messagesOf(testWebhook, { merchantId: 'M' })).toEqual({ type: 'is required' })
  expect(messagesOf(recoverWebhook, { merchantId: 'M' })).toEqual({ since: 'is required' })
  expect(messagesOf(ordersQuery, {}, 'querystring')).toEqual({ merchantId: 'is required in the query' })
})

test('a rule about several fields keeps its own words', () => {
  expect(messagesOf(submitPrintJob, { merchantId: 'M', type: 'label' })).toEqual({
    text: 'exactly one of text, content and serviceOrderId is required',
  })
})
