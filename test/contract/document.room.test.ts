// The OpenAPI document as generators and linters need it: codes by name, headers, examples, events that are told apart.
import { afterAll, describe, expect, test } from 'vitest'
import { Components } from '#cloud/api/openapi/components.ts'
import { type Example, refName } from '#cloud/api/openapi/json-schema.ts'
import { submitPrintJob } from '#shared/wire/api/printing.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { schemaFaults } from './schema-check.ts'
import { WholeRelay } from './whole-relay.ts'

const relay = await WholeRelay.start()
afterAll(() => relay.stop())

const { document } = relay
const { schemas } = document.components
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

describe('the document', () => {
  test('documents the causes of 503, and which of its codes has which header', () => {
    const { description = '' } = document.paths['/v1/order/inject']?.['post']?.responses['503'] ?? {}
    for (const words of ['stopping', 'disk is full', 'holds the database', 'damaged', 'Should-Retry'])
      expect(description).toContain(words)
    expect(description).toMatch(/`printer\.offline`: .*without `Retry-After`/)
  })

  test('documents which fields of a print job exclude each other', () => {
    const components = new Components()
    components.of(submitPrintJob, 'input')
    const fields = Object.entries(components.schemas['SubmitPrintJob']?.properties ?? {})
    const conditional = fields.filter(([, { description }]) => /Only |Not with /.test(description ?? ''))
    expect(conditional.map(([name]) => name)).toEqual(
      'title text content serviceOrderId station printerId locationId orderType table server allergens'.split(' '),
    )
  })

  test('is OpenAPI 3.1, public, and readable by tools on other sites', async () => {
    const answer = await relay.call({ method: 'GET', path: '/v1/openapi.json', key: null })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: relay.url }])
  })

  test('is the same of every relay but for its address', async () => {
    const other = await WholeRelay.start()
    const text = JSON.stringify(other.document).replaceAll(other.url, relay.url)
    await other.stop()
    expect(JSON.parse(text)).toEqual(document)
  })

  test('documents inject as the contract requires', () => {
    const inject = document.paths['/v1/order/inject']?.['post']
    expect(inject).toMatchObject({ operationId: 'injectOrder', 'x-scope': ['orders:write'] })
    expect(inject?.responses['503']?.['x-error-codes']).toEqual(['printer.offline', 'service.unavailable'])
    expect(document.components.schemas['InjectOrder']).toMatchObject({
      required: ['merchantId', 'orderId', 'source', 'items', 'total'],
      additionalProperties: false,
      properties: { total: { type: 'number', minimum: 0, maximum: 9_999_999.99 } },
    })
  })

  test('documents the further fields of a refusal', () => {
    const further = (path: string, status: string) =>
      document.paths[path]?.['post']?.responses[status]?.content?.['application/json']?.schema.allOf?.[1]?.properties
    expect(further('/v1/order/inject', '422')).toMatchObject({
      expected: { type: 'number', description: expect.any(String) },
    })
  })

  test('documents what a receiver of an event verifies, and that an event carries no key', () => {
    const printed = document.webhooks['order.printed']?.post
    const headers = (printed?.parameters ?? []).map((one) => ('name' in one ? one.name : ''))
    expect(headers).toEqual(expect.arrayContaining(['X-Service-Signature', 'webhook-id', 'webhook-signature']))
    expect(printed?.security).toEqual([])
    const schema = printed?.requestBody?.content['application/json']?.schema
    expect(schema).toEqual({ $ref: '#/components/schemas/OrderPrintedEvent' })
  })

  test('lets answers grow: none of their schemas refuses unknown fields', () => {
    const answers = ['Order', 'OrderResult', 'Error', 'OrderPrintedEvent']
    for (const name of answers) expect(document.components.schemas[name]?.additionalProperties).not.toBe(false)
  })

  test('has one schema for each type of event, which `type` tells apart', () => {
    const { oneOf = [], discriminator } = schemas['WebhookEvent'] ?? {}
    expect(Object.keys(discriminator?.mapping ?? {})).toEqual([...WEBHOOK_EVENT_TYPES])
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator?.mapping ?? {}))
    for (const [type, ref] of Object.entries(discriminator?.mapping ?? {})) {
      const event = schemas[refName(ref)]
      expect(event?.properties?.['type']?.enum).toEqual([type])
      expect(event?.properties?.['data']?.$ref).toMatch(/Data$/)
      expect(event?.required).toEqual(expect.arrayContaining(['id', 'type', 'timestamp', 'data']))
    }
  })

  test('names its operations in camel case, those of the events too', () => {
    const calls = [...operations, ...Object.values(document.webhooks).map(({ post }) => post)]
    const ids = calls.map(({ operationId }) => operationId)
    expect(ids.filter((id) => !/^[a-z][a-zA-Z]+$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has no `default` in a body, which generators take for "always there", and describes it in words', () => {
    const bodies = operations.flatMap(({ requestBody }) => requestBody?.content['application/json']?.schema ?? [])
    expect(JSON.stringify([bodies, schemas])).not.toContain('"default":')
    expect(schemas['InjectOrder']?.properties?.['print']?.description).toContain('Without it: `true`.')
    expect(schemas['CreateWebhook']?.properties?.['events']?.description).toContain('Without it: `["*"]`.')
  })

  test('has no multipleOf: 0.01 is no sum of powers of two, and validators refuse one amount in nine by it', () => {
    expect(JSON.stringify(document)).not.toContain('multipleOf')
  })

  test('names both scopes of a claim code, and none where any key is accepted', () => {
    const scopes = (path: string, method: string) => document.paths[path]?.[method]?.['x-scope']
    expect(scopes('/v1/gateway/claim-code', 'post')).toEqual(['printers:control', 'orders:read'])
    expect(scopes('/v1/usage', 'get')).toEqual([])
  })

  test('is drawn with both scopes of a claim code, and with links to the types of events', async () => {
    const { text } = await relay.call({ method: 'GET', path: '/docs/reference', key: null })
    expect(text).toContain('scopes <code>printers:control</code> and <code>orders:read</code>')
    const events = /id="schema-WebhookEvent"[\s\S]*?<\/section>/.exec(text)?.[0] ?? ''
    expect(events).toContain('<a href="#schema-OrderPrintedEvent">OrderPrintedEvent</a>')
    expect(events).not.toContain('<dl')
  })
})

describe.each(operations.map((operation) => [operation.operationId, operation] as const))('%s', (_name, operation) => {
  const refusals = Object.entries(operation.responses).filter(([status]) => status >= '4')

  test('lists the codes of each refusal, and has an example of each that its schema allows', () => {
    expect(refusals.map(([status]) => status)).toEqual(expect.arrayContaining(['400', '401', '408', '429', '431']))
    for (const [, { content, 'x-error-codes': codes = [] }] of refusals) {
      const { schema = {}, examples = {} } = content?.['application/json'] ?? {}
      expect(schema.allOf?.[1]?.properties?.['code']?.enum).toEqual(codes)
      expect(Object.keys(examples)).toEqual(codes)
      for (const [code, example] of Object.entries(examples)) {
        const value = exampleValue(example) as { code: string }
        expect(value.code).toBe(code)
        expect(schemaFaults(value, schema, schemas)).toEqual([])
      }
    }
  })

  test('names the headers of each refusal', () => {
    for (const [status, { headers = {} }] of refusals) {
      const names = Object.keys(headers)
      expect(names).toContain('X-Request-Id')
      expect([status, names.includes('Retry-After')]).toEqual([status, ['429', '503'].includes(status)])
      expect([status, names.includes('Should-Retry')]).toEqual([status, status === '503'])
      expect([status, names.includes('X-RateLimit-Reset')]).toEqual([status, !['401', '408', '431'].includes(status)])
      for (const name of names) expect(document.components.headers).toHaveProperty(name)
    }
  })

  test('gives an example of every parameter in its path', () => {
    const inPath = (operation.parameters ?? []).filter((one) => 'in' in one && one.in === 'path')
    for (const one of inPath) expect(one).toHaveProperty('example')
  })
})

function exampleValue(example: Example): unknown {
  if ('value' in example) return example.value
  const found = document.components.examples[refName(example.$ref)]
  // Names of codes have a dot: what stands after the last slash.
  if (!found || !('value' in found)) throw new Error(`${example.$ref} leads nowhere`)
  return found.value
}
