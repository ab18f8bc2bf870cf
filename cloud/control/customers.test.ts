// Developers and customers of live restaurants: an owner decides, and until then no operation shows them to a developer.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEndpoint } from '#cloud/webhooks/endpoints.ts'
import { newId, type WebhookId } from '#shared/ids.ts'
import { AccountDesk, type Restaurant } from '#test/fixtures/account-desk.ts'
import type { OperationName } from './operations.ts'
import type { Role } from './roles.ts'

let desk: AccountDesk
let bistro: Restaurant
let webhookId: WebhookId
beforeEach(async () => {
  desk = await AccountDesk.open()
  bistro = await desk.restaurant('bistro')
  const { secretBox, merchants } = desk.context
  const merchant = await merchants.byKey(bistro.merchantKey)
  const deps = { ...desk.context, secretBox: secretBox! }
  const made = { url: 'https://93.184.216.34/in', events: ['*' as const] }
  ;({ webhookId } = (await desk.api.db.unit((tx) => createEndpoint(tx, deps, { merchant, ...made }))).answer)
})
afterEach(() => desk.close())

const as = (role: Role) => desk.person(role, bistro.accountId)
const allow = (developersSeeCustomers: boolean) => desk.perform(as('owner'), 'account.save', { developersSeeCustomers })
const read = ['menu:read', 'orders:read'] as const

/** Each way on which a program of a developer's own would get them. */
async function ways(): Promise<[OperationName, Record<string, unknown>][]> {
  const { merchantId } = bistro
  const seesMenu = await desk.perform(as('owner'), 'keys.create', { environment: 'live', scopes: ['menu:read'] })
  const seesOrders = await desk.perform(as('owner'), 'keys.create', { environment: 'live', scopes: [...read] })
  return [
    ['keys.create', { environment: 'live' }],
    ['keys.create', { environment: 'live', scopes: [...read] }],
    ['keys.scopes', { keyId: seesMenu.keyId, scopes: [...read] }],
    ['keys.rotate', { keyId: seesOrders.keyId }],
    ['endpoints.create', { merchantId, url: 'https://93.184.216.35/in' }],
    ['endpoints.change', { merchantId, webhookId, url: 'https://93.184.216.35/in' }],
    ['endpoints.rotate', { merchantId, webhookId }],
    ['endpoints.listenSecret', { merchantId }],
  ]
}

test('a developer needs an owner for whatever would show them, and the refusal says so', async () => {
  for (const [name, raw] of await ways()) {
    const { kind, said, message } = await desk.refusal(as('developer'), name, raw)
    expect([name, kind, said?.key, message]).toEqual([
      ...[name, 'forbidden', 'right.customers'],
      expect.stringContaining('ask an owner'),
    ])
  }
})

test('a developer whose owner allows it needs no approval, until the owner withdraws it', async () => {
  const all = await ways()
  await allow(true)
  for (const [name, raw] of all) await desk.perform(as('developer'), name, raw)
  await allow(false)
  expect((await desk.refusal(as('developer'), 'keys.create', { environment: 'live' })).said?.key).toBe(
    'right.customers',
  )
})

test('an owner needs no approval, for every setting', async () => {
  for (const [name, raw] of await ways()) await desk.perform(as('owner'), name, raw)
})

test('a developer keeps access to what shows no customer: keys for the menu, other events, the sandbox', async () => {
  const { merchantId } = bistro
  const scopes = ['menu:read']
  const made = await desk.perform(as('developer'), 'keys.create', { environment: 'live', scopes })
  await desk.perform(as('developer'), 'keys.rotate', { keyId: made.keyId })
  await desk.perform(as('developer'), 'endpoints.change', { merchantId, webhookId, events: ['order.ready'] })
  await desk.perform(as('developer'), 'keys.create', { environment: 'sandbox' })
})

test('what another account allows counts for its own developers alone', async () => {
  const other = await desk.restaurant('other')
  await desk.perform(desk.person('owner', other.accountId), 'account.save', { developersSeeCustomers: true })
  expect((await desk.refusal(as('developer'), 'keys.create', { environment: 'live' })).said?.key).toBe(
    'right.customers',
  )
})

test('only an owner decides, with a confirmed identity; everyone may read it, and the audit log keeps it', async () => {
  const change = { developersSeeCustomers: true }
  for (const role of ['staff', 'developer', 'manager'] as const)
    expect((await desk.refusal(as(role), 'account.save', change)).said?.key).toBe('right.role')
  const notShown = desk.person('owner', bistro.accountId, { elevatedUntilMs: null })
  expect((await desk.refusal(notShown, 'account.save', change)).kind).toBe('elevate')
  expect(await desk.perform(as('staff'), 'account.get')).toEqual({
    developersSeeCustomers: false,
    liveListening: false,
  })
  await allow(true)
  await allow(true)
  expect(await desk.perform(as('developer'), 'account.get')).toEqual({ ...change, liveListening: false })
  const saves = (await desk.context.audit.list(bistro.accountId, 50)).filter(({ action }) => action === 'account.save')
  expect(saves.map(({ before, after }) => [before, after])).toEqual([
    ['{"developersSeeCustomers":false,"liveListening":false}', '{"developersSeeCustomers":true,"liveListening":false}'],
  ])
})

test('orders of live restaurants name no customer to a developer, until it is allowed', async () => {
  const { merchantId, apiKey } = bistro
  const orderId = newId('ord', 0)
  const items = [{ umsId: 'UMS-SOUP', qty: 1, price: 8.95 }]
  const body = { merchantId, orderId, source: 'test', items, total: 8.95, customer: { name: 'Ana Lopez' } }
  expect((await desk.api.call('POST', '/v1/order/inject', { key: apiKey, body })).status).toBeLessThan(300)
  const shown = async () => (await desk.perform(as('developer'), 'orders.list', { merchantId })).rows[0]?.customerName
  expect(await shown()).toBe('***')
  await allow(true)
  expect(await shown()).toBe('Ana Lopez')
})
