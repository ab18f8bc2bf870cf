// The audit log as people read it: things by name and in the place of their page, a restaurant by one id, and words for each action.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Principal } from '#cloud/auth/api-keys.ts'
import { revokeApiKey } from '#cloud/auth/revoke-key.ts'
import { words as english } from '#cloud/web/messages/audit-en.ts'
import { words as spanish } from '#cloud/web/messages/audit-es.ts'
import { words as chinese } from '#cloud/web/messages/audit-zh-hans.ts'
import { AccountDesk, type Restaurant } from '#test/fixtures/account-desk.ts'
import { operationSamples } from '#test/fixtures/operation-samples.ts'
import type { OperationName } from './operations.ts'
import type { Asker } from './perform.ts'

let desk: AccountDesk
let bistro: Restaurant
let owner: Asker
beforeEach(async () => {
  desk = await AccountDesk.open()
  bistro = await desk.restaurant('bistro')
  owner = desk.person('owner', bistro.accountId)
})
afterEach(() => desk.close())

const log = async (raw: object = {}) => (await desk.perform(owner, 'audit.list', raw)).lines

test('a line says the name of what was changed, and where its page is', async () => {
  const { merchantId, locationId, keyId } = bistro
  await desk.perform(owner, 'keys.rename', { keyId, name: 'Kiosk' })
  await desk.perform(owner, 'locations.rename', { merchantId, locationId, name: 'Annexe' })
  expect(await log()).toMatchObject([
    { subject: locationId, subjectName: 'Annexe', merchantId, environment: 'live' },
    { subject: keyId, subjectName: 'Kiosk', merchantId: null, environment: 'live' },
  ])
})

test('a restaurant is named by the id that its clients know, in whatever way a line names it, and found by it', async () => {
  const { merchantId, merchantKey, accountId } = bistro
  const partner = await desk.restaurant('partner')
  await desk.perform(owner, 'merchant.save', { merchantId, prepMinutes: 9 })
  await desk.perform(owner, 'grants.approve', { merchantId, accountId: partner.accountId, scopes: ['orders:read'] })
  const kept = await desk.context.audit.list(accountId, 10)
  // Both ways stand in the log, also of older releases.
  expect(kept.map(({ subject }) => subject)).toEqual([merchantId, merchantKey])
  const named = { subject: merchantId, subjectName: 'bistro', merchantId, environment: 'live' }
  expect(await log({ subject: merchantId })).toMatchObject([
    { ...named, action: 'grant.add' },
    { ...named, action: 'merchant.set' },
  ])
})

test('a key that did something is said by its name', async () => {
  await desk.perform(owner, 'keys.rename', { keyId: bistro.keyId, name: 'Kiosk' })
  const { keyId, accountId } = bistro
  const principal = { keyId, accountId } as Principal
  await desk.api.db.unit((tx) => revokeApiKey(tx, desk.context, principal, {}))
  expect((await log())[0]).toMatchObject({ action: 'key.revoke', actorName: 'Kiosk', via: 'api' })
})

test('each action that an operation writes has words in three languages', async () => {
  const { merchantId, accountId, keyId, locationId } = bistro
  const things = { keyId, locationId, umsId: 'UMS-SOUP' }
  const samples = operationSamples({ merchantId, environment: 'live', accountId, things })
  for (const name of Object.keys(samples) as OperationName[])
    for (const asker of [owner, desk.operator()]) await desk.perform(asker, name, samples[name]).catch(() => undefined)
  const actions = new Set((await desk.context.audit.list(null, 500)).map(({ action }) => action))
  expect(actions.size).toBeGreaterThan(20)
  for (const { actions: said } of [english, spanish, chinese])
    expect([...actions].filter((action) => !Object.hasOwn(said, action))).toEqual([])
})
