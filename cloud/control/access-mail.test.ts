// Mail about access and about an account's requests: who gets it, when, and that nobody gets too much of it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AccountId } from '#shared/ids.ts'
import { AccountDesk, type Restaurant } from '#test/fixtures/account-desk.ts'
import type { Asker } from './perform.ts'

let desk: AccountDesk
let bistro: Restaurant
let partner: Restaurant
let owner: Asker
let developer: Asker

beforeEach(async () => {
  desk = await AccountDesk.open()
  bistro = await desk.restaurant('bistro')
  partner = await desk.restaurant('kiosk')
  owner = desk.person('owner', bistro.accountId)
  developer = desk.person('developer', partner.accountId)
  await desk.member(bistro.accountId, { role: 'owner', email: 'olga@bistro.test' })
  await desk.member(bistro.accountId, { role: 'manager', email: 'max@bistro.test' })
  await desk.member(partner.accountId, { role: 'owner', email: 'pia@kiosk.test' })
  await desk.member(partner.accountId, { role: 'developer', email: 'dan@kiosk.test' })
})
afterEach(() => desk.close())

const grantee = () => ({ merchantId: bistro.merchantId, accountId: partner.accountId })
const ask = (scopes = ['orders:read', 'menu:read']) =>
  act(developer, 'grants.ask', { restaurant: bistro.merchantId, scopes, text: 'Visit evil.test' })
const told = async () => (await desk.mails()).map(({ to, kind }) => `${kind} ${to}`)
const lastText = async () => (JSON.parse((await desk.mails()).at(-1)!.text) as { text: string }).text
/** A second later than what was before: mails of one millisecond have no order. */
const act: AccountDesk['perform'] = async (...asked) => {
  await desk.clock.advance(1_000)
  return desk.perform(...asked)
}

test('the owners of the restaurant get who asks and for which scopes, without the requester’s own text', async () => {
  await ask()
  expect(await told()).toEqual(['access-asked olga@bistro.test'])
  const text = await lastText()
  for (const said of ['bistro', bistro.merchantId, 'kiosk', partner.accountId, 'orders:read, menu:read'])
    expect(text).toContain(said)
  expect(text).not.toContain('evil.test')
})

test('asking again before an answer writes no mail; asking after one does', async () => {
  for (let asked = 0; asked < 3; asked++) await ask()
  expect(await told()).toEqual(['access-asked olga@bistro.test'])
  await act(owner, 'grants.decline', grantee())
  await ask()
  expect((await told()).filter((mail) => mail.startsWith('access-asked'))).toHaveLength(2)
})

test('for any number of partners, an account gets at most 20 such mails an hour, and each request is shown', async () => {
  for (let n = 0; n < 22; n++) {
    const stranger = await desk.restaurant(`stranger${n}`)
    const scopes = ['orders:read']
    const asker = desk.person('owner', stranger.accountId)
    await act(asker, 'grants.ask', { restaurant: bistro.merchantId, scopes })
  }
  expect(await told()).toHaveLength(20)
  expect((await desk.perform(owner, 'grants.requests', { side: 'received' })).data).toHaveLength(22)
  await desk.clock.advance(3_600_001)
  await ask()
  expect(await told()).toHaveLength(21)
})

test('the owners of the partner get each answer, and what they may do now', async () => {
  await ask()
  await act(owner, 'grants.approve', { ...grantee(), scopes: ['orders:read', 'menu:read'] })
  expect(await lastText()).toMatch(/You have access[\s\S]*orders:read, menu:read/)
  await act(owner, 'grants.narrow', { ...grantee(), scopes: ['orders:read'] })
  expect(await lastText()).toMatch(/narrowed[\s\S]*You may: orders:read\n/)
  await act(owner, 'grants.remove', grantee())
  expect(await lastText()).toContain('removed')
  await ask()
  await act(owner, 'grants.decline', grantee())
  expect(await lastText()).toContain('declined')
  const answers = (await told()).filter((mail) => mail.startsWith('access-answered'))
  expect(answers).toEqual(Array(4).fill('access-answered pia@kiosk.test'))
})

test('a requester without a grant does not get the restaurant’s name in the mail with the refusal', async () => {
  await ask()
  await act(owner, 'grants.decline', grantee())
  expect(await lastText()).not.toContain('bistro')
})

test('nothing is written where nothing changes or the act is refused', async () => {
  await act(owner, 'grants.approve', { ...grantee(), scopes: ['orders:read'] })
  const before = await told()
  await act(owner, 'grants.approve', { ...grantee(), scopes: ['orders:read'] })
  await act(owner, 'grants.narrow', { ...grantee(), scopes: ['orders:read'] })
  await desk.refusal(owner, 'grants.decline', grantee())
  await act(owner, 'grants.remove', grantee())
  await act(owner, 'grants.remove', grantee())
  expect((await told()).length).toBe(before.length + 1)
})

test('a request for an existing grant is answered by mail, too', async () => {
  await act(owner, 'grants.approve', { ...grantee(), scopes: ['orders:read'] })
  await ask(['menu:read'])
  await act(owner, 'grants.approve', { ...grantee(), scopes: ['orders:read'] })
  expect(await lastText()).toContain('You may: orders:read\n')
  expect((await told()).filter((mail) => mail.startsWith('access-answered'))).toHaveLength(2)
})

test('a relay without a master key sends no mail, and stores the request all the same', async () => {
  Object.assign(desk.context, { secretBox: null })
  await ask()
  expect(await desk.mails()).toEqual([])
})

const owners = async (accountId: AccountId) => desk.member(accountId, { role: 'owner', email: 'ana@new.test' })

test('the owners get the approval of live keys, with the plan', async () => {
  const { accountId } = desk.api.account
  await owners(accountId)
  await act(desk.operator(), 'op.approve', { accountId, plan: 'growth' })
  expect(await told()).toEqual(['request-answered ana@new.test'])
  expect(await lastText()).toMatch(/Plan: growth[\s\S]*live keys/)
  await act(desk.operator(), 'op.approve', { accountId, plan: 'growth' })
  expect(await told()).toHaveLength(1)
})

test('the owners get another plan and a refusal, but not a contract alone', async () => {
  await act(desk.person('owner', partner.accountId), 'plans.ask', { plan: 'enterprise' })
  await act(desk.operator(), 'op.refuse', { accountId: partner.accountId })
  expect(await lastText()).toMatch(/said no[\s\S]*Plan: starter/)
  await act(desk.operator(), 'op.plan', { accountId: partner.accountId, plan: 'growth' })
  expect(await lastText()).toContain('Plan: growth')
  const before = (await told()).length
  await act(desk.operator(), 'op.plan', { accountId: partner.accountId, contract: { feeCents: 100 } })
  expect(await told()).toHaveLength(before)
  expect(await told()).toEqual(Array(2).fill('request-answered pia@kiosk.test'))
})
