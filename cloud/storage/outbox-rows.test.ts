// Times of retries that are put right: every row once, however many, and by the index.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { ofSqlite, PLANS } from '#test/harness/engines.ts'

const COUNT = 1_201
const DAY = 86_400_000
const limits = { leaseMs: 30_000, retrySeconds: [60, 300] }
let clock: ManualClock
let site: WebhookSite
beforeEach(async () => {
  clock = new ManualClock()
  site = await WebhookSite.open({ clock })
  for (const name of ['a', 'b']) await site.listen(`http://127.0.0.1:1/${name}`)
  await site.recordMany(COUNT)
})
afterEach(() => site.close())

/** Every delivery waits for its second attempt; many of them until the same moment. */
async function allWait(ms: number): Promise<void> {
  const nextAt = clock.now() + ms
  await site.db.unit(async (tx) => {
    for (const { ordinal } of await tx.selectFrom('deliveries').select('ordinal').execute())
      await tx
        .updateTable('deliveries')
        .set({ state: 'retrying', attempts: 1, next_at: nextAt + Math.floor(ordinal / 700) })
        .where('ordinal', '=', ordinal)
        .execute()
  })
}
const times = async () => (await site.rows()).map(({ next_at }) => next_at)

test.each([
  ['ahead by days', 3 * DAY],
  ['ahead by less than the wait', 20_000],
  ['back by days', -3 * DAY],
  ['back by less than the wait', -20_000],
])('each of thousands is moved once when the clock is set %s', async (_, byMs) => {
  await allWait(50_000)
  const before = await times()
  clock.jump(byMs)
  expect(await site.deliveries.move({ byMs, nowMs: clock.now() })).toBe(2 * COUNT)
  expect(await times()).toEqual(before.map((at) => at + byMs))
})

test('what was due stays due when the clock is set back', async () => {
  await allWait(-5_000)
  clock.jump(-DAY)
  await site.deliveries.move({ byMs: -DAY, nowMs: clock.now() })
  expect(new Set(await times())).toEqual(new Set([clock.now()]))
})

test('each of thousands that are due too late is due after its delay, and those that may wait so long are left', async () => {
  await allWait(400 * DAY)
  await site.db.unit((tx) =>
    tx
      .updateTable('deliveries')
      .set({ next_at: clock.now() + 126_000 })
      .where('ordinal', '=', 7)
      .execute(),
  )
  expect(await site.deliveries.shorten({ nowMs: clock.now(), ...limits })).toBe(2 * COUNT - 1)
  const [first, , , , , , seventh] = await times()
  expect([first, seventh]).toEqual([clock.now() + 60_000, clock.now() + 126_000])
  expect(Math.max(...(await times()))).toBe(clock.now() + 126_000)
  expect(await site.deliveries.shorten({ nowMs: clock.now(), ...limits })).toBe(0)
})

test('a first attempt at a future time is due now', async () => {
  clock.jump(-DAY)
  expect(await site.deliveries.shorten({ nowMs: clock.now(), ...limits })).toBe(2 * COUNT)
  expect(new Set(await times())).toEqual(new Set([clock.now()]))
})

test('a lease ends no later than any may', async () => {
  const [endpoint] = await site.db.read.selectFrom('webhook_endpoints').select('id').execute()
  if (!endpoint) throw new Error('there is none')
  const leases = async () =>
    (await site.rows()).flatMap(({ lease_until }) => (lease_until === null ? [] : [lease_until]))
  await site.claim(endpoint.id)
  const nowMs = clock.now()
  await site.deliveries.move({ byMs: DAY, nowMs: nowMs + DAY })
  expect(new Set(await leases())).toEqual(new Set([nowMs + DAY + 30_000]))
  await site.deliveries.shorten({ nowMs, ...limits })
  expect(new Set(await leases())).toEqual(new Set([nowMs + 30_000]))
})

ofSqlite(PLANS)('nothing reads more than what waits: all of it goes by the indexes of open work', async () => {
  await allWait(400 * DAY)
  const plans = await queryPlans(site.file, async () => {
    await site.deliveries.move({ byMs: DAY, nowMs: clock.now() })
    await site.deliveries.shorten({ nowMs: clock.now(), ...limits })
  })
  const steps = plans.filter(({ sql }) => sql.includes('next_at') || sql.includes('lease_until')).map((it) => it.steps)
  expect(steps.flat().filter((step) => step.startsWith('SCAN') && !step.includes('deliveries_leased'))).toEqual([])
  expect(steps.flat().filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  expect(steps.length).toBeGreaterThanOrEqual(4)
})
