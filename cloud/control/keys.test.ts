// Keys at the dashboard: what a developer needs an owner for, and which mail owners get.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { KeyId } from '#shared/ids.ts'
import { AccountDesk, type Restaurant } from '#test/fixtures/account-desk.ts'
import type { Role } from './roles.ts'

let desk: AccountDesk
let bistro: Restaurant
beforeEach(async () => {
  desk = await AccountDesk.open()
  bistro = await desk.restaurant('bistro')
})
afterEach(() => desk.close())

const as = (role: Role) => desk.person(role, bistro.accountId)
const WRITES = ['orders:read', 'orders:write']

test('a developer makes, changes and rotates live keys that only read, where developers may see customers', async () => {
  await desk.perform(as('owner'), 'account.save', { developersSeeCustomers: true })
  const { keyId } = await desk.perform(as('developer'), 'keys.create', { environment: 'live' })
  await desk.perform(as('developer'), 'keys.scopes', { keyId, environment: 'live', scopes: ['orders:read'] })
  const rotated = await desk.perform(as('developer'), 'keys.rotate', { keyId, environment: 'live' })
  expect(rotated.oldKeyId).toBe(keyId)
})

test('a live key with a write scope needs an owner, whichever way a developer creates it', async () => {
  await desk.perform(as('owner'), 'account.save', { developersSeeCustomers: true })
  const { keyId } = await desk.perform(as('developer'), 'keys.create', { environment: 'live' })
  const refusals = [
    await desk.refusal(as('developer'), 'keys.create', { environment: 'live', scopes: WRITES }),
    await desk.refusal(as('developer'), 'keys.scopes', { keyId, environment: 'live', scopes: WRITES }),
    await desk.refusal(as('developer'), 'keys.scopes', { keyId, scopes: ['webhooks:manage'] }),
    await desk.refusal(as('developer'), 'keys.rotate', { keyId: bistro.keyId, environment: 'live' }),
  ]
  for (const { kind, message, said } of refusals)
    expect([kind, said?.key, message]).toEqual(['forbidden', 'key.needs-owner', expect.stringContaining('owner')])
  await desk.perform(as('developer'), 'keys.create', { environment: 'sandbox' })
  const made = await desk.perform(as('owner'), 'keys.create', { environment: 'live', scopes: WRITES })
  await desk.perform(as('owner'), 'keys.rotate', { keyId: made.keyId, environment: 'live' })
  // Revoking a leaked key never needs another person.
  await desk.perform(as('developer'), 'keys.revoke', { keyId: bistro.keyId, environment: 'live' })
})

test('each owner gets a mail about a key that was created, rotated or revoked, in their language and without the key', async () => {
  await desk.member(bistro.accountId, { role: 'owner', email: 'ana@bistro.test', language: 'es' })
  await desk.member(bistro.accountId, { role: 'owner', email: 'bo@bistro.test', language: 'en' })
  await desk.member(bistro.accountId, { role: 'manager', email: 'max@bistro.test', language: 'en' })
  const made = await desk.perform(as('owner'), 'keys.create', { environment: 'live' })
  await desk.perform(as('owner'), 'keys.rotate', { keyId: made.keyId, environment: 'live' })
  await desk.perform(as('owner'), 'keys.revoke', { keyId: made.keyId, environment: 'live' })
  const mails = await desk.mails()
  const to = (address: string) => mails.filter((mail) => mail.to === address).map(({ text }) => text)
  expect(mails.map((mail) => mail.to).sort()).toEqual([
    ...['ana@bistro.test', 'ana@bistro.test', 'ana@bistro.test'],
    ...['bo@bistro.test', 'bo@bistro.test', 'bo@bistro.test'],
  ])
  for (const text of to('bo@bistro.test')) expect(text).toContain(made.apiKey.slice(-4))
  expect(to('ana@bistro.test').filter((text) => to('bo@bistro.test').includes(text))).toEqual([])
  expect(JSON.stringify(mails)).not.toContain(made.apiKey)
})

test('a key is called by the name that it was given, also after a rotation, and by its new name', async () => {
  const keys = async () => {
    const all = await desk.perform(as('developer'), 'keys.list')
    return Object.fromEntries(all.map(({ keyId, name }) => [keyId, name]))
  }
  const made = await desk.perform(as('developer'), 'keys.create', { environment: 'sandbox', name: ' Online shop ' })
  const next = await desk.perform(as('developer'), 'keys.rotate', { keyId: made.keyId })
  await desk.perform(as('developer'), 'keys.rename', { keyId: next.keyId, name: 'Kiosk' })
  expect(await keys()).toEqual({ [made.keyId]: 'Online shop', [next.keyId]: 'Kiosk', [bistro.keyId]: null })
  const { lines } = await desk.perform(as('owner'), 'audit.list', { action: 'key.rename' })
  expect(lines).toMatchObject([{ subject: next.keyId, before: { name: 'Online shop' }, after: { name: 'Kiosk' } }])
})

test('naming a key requires no confirmed identity, also in live, and a repeated tap does not change it twice', async () => {
  const asker = { ...as('developer'), elevatedUntilMs: null }
  for (const _ of [1, 2])
    await desk.perform(asker, 'keys.rename', { keyId: bistro.keyId, environment: 'live', name: 'Till' })
  const { lines } = await desk.perform(as('owner'), 'audit.list', { action: 'key.rename' })
  expect(lines).toHaveLength(1)
})

test.each(['', ' ', 'a'.repeat(61), 'two\nlines', 'turned \u202e round', 'https://elsewhere.test'])(
  'a key is not called %j',
  async (name) => {
    for (const [operation, more] of [
      ['keys.create', { environment: 'sandbox' }],
      ['keys.rename', { keyId: bistro.keyId }],
    ] as const) {
      const { kind, errors } = await desk.refusal(as('owner'), operation, { ...more, name })
      expect([kind, errors.map(({ field }) => field)]).toEqual(['invalid', ['name']])
    }
  },
)

test('a key of another account cannot be named', async () => {
  const other = await desk.restaurant('other')
  const { kind } = await desk.refusal(as('owner'), 'keys.rename', { keyId: other.keyId, name: 'Mine' })
  expect(kind).toBe('not-found')
})

test('mail about a key has its name', async () => {
  await desk.member(bistro.accountId, { role: 'owner', email: 'ana@bistro.test', language: 'en' })
  const { keyId } = await desk.perform(as('owner'), 'keys.create', { environment: 'live', name: 'Online shop' })
  await desk.perform(as('owner'), 'keys.revoke', { keyId })
  const texts = (await desk.mails()).map(({ text }) => text)
  expect(texts).toEqual([expect.stringContaining('Name: Online shop'), expect.stringContaining('Name: Online shop')])
})

test('revoking a key again sends no further mail', async () => {
  await desk.member(bistro.accountId, { role: 'owner', email: 'ana@bistro.test', language: 'en' })
  await desk.perform(as('owner'), 'keys.revoke', { keyId: bistro.keyId })
  await desk.perform(as('owner'), 'keys.revoke', { keyId: bistro.keyId })
  expect(await desk.mails()).toHaveLength(1)
})

test('an account makes thirty keys an hour at most, and ends as many as it likes', async () => {
  const keys: KeyId[] = []
  for (let made = 0; made < 28; made++)
    keys.push((await desk.perform(as('developer'), 'keys.create', { environment: 'sandbox' })).keyId)
  const [first, second] = keys as [KeyId, KeyId]
  const more = () => desk.refusal(as('developer'), 'keys.create', { environment: 'sandbox' })
  await desk.perform(as('developer'), 'keys.rotate', { keyId: first })
  expect((await more()).said).toEqual({ key: 'key.too-many', values: { most: 30, minutes: 60 } })
  expect((await desk.refusal(as('owner'), 'keys.rotate', { keyId: second })).said?.key).toBe('key.too-many')
  for (const keyId of keys) await desk.perform(as('developer'), 'keys.revoke', { keyId })
  expect((await more()).said?.key).toBe('key.too-many')
})
