// The files of the dashboard's page: at any of its paths, never in place of an answer, and the message when they were not built.
import { afterEach, expect, test } from 'vitest'
import { DashboardDesk } from '#test/fixtures/dashboard-desk.ts'

const FILES: Readonly<Record<string, string>> = {
  'dashboard.html': '<title>dashboard</title>',
  'assets/page-1a2b.js': 'console.log(1)',
}
let desk: DashboardDesk
const open = async (files: typeof FILES): Promise<void> => {
  desk = await DashboardDesk.open({ files: (path) => (path in files ? Buffer.from(files[path] ?? '') : null) })
}
const get = (url: string, headers: Record<string, string> = {}) => desk.api.call('GET', url, { key: null, headers })
afterEach(() => desk.close())

test('the page answers at every path below /dashboard, by HEAD too, and is revalidated each time', async () => {
  await open(FILES)
  for (const url of ['/dashboard', '/dashboard/', '/dashboard/orders/ord_1?x=1', '/dashboard/a/b/c/d'])
    expect((await get(url)).text, url).toContain('<title>dashboard')
  const page = await get('/dashboard')
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  expect((await get('/dashboard', { 'if-none-match': String(page.headers['etag']) })).status).toBe(304)
  expect((await desk.api.call('HEAD', '/dashboard/orders', { key: null })).status).toBe(200)
})

test('files with a hash in their name are cached forever; no path leads out of the folder', async () => {
  await open(FILES)
  const file = await get('/dashboard/assets/page-1a2b.js')
  expect([file.text, file.headers['cache-control']]).toEqual(['console.log(1)', 'public, max-age=31536000, immutable'])
  for (const url of ['/dashboard/assets/nothing.js', '/dashboard/assets/..%2fdashboard.html', '/dashboard/assets/'])
    expect([(await get(url)).status, (await get(url)).headers['cache-control']], url).toEqual([404, 'no-store'])
})

test('neither page nor files are sent in place of an API response', async () => {
  await open(FILES)
  for (const url of ['/dashboard/api/', '/dashboard/api/nothing', '/dashboard/api/session/nothing'])
    expect((await get(url)).body, url).toMatchObject({ code: 'request.not_found' })
})

test('a page that was not built is reported as such', async () => {
  await open({})
  const answer = await get('/dashboard/orders')
  expect(answer.status).toBe(503)
  expect(answer.text).toContain('npm run build:web')
})

test('it is not part of the OpenAPI document', async () => {
  await open(FILES)
  expect((await get('/v1/openapi.json')).text).not.toContain('/dashboard')
})
