// The answer to an internal error: how to repeat this call, and nothing about an orderId where there is none.
import { expect, test } from 'vitest'
import { internalError } from './error-reply.ts'

test('of the check of an order names no key, because it takes none', () => {
  const routeOptions = { url: '/v1/order/check', config: { doc: { takesNoIdempotencyKey: true } } }
  const { message } = internalError({ method: 'POST', routeOptions } as never)
  expect(message).toBe('Something went wrong on our side. Sending the same call again is safe.')
})

test.each([
  ['GET', '/v1/order/:serviceOrderId', 'Sending the same call again is safe.'],
  ['DELETE', '/v1/webhook/:webhookId', 'Sending the same call again is safe.'],
  ['POST', '/v1/order/inject', 'Sending the same call again with the same orderId is safe.'],
  ['POST', '/v1/print/job', 'Sending the same call again with the same Idempotency-Key is safe.'],
])('of %s %s', (method, url, words) => {
  const error = internalError({ method, routeOptions: { url } } as never, new Error('a bug'))
  expect([error.code, error.message]).toEqual(['internal.error', `Something went wrong on our side. ${words}`])
})
