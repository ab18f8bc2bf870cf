// Grants with scopes: a partner asks, the owner approves some of it, and the API keeps to that from the next request on.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { skuRoutes } from '#cloud/api/v1/sku-routes.ts'
import { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import type { AccountId } from '#shared/ids.ts'
import { AccountDesk, type Restaurant } from '#test/fixtures/account-desk.ts'
import type { Asker } from './perform.ts'

let desk: AccountDesk
let bistro: Restaurant
let partner: Restaurant
let owner: Asker
let developer: Asker

beforeEach(async () => {
  desk = await AccountDesk.open({
    routes: (app, api) =>
      skuRoutes(app, { ...api.stores, authorize: api.authorize, idempotency: new IdempotencyStore(api.db) }),
  })
  bistro = await desk.restaurant('bistro')
  partner = await desk.restaurant('kiosk')
  owner = desk.person('owner', bistro.accountId)
  developer = desk.person('developer', partner.accountId)
})
afterEach(() => desk.close())

const grantee = () => ({ merchantId: bistro.merchantId, accountId: partner.accountId })
const ask = (scopes = ['orders:read', 'orders:write', 'menu:read']) =>
  desk.perform(developer, 'grants.ask', { restaurant: bistro.merchantId, scopes, text: 'Our kiosks' })
const waits = async (who: Asker, side: 'received' | 'sent') =>
  (await desk.perform(who, 'grants.requests', { side })).data
const read = async (path: string) => {
  const answer = await desk.api.call('GET', `${path}?merchantId=${bistro.merchantId}`, { key: partner.apiKey })
  return { status: answer.status, code: answer.body.code, message: answer.body.message }
}

test('a partner asks for three scopes, the owner approves two, and the API refuses the third by its name', async () => {
  await ask()
  expect(await waits(owner, 'received')).toMatchObject([
    { merchantId: bistro.merchantId, accountName: 'kiosk', scopes: ['orders:read', 'orders:write', 'menu:read'] },
  ])
  expect((await read('/v1/order/o1')).code).toBe('merchant.not_authorized')
  await desk.perform(owner, 'grants.approve', { ...grantee(), scopes: ['orders:read', 'orders:write'] })
  expect((await desk.order(bistro.merchantId, partner.apiKey)).status).toBe(200)
  expect(await read('/v1/skus')).toEqual({
    status: 403,
    code: 'merchant.not_authorized',
    message: expect.stringContaining('menu:read'),
  })
  expect(await waits(owner, 'received')).toEqual([])
})

test('the owner sees what the partner has sent; the partner sees its own grant', async () => {
  await desk.perform(owner, 'grants.approve', { ...grantee(), scopes: ['orders:write'] })
  await desk.order(bistro.merchantId, partner.apiKey)
  const [given] = await listed(owner, 'given')
  expect(given).toMatchObject({ accountName: 'kiosk', scopes: ['orders:write'], orders: { count: 1, more: false } })
  expect(given?.orders.lastAt).toBe(new Date(desk.clock.now()).toISOString())
  expect(await listed(developer, 'held')).toMatchObject([{ merchantId: bistro.merchantId }])
})

const listed = async (who: Asker, side: 'given' | 'held') => (await desk.perform(who, 'grants.list', { side })).data

test.each([
  ['of an owner', 'grants.list', { side: 'given' }],
  ['of all accounts', 'op.grants', {}],
] as const)(
  'the grants %s come in pages, each grant once and the newest first, also those of one millisecond',
  async (_, name, of) => {
    const { accountId } = bistro
    const asker = name === 'op.grants' ? desk.operator() : owner
    const grant = async (to: AccountId) => desk.perform(owner, 'grants.approve', { ...grantee(), accountId: to })
    const partners: AccountId[] = []
    for (let n = 0; n < 5; n++) {
      if (n === 3) await desk.clock.advance(1_000)
      partners.push((await desk.restaurant(`partner${n}`)).accountId)
      await grant(partners[n]!)
    }
    const seen: AccountId[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const more = cursor === undefined ? {} : { cursor }
      const page = await desk.perform(asker, name, { ...of, limit: 2, ...more })
      expect(page.data.length).toBeLessThanOrEqual(2)
      seen.push(...page.data.map((one) => one.accountId))
      cursor = page.nextCursor
    }
    expect(seen.toSorted()).toEqual(partners.toSorted())
    expect(seen.slice(0, 2).toSorted()).toEqual(partners.slice(3).toSorted())
    const { nextCursor } = await desk.perform(asker, name, { ...of, limit: 2 })
    const other = name === 'op.grants' ? { accountId } : { side: 'held' }
    await expect(desk.perform(asker, name, { ...other, cursor: nextCursor })).rejects.toMatchObject({
      code: 'request.invalid',
    })
  },
)

test('what an account holds is counted for each restaurant separately', async () => {
  const tavern = await desk.restaurant('tavern')
  const keeper = desk.person('owner', tavern.accountId)
  await desk.perform(owner, 'grants.approve', grantee())
  await desk.perform(keeper, 'grants.approve', { ...grantee(), merchantId: tavern.merchantId })
  await desk.order(bistro.merchantId, partner.apiKey)
  const held = await listed(developer, 'held')
  const counts = held.map(({ merchantName, orders }) => [merchantName, orders.count, orders.lastAt !== null])
  expect(counts.toSorted()).toEqual([
    ['bistro', 1, true],
    ['tavern', 0, false],
  ])
})

test('a grant is narrowed with the next request, and is not widened by narrowing', async () => {
  await desk.perform(owner, 'grants.approve', { ...grantee(), scopes: ['orders:write', 'menu:read'] })
  expect((await read('/v1/skus')).status).toBe(200)
  await desk.perform(owner, 'grants.narrow', { ...grantee(), scopes: ['orders:write'] })
  expect((await read('/v1/skus')).status).toBe(403)
  const refused = await desk.refusal(owner, 'grants.narrow', { ...grantee(), scopes: ['orders:write', 'menu:read'] })
  expect(refused.said).toEqual({ key: 'grant.wider', values: { scopes: 'menu:read' } })
})

test('a grant without scopes gives all that the key may; taken back, it gives nothing', async () => {
  await desk.perform(owner, 'grants.approve', grantee())
  expect((await read('/v1/skus')).status).toBe(200)
  expect(await desk.perform(owner, 'grants.remove', grantee())).toMatchObject({ changed: true })
  expect(await desk.perform(owner, 'grants.remove', grantee())).toMatchObject({ changed: false })
  expect((await read('/v1/skus')).code).toBe('merchant.not_authorized')
})

test('an approval without scopes leaves a grant as narrow as it is', async () => {
  await desk.perform(owner, 'grants.approve', { ...grantee(), scopes: ['orders:write'] })
  const again = await desk.perform(owner, 'grants.approve', grantee())
  expect(again).toMatchObject({ changed: false, scopes: ['orders:write'] })
  expect((await read('/v1/skus')).status).toBe(403)
})

test('an approval without scopes gives a partner what it asked for, no more', async () => {
  await ask(['orders:read', 'orders:write'])
  expect(await desk.perform(owner, 'grants.approve', grantee())).toMatchObject({
    changed: true,
    scopes: ['orders:read', 'orders:write'],
  })
  await ask(['menu:read'])
  const more = await desk.perform(owner, 'grants.approve', grantee())
  expect(more.scopes).toEqual(['orders:read', 'orders:write', 'menu:read'])
})

test('an approval without scopes of a declined request grants all, as one without a request', async () => {
  await ask(['orders:read'])
  await desk.perform(owner, 'grants.decline', grantee())
  expect((await desk.perform(owner, 'grants.approve', grantee())).scopes).toBeNull()
})

test('repeated requests fill no audit log but the requester’s', async () => {
  for (let asked = 0; asked < 3; asked++) await ask()
  const asksIn = async (who: typeof owner) =>
    (await desk.perform(who, 'audit.list', { action: 'grant.ask' })).lines.length
  expect(await asksIn(owner)).toBe(1)
  expect(await asksIn(desk.person('owner', partner.accountId))).toBe(3)
})

test('a requester without a grant sees no name of the restaurant, and may ask for more beside a grant', async () => {
  await ask()
  expect(await waits(developer, 'sent')).toMatchObject([{ merchantId: bistro.merchantId, merchantName: null }])
  await desk.perform(owner, 'grants.approve', { ...grantee(), scopes: ['orders:read'] })
  await ask(['menu:read'])
  expect(
    (await desk.refusal(developer, 'grants.ask', { restaurant: bistro.merchantId, scopes: ['orders:read'] })).said,
  ).toEqual({
    key: 'grant.has',
    values: { merchantId: bistro.merchantId },
  })
  await desk.perform(owner, 'grants.decline', grantee())
  expect(await waits(owner, 'received')).toEqual([])
  expect((await desk.refusal(owner, 'grants.decline', grantee())).said?.key).toBe('grant.no-request')
})

test.each(['received', 'sent'] as const)(
  'requests that were %s come in pages, each once and the newest first, also those of one millisecond',
  async (side) => {
    const asked: string[] = []
    for (let n = 0; n < 5; n++) {
      if (n === 3) await desk.clock.advance(1_000)
      const other = await desk.restaurant(`other${n}`)
      const [asker, restaurant] =
        side === 'received' ? [desk.person('owner', other.accountId), bistro.merchantId] : [owner, other.merchantId]
      await desk.perform(asker, 'grants.ask', { restaurant, scopes: ['orders:read'] })
      asked.push(side === 'received' ? other.accountId : other.merchantId)
    }
    const seen: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const more = cursor === undefined ? {} : { cursor }
      const page = await desk.perform(owner, 'grants.requests', { side, limit: 2, ...more })
      expect(page.data.length).toBeLessThanOrEqual(2)
      seen.push(...page.data.map(({ accountId, merchantId }) => (side === 'received' ? accountId : merchantId)))
      cursor = page.nextCursor
    }
    expect(seen.toSorted()).toEqual(asked.toSorted())
    expect(seen.slice(0, 2).toSorted()).toEqual(asked.slice(3).toSorted())
    expect(await waits(owner, side === 'sent' ? 'received' : 'sent')).toEqual([])
    const { nextCursor } = await desk.perform(owner, 'grants.requests', { side, limit: 2 })
    const other = side === 'sent' ? 'received' : 'sent'
    await expect(desk.perform(owner, 'grants.requests', { side: other, cursor: nextCursor })).rejects.toMatchObject({
      code: 'request.invalid',
    })
  },
)

test('asking is refused for what is unknown, for a test merchant and for one of your own', async () => {
  const refused = (restaurant: string) => desk.refusal(developer, 'grants.ask', { restaurant, scopes: ['orders:read'] })
  expect((await refused('M-PROD-NOBODY')).errors).toMatchObject([{ field: 'restaurant' }])
  expect((await refused('M-TEST-001')).errors).toMatchObject([{ field: 'restaurant', message: /Only live/ }])
  expect((await refused(partner.merchantId)).said?.key).toBe('grant.owner')
})

test('at most 50 requests of an account wait at once', async () => {
  for (let n = 0; n < 50; n++) {
    const { merchantId } = await desk.restaurant(`place${n}`)
    await desk.perform(developer, 'grants.ask', { restaurant: merchantId, scopes: ['orders:read'] })
  }
  const refused = await desk.refusal(developer, 'grants.ask', {
    restaurant: bistro.merchantId,
    scopes: ['orders:read'],
  })
  expect(refused.said?.key).toBe('grant.too-many')
})

test('the account that owns the restaurant approves, by an owner with a fresh sign-in', async () => {
  const manager = desk.person('manager', bistro.accountId)
  expect((await desk.refusal(manager, 'grants.approve', grantee())).kind).toBe('forbidden')
  const unsure = desk.person('owner', bistro.accountId, { elevatedUntilMs: null })
  expect((await desk.refusal(unsure, 'grants.approve', grantee())).kind).toBe('elevate')
  const other = desk.person('owner', partner.accountId)
  await expect(desk.perform(other, 'grants.approve', grantee())).rejects.toMatchObject({
    code: 'merchant.not_authorized',
  })
  // Also once it has a grant: an action that names no scope is for the owner only.
  await desk.perform(owner, 'grants.approve', grantee())
  expect((await desk.refusal(other, 'grants.remove', grantee())).said?.key).toBe('right.owner-account')
})

test('the audit log of both accounts has the requester; the owner’s also has what was approved and the state before', async () => {
  await ask(['menu:read'])
  await desk.perform(owner, 'grants.approve', { ...grantee(), scopes: ['orders:read'] })
  await desk.perform(owner, 'grants.approve', { ...grantee(), scopes: null })
  const manager = desk.person('manager', bistro.accountId)
  const { lines } = await desk.perform(manager, 'audit.list', { action: 'grant.' })
  expect(lines.map(({ action }) => action)).toEqual(['grant.add', 'grant.add', 'grant.ask'])
  expect(lines[0]).toMatchObject({ before: { scopes: ['orders:read'] }, via: 'dashboard', address: '192.0.2.7' })
  const theirs = await desk.perform(desk.person('owner', partner.accountId), 'audit.list', { action: 'grant.ask' })
  expect(theirs.lines).toHaveLength(1)
})
