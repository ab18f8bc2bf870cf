// What is kept of a request's body, and what is shown of an event: no customer, no secret, and everything else as it was.
import { expect, test } from 'vitest'
import { keptBody, withoutCustomers } from './hide-fields.ts'

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

test('what is no object stays as it is', () => {
  expect([null, 'text', 4, true].map(keptBody)).toEqual([null, 'text', 4, true])
})
