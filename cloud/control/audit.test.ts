// The audit log as people read it: things by name and in the place of their page, a restaurant by one id, and words for each action.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Principal } from '#cloud/auth/api-keys.ts'
import { revokeApiKey } from '#cloud/auth/revoke-key.ts'
import { words as english } from '#cloud/web/messages/audit-en.ts'
import { words as spanish } from '#cloud/web/messages/audit-es.ts'
import { words as chinese } from '#cloud/web/messages/audit-zh-hans.ts'
import { AccountDesk, type Restaurant } from '#test/fixtures/account-desk.ts'
import { operationSamples } from '#test/fixtures/operation-samples.ts'
import { audited } from './context.ts'
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

test('a line has the name of what was changed, and the link to its page', async () => {
  const { merchantId, locationId, keyId } = bistro
  await desk.perform(owner, 'keys.rename', { keyId, name: 'Kiosk' })
  await desk.perform(owner, 'locations.rename', { merchantId, locationId, name: 'Annexe' })
  expect(await log()).toMatchObject([
    { subject: locationId, subjectName: 'Annexe', merchantId, environment: 'live' },
    { subject: keyId, subjectName: 'Kiosk', merchantId: null, environment: 'live' },
  ])
})

test('a restaurant is named by its public id, in every form of line, and found by it', async () => {
  const { merchantId, merchantKey, accountId } = bistro
  const partner = await desk.restaurant('partner')
  await desk.perform(owner, 'merchant.save', { merchantId, prepMinutes: 9 })
  await desk.perform(owner, 'grants.approve', { merchantId, accountId: partner.accountId, scopes: ['orders:read'] })
  const kept = await desk.context.audit.list(accountId, 10)
  // The log has both forms, also from older releases.
  expect(kept.map(({ subject }) => subject)).toEqual([merchantId, merchantKey])
  const named = { subject: merchantId, subjectName: 'bistro', merchantId, environment: 'live' }
  expect(await log({ subject: merchantId })).toMatchObject([
    { ...named, action: 'grant.add' },
    { ...named, action: 'merchant.set' },
  ])
})

test('a key that acted is shown by its name', async () => {
  await desk.perform(owner, 'keys.rename', { keyId: bistro.keyId, name: 'Kiosk' })
  const { keyId, accountId } = bistro
  const principal = { keyId, accountId } as Principal
  await desk.api.db.unit((tx) => revokeApiKey(tx, desk.context, { principal, body: {} }))
  expect((await log())[0]).toMatchObject({ action: 'key.revoke', actorName: 'Kiosk', via: 'api' })
})

test('a print job is shown by its order; when the grant is gone, by nothing any more', async () => {
  const partner = await desk.restaurant('partner', ['orders:write'])
  const clerk = desk.person('owner', partner.accountId)
  const grant = { merchantId: bistro.merchantId, accountId: partner.accountId }
  await desk.perform(owner, 'grants.approve', { ...grant, scopes: ['orders:read', 'orders:write'] })
  await desk.order(bistro.merchantId, partner.apiKey, 'kiosk-41')
  const { id, order_id: serviceOrderId } = await desk.api.db.read
    .selectFrom('dispatches')
    .select(['id', 'order_id'])
    .where('kind', '=', 'order')
    .executeTakeFirstOrThrow()
  const entry = { accountId: partner.accountId, action: 'job.cancel', subject: id } as const
  await desk.api.db.unit(async (tx) => {
    const acts = { act: { by: 'console', accountId: null } as const }
    await audited(tx, desk.context, { ...acts, ...entry })
    // The same id in a line of another account is no window into this one.
    await audited(tx, desk.context, { ...acts, ...entry, accountId: bistro.accountId })
  })
  const line = async (who: Asker) =>
    (await desk.perform(who, 'audit.list', { action: 'job.cancel' })).lines.map(({ about, merchantId }) => ({
      about,
      merchantId,
    }))
  const order = { serviceOrderId, number: '1' }
  const hidden = [{ about: null, merchantId: null }]
  expect(await line(clerk)).toEqual([{ about: { kind: 'job', order }, merchantId: bistro.merchantId }])
  expect(await line(owner)).toEqual(hidden)
  await desk.perform(owner, 'grants.approve', { ...grant, scopes: ['orders:write'] })
  expect(await line(clerk)).toEqual(hidden)
  await desk.perform(owner, 'grants.remove', grant)
  expect(await line(clerk)).toEqual(hidden)
})

test('an invitation is shown by its role, and while it waits by its address, to those alone who see the people', async () => {
  const email = 'ben@bistro.test'
  const { invitationId } = await desk.perform(owner, 'people.invite', { email, role: 'manager' })
  const about = async (who: Asker) =>
    (await desk.perform(who, 'audit.list', { action: 'people.invite' })).lines.map((line) => line.about)
  const viewer = desk.person(null, bistro.accountId, { isOperator: true, isViewing: true })
  const said = { kind: 'invitation', role: 'manager' }
  expect(await about(owner)).toEqual([{ ...said, email }])
  expect(await about(desk.person('manager', bistro.accountId))).toEqual([{ ...said, email }])
  expect(await about(viewer)).toEqual([{ ...said, email: null }])
  await desk.clock.advance(31 * 86_400_000)
  expect(await about(owner)).toEqual([{ ...said, email: null }])
  await desk.api.db.unit((tx) => desk.context.codes.removeInvitation(tx, bistro.accountId, invitationId))
  expect(await about(owner)).toEqual([null])
})

test('a mail is shown by its kind', async () => {
  await desk.perform(owner, 'alerts.test')
  expect((await log())[0]).toMatchObject({ action: 'mail.test', about: { kind: 'mail', notice: 'test' } })
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
