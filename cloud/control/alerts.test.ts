// Rules about alerts: who may set them, for whom, and what is stored.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AlertDesk, OWNER } from '#test/fixtures/alert-desk.ts'
import type { Asker } from './perform.ts'

const RULE = { kind: 'box-silent', on: true, afterMinutes: 7, to: null, mutedUntil: null }
let at: AlertDesk
let owner: Asker
beforeEach(async () => {
  at = await AlertDesk.open()
  owner = at.desk.person('owner', at.bistro.accountId)
})
afterEach(() => at.close())

const rules = async () => (await at.desk.perform(owner, 'alerts.rules')).rules

test('a rule is set for the account and for a merchant, and each is removed separately', async () => {
  const { merchantId } = at.bistro
  await at.desk.perform(owner, 'alerts.save', RULE)
  await at.desk.perform(owner, 'alerts.save', { ...RULE, afterMinutes: 9 })
  await at.desk.perform(owner, 'alerts.save', { ...RULE, merchantId, on: false })
  const shown = { kind: 'box-silent', to: null, mutedUntil: null }
  expect(await rules()).toEqual([
    { ...shown, merchantId: null, on: true, afterMinutes: 9 },
    { ...shown, merchantId, on: false, afterMinutes: 7 },
  ])
  expect(await at.desk.perform(owner, 'alerts.reset', { kind: 'box-silent', merchantId })).toEqual({ changed: true })
  expect(await at.desk.perform(owner, 'alerts.reset', { kind: 'box-silent', merchantId })).toEqual({ changed: false })
  expect(await rules()).toHaveLength(1)
  const { lines } = await at.desk.perform(owner, 'audit.list', { action: 'alert.' })
  expect(lines.map(({ action }) => action)).toEqual(['alert.reset', 'alert.rule', 'alert.rule', 'alert.rule'])
})

test('the rules come with the defaults and with the possible recipients', async () => {
  const answer = await at.desk.perform(owner, 'alerts.rules')
  expect(answer.defaults).toHaveLength(10)
  expect(answer.defaults).toContainEqual({
    ...{ kind: 'endpoint-disabled', on: true, afterMinutes: 0, severity: 'critical', ofMerchant: true },
  })
  expect(answer.people).toMatchObject([{ email: OWNER, role: 'owner' }])
})

test('the recipients and their addresses are shown only to those who may set a rule', async () => {
  const peopleFor = async (asker: Asker) =>
    (await at.desk.perform(asker, 'alerts.rules')).people.map(({ email }) => email)
  const { accountId } = at.bistro
  expect(await peopleFor(at.desk.person('manager', accountId))).toEqual([OWNER])
  for (const role of ['staff', 'developer'] as const)
    expect(await peopleFor(at.desk.person(role, accountId))).toEqual([])
  const viewer = at.desk.person(null, accountId, { isOperator: true, isViewing: true })
  expect(await peopleFor(viewer)).toEqual([])
})

test('mail about an account goes to its own people alone', async () => {
  const stranger = await at.desk.member((await at.desk.restaurant('other')).accountId, {
    role: 'owner',
    email: 'x@y.test',
  })
  const refused = await at.desk.refusal(owner, 'alerts.save', { ...RULE, to: [stranger] })
  expect([refused.kind, refused.errors]).toEqual([
    'invalid',
    [{ field: 'to.0', message: 'is not a member of this account' }],
  ])
})

test('a rule about usage names no merchant; one about the relay is no account’s', async () => {
  const { merchantId } = at.bistro
  const ofUsage = await at.desk.refusal(owner, 'alerts.save', { ...RULE, kind: 'usage-high', merchantId })
  expect(ofUsage.errors).toEqual([{ field: 'merchantId', message: 'is not for this kind' }])
  expect((await at.desk.refusal(owner, 'alerts.save', { ...RULE, kind: 'outbox-old' })).errors[0]?.field).toBe('kind')
})

test('staff read and set nothing', async () => {
  const staff = at.desk.person('staff', at.bistro.accountId)
  expect((await at.desk.refusal(staff, 'alerts.save', RULE)).kind).toBe('forbidden')
  expect((await at.desk.perform(staff, 'alerts.rules')).rules).toEqual([])
})

test('a test mail is sent to the person who requests it, in their language', async () => {
  const userId = await at.desk.member(at.bistro.accountId, {
    role: 'manager',
    email: 'ana@bistro.test',
    language: 'zh-Hans',
  })
  const manager = at.desk.person('manager', at.bistro.accountId, { userId })
  expect(await at.desk.perform(manager, 'alerts.test')).toMatchObject({ to: 'ana@bistro.test' })
  expect(await at.mailed('ana@bistro.test')).toEqual(['Ticketrail 测试邮件'])
})

test('an account sends itself ten test mails an hour at most', async () => {
  const userId = await at.desk.member(at.bistro.accountId, { role: 'staff', email: 'bo@bistro.test', language: 'en' })
  const staff = at.desk.person('staff', at.bistro.accountId, { userId })
  for (let sent = 0; sent < 10; sent++) await at.desk.perform(staff, 'alerts.test')
  const { said } = await at.desk.refusal(staff, 'alerts.test')
  expect(said).toEqual({ key: 'alert.too-many-tests', values: { most: 10, minutes: 60 } })
})
