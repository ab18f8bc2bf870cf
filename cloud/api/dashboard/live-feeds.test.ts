// The live feeds of the dashboard: their contents, their readers, their number, and their end.
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAccount } from '#cloud/auth/accounts.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { LiveStore } from '#cloud/storage/live-store.ts'
import { type AccountId, newId } from '#shared/ids.ts'
import { FeedPage } from '#test/doubles/feed-page.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { DashboardDesk, type SignedInPerson } from '#test/fixtures/dashboard-desk.ts'

let clock: ManualClock
let desk: DashboardDesk
let owner: SignedInPerson

beforeEach(async () => {
  clock = new ManualClock()
  desk = await DashboardDesk.open({ clock })
  owner = await desk.person()
  await desk.feeds.start()
})
afterEach(async () => {
  await desk.feeds.stop()
  await desk.close()
})

interface Wanted {
  account?: AccountId
  merchant?: string
  tab?: string
  lastEventId?: string
}

async function open(person: SignedInPerson, wanted: Wanted = {}): Promise<FeedPage> {
  const { account = desk.accountId, merchant = 'M-TEST-001', tab, lastEventId } = wanted
  const query = new URLSearchParams({ account, merchant, ...(tab !== undefined && { tab }) })
  const page = await FeedPage.open(desk.api.app as unknown as FastifyInstance, `/dashboard/api/live?${query}`, {
    cookie: person.cookie,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  })
  await expect.poll(() => page.events.length).toBeGreaterThan(0)
  return page
}

const refused = (person: SignedInPerson | null, query: Record<string, string>) =>
  desk.api.call('GET', `/dashboard/api/live?${new URLSearchParams(query)}`, {
    key: null,
    headers: person === null ? {} : { cookie: person.cookie },
  })
const here = () => ({ account: desk.accountId, merchant: 'M-TEST-001' })
const patches = (page: FeedPage) => page.events.filter(({ event }) => event === 'patch')
/** Resolves when every due read has been made. */
const looked = async (page: FeedPage, count: number) => {
  await clock.advance(250)
  await expect.poll(() => patches(page).length).toBe(count)
}

describe('a feed', () => {
  test('starts with everything, then sends an order that was taken a quarter of a second ago', async () => {
    await desk.api.inject()
    const page = await open(owner)
    expect(page.names()).toEqual(['hello'])
    const { orders, gateways, printers, deliveries, status } = page.events[0]!.data.topics
    expect(Object.values(orders)).toEqual([
      expect.objectContaining({
        orderId: 'order-1',
        status: 'accepted',
        source: 'kiosk-7',
        totalCents: 3_295,
        pieces: 3,
        printState: 'pending',
      }),
    ])
    expect([gateways, printers, deliveries]).toEqual([expect.any(Object), expect.any(Object), {}])
    expect(status).toEqual({ relay: { takesOrders: true, version: expect.any(String) } })

    await desk.api.inject({ orderId: 'order-2' })
    expect(patches(page)).toEqual([])
    await looked(page, 1)
    expect(patches(page)[0]?.data.changes).toEqual([
      { topic: 'orders', key: expect.stringMatching(/^ord_/), value: expect.objectContaining({ orderId: 'order-2' }) },
    ])
  })

  test('sends the changes of an order, whatever causes them', async () => {
    const serviceOrderId = (await desk.api.inject()).body.serviceOrderId as string
    const page = await open(owner)
    const of = { body: { merchantId: 'M-TEST-001', serviceOrderId } }
    for (const [index, name] of (['orders.ready', 'orders.completed', 'orders.refund'] as const).entries()) {
      const body = name === 'orders.refund' ? { ...of.body, amount: 1 } : of.body
      expect([name, (await desk.ask(owner, name, { body })).status]).toEqual([name, 200])
      await looked(page, index + 1)
    }
    await desk.api.inject({ orderId: 'order-2' })
    await looked(page, 4)
    const [second] = patches(page).at(-1)?.data.changes ?? []
    await desk.ask(owner, 'orders.void', { body: { ...of.body, serviceOrderId: second.key } })
    await looked(page, 5)
    const statuses = patches(page).map(({ data }) => data.changes[0].value.status)
    expect(statuses).toEqual(['ready', 'completed', 'refunded', 'accepted', 'voided'])
  })

  test('shares its reads with every other feed of the merchant, and many orders in a burst are one read', async () => {
    const pages = [await open(owner), await open(owner), await open(await desk.person())]
    const reads = vi.spyOn(desk.stores.live, 'newestOrders')
    for (let i = 1; i <= 5; i++) await desk.api.inject({ orderId: `order-${i}` })
    await clock.advance(250)
    for (const page of pages) await expect.poll(() => patches(page).length).toBe(1)
    expect(reads).toHaveBeenCalledTimes(1)
    expect(new Set(pages.map((page) => JSON.stringify(patches(page)))).size).toBe(1)
    expect(patches(pages[0]!)[0]?.data.changes).toHaveLength(5)
  })

  test('reads less often the longer a read takes: a busy relay has its time for orders', async () => {
    const page = await open(owner)
    const { live } = desk.stores
    const newestOrders = live.newestOrders.bind(live)
    const slow = vi.spyOn(live, 'newestOrders').mockImplementation(async (...of) => {
      await clock.advance(20)
      return newestOrders(...of)
    })
    await desk.api.inject()
    await looked(page, 1)
    slow.mockRestore()
    await desk.api.inject({ orderId: 'order-2' })
    await clock.advance(990)
    expect(patches(page)).toHaveLength(1)
    await looked(page, 2)
    await desk.api.inject({ orderId: 'order-3' })
    await looked(page, 3)
  })

  test('reads a quarter of a second after an order that arrives after a pause, however long reads take', async () => {
    const page = await open(owner)
    const { live } = desk.stores
    const newestOrders = live.newestOrders.bind(live)
    vi.spyOn(live, 'newestOrders').mockImplementation(async (...of) => {
      await clock.advance(20)
      return newestOrders(...of)
    })
    await desk.api.inject()
    await looked(page, 1)
    await clock.advance(1_000)
    await desk.api.inject({ orderId: 'order-2' })
    await looked(page, 2)
  })

  test('reads the body of an order once', async () => {
    await desk.api.inject()
    const bodies = vi.spyOn(desk.stores.live, 'bodies')
    const page = await open(owner)
    await desk.api.inject({ orderId: 'order-2' })
    await looked(page, 1)
    expect(bodies.mock.calls.map(([ids]) => ids.length)).toEqual([1, 1])
  })

  test('receives nothing of another merchant or account', async () => {
    const page = await open(owner, { merchant: 'M-TEST-002' })
    const other = await createSandboxAccount(desk.api, { name: 'Bistro' })
    const reads = vi.spyOn(desk.stores.live, 'newestOrders')
    await desk.api.inject()
    await desk.api.call('POST', '/v1/order/inject', { key: other.apiKey, body: desk.api.order() })
    await clock.advance(250)
    expect(reads).not.toHaveBeenCalled()
    await clock.advance(4_750)
    await expect.poll(() => page.names()).toContain('beat')
    await expect.poll(() => reads.mock.calls.length).toBe(1)
    expect(patches(page)).toEqual([])
  })

  test('resumes where it broke off: the page gets what it missed', async () => {
    const first = await open(owner)
    const stays = await open(owner)
    const lastEventId = await idOfHello(owner)
    first.leave()
    await desk.api.inject()
    await looked(stays, 1)
    const again = await open(owner, { lastEventId })
    await expect.poll(() => again.names()).toEqual(['patch', 'beat'])
    const unknown = await open(owner, { lastEventId: '0123456789ab-1' })
    expect(unknown.names()).toEqual(['hello'])
  })

  test('sends a heartbeat every five seconds, and reads with each one what sends no signal', async () => {
    const page = await open(owner)
    await desk.api.db.unit((tx) =>
      tx.updateTable('gateways').set({ presence: 'offline', last_seen_at: clock.now() }).execute(),
    )
    await clock.advance(5_000)
    await expect.poll(() => patches(page).length).toBe(1)
    expect(page.names()).toEqual(['hello', 'beat', 'patch'])
    expect(new Set(patches(page)[0]?.data.changes.map(({ topic }: { topic: string }) => topic))).toContain('gateways')
  })
})

test('a feed shows what each endpoint has not taken', async () => {
  const body = { merchantId: 'M-TEST-001', url: 'https://example.com/hook', events: ['*'] }
  const { webhookId } = (await desk.ask(owner, 'endpoints.create', { body })).body.result
  await desk.api.inject()
  await desk.api.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'failed' }).execute())
  const page = await open(owner)
  expect(page.events[0]?.data.topics.deliveries).toEqual({
    [webhookId]: expect.objectContaining({ retrying: 0, failed: expect.any(Number) }),
  })
  expect(page.events[0]?.data.topics.deliveries[webhookId].failed).toBeGreaterThan(0)
})

test('a merchant that cannot be read takes the view from no other', async () => {
  const reads = vi.spyOn(desk.stores.live, 'newestOrders').mockImplementation(async ({ key }, limit) => {
    if (key === broken) throw new Error('not this one')
    return newest({ accountId: desk.accountId, key }, limit)
  })
  const newest = LiveStore.prototype.newestOrders.bind(desk.stores.live)
  const broken = (await desk.stores.merchants.find(desk.accountId, 'M-TEST-002'))?.key
  const query = new URLSearchParams({ ...here(), merchant: 'M-TEST-002' })
  const app = desk.api.app as unknown as FastifyInstance
  await FeedPage.open(app, `/dashboard/api/live?${query}`, { cookie: owner.cookie })
  await expect.poll(() => reads.mock.calls.length).toBe(1)
  const page = await open(owner)
  await desk.api.db.unit((tx) => tx.updateTable('gateways').set({ presence: 'offline' }).execute())
  await clock.advance(5_000)
  await expect.poll(() => patches(page).length, { timeout: 5_000 }).toBe(1)
})

describe('a person', () => {
  test('sees what their role may read', async () => {
    const page = await open(await desk.person({ member: [{ role: 'staff' }] }))
    expect(Object.keys(page.events[0]?.data.topics).sort()).toEqual([
      'calls',
      'gateways',
      'orders',
      'printers',
      'status',
    ])
    const all = await open(await desk.person({ member: [{ role: 'developer' }] }))
    expect(Object.keys(all.events[0]?.data.topics)).toContain('deliveries')
  })

  test('who has not signed in, or is no member, opens none', async () => {
    expect((await refused(null, here())).status).toBe(401)
    const neighbour = await desk.person({ member: [] })
    const answer = await refused(neighbour, here())
    expect([answer.status, answer.body.said.key]).toEqual([403, 'right.member'])
  })

  test('gets the name of the wrong part of the address', async () => {
    const answer = await refused(owner, { account: 'somebody', merchant: 'M-TEST-001' })
    expect([answer.status, answer.body.field]).toEqual([422, 'account'])
    expect((await refused(owner, { ...here(), merchant: 'M-TEST-999' })).body.code).toBe('merchant.not_found')
    expect((await refused(owner, { ...here(), environment: 'live' })).body.code).toBe('merchant.not_authorized')
  })

  test('who signs out is told and disconnected, and no one else', async () => {
    const page = await open(owner)
    const stays = await open(await desk.person())
    await desk.api.db.unit((tx) => desk.stores.logins.end(tx, owner.userId, owner.sessionId))
    desk.feeds.recheck()
    await expect.poll(() => page.hasEnded).toBe(true)
    expect(page.events.at(-1)).toEqual({ event: 'bye', data: { reason: 'signed-out' } })
    expect(stays.hasEnded).toBe(false)
  })

  test('who signed out at another relay is disconnected with the next heartbeat', async () => {
    const page = await open(owner)
    await desk.api.db.unit((tx) => desk.stores.logins.end(tx, owner.userId, owner.sessionId))
    await clock.advance(5_000)
    await expect.poll(() => page.hasEnded).toBe(true)
  })

  test('who is no member any more is disconnected; whose role changed opens another feed', async () => {
    const page = await open(owner)
    const demoted = await desk.person()
    const other = await open(demoted)
    await desk.api.db.unit(async (tx) => {
      await desk.stores.memberships.remove(tx, owner.userId, desk.accountId)
      const row = { user_id: demoted.userId, account_id: desk.accountId, role: 'staff' as const, created_at: 0 }
      await desk.stores.memberships.put(tx, row)
    })
    desk.feeds.recheck()
    await expect
      .poll(() => [page.events.at(-1)?.data, other.events.at(-1)?.data])
      .toEqual([{ reason: 'no-member' }, { reason: 'changed' }])
    const again = await open(demoted)
    expect(Object.keys(again.events[0]?.data.topics)).not.toContain('deliveries')
  })

  test('whom the owner removes is disconnected at once, in this account alone', async () => {
    const { accountId: elsewhere } = await createSandboxAccount({ db: desk.api.db, clock }, { name: 'Other' })
    const shared = await desk.person({ member: [{ role: 'staff' }, { role: 'owner', accountId: elsewhere }] })
    const [here, there] = [await open(shared), await open(shared, { account: elsewhere })]
    const boss = await desk.person({ elevatedUntilMs: clock.now() + 60_000 })
    expect((await desk.ask(boss, 'people.remove', { body: { userId: shared.userId } })).status).toBe(200)
    await expect.poll(() => here.events.at(-1)?.data).toEqual({ reason: 'no-member' })
    await expect.poll(() => here.hasEnded).toBe(true)
    expect(there.hasEnded).toBe(false)
  })

  test('who views an account is disconnected when the time is over', async () => {
    const viewing = { accountId: desk.accountId, untilMs: clock.now() + 4_000 }
    const page = await open(await desk.person({ member: [], isOperator: true, viewing }))
    await clock.advance(5_000)
    await expect.poll(() => page.events.at(-1)?.data).toEqual({ reason: 'no-member' })
  })

  test('may have eight feeds; a tab that reconnects replaces its own old one', async () => {
    const pages = await Promise.all(Array.from({ length: 8 }, (_, i) => open(owner, { tab: `tab-${i}` })))
    const ninth = await refused(owner, { ...here(), tab: 'tab-9' })
    expect([ninth.status, ninth.body.code, ninth.body.said]).toEqual([
      503,
      'busy',
      { key: 'live.too-many-person', values: { most: 8 } },
    ])
    expect(ninth.headers['retry-after']).toBe('5')
    await open(owner, { tab: 'tab-3' })
    await expect.poll(() => pages.map((page) => page.hasEnded)).toEqual(pages.map((_, i) => i === 3))
    pages[0]?.leave()
    await expect.poll(() => desk.feeds.size).toBe(7)
    expect((await open(owner, { tab: 'tab-9' })).names()).toEqual(['hello'])
  })
})

describe('an account', () => {
  test('may have sixty-four feeds', async () => {
    for (let i = 0; i < 8; i++) {
      const person = await desk.person()
      await Promise.all(Array.from({ length: 8 }, () => open(person)))
    }
    const next = await refused(owner, here())
    expect([next.status, next.body.said.key]).toEqual([503, 'live.too-many-account'])
    const other = await createSandboxAccount(desk.api, { name: 'Bistro' })
    const elsewhere = await desk.person({ member: [{ role: 'owner', accountId: other.accountId }] })
    expect((await open(elsewhere, { account: other.accountId })).names()).toEqual(['hello'])
  })
})

describe('at a granted restaurant', () => {
  async function granted(scopes: readonly string[] | null) {
    return desk.api.db.unit(async (tx) => {
      const ownerId = await createAccount(tx, desk.control, { name: 'Restaurant' })
      const merchantKey = newId('mer', clock.now())
      const { merchants, grants } = desk.control
      await merchants.insert(tx, {
        ...{ id: merchantKey, account_id: ownerId, public_id: 'M-PROD-1', environment: 'live', name: 'Bistro' },
        ...{ time_zone: 'Europe/Berlin', prep_minutes: 15, fire_at_horizon_ms: 1, created_at: clock.now() },
      })
      await grants.add(tx, { accountId: desk.accountId, merchantKey }, { scopes, atMs: clock.now() })
      return merchantKey
    })
  }

  test('the feed shows what the grant lets the account read, and ends with the grant', async () => {
    const merchantKey = await granted(['orders:read'])
    const page = await open(owner, { merchant: 'M-PROD-1' })
    expect(Object.keys(page.events[0]?.data.topics).sort()).toEqual(['orders', 'status'])
    await desk.api.db.unit((tx) => desk.control.grants.remove(tx, { accountId: desk.accountId, merchantKey }))
    desk.feeds.recheck()
    await expect.poll(() => page.events.at(-1)?.data).toEqual({ reason: 'no-merchant' })
  })
})

test('a stop ends every feed, and none begins after it', async () => {
  const pages = [await open(owner), await open(await desk.person())]
  await desk.feeds.stop()
  await expect.poll(() => pages.every((page) => page.hasEnded)).toBe(true)
  expect((await refused(owner, here())).status).toBe(503)
})

test('a closed feed leaves nothing behind: its merchant is not read any more', async () => {
  const page = await open(owner)
  page.leave()
  const reads = vi.spyOn(desk.stores.live, 'newestOrders')
  await desk.api.inject()
  await clock.advance(5_250)
  expect(reads).not.toHaveBeenCalled()
})

/** The id of the first event of a page that opens now. */
async function idOfHello(person: SignedInPerson): Promise<string> {
  const query = new URLSearchParams(here())
  const answer = await desk.api.app.inject({
    url: `/dashboard/api/live?${query}`,
    headers: { cookie: person.cookie },
    payloadAsStream: true,
  })
  const [text] = await new Promise<string[]>((resolve) => {
    answer.stream().once('data', (chunk: Buffer) => resolve([chunk.toString()]))
  })
  answer.raw.res.destroy()
  return /^id: (\S+)$/m.exec(text ?? '')?.[1] ?? ''
}
