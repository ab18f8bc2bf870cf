// The public status page: its figures for all live restaurants together, its language, and what it does not reveal.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NO_COUNTS, withOne } from '#cloud/metrics/latency-buckets.ts'
import { EVERY_PLACE, LatencyStore } from '#cloud/storage/latency-store.ts'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { statusRoutes } from './status-routes.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 12)

let clock: ManualClock
let api: RelayApi
beforeEach(async () => {
  clock = new ManualClock(NOON)
  api = await RelayApi.open({
    clock,
    routes: (app, { db }) =>
      statusRoutes(app, { latency: new LatencyStore(db), clock, docBase: () => 'https://relay.example' }),
  })
})
afterEach(() => api.close())

const get = async (path: string, headers: Record<string, string> = {}) =>
  (await api.app.inject({ method: 'GET', url: path, headers })).body

async function took(ms: readonly number[], { hoursAgo = 1, place = EVERY_PLACE } = {}): Promise<void> {
  const counts = ms.reduce<readonly number[]>((sum, one) => withOne(sum, one), NO_COUNTS)
  const slice = { location_id: place, minutes: 60, slot: NOON - hoursAgo * HOUR, stage: 'paper' } as const
  await api.db.unit((tx) => new LatencyStore(api.db).put(tx, [{ ...slice, counts: [...counts] }]))
}
const times = (n: number, ms: number) => Array.from({ length: n }, () => ms)

test('without a key anyone reads how many orders were on paper in time', async () => {
  await took([...times(199, 900), 60_000])
  const page = await get('/status')
  expect(page).toContain('Target: 99% within 2 s')
  expect(page).toContain('met: 99.5%')
  expect(page).toContain('<th scope="row">2026-11-20</th><td>200</td><td>99.5%</td>')
  // Of webhooks there is nothing yet.
  expect(page).toContain('Too few orders to say something.')
})

test('a share just below the target is not rounded up to it', async () => {
  await took([...times(9_899, 900), ...times(101, 60_000)])
  expect(await get('/status')).toContain('missed: 98.99%')
})

test('few orders have no figure, and a single restaurant is not included', async () => {
  await took(times(19, 60_000))
  await took(times(500, 60_000), { place: asId<'loc'>('loc_bistro') })
  const page = await get('/status')
  expect(page).toContain('few orders')
  expect(page).not.toContain('missed:')
  expect(page).not.toContain('519')
})

test('it has the language of the address or the browser', async () => {
  expect(await get('/status?lang=es')).toContain('<html lang="es">')
  expect(await get('/status', { 'accept-language': 'fr, zh-CN;q=0.9, en;q=0.5' })).toContain('<html lang="zh-Hans">')
  expect(await get('/status?lang=%22%3E%3Cscript%3E')).toContain('<html lang="en">')
})

test('the feed has each day that missed a target, once it is over', async () => {
  await took(times(50, 60_000), { hoursAgo: 1 })
  expect(await get('/status.rss')).not.toContain('<item>')
  await clock.advance(24 * HOUR)
  const feed = await get('/status.rss')
  expect(feed).toContain('<guid isPermaLink="false">2026-11-20 paper</guid>')
  expect(feed).toContain('<pubDate>Fri, 20 Nov 2026 23:59:59 GMT</pubDate>')
})

test('repeated requests without a key read the database once a minute', async () => {
  await get('/status')
  await took(times(50, 900))
  expect(await get('/status')).not.toContain('met: 100%')
  await clock.advance(60_000)
  expect(await get('/status')).toContain('met: 100%')
})
