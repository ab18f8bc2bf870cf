// The judge of answers must find what it is there to find.
import { describe, expect, it } from 'vitest'
import type { OpenApiDocument, Operation } from '#cloud/api/openapi/json-schema.ts'
import { type AnswerToCheck, answerFaults, operationOf } from './check-answer.ts'

const error = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
const getOrder: Operation = {
  operationId: 'getOrder',
  summary: 'Read an order',
  tags: ['Orders'],
  responses: {
    200: {
      description: 'Done',
      content: {
        'application/json': { schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
      },
    },
    404: { description: 'No', ...error, 'x-error-codes': ['order.not_found'] },
    409: { description: 'No', ...error, 'x-error-codes': ['order.not_voidable'] },
  },
}
const word = { type: 'string' }
const document = {
  paths: { '/v1/order/{id}': { get: getOrder }, '/v1/order/inject': { post: { ...getOrder, operationId: 'inject' } } },
  components: {
    schemas: {
      Error: {
        type: 'object',
        properties: {
          code: word,
          message: word,
          status: { type: 'integer' },
          requestId: word,
          docUrl: word,
          orderStatus: word,
        },
        required: ['code', 'message', 'status', 'requestId', 'docUrl'],
      },
    },
  },
} as unknown as OpenApiDocument

const json = 'application/json; charset=utf-8'
const right: AnswerToCheck = {
  method: 'GET',
  url: '/v1/order/ord_1?merchantId=M-TEST-001',
  status: 200,
  headers: { 'content-type': json, 'x-request-id': 'req_1' },
  text: '{"id":"ord_1"}',
}
const refusal = (code: string, status: number, more: object = {}): Partial<AnswerToCheck> => ({
  status,
  text: JSON.stringify({ code, message: 'm', status, requestId: 'req_1', docUrl: 'd', ...more }),
})
const faults = (change: Partial<AnswerToCheck>) => answerFaults(document, { ...right, ...change }).join('\n')

describe('the judge of answers', () => {
  it('lets right answers pass, refusals and unknown paths too', () => {
    expect(faults({})).toBe('')
    expect(faults(refusal('order.not_found', 404))).toBe('')
    expect(faults(refusal('order.not_voidable', 409, { orderStatus: 'completed' }))).toBe('')
    expect(faults({ url: '/v1/nothing', ...refusal('request.not_found', 404) })).toBe('')
    expect(faults({ url: '/healthz', text: 'ok' })).toBe('')
  })

  it.each<[string, Partial<AnswerToCheck>, string]>([
    ['a status that is not documented', { status: 202 }, 'no such status'],
    ['another media type', { headers: { ...right.headers, 'content-type': 'text/plain' } }, 'no text/plain'],
    ['no request id', { headers: { 'content-type': json } }, 'no X-Request-Id'],
    ['a missing field', { text: '{}' }, '$.id: is missing'],
    ['a field that is not documented', { text: '{"id":"a","more":1}' }, '$.more'],
    ['text that is no JSON', { text: '<html>' }, 'not JSON'],
    ['an error code that is not documented there', refusal('ums.not_found', 404), 'ums.not_found is not documented'],
    ['a code under the status of another', { ...refusal('order.not_voidable', 404) }, 'is not 404'],
    ['a body that tells another status', refusal('order.not_found', 404, { status: 400 }), 'the body says 400'],
    ['another request id in the body', refusal('order.not_found', 404, { requestId: 'req_2' }), 'requestId'],
    ['an error without its further fields', refusal('order.not_voidable', 409), 'lacks its further fields'],
    [
      'an unknown path with a code of another kind',
      { url: '/v1/nothing', ...refusal('order.not_found', 404) },
      'order.not_found',
    ],
  ])('finds %s', (_name, change, words) => {
    expect(faults(change)).toContain(words)
  })

  it('matches a literal path before a pattern', () => {
    expect(operationOf(document, 'POST', '/v1/order/inject')?.operationId).toBe('inject')
    expect(operationOf(document, 'GET', '/v1/order/inject')).toBeNull()
    expect(operationOf(document, 'GET', '/v1/order/ord_2')?.operationId).toBe('getOrder')
  })
})
