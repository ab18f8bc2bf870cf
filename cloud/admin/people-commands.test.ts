// People at the operator's line: invited, listed, forgotten, and welcomed once.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AdminDesk } from '#test/fixtures/admin-desk.ts'

let desk: AdminDesk
beforeEach(async () => {
  desk = await AdminDesk.open()
})
afterEach(() => desk.close())

const account = () => desk.api.account.accountId

test('an invitation is shown as a link, whatever it is for', async () => {
  const operator = await desk.json('users', 'invite', '--email', 'Ana@Bistro.test', '--operator')
  expect(operator).toMatchObject({
    email: 'Ana@Bistro.test',
    link: expect.stringMatching(/\/dashboard\/invite#\S{49}$/),
  })
  const words = await desk.run('users', 'invite', '--email', 'b@bistro.test', '--account', account(), '--role', 'owner')
  expect([words.code, words.out]).toEqual([0, expect.stringContaining('No mail leaves this relay')])
})

test('an invitation names its role', async () => {
  const to = ['users', 'invite', '--email', 'ana@bistro.test']
  const what = 'Say what for: --operator alone, or --account with --role.'
  expect(await desk.refused(...to)).toContain(what)
  expect(await desk.refused(...to, '--account', account())).toContain(what)
  expect(await desk.refused(...to, '--operator', '--role', 'owner')).toContain(what)
})

test('a welcome makes the owner of an account that has none, and is for the same person after that', async () => {
  const first = await desk.json('users', 'welcome', '--account', account(), '--email', 'ana@bistro.test')
  expect(first.link).toMatch(/^http:\/\/localhost:8080\/dashboard#welcome=\S{49}$/)
  const again = await desk.json('users', 'welcome', '--account', account())
  expect([again.userId, again.email]).toEqual([first.userId, 'ana@bistro.test'])
  expect(again.link).not.toBe(first.link)
  expect(await desk.json('users', 'list')).toMatchObject([
    { email: 'ana@bistro.test', isOperator: false, accounts: [{ accountId: account(), role: 'owner' }] },
  ])
})

test('the only owner of an account is not forgotten; another person is, down to the id', async () => {
  const { userId } = await desk.json('users', 'welcome', '--account', account(), '--email', 'ana@bistro.test')
  const words = await desk.refused('users', 'remove', '--email', 'ana@bistro.test')
  expect(words).toContain(`${account()} has no other owner`)
  const { accountId } = await desk.json('accounts', 'create', '--name', 'Second')
  await desk.json('users', 'welcome', '--account', accountId, '--email', 'bo@bistro.test')
  await desk.api.db.unit((tx) =>
    tx.updateTable('memberships').set({ account_id: accountId }).where('user_id', '=', userId).execute(),
  )
  await desk.json('users', 'remove', '--email', 'ANA@bistro.test')
  expect(JSON.stringify(await desk.api.db.read.selectFrom('email_codes').selectAll().execute())).not.toMatch(/ana/i)
  expect(await desk.refused('users', 'remove', '--email', 'ana@bistro.test')).toContain('`users list` shows all')
  const rows = await desk.api.db.read.selectFrom('users').selectAll().where('id', '=', userId).execute()
  expect(JSON.stringify(rows)).not.toMatch(/ana/i)
  expect(await desk.api.db.read.selectFrom('memberships').selectAll().where('user_id', '=', userId).execute()).toEqual(
    [],
  )
})
