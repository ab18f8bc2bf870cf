// The icon that browsers ask for at pages that name none.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { iconRoutes } from './icon-routes.ts'

let api: RelayApi
beforeAll(async () => {
  api = await RelayApi.open({ routes: iconRoutes })
})
afterAll(() => api.close())

test('browsers get the mark at /favicon.ico, keep it for a day, and may show it at the pages for people', async () => {
  const { status, headers, text } = await api.call('GET', '/favicon.ico', { key: null })
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    ...[200, 'image/svg+xml', 'public, max-age=86400'],
  ])
  expect(text).toContain('<svg')
  const page = await api.call('GET', '/docs', { key: null })
  expect(page.headers['content-security-policy']).toContain("img-src 'self'")
})
