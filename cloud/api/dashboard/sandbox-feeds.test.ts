// Live feeds of accounts with only the sandbox: anybody can sign up, and must not take the live view from restaurants that take orders.
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import type { AccountId } from '#shared/ids.ts'
import { FeedPage } from '#test/doubles/feed-page.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { DashboardDesk, type SignedInPerson } from '#test/fixtures/dashboard-desk.ts'

let clock: ManualClock
let desk: DashboardDesk
beforeEach(async () => {
  clock = new ManualClock()
  desk = await DashboardDesk.open({ clock, mostFeeds: 5 })
  await desk.feeds.start()
})
afterEach(async () => {
  await desk.feeds.stop()
  await desk.close()
})

const urlOf = (account: AccountId) => `/dashboard/api/live?${new URLSearchParams({ account, merchant: 'M-TEST-001' })}`

async function open(person: SignedInPerson, account = desk.accountId): Promise<FeedPage> {
  const page = await FeedPage.open(desk.api.app as unknown as FastifyInstance, urlOf(account), {
    cookie: person.cookie,
  })
  await expect.poll(() => page.names()).toEqual(['hello'])
  return page
}

const refused = (person: SignedInPerson, account = desk.accountId) =>
  desk.api.call('GET', urlOf(account), { key: null, headers: { cookie: person.cookie } })

test('they have half of the feeds together, and accounts that are live have the rest', async () => {
  const owner = await desk.person()
  const { accountId } = await createSandboxAccount(desk.api, { name: 'Bistro' })
  const elsewhere = await desk.person({ member: [{ role: 'owner', accountId }] })
  const first = await open(owner)
  await open(elsewhere, accountId)
  const third = await refused(owner)
  expect([third.status, third.body.code, third.body.said]).toEqual([
    503,
    'busy',
    { key: 'live.too-many-sandbox', values: { most: 2 } },
  ])
  expect([third.body.message, third.headers['retry-after']]).toEqual([
    'Too many people try the sandbox: 2 live views at most. The page asks every few seconds until there is room.',
    '5',
  ])
  const restaurant = await createSandboxAccount(desk.api, { name: 'Restaurant' })
  await desk.api.db.unit((tx) =>
    desk.control.accounts.change(tx, restaurant.accountId, { live_approved_at: clock.now() }),
  )
  const keeper = await desk.person({ member: [{ role: 'owner', accountId: restaurant.accountId }] })
  for (let n = 0; n < 3; n++) await open(keeper, restaurant.accountId)
  expect((await refused(keeper, restaurant.accountId)).body.said.key).toBe('live.too-many-relay')
  first.leave()
  await expect.poll(() => desk.feeds.size).toBe(4)
  await open(owner)
})
