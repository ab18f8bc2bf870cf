// The latency slices of an account: median and slow end, against the targets, by the hours of each restaurant.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NO_COUNTS, withOne } from '#cloud/metrics/latency-buckets.ts'
import type { Stage } from '#cloud/metrics/order-stages.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { AccountDesk, type Restaurant } from '#test/fixtures/account-desk.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 12)

let desk: AccountDesk
let bistro: Restaurant
beforeEach(async () => {
  desk = await AccountDesk.open({ clock: new ManualClock(NOON) })
  bistro = await desk.restaurant('bistro')
})
afterEach(() => desk.close())

const read = (raw: object = {}, accountId = bistro.accountId) =>
  desk.perform(desk.person('manager', accountId), 'slices.read', { environment: 'live', ...raw })

async function took(
  ms: readonly number[],
  { hoursAgo = 1, stage = 'paper' }: { hoursAgo?: number; stage?: Stage } = {},
) {
  const counts = ms.reduce<readonly number[]>((sum, one) => withOne(sum, one), NO_COUNTS)
  const slot = NOON - hoursAgo * HOUR
  const row = { location_id: bistro.locationId, slot, stage }
  await desk.api.db.unit((tx) =>
    desk.context.latency.put(tx, [
      { ...row, minutes: 5, counts: [...counts] },
      { ...row, minutes: 60, counts: [...counts] },
    ]),
  )
}
const times = (n: number, ms: number) => Array.from({ length: n }, () => ms)

test('a target is met by its share, and missed by one ticket more', async () => {
  await took([...times(99, 900), 5_000])
  const paper = async () => (await read()).stages.find(({ stage }) => stage === 'paper')
  expect(await paper()).toMatchObject({ count: 100, target: { ms: 2_000, reached: 0.99, isMet: true } })
  await took([...times(98, 900), 5_000, 5_000])
  expect(await paper()).toMatchObject({ target: { reached: 0.98, isMet: false } })
})

test('fewer than 20 tickets have only their count', async () => {
  await took(times(19, 900))
  const { stages, least } = await read()
  expect([least, stages[0]]).toEqual([
    20,
    {
      stage: 'paper',
      count: 19,
      p50Ms: null,
      p95Ms: null,
      target: { ms: 2_000, share: 0.99, reached: null, isMet: null },
    },
  ])
})

test('the line has a point for every hour of the week, and every quarter of an hour of a day', async () => {
  await took(times(20, 150), { stage: 'webhook', hoursAgo: 2 })
  const week = (await read({ days: 7 })).series
  expect([week.length, week.at(-1)?.at]).toEqual([168, '2026-11-20T12:00:00.000Z'])
  expect(week.find(({ at }) => at === '2026-11-20T10:00:00.000Z')?.webhook).toMatchObject({ count: 20, p95Ms: 195 })
  expect((await read({ days: 1 })).series).toHaveLength(96)
  expect((await read({ days: 30 })).series).toHaveLength(120)
})

test('the map has the hours as the clock of the restaurant shows them', async () => {
  await desk.api.db.unit((tx) =>
    desk.context.merchants.change(tx, bistro.merchantKey, { time_zone: 'America/New_York' }),
  )
  await took(times(25, 900), { hoursAgo: 1 })
  const [place] = (await read()).places
  // 11:00 UTC is 6 in the morning there.
  expect(place?.hours.map(({ count }) => count)).toEqual([...times(6, 0), 25, ...times(17, 0)])
  expect(place).toMatchObject({ merchantId: bistro.merchantId, name: 'Main' })
})

test('an account sees its own places alone; of another one it is refused', async () => {
  await took(times(25, 900))
  const { accountId } = await desk.restaurant('kiosk')
  expect((await read({}, accountId)).stages[0]?.count).toBe(0)
  await expect(read({ merchantId: bistro.merchantId }, accountId)).rejects.toMatchObject({
    code: 'merchant.not_authorized',
  })
  expect((await read({ merchantId: bistro.merchantId })).stages[0]?.count).toBe(25)
})
