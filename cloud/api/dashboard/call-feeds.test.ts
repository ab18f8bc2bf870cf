// Calls that go on in the dashboard's live feed.
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NEW_CALL } from '#cloud/receptionist/call-state.ts'
import { newId } from '#shared/ids.ts'
import { FeedPage } from '#test/doubles/feed-page.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { DashboardDesk, type SignedInPerson } from '#test/fixtures/dashboard-desk.ts'

let clock: ManualClock
let desk: DashboardDesk
let page: FeedPage

beforeEach(async () => {
  clock = new ManualClock()
  desk = await DashboardDesk.open({ clock })
  await desk.feeds.start()
  page = await feedOf(await desk.person(), 'M-TEST-001')
})
afterEach(async () => {
  await desk.feeds.stop()
  await desk.close()
})

async function feedOf({ cookie }: SignedInPerson, merchant: string): Promise<FeedPage> {
  const query = new URLSearchParams({ account: desk.accountId, merchant })
  const app = desk.api.app as unknown as FastifyInstance
  const opened = await FeedPage.open(app, `/dashboard/api/live?${query}`, { cookie })
  await expect.poll(() => opened.events.length).toBeGreaterThan(0)
  return opened
}

const patches = () => page.events.filter(({ event }) => event === 'patch')
/** Resolves when every due read has been made. */
const looked = async (count: number) => {
  await clock.advance(250)
  await expect.poll(() => patches().length).toBe(count)
}

const call = async () => {
  const { db, clock: now } = desk.api
  const nowMs = now.now()
  const { secretBox } = desk.control
  const seal = (text: string) => secretBox?.seal(text) ?? ''
  await db.unit((tx) =>
    desk.control.calls.insert(tx, {
      ...{ id: newId('call', nowMs), merchant_id: desk.api.merchantKey, number_id: newId('num', nowMs) },
      ...{ provider_id: 'CA1', from_enc: seal('+12125550142'), from_mac: null, to_e164: '+12125550100' },
      ...{ status: 'in_progress', step: 'menu', state_enc: seal(JSON.stringify(NEW_CALL)), started_at: nowMs },
      ...{ answered_at: nowMs, ended_at: null, last_at: nowMs, outcome: null, transferred_to: null },
      ...{ order_id: null, text_deleted_at: null },
    }),
  )
  desk.control.calls.changed.notify(desk.api.merchantKey)
}

test('are pushed like orders, and leave when they end', async () => {
  expect(page.events[0]?.data.topics.calls).toEqual({})
  await call()
  await looked(1)
  const [shown] = patches()[0]?.data.changes ?? []
  expect(shown).toMatchObject({
    topic: 'calls',
    value: { from: '+12125550142', status: 'in_progress', step: 'menu' },
  })
  // It would be sent every second.
  expect(shown.value).not.toHaveProperty('durationSeconds')
  await desk.api.db.unit((tx) => tx.updateTable('calls').set({ ended_at: clock.now() }).execute())
  desk.control.calls.changed.notify(desk.api.merchantKey)
  await looked(2)
  expect(patches()[1]?.data.changes).toEqual([{ topic: 'calls', key: shown.key, value: null }])
})

test('of a live restaurant are of somebody for those who see customers, and of nobody for developers', async () => {
  const { db, merchantKey } = desk.api
  await db.unit((tx) =>
    tx
      .updateTable('merchants')
      .set({ environment: 'live', public_id: 'M-PROD-001' })
      .where('id', '=', merchantKey)
      .execute(),
  )
  await call()
  const from = async (role: 'staff' | 'developer') => {
    const feed = await feedOf(await desk.person({ member: [{ role }] }), 'M-PROD-001')
    const shown: { from: string }[] = Object.values(feed.events[0]?.data.topics.calls)
    return shown.map((one) => one.from)
  }
  expect(await from('staff')).toEqual(['+12125550142'])
  expect(await from('developer')).toEqual(['+*********42'])
})
