// A thousand open pages on one whole relay: they share reads, get an order at once, and delay no stop.
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ROLES } from '#cloud/control/roles.ts'
import { createSandboxAccount, type SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { LiveStore } from '#cloud/storage/live-store.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { systemClock } from '#shared/clock.ts'
import { newPerson, newSession, type SignedInPerson } from '#test/fixtures/sign-in.ts'
import { Tenants } from '#test/fixtures/tenants.ts'

const FEEDS = 1_000
/** As the limits are: 64 an account, 8 a person. */
const ACCOUNTS = 16
const PEOPLE = 8

interface Feed {
  account: SandboxAccount
  status: number
  /** Names of the events that came, in order. */
  events: string[]
  ended: 'no' | 'in order' | 'cut off'
}

let tenants: Tenants
const people: { account: SandboxAccount; person: SignedInPerson }[] = []
const feeds: Feed[] = []
const sockets = new Set<IncomingMessage>()
let isStopped = false

beforeAll(async () => {
  tenants = await Tenants.start(async ({ db }) => {
    const stores = openStores(db)
    const nowMs = systemClock.now()
    for (let i = 0; i < ACCOUNTS; i++) {
      const account = await createSandboxAccount({ db, clock: systemClock }, { name: `Bistro ${i}` })
      // Accounts without live keys would get half of the feeds.
      await db.unit((tx) => stores.accounts.change(tx, account.accountId, { live_approved_at: nowMs }))
      for (let j = 0; j < PEOPLE; j++)
        await db.unit(async (tx) => {
          const member = [{ role: ROLES[j % ROLES.length] ?? 'staff', accountId: account.accountId }]
          const userId = await newPerson(tx, stores, { member, nowMs })
          people.push({ account, person: await newSession(tx, stores, { userId, nowMs }) })
        })
    }
  })
})
afterAll(async () => {
  for (const response of sockets) response.destroy()
  if (!isStopped) await tenants.stop()
})

/** Resolves with the answer's head. */
function open({ account, person }: (typeof people)[number]): Promise<Feed> {
  const url = `${tenants.origin}/dashboard/api/live?account=${account.accountId}&merchant=M-TEST-001`
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, headers: { cookie: person.cookie } }, (response) => {
      sockets.add(response)
      const feed: Feed = { account, status: response.statusCode ?? 0, events: [], ended: 'no' }
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        feed.events.push(...[...text.matchAll(/^event: (\w+)$/gm)].map(([, name = '']) => name))
      })
      response.on('error', () => undefined)
      response.on('close', () => {
        feed.ended = response.complete ? 'in order' : 'cut off'
      })
      resolve(feed)
    })
    asked.on('error', reject)
    asked.end()
  })
}

const allHave = (of: readonly Feed[], name: string, count: number) =>
  of.every(({ events }) => events.filter((event) => event === name).length >= count)

test('a thousand feeds share the reads of their merchants', async () => {
  const looks = vi.spyOn(LiveStore.prototype, 'newestOrders')
  const wanted = Array.from({ length: FEEDS }, (_, i) => people[Math.floor(i / PEOPLE)]!)
  for (let i = 0; i < FEEDS; i += 50)
    feeds.push(...(await Promise.all(wanted.slice(i, i + 50).map((one) => open(one)))))
  expect(new Set(feeds.map(({ status }) => status))).toEqual(new Set([200]))
  await expect.poll(() => allHave(feeds, 'hello', 1)).toBe(true)

  const before = looks.mock.calls.length
  const beats = feeds.map(({ events }) => events.filter((event) => event === 'beat').length)
  const most = Math.max(...beats)
  await expect.poll(() => allHave(feeds, 'beat', most + 2)).toBe(true)
  const passed = Math.max(...feeds.map(({ events }) => events.filter((event) => event === 'beat').length)) - most
  // One read of each merchant with each beat, not one for each page.
  expect(looks.mock.calls.length - before).toBeLessThanOrEqual(ACCOUNTS * (passed + 1))
  expect(looks.mock.calls.length - before).toBeGreaterThanOrEqual(ACCOUNTS)
  looks.mockRestore()
})

test('one more is refused with the words for it', async () => {
  const last = people.at(-1)!
  const answer = await fetch(
    `${tenants.origin}/dashboard/api/live?account=${last.account.accountId}&merchant=M-TEST-001`,
    { headers: { cookie: last.person.cookie } },
  )
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ code: 'busy', said: { key: 'live.too-many-relay' } })
})

test('an order is heard by every page on its merchant, and by no other', async () => {
  const [first] = feeds
  const here = feeds.filter(({ account }) => account === first?.account)
  const elsewhere = feeds.filter(({ account }) => account !== first?.account)
  const patchesBefore = elsewhere.map(({ events }) => events.filter((event) => event === 'patch').length)
  const taken = await tenants.call('POST', '/v1/order/inject', {
    key: first?.account.apiKey ?? '',
    body: {
      ...{ merchantId: 'M-TEST-001', orderId: 'order-1', source: 'kiosk' },
      ...{ items: [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }], total: 12.5 },
    },
  })
  expect(taken.status).toBe(200)
  await expect.poll(() => allHave(here, 'patch', 1)).toBe(true)
  expect(elsewhere.map(({ events }) => events.filter((event) => event === 'patch').length)).toEqual(patchesBefore)
})

test('no page holds up the stop: each feed ends in order', async () => {
  expect(new Set(feeds.map(({ ended }) => ended))).toEqual(new Set(['no']))
  isStopped = true
  await tenants.stop()
  await expect.poll(() => feeds.filter(({ ended }) => ended === 'in order').length).toBe(FEEDS)
})
