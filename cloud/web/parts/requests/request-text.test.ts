// A request as it is offered for a terminal and to be sent again: at a test restaurant, as an order of its own, without the key.
import { expect, test } from 'vitest'
import { againOf, helpPieces, objectIn, requestCurl } from './request-text.ts'

const live = {
  method: 'POST',
  path: '/v1/order/inject',
  environment: 'live' as const,
  body: '{"merchantId":"M-PROD-1","orderId":"kiosk-1","customer":{"name":"***"}}',
}
const to = { merchantId: 'M-TEST-001', mark: 'again-7' }

test('as curl it names the variable of the key, never a key', () => {
  expect(requestCurl(live, 'https://relay.test')).toContain('-H "authorization: Bearer $TICKETRAIL_API_KEY"')
  expect(requestCurl({ ...live, method: 'GET', body: null }, 'https://relay.test')).not.toContain('content-type')
})

test('a live order is offered at a test restaurant, as an order of its own', () => {
  expect(JSON.parse(againOf(live, to).body)).toEqual({
    merchantId: 'M-TEST-001',
    orderId: 'kiosk-1-again-7',
    customer: { name: '***' },
  })
})

test('the restaurant in a path follows too, and one of the sandbox stays', () => {
  const read = { method: 'GET', path: '/v1/orders?merchantId=M-PROD-1&limit=5', body: null }
  expect(againOf({ ...read, environment: 'live' }, to).path).toBe('/v1/orders?merchantId=M-TEST-001&limit=5')
  const own = { ...read, path: '/v1/orders?merchantId=M-TEST-002', environment: 'sandbox' as const }
  expect(againOf(own, to)).toEqual({ path: '/v1/orders?merchantId=M-TEST-002', body: '' })
})

test('a body of which only the beginning is kept is offered as it is', () => {
  const cut = { ...live, body: '{"merchantId":"M-PROD-1","items":[{"na' }
  expect(againOf(cut, to).body).toBe(cut.body)
  expect(objectIn(cut.body)).toBeNull()
})

test('text in backticks is code', () => {
  expect(helpPieces('**Send** `total` again.')).toEqual([
    { text: 'Send ', isCode: false },
    { text: 'total', isCode: true },
    { text: ' again.', isCode: false },
  ])
})
