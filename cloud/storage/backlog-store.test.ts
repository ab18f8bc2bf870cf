// The backlog for metrics: counted and found by indexes, however much waits.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asId, type LocationId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { ofSqlite, PLANS } from '#test/harness/engines.ts'
import { BacklogStore, MOST_COUNTED } from './backlog-store.ts'
import type { SqliteDatabase } from './sqlite/sqlite-database.ts'

const DAY_MS = 86_400_000
let clock: ManualClock
beforeEach(() => {
  clock = new ManualClock()
})

describe('jobs for kitchens', () => {
  let api: RelayApi
  let backlog: BacklogStore
  beforeEach(async () => {
    api = await RelayApi.open({ clock })
    backlog = new BacklogStore(api.db)
    await api.db.unit((tx) => tx.updateTable('gateways').set({ revoked_at: 1 }).execute())
  })
  afterEach(() => api.close())

  async function addGateway(presence: 'online' | 'offline' | 'unknown', change: object = {}): Promise<void> {
    const row = { location_id: api.locationId, name: 'Box', token_hash: '', shard: 0, stream: 's', created_at: 0 }
    const at = { acked_seq: 0, last_seq: 0, session_epoch: 1, presence }
    const id = asId<'gw'>(`gw_${presence}`)
    await api.db.unit((tx) =>
      tx
        .insertInto('gateways')
        .values({ id, ...row, ...at, ...change })
        .execute(),
    )
  }
  const oldest = async (): Promise<number> => (await backlog.read(clock.now())).oldestDispatchMs

  test('are counted by their state, and those that are done are not', async () => {
    for (const orderId of ['a', 'b', 'c', 'd']) await api.inject({ orderId })
    const states = ['sent', 'accepted', 'printed'] as const
    await api.db.unit(async (tx) => {
      const rows = await tx.selectFrom('dispatches').select('id').orderBy('ordinal').execute()
      for (const [n, state] of states.entries())
        await tx.updateTable('dispatches').set({ state }).where('id', '=', rows[n]!.id).execute()
    })
    expect((await backlog.read(clock.now())).dispatches).toEqual({ queued: 1, sent: 1, accepted: 1 })
  })

  test('wait for too long only where a gateway is online', async () => {
    await api.inject({ orderId: 'a' })
    clock.jump(90_000)
    expect(await oldest()).toBe(0)
    await addGateway('offline')
    expect(await oldest()).toBe(0)
    await addGateway('online')
    expect(await oldest()).toBe(90_000)
  })

  test('wait from the moment on in which they may go', async () => {
    await addGateway('online')
    const inTwoDays = new Date(clock.now() + 2 * DAY_MS).toISOString()
    await api.inject({ orderId: 'a', fireAt: inTwoDays })
    expect(await oldest()).toBe(0)
    clock.jump(DAY_MS + 7_000)
    expect(await oldest()).toBe(7_000)
  })

  test('are found in the last of many places', async () => {
    await addGateway('online')
    await api.inject({ orderId: 'a' })
    clock.jump(30_000)
    await api.db.unit(async (tx) => {
      const [job] = await tx.selectFrom('dispatches').selectAll().execute()
      const { ordinal: _, ...row } = job!
      const elsewhere = (n: number) => asId<'loc'>(`a${String(n).padStart(4, '0')}`) as LocationId
      const rows = Array.from({ length: 250 }, (_, n) => ({
        ...row,
        id: asId<'pj'>(`pj_${n}`),
        location_id: elsewhere(n),
      }))
      const merchant = await tx.selectFrom('locations').select('merchant_id').executeTakeFirstOrThrow()
      for (const { location_id: id } of rows)
        await tx
          .insertInto('locations')
          .values({ id, ...merchant, name: 'L', is_default: 0, created_at: 0 })
          .execute()
      for (const more of rows) await tx.insertInto('dispatches').values(more).execute()
    })
    expect(await oldest()).toBe(30_000)
  })

  test('gateways that are away are counted, without those that were revoked or are simulated', async () => {
    await addGateway('offline')
    await addGateway('unknown')
    await addGateway('offline', { id: asId<'gw'>('gw_revoked'), revoked_at: 1 })
    await addGateway('offline', { id: asId<'gw'>('gw_simulated'), simulated: 1 })
    expect((await backlog.read(clock.now())).gateways).toEqual({ offline: 1, unknown: 1 })
  })

  ofSqlite(PLANS)('are read without walking over a table', async () => {
    await addGateway('online')
    const plans = await queryPlans((api.db as SqliteDatabase).file, () => backlog.read(clock.now()))
    const steps = plans.flatMap((plan) => plan.steps)
    expect(plans.length).toBeGreaterThanOrEqual(8)
    const walks = steps.filter((step) => /^SCAN (deliveries|dispatches|gateways)/.test(step))
    expect(walks.filter((step) => !/USING (COVERING )?INDEX/.test(step))).toEqual([])
    // An index that holds nothing else than what is counted.
    for (const step of walks)
      expect(step).toMatch(
        /INDEX (deliveries_(pending|retrying|first)|dispatches_(queue|open)|gateways_(offline|unknown))/,
      )
    expect(plans.filter((plan) => plan.steps.some((step) => step.includes('TEMP B-TREE')))).toEqual([])
  })
})

describe('webhook deliveries', () => {
  let site: WebhookSite
  let backlog: BacklogStore
  beforeEach(async () => {
    site = await WebhookSite.open({ clock })
    for (const name of ['a', 'b']) await site.listen(`http://127.0.0.1:1/${name}`)
    backlog = new BacklogStore(site.db)
  })
  afterEach(() => site.close())

  test('are counted, and how long the oldest has been due', async () => {
    await site.recordMany(3)
    clock.jump(4_000)
    await site.recordMany(1)
    const told = await backlog.read(clock.now())
    expect([told.deliveries, told.oldestDeliveryMs]).toEqual([{ pending: 8, retrying: 0 }, 4_000])
  })

  test('a retry waits from the moment on in which it is due', async () => {
    await site.recordMany(1)
    const next_at = clock.now() + 60_000
    await site.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'retrying', next_at }).execute())
    const before = await backlog.read(clock.now())
    expect([before.deliveries, before.oldestDeliveryMs]).toEqual([{ pending: 0, retrying: 2 }, 0])
    clock.jump(61_000)
    expect((await backlog.read(clock.now())).oldestDeliveryMs).toBe(1_000)
  })

  test('are not counted beyond what one may wait for', async () => {
    await site.recordMany(MOST_COUNTED / 2 + 1)
    expect((await backlog.read(clock.now())).deliveries.pending).toBe(MOST_COUNTED)
  })
})

test('telephone numbers that could not be wired are counted: those that were given up, and those that are tried again', async () => {
  const api = await RelayApi.open({ clock })
  const rows = [
    ['failed', 'no_number', null],
    ['failed', 'number_not_owned', null],
    ['wanted', 'timeout', 9],
    ['wanted', null, 9],
    ['wired', null, null],
  ] as const
  await api.db.unit(async (tx) => {
    for (const [at, [state, error, next_at]] of rows.entries())
      await tx
        .insertInto('phone_numbers')
        .values({
          ...{ id: asId<'num'>(`num_${at}`), merchant_id: api.merchantKey, provider: 'twilio', wanted: '{}' },
          ...{ e164: null, provider_id: null, state, error, attempts: 1, next_at, wired_at: null, created_at: 0 },
        })
        .execute()
  })
  expect((await new BacklogStore(api.db).read(clock.now())).numbers).toEqual({ failed: 2, retrying: 1 })
  await api.close()
})
