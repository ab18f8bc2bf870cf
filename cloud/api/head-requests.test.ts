// HEAD, which uptime monitors and link checkers send: the probes and the public documents answer it as GET, without the body.
import { afterEach, expect, test } from 'vitest'
import { RelayApi } from '#test/doubles/relay-api.ts'

let api: RelayApi | null = null
afterEach(() => api?.close())

const PUBLIC = [
  '/healthz',
  '/readyz',
  '/docs',
  '/docs/errors',
  '/docs/webhooks',
  '/docs/search',
  '/llms.txt',
  '/docs/agents.json',
  '/v1/openapi.json',
] as const

/** Headers that are those of the one request. */
const OWN = { 'x-request-id': '', date: '' }

test.each(PUBLIC)('HEAD %s has the status and the headers of GET, and no body', async (url) => {
  api = await RelayApi.open()
  const [head, get] = [await api.app.inject({ method: 'HEAD', url }), await api.app.inject({ method: 'GET', url })]
  expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
  expect({ ...head.headers, ...OWN }).toEqual({ ...get.headers, ...OWN })
  expect(Number(head.headers['content-length'])).toBe(get.rawPayload.length)
})

test('HEAD /readyz is 503 while the relay takes no orders', async () => {
  api = await RelayApi.open()
  api.ready = false
  expect((await api.app.inject({ method: 'HEAD', url: '/readyz' })).statusCode).toBe(503)
})

test('HEAD /docs is 304 to whoever has its bytes', async () => {
  api = await RelayApi.open()
  const { etag } = (await api.app.inject({ method: 'HEAD', url: '/docs' })).headers
  const again = await api.app.inject({ method: 'HEAD', url: '/docs', headers: { 'if-none-match': String(etag) } })
  expect([again.statusCode, again.headers.etag]).toEqual([304, etag])
})

test('other methods at a probe are 405, with HEAD among those that are allowed', async () => {
  api = await RelayApi.open()
  const refused = await api.app.inject({ method: 'DELETE', url: '/healthz' })
  expect([refused.statusCode, refused.headers.allow]).toEqual([405, 'GET, HEAD'])
})
