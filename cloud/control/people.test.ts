// People of an account and a person's own settings, as the page asks for them: over HTTP, with sessions that are really there.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAccount } from '#cloud/auth/accounts.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { DashboardDesk, type SignedInPerson } from '#test/fixtures/dashboard-desk.ts'
import type { OperationName } from './operations.ts'
import { ROLES } from './roles.ts'

const MINUTE_MS = 60_000

let clock: ManualClock
let desk: DashboardDesk
let owner: SignedInPerson

beforeEach(async () => {
  clock = new ManualClock()
  desk = await DashboardDesk.open({ clock })
  owner = await elevated('owner')
})
afterEach(() => desk.close())

const elevated = (role: (typeof ROLES)[number], more: Parameters<DashboardDesk['person']>[0] = {}) =>
  desk.person({ member: [{ role }], elevatedUntilMs: clock.now() + 10 * MINUTE_MS, ...more })
const operator = (more: Parameters<DashboardDesk['person']>[0] = {}) =>
  elevated('owner', { member: [], isOperator: true, ...more })

/** The key of the refusal; null: it was done. */
async function refused(who: SignedInPerson, name: OperationName, body: unknown = {}, account?: null) {
  const answer = await desk.ask(who, name, { body, ...(account === null && { account }) })
  return answer.status === 200 ? null : (answer.body.said?.key as string)
}
const insertPasskey = (id: never, { userId }: SignedInPerson) =>
  desk.api.db.unit((tx) =>
    desk.stores.passkeys.insert(tx, {
      ...{ id, credential_id: 'c', user_id: userId, public_key: '', counter: 0, transports: '[]' },
      ...{ backed_up: 0, name: 'Key', created_at: 0, last_used_at: null },
    }),
  )
const roleOf = (who: SignedInPerson) => desk.stores.memberships.role(who.userId, desk.accountId)
const isSignedIn = async (who: SignedInPerson) => (await desk.stores.logins.ofUser(who.userId)).length > 0
const audited = async () => {
  const [row] = await desk.control.audit.list(desk.accountId, 1)
  return row
}
/** What is of no account: what people do with themselves. */
const auditedOfPeople = () =>
  desk.api.db.read.selectFrom('audit_log').selectAll().where('account_id', 'is', null).orderBy('ordinal').execute()

describe('people of an account', () => {
  test('are changed only by an owner of the account with a confirmed identity', async () => {
    const staff = await desk.person({ member: [{ role: 'staff' }] })
    const asked: [OperationName, unknown][] = [
      ['people.invite', { email: 'bo@bistro.test', role: 'staff' }],
      ['people.role', { userId: staff.userId, role: 'manager' }],
      ['people.remove', { userId: staff.userId }],
    ]
    for (const [name, body] of asked) {
      for (const role of ROLES.filter((it) => it !== 'owner'))
        expect(await refused(await elevated(role), name, body)).toBe('right.role')
      expect(await refused(await desk.person(), name, body)).toBe('right.elevate')
      expect(await refused(await operator(), name, body)).toBe('right.member')
    }
    expect(await roleOf(staff)).toBe('staff')
    for (const [name, body] of asked) expect(await refused(owner, name, body)).toBeNull()
  })

  test('are invited twenty times an hour at most, whoever it is', async () => {
    const invite = () => refused(owner, 'people.invite', { email: 'bo@bistro.test', role: 'staff' })
    for (let sent = 0; sent < 20; sent++) expect(await invite()).toBeNull()
    const answer = await desk.ask(owner, 'people.invite', { body: { email: 'cy@bistro.test', role: 'staff' } })
    expect([answer.status, answer.body.said]).toEqual([
      409,
      { key: 'invite.too-many', values: { most: 20, minutes: 60 } },
    ])
    await clock.advance(60 * MINUTE_MS)
    owner = await elevated('owner')
    expect(await invite()).toBeNull()
  })

  test('are listed with the open invitations, for owners and managers', async () => {
    await desk.ask(owner, 'people.invite', { body: { email: 'bo@bistro.test', role: 'developer' } })
    const { people, invitations } = (await desk.ask(await elevated('manager'), 'people.list')).body.result
    expect(people.map(({ role, isYou }: { role: string; isYou: boolean }) => [role, isYou]).toSorted()).toEqual([
      ['manager', true],
      ['owner', false],
    ])
    expect(invitations).toMatchObject([{ email: 'bo@bistro.test', role: 'developer', invitedBy: 'Ana' }])
    expect(await refused(await elevated('developer'), 'people.list')).toBe('right.role')
    expect(await refused(await elevated('staff'), 'people.list')).toBe('right.role')
  })

  test('must sign in again when their role changes, and are no members here once they are removed', async () => {
    const staff = await desk.person({ member: [{ role: 'staff' }] })
    await desk.ask(owner, 'people.role', { body: { userId: staff.userId, role: 'manager' } })
    expect([await roleOf(staff), await isSignedIn(staff)]).toEqual(['manager', false])
    expect(await audited()).toMatchObject({
      action: 'people.role',
      before: '{"role":"staff"}',
      after: '{"role":"manager"}',
    })
    const other = await desk.person({ member: [{ role: 'staff' }] })
    await desk.ask(owner, 'people.remove', { body: { userId: other.userId } })
    expect([await roleOf(other), await isSignedIn(other)]).toEqual([null, false])
    expect(await audited()).toMatchObject({ action: 'people.remove', subject: other.userId, via: 'dashboard' })
  })

  test.each([
    ['is taken out', 'people.remove', {}],
    ['is no owner any more', 'people.role', { role: 'manager' }],
  ] as const)('who %s leaves no invitation behind by which they come back', async (_what, name, more) => {
    const second = await elevated('owner')
    for (const [who, email] of [
      [second, 'second-again@bistro.test'],
      [owner, 'bo@bistro.test'],
    ] as const)
      await desk.ask(who, 'people.invite', { body: { email, role: 'owner' } })
    await desk.ask(owner, name, { body: { userId: second.userId, ...more } })
    const { invitations } = (await desk.ask(owner, 'people.list')).body.result
    expect(invitations.map(({ email }: { email: string }) => email)).toEqual(['bo@bistro.test'])
  })

  test('who have another account stay signed in for it; here their rights end with the next call', async () => {
    const elsewhere = await desk.api.db.unit((tx) => createAccount(tx, desk.control, { name: 'Other' }))
    const shared = await desk.person({ member: [{ role: 'manager' }, { role: 'owner', accountId: elsewhere }] })
    await desk.ask(owner, 'people.role', { body: { userId: shared.userId, role: 'staff' } })
    expect(await refused(shared, 'people.list')).toBe('right.role')
    await desk.ask(owner, 'people.remove', { body: { userId: shared.userId } })
    expect(await refused(shared, 'people.list')).toBe('right.member')
    expect((await desk.ask(shared, 'people.list', { account: elsewhere })).status).toBe(200)
  })

  test('who are operators stay signed in for that', async () => {
    const runs = await elevated('owner', { member: [{ role: 'staff' }], isOperator: true })
    await desk.ask(owner, 'people.remove', { body: { userId: runs.userId } })
    expect(await refused(runs, 'people.list')).toBe('right.member')
    expect(await refused(runs, 'op.accounts')).toBeNull()
  })

  test('keep their sessions when the role stays as it is', async () => {
    const staff = await desk.person({ member: [{ role: 'staff' }] })
    await desk.ask(owner, 'people.role', { body: { userId: staff.userId, role: 'staff' } })
    expect(await isSignedIn(staff)).toBe(true)
  })

  test('always have an owner: the last one is neither lowered nor taken out', async () => {
    const body = { userId: owner.userId }
    expect(await refused(owner, 'people.remove', body)).toBe('people.last-owner')
    expect(await refused(owner, 'people.role', { ...body, role: 'staff' })).toBe('people.last-owner')
    await elevated('owner')
    expect(await refused(owner, 'people.role', { ...body, role: 'staff' })).toBeNull()
  })

  test('when two owners remove each other at once, one stays', async () => {
    const second = await elevated('owner')
    await Promise.all([
      desk.ask(owner, 'people.remove', { body: { userId: second.userId } }),
      desk.ask(second, 'people.remove', { body: { userId: owner.userId } }),
    ])
    const left = (await desk.stores.memberships.ofAccount(desk.accountId)).map(({ role }) => role)
    expect(left).toEqual(['owner'])
  })

  test('of another account are no members here', async () => {
    const other = await desk.api.db.unit((tx) => createAccount(tx, desk.control, { name: 'Other' }))
    const stranger = await desk.person({ member: [{ role: 'staff', accountId: other }] })
    expect(await refused(owner, 'people.remove', { userId: stranger.userId })).toBe('people.unknown')
    expect(await refused(owner, 'people.role', { userId: stranger.userId, role: 'owner' })).toBe('people.unknown')
    expect(await desk.stores.memberships.role(stranger.userId, other)).toBe('staff')
  })

  test('are invited once, and an invitation is taken back by its account alone', async () => {
    const tap = { body: { email: 'bo@bistro.test', role: 'staff' }, tapId: 'tap-1' }
    const first = (await desk.ask(owner, 'people.invite', tap)).body.result
    expect((await desk.ask(owner, 'people.invite', tap)).body.result).toEqual(first)
    const other = await desk.api.db.unit((tx) => createAccount(tx, desk.control, { name: 'Other' }))
    const stranger = await elevated('owner', { member: [{ role: 'owner', accountId: other }] })
    const body = { invitationId: first.invitationId }
    const theirs = await desk.ask(stranger, 'people.invitations.revoke', { body, account: other })
    expect([theirs.status, theirs.body.said.key]).toEqual([404, 'invite.gone'])
    expect(await refused(owner, 'people.invitations.revoke', body)).toBeNull()
    expect(await refused(owner, 'people.invitations.revoke', body)).toBe('invite.gone')
  })

  test('are invited by mail alone where mail leaves, and by a link to hand over where none does', async () => {
    const body = { email: 'bo@bistro.test', role: 'staff' }
    expect((await desk.ask(owner, 'people.invite', { body })).body.result.link).toBeNull()
    await desk.close()
    desk = await DashboardDesk.open({ clock, people: { sendsMail: false } })
    owner = await elevated('owner')
    const { link } = (await desk.ask(owner, 'people.invite', { body })).body.result
    expect(link).toMatch(/^https:\/\/relay\.example\/dashboard\/invite#/)
  })
})

describe('a person', () => {
  test('sees and changes what is theirs, without any account', async () => {
    const ask = (name: OperationName, body: unknown = {}) => desk.ask(owner, name, { body, account: null })
    await ask('me.save', { name: ' Ana María ', language: 'es' })
    expect((await ask('me.get')).body.result).toMatchObject({ name: 'Ana María', language: 'es', isOperator: false })
    expect((await ask('me.save', { name: 'a\nb' })).status).toBe(422)
    expect((await ask('me.save', { language: 'xx' })).status).toBe(422)
  })

  test('finds in the log of changes that they changed their name or renamed a passkey, without the name', async () => {
    const id = 'psk_01jd3k5v8wz9x0y1a2b3c4d5e6' as never
    await insertPasskey(id, owner)
    await desk.ask(owner, 'me.save', { body: { name: 'Ana María', language: 'es' }, account: null })
    await desk.ask(owner, 'me.save', { body: {}, account: null })
    expect(await refused(owner, 'passkeys.rename', { passkeyId: id, name: 'The tablet' })).toBeNull()
    const log = await auditedOfPeople()
    expect(log.map(({ actor, action, subject, after }) => [actor, action, subject, after])).toEqual([
      [owner.userId, 'me.save', owner.userId, '{"fields":["name","language"]}'],
      [owner.userId, 'passkey.rename', id, null],
    ])
  })

  test('sees the browsers that are signed in, and ends one of their own alone', async () => {
    const [mine] = (await desk.ask(owner, 'me.devices')).body.result
    expect(mine).toMatchObject({ sessionId: owner.sessionId, isThis: true, agent: 'test' })
    const stranger = await desk.person()
    expect(await refused(owner, 'me.device.end', { sessionId: stranger.sessionId })).toBe('device.unknown')
    expect(await isSignedIn(stranger)).toBe(true)
    expect(await refused(owner, 'me.device.end', { sessionId: owner.sessionId })).toBeNull()
    expect(await isSignedIn(owner)).toBe(false)
  })

  test('reaches no passkey of another', async () => {
    const stranger = await desk.person()
    const id = 'psk_01jd3k5v8wz9x0y1a2b3c4d5e6' as never
    await insertPasskey(id, stranger)
    expect((await desk.ask(owner, 'passkeys.list')).body.result).toEqual([])
    expect(await refused(owner, 'passkeys.remove', { passkeyId: id })).toBe('passkey.gone')
    expect(await refused(owner, 'passkeys.rename', { passkeyId: id, name: 'Mine' })).toBe('passkey.gone')
    expect(await desk.stores.passkeys.ofUser(stranger.userId)).toMatchObject([{ name: 'Key' }])
  })

  test('confirms the identity again before a passkey is added or removed', async () => {
    const person = await desk.person()
    for (const name of ['passkeys.add.begin', 'passkeys.remove'] as const)
      expect(
        await refused(person, name, name === 'passkeys.remove' ? { passkeyId: 'psk_01jd3k5v8wz9x0y1a2b3c4d5e6' } : {}),
      ).toBe('right.elevate')
  })
})

describe('live keys', () => {
  test('are requested by an owner, once, and operators see the request', async () => {
    expect((await desk.ask(owner, 'live.get')).body.result).toEqual({ isLive: false, askedAt: null })
    expect(await refused(await elevated('developer'), 'live.ask', { text: 'We open in May.' })).toBe('right.role')
    await desk.ask(owner, 'live.ask', { body: { text: 'We open in May.' } })
    await desk.ask(owner, 'live.ask', { body: { text: 'We open in June.' } })
    expect((await desk.ask(owner, 'live.get')).body.result.askedAt).not.toBeNull()
    const { data } = (await desk.ask(await operator(), 'op.accounts', { body: { waiting: true }, account: null })).body
      .result
    expect(data).toMatchObject([{ accountId: desk.accountId, requests: [{ wants: 'live', text: 'We open in June.' }] }])
  })

  test('are not requested by an account that has them', async () => {
    await desk.api.db.unit((tx) => desk.control.accounts.change(tx, desk.accountId, { live_approved_at: 1 }))
    expect(await refused(owner, 'live.ask', { text: 'Again' })).toBe('live.already')
  })
})

describe('an operator', () => {
  test('views an account for thirty minutes, for a reason that the owner reads', async () => {
    const person = await operator()
    expect(await refused(person, 'keys.list')).toBe('right.member')
    const body = { accountId: desk.accountId, reason: 'The owner asked why an order is late.' }
    expect(await refused(person, 'op.viewAs.begin', body, null)).toBeNull()
    const row = await audited()
    expect(row).toMatchObject({ action: 'view.begin', actor: person.userId })
    expect(row?.after).toContain('why an order is late')
    expect(await refused(person, 'keys.list')).toBeNull()
    expect(await refused(person, 'keys.create', { environment: 'sandbox' })).toBe('right.viewing')
    clock.jump(30 * MINUTE_MS)
    expect(await refused(person, 'keys.list')).toBe('right.member')
  })

  test('ends the view, and it ends for that browser alone', async () => {
    const viewing = { accountId: desk.accountId, untilMs: clock.now() + MINUTE_MS }
    const person = await operator({ viewing })
    await desk.ask(person, 'op.viewAs.end', { account: null })
    expect(await refused(person, 'keys.list')).toBe('right.member')
    expect(await audited()).toMatchObject({ action: 'view.end' })
  })

  test('gives a reason', async () => {
    const answer = await desk.ask(await operator(), 'op.viewAs.begin', {
      body: { accountId: desk.accountId, reason: 'because' },
      account: null,
    })
    expect([answer.status, answer.body.field]).toEqual([422, 'reason'])
  })

  test('who is deleted leaves no invitation behind, not even to operators', async () => {
    const leaves = await operator()
    const bodies = [
      { email: 'leaves-again@bistro.test', operator: true },
      { email: 'leaves-too@bistro.test', accountId: desk.accountId, role: 'owner' },
    ]
    for (const body of bodies) await desk.ask(leaves, 'op.people.invite', { body, account: null })
    await desk.ask(await operator(), 'op.people.remove', { body: { userId: leaves.userId }, account: null })
    const left = await desk.api.db.read.selectFrom('email_codes').select('id').where('kind', '=', 'invite').execute()
    expect(left).toEqual([])
  })

  test('invites into any account and to the operators; no one else does', async () => {
    const body = { email: 'bo@bistro.test', accountId: desk.accountId, role: 'owner' }
    expect(await refused(owner, 'op.people.invite', body, null)).toBe('right.operator')
    expect(await refused(await operator(), 'op.people.invite', body, null)).toBeNull()
    expect(await audited()).toMatchObject({ action: 'people.invite', after: '{"role":"owner"}' })
    expect(
      await refused(await operator(), 'op.people.invite', { email: 'cy@bistro.test', operator: true }, null),
    ).toBeNull()
    expect(await refused(await operator(), 'op.people', {}, null)).toBeNull()
    expect(await refused(owner, 'op.people', {}, null)).toBe('right.operator')
  })

  test('sees all people in pages, the newest first, each with their accounts', async () => {
    clock.jump(1_000)
    const asker = await operator({ member: [] })
    const list = async (body: object) => (await desk.ask(asker, 'op.people', { body, account: null })).body.result
    const first = await list({ limit: 1 })
    expect(first.data).toMatchObject([{ userId: asker.userId, isOperator: true, accounts: [] }])
    const second = await list({ limit: 1, cursor: first.nextCursor })
    expect(second.data).toMatchObject([
      { userId: owner.userId, accounts: [{ accountId: desk.accountId, role: 'owner' }] },
    ])
    expect(second.nextCursor).toBeNull()
    const wrong = await desk.ask(asker, 'op.people', { body: { cursor: 'nonsense' }, account: null })
    expect([wrong.status, wrong.body.field]).toEqual([422, 'cursor'])
  })
})
