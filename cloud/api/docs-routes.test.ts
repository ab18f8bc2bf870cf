// The pages of the documents: whole, self-contained, with links that lead somewhere, under a policy that lets nothing in.
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_TABLE } from '#shared/errors.ts'
import { submitPrintJob } from '#shared/wire/api/printing.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { type Answered, RelayApi } from '#test/doubles/relay-api.ts'
import { Components } from './openapi/components.ts'
import type { OpenApiDocument } from './openapi/json-schema.ts'

let api: RelayApi
let document: OpenApiDocument
let pages: Record<'/docs' | '/docs/errors', Answered>
beforeAll(async () => {
  api = await RelayApi.open()
  const get = (url: string) => api.call('GET', url, { key: null })
  document = (await get('/v1/openapi.json')).body
  pages = { '/docs': await get('/docs'), '/docs/errors': await get('/docs/errors') }
})
afterAll(() => api.close())

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? '')

describe.each(['/docs', '/docs/errors'] as const)('%s', (url) => {
  test('is HTML in one piece: no script, nothing from elsewhere, no inline style', () => {
    const { status, headers, text } = pages[url]
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).not.toMatch(/<script|<img|<link|<iframe| style=| on\w+=|@import|url\(/)
    expect(text.match(/<style>/g)).toHaveLength(1)
  })

  test('comes under a policy that allows its one style sheet by its hash, the icon, and nothing else', () => {
    const { headers, text } = pages[url]
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
  })

  test('has unique ids, and every link of it leads to one', () => {
    const ids = idsOf(pages[url].text)
    expect(new Set(ids).size).toBe(ids.length)
    const lost = [...pages[url].text.matchAll(/href="([^"]+)"/g)].filter(([, href = '']) => {
      const [path = '', anchor] = href.split('#')
      if (path === '/v1/openapi.json') return false
      const target = pages[(path === '' ? url : path) as keyof typeof pages]
      return !target || (anchor !== undefined && !idsOf(target.text).includes(anchor))
    })
    expect(lost.map((match) => match[1])).toEqual([])
  })
})

test('the reference has every operation, event and schema, in the list at the side too', () => {
  const ids = idsOf(pages['/docs'].text)
  const side = /<nav class="side"[\s\S]*?<\/nav>/.exec(pages['/docs'].text)?.[0] ?? ''
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(operations.length).toBeGreaterThan(1)
  for (const { operationId } of operations) {
    expect(ids).toContain(operationId)
    expect(side).toContain(`href="#${operationId}"`)
  }
  for (const type of WEBHOOK_EVENT_TYPES) expect(side).toContain(`href="#event-${type}"`)
  for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`)
})

test.each(['/docs', '/docs/errors'] as const)(
  '%s has one list of contents, a step from the bar of a narrow screen',
  (url) => {
    expect(pages[url].text.match(/<nav /g)).toHaveLength(1)
    expect(pages[url].text).toContain('<a class="bar" href="#contents">')
  },
)

test('the page of errors has an entry for every code, where docUrl leads', () => {
  const ids = idsOf(pages['/docs/errors'].text)
  for (const code of Object.keys(ERROR_TABLE)) expect(ids).toContain(code)
})

test('each group of the page of errors has a title in words, not the prefix of its codes', () => {
  const titles = [...pages['/docs/errors'].text.matchAll(/<h2 id="(\w+)">([^<]+)<\/h2>/g)]
  expect(titles.length).toBeGreaterThan(10)
  expect(titles.filter(([, prefix, title]) => prefix === title)).toEqual([])
})

test('what a client sends cannot become HTML of these pages', () => {
  expect(pages['/docs'].text).not.toContain('<API key>')
  expect(pages['/docs'].text).toContain('&lt;API key&gt;')
})

describe('the document', () => {
  test('says of 503 why it comes, and which of its codes carries which header', () => {
    const { description = '' } = document.paths['/v1/order/inject']?.['post']?.responses['503'] ?? {}
    for (const words of ['stopping', 'disk is full', 'holds the database', 'damaged', 'Should-Retry'])
      expect(description).toContain(words)
    expect(description).toMatch(/`printer\.offline`: .*without `Retry-After`/)
  })

  test('says of a print job which fields exclude each other', () => {
    const components = new Components()
    components.of(submitPrintJob, 'input')
    const fields = Object.entries(components.schemas['SubmitPrintJob']?.properties ?? {})
    const conditional = fields.filter(([, { description }]) => /Only |Not with /.test(description ?? ''))
    expect(conditional.map(([name]) => name)).toEqual(
      'title text content serviceOrderId station printerId locationId orderType table server allergens'.split(' '),
    )
  })

  test('is OpenAPI 3.1, public, and readable by tools on other sites', async () => {
    const answer = await api.call('GET', '/v1/openapi.json', { key: null })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: 'https://relay.example' }])
  })

  test('says of inject what the contract says', () => {
    const inject = document.paths['/v1/order/inject']?.['post']
    expect(inject).toMatchObject({ operationId: 'injectOrder', 'x-scope': 'orders:write' })
    expect(inject?.responses['503']?.['x-error-codes']).toEqual(['printer.offline', 'service.unavailable'])
    expect(document.components.schemas['InjectOrder']).toMatchObject({
      required: ['merchantId', 'orderId', 'source', 'items', 'total'],
      additionalProperties: false,
      properties: { total: { type: 'number', minimum: 0, maximum: 9_999_999.99 }, print: { default: true } },
    })
  })

  test('says what the further fields of a refusal are and mean', () => {
    const further = (path: string, status: string) =>
      document.paths[path]?.['post']?.responses[status]?.content?.['application/json']?.schema.allOf?.[1]?.properties
    expect(further('/v1/order/inject', '422')).toMatchObject({
      expected: { type: 'number', description: expect.any(String) },
    })
    expect(pages['/docs/errors'].text).toContain('What the items sum up to.')
  })

  test('says of an event what its receiver verifies, and that it carries no key', () => {
    const printed = document.webhooks['order.printed']?.post
    const headers = (printed?.parameters ?? []).map((one) => ('name' in one ? one.name : ''))
    expect(headers).toEqual(expect.arrayContaining(['X-Service-Signature', 'webhook-id', 'webhook-signature']))
    expect(printed?.security).toEqual([])
    expect(printed?.requestBody?.content['application/json']?.schema.allOf?.[1]).toMatchObject({
      properties: { type: { const: 'order.printed' } },
      required: ['type', 'data'],
    })
  })

  test('lets answers grow: none of their schemas refuses unknown fields', () => {
    const answers = ['Order', 'OrderResult', 'Error', 'WebhookEvent']
    for (const name of answers) expect(document.components.schemas[name]?.additionalProperties).not.toBe(false)
  })
})

describe.each(['/v1/openapi.json', '/docs', '/docs/errors'])('%s, as bytes', (url) => {
  const get = (headers: Record<string, string> = {}) => api.app.inject({ url, headers })

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
  ])('for %s comes compressed by %s, a fraction of its size', async (accepted, encoding, open) => {
    const [plain, small] = [await get(), await get({ 'accept-encoding': accepted })]
    expect([plain.headers['content-encoding'], small.headers['content-encoding']]).toEqual([undefined, encoding])
    expect(open(small.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(small.rawPayload.length * 4).toBeLessThan(plain.rawPayload.length)
    expect(Number(small.headers['content-length'])).toBe(small.rawPayload.length)
    expect([plain.headers.vary, small.headers.vary]).toEqual(['accept-encoding', 'accept-encoding'])
  })

  test('has a strong ETag of each encoding, and is 304 to whoever has these bytes', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map(async (name) => String((await get({ 'accept-encoding': name })).headers.etag)),
    )
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{22}"$/)
    const [plain = '', , br = ''] = tags
    const known = await get({ 'if-none-match': `"other", W/${plain}` })
    expect([known.statusCode, known.rawPayload.length, known.headers.etag]).toEqual([304, 0, plain])
    expect(known.headers['cache-control']).toBe('public, max-age=300')
    expect((await get({ 'if-none-match': br })).statusCode).toBe(200)
    expect((await get({ 'if-none-match': '*' })).statusCode).toBe(304)
  })
})

describe('a route', () => {
  test.each([
    ['without config.doc under /v1', {}, /has no config.doc/],
    ['with the operationId of another', { doc: { operationId: 'getOrder', summary: 'x', tag: 'Orders' } }, /is taken/],
  ] as const)('%s does not register', async (_name, config, words) => {
    await expect(
      RelayApi.open({
        routes: (app) => {
          app.route({ method: 'GET', url: '/v1/new', config: { access: 'any-key', ...config }, handler: () => ({}) })
        },
      }),
    ).rejects.toThrow(words)
  })
})
