// Accounts as operators see them: the waitlist, approval, plans, and who may not use these operations.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AccountRequestStore } from '#cloud/storage/account-request-store.ts'
import type { AccountId } from '#shared/ids.ts'
import { AccountDesk } from '#test/fixtures/account-desk.ts'

let desk: AccountDesk
let waiting: AccountId
beforeEach(async () => {
  desk = await AccountDesk.open()
  waiting = desk.api.account.accountId
  await desk.api.db.unit((tx) =>
    tx
      .insertInto('live_requests')
      .values({ account_id: waiting, text: 'Two kiosks', asked_at: desk.clock.now(), answered_at: null, answer: null })
      .execute(),
  )
  // Ids of one millisecond have no order.
  await desk.clock.advance(1_000)
})
afterEach(() => desk.close())

const listed = async (raw: object = {}) => (await desk.perform(desk.operator(), 'op.accounts', raw)).data

test('an account that waits for live keys is listed with its reason, until it is approved on a plan', async () => {
  await desk.restaurant('bistro')
  expect(await listed({ waiting: true })).toMatchObject([
    { accountId: waiting, requests: [{ wants: 'live', text: 'Two kiosks' }] },
  ])
  await desk.perform(desk.operator(), 'op.approve', { accountId: waiting, plan: 'growth' })
  expect(await listed({ waiting: true })).toEqual([])
  expect((await listed()).find(({ accountId }) => accountId === waiting)).toMatchObject({
    plan: 'growth',
    requests: [],
  })
  const answered = await desk.api.db.read.selectFrom('live_requests').selectAll().execute()
  expect(answered).toMatchObject([{ answer: 'approved', answered_at: desk.clock.now() }])
})

test('a request that is refused waits no more, and is refused once', async () => {
  await desk.perform(desk.operator(), 'op.refuse', { accountId: waiting })
  expect(await listed({ waiting: true })).toEqual([])
  expect((await desk.refusal(desk.operator(), 'op.refuse', { accountId: waiting })).said?.key).toBe(
    'account.no-request',
  )
})

test('the list continues where a page ended, and counts live merchants and the calls of this month', async () => {
  const bistro = await desk.restaurant('bistro')
  await desk.clock.advance(1_000)
  await desk.restaurant('kiosk')
  const day = new Date(desk.clock.now()).toISOString().slice(0, 10)
  const call = { account_id: bistro.accountId, environment: 'live', day, key_id: bistro.keyId, calls: 41 } as const
  await desk.api.db.unit((tx) => tx.insertInto('usage_days').values(call).execute())
  const first = await desk.perform(desk.operator(), 'op.accounts', { limit: 1 })
  expect(first.data.map(({ name }) => name)).toEqual(['kiosk'])
  const second = await desk.perform(desk.operator(), 'op.accounts', { limit: 1, cursor: first.nextCursor })
  expect(second.data).toMatchObject([{ name: 'bistro', liveMerchants: 1, callsThisMonth: 41 }])
})

test('waiting accounts come in pages, each once and the latest request first, also with repeated or simultaneous requests', async () => {
  const names = new Map([[waiting, 'first']])
  for (const name of ['a', 'b', 'c', 'd']) names.set((await desk.restaurant(name)).accountId, name)
  const [first = waiting, a = waiting, b = waiting, c = waiting, d = waiting] = names.keys()
  const at = desk.clock.now()
  const requests = new AccountRequestStore(desk.api.db)
  await desk.api.db.unit(async (tx) => {
    for (const [accountId, asked_at] of [
      [a, at],
      [b, at],
      [c, at + 1],
      [d, 1],
    ] as const)
      await requests.askPlan(tx, { account_id: accountId, plan: 'growth', text: '', asked_at })
    for (const [accountId, asked_at] of [
      [first, at - 1],
      [c, at],
      [d, at + 2],
    ] as const)
      await requests.askLive(tx, { account_id: accountId, text: '', asked_at })
  })
  const seen: AccountId[] = []
  let cursor: string | null = null
  do {
    const more: object = cursor === null ? {} : { cursor }
    const page = await desk.perform(desk.operator(), 'op.accounts', { waiting: true, limit: 2, ...more })
    expect(page.data.length).toBeLessThanOrEqual(2)
    seen.push(...page.data.map(({ accountId }) => accountId))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual([d, c, ...[a, b].toSorted().toReversed(), first])
  const [both] = await listed({ waiting: true })
  expect(both?.requests.map(({ wants }) => wants)).toEqual(['growth', 'live'])
})

test('a list of accounts has 25 by default, and never more than 100', async () => {
  for (let n = 0; n < 30; n++) await desk.perform(desk.operator(), 'op.create', { name: `kiosk ${n}` })
  expect(await listed()).toHaveLength(25)
  expect(await listed({ limit: 100 })).toHaveLength(31)
  expect((await desk.refusal(desk.operator(), 'op.accounts', { limit: 101 })).errors).toMatchObject([
    { field: 'limit' },
  ])
})

test('an owner requests another plan; the operator grants it, and the request is closed', async () => {
  const { accountId } = await desk.restaurant('bistro')
  const owner = desk.person('owner', accountId)
  expect((await desk.refusal(owner, 'plans.ask', { plan: 'starter' })).said?.key).toBe('plan.same')
  await desk.perform(owner, 'plans.ask', { plan: 'growth', text: 'A third site' })
  expect(await listed({ waiting: true })).toMatchObject([
    { accountId, requests: [{ wants: 'growth', text: 'A third site' }] },
    { accountId: waiting },
  ])
  const asked = (await desk.perform(owner, 'usage.get', { environment: 'live' })).asked
  expect(asked).toMatchObject({ wants: 'growth' })
  await desk.perform(desk.operator(), 'op.plan', { accountId, plan: 'growth', contract: { feeCents: 49_900 } })
  const after = await desk.perform(owner, 'usage.get', { environment: 'live' })
  expect([after.asked, after.report.plan]).toEqual([null, 'growth'])
})

test('an account in the sandbox requests live keys first', async () => {
  const refused = await desk.refusal(desk.person('owner', waiting), 'plans.ask', { plan: 'growth' })
  expect(refused.said?.key).toBe('plan.ask-live-first')
})

test('a contract is merged with the current one, also that of the sandbox', async () => {
  const { accountId } = await desk.restaurant('bistro')
  const set = (contract: object) => desk.perform(desk.operator(), 'op.plan', { accountId, contract })
  await set({ feeCents: 100, sandbox: { steadyPerMinute: 900 } })
  const { overrides } = await set({ locations: null, sandbox: { burstPerMinute: 3_000 } })
  expect(overrides).toEqual({
    feeCents: 100,
    locations: null,
    sandbox: { steadyPerMinute: 900, burstPerMinute: 3_000 },
  })
  const { errors } = await desk.refusal(desk.operator(), 'op.plan', { accountId, contract: { steadyPerMinute: 0 } })
  expect(errors).toMatchObject([{ field: 'contract.steadyPerMinute' }])
})

test('only operators may, and they confirm their identity again before billing is changed', async () => {
  const owner = desk.person('owner', waiting)
  const asked = {
    'op.accounts': {},
    'op.account': { accountId: waiting },
    'op.create': { name: 'x' },
    'op.approve': { accountId: waiting, plan: 'starter' },
    'op.withdraw': { accountId: waiting },
    'op.refuse': { accountId: waiting },
    'op.plan': { accountId: waiting, reset: true },
    'op.grants': {},
  } as const
  for (const [name, raw] of Object.entries(asked))
    expect((await desk.refusal(owner, name as keyof typeof asked, raw)).said?.key).toBe('right.operator')
  const unsure = { ...desk.operator(), elevatedUntilMs: null }
  expect((await desk.refusal(unsure, 'op.approve', { accountId: waiting, plan: 'starter' })).kind).toBe('elevate')
})
