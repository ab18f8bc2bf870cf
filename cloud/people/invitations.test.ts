// Invitations: what a link shows before it is accepted, for whom it works, and what all others get.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SignedIn } from '#cloud/people/signed-in.ts'
import { PASSWORD, PeopleDesk, refusalOf, visit } from '#test/fixtures/people-desk.ts'
import { acceptInvitation, type Invitation, invite, readInvitation } from './invitations.ts'
import { enterByPassword } from './password-sign-in.ts'

const DAY_MS = 86_400_000

let desk: PeopleDesk
beforeEach(async () => {
  desk = await PeopleDesk.open()
})
afterEach(() => desk.close())

const into = (role: 'staff' | 'owner' = 'staff') => ({ accountId: desk.accountId, accountName: 'Bistro', role })
async function invited(change: Partial<Invitation> = {}): Promise<string> {
  const invitation = {
    email: 'Bo@Bistro.test',
    language: 'es',
    into: into(),
    madeBy: 'cli',
    invitedBy: 'Ana',
    ...change,
  }
  const { link } = await desk.parts.db.unit((tx) => invite(tx, desk.parts, invitation))
  const [, code = ''] = /^https:\/\/relay\.example\/dashboard\/invite#(\S+)$/.exec(link) ?? []
  return code
}
const accept = (code: string, more: { name?: string | null; password?: string; signedIn?: SignedIn } = {}) => {
  const { name = 'Bo', password = null, signedIn = null } = more
  return acceptInvitation(desk.parts, { code, name, password, language: null, signedIn }, visit())
}
async function signedIn(email: string): Promise<SignedIn> {
  const { token } = await enterByPassword(desk.parts, { email, password: PASSWORD }, visit())
  return desk.signedIn(token)
}
const roleOf = (person: SignedIn) => desk.people.membership(person.userId, desk.accountId)

describe('an invitation', () => {
  test('names account and role before it is accepted, and is kept unreadable', async () => {
    const code = await invited()
    expect(await readInvitation(desk.parts, code)).toEqual({
      ...{ email: 'Bo@Bistro.test', accountName: 'Bistro', role: 'staff', invitedBy: 'Ana' },
      ...{ isKnown: false, isOperator: false },
    })
    const [mail] = await desk.mails()
    expect(mail).toMatchObject({ kind: 'invitation', to: 'Bo@Bistro.test' })
    expect(mail?.text).toContain(code)
    const rows = await desk.api.db.read.selectFrom('email_codes').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(code.split('.')[1])
  })

  test('makes a new person a member, and signs them in', async () => {
    const entered = await accept(await invited(), { password: 'nine blue kettles sing' })
    const person = await desk.signedIn(entered?.token ?? '')
    expect(person).toMatchObject({ email: 'Bo@Bistro.test', name: 'Bo', language: 'es', isOperator: false })
    expect(await roleOf(person)).toBe('staff')
    const [audit] = await desk.api.db.read
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', desk.accountId)
      .orderBy('ordinal', 'desc')
      .limit(1)
      .execute()
    expect(audit).toMatchObject({ action: 'people.join', actor: person.userId, after: '{"role":"staff"}' })
  })

  test('asks a new person for a name', async () => {
    const code = await invited()
    expect(await refusalOf(accept(code, { name: null }))).toBe('invite.name')
    await accept(code)
  })

  test('gives an existing person only the membership, after a sign-in', async () => {
    await desk.person({ email: 'bo@bistro.test', role: null })
    const code = await invited()
    expect((await readInvitation(desk.parts, code)).isKnown).toBe(true)
    expect(await refusalOf(accept(code))).toBe('invite.sign-in')
    const person = await signedIn('bo@bistro.test')
    expect(
      await accept(code, { signedIn: person, name: 'Somebody else', password: 'nine blue kettles sing' }),
    ).toBeNull()
    expect(await roleOf(person)).toBe('staff')
    expect(await signedIn('bo@bistro.test')).toMatchObject({ name: 'Ana' })
  })

  test('does not work for a person signed in with another address', async () => {
    await desk.person({ email: 'eve@bistro.test', role: null })
    const eve = await signedIn('eve@bistro.test')
    const code = await invited()
    expect(await refusalOf(accept(code, { signedIn: eve }))).toBe('invite.other-person')
    expect(await roleOf(eve)).toBeNull()
    await accept(code)
  })

  test('is good once and for seven days', async () => {
    const code = await invited()
    await accept(code)
    expect(await refusalOf(accept(code))).toBe('invite.used')
    const late = await invited({ email: 'cy@bistro.test' })
    desk.clock.jump(7 * DAY_MS - 1)
    await readInvitation(desk.parts, late)
    desk.clock.jump(1)
    expect(await refusalOf(accept(late))).toBe('invite.expired')
  })

  test('that two browsers accept at once creates one person', async () => {
    const code = await invited()
    const both = await Promise.allSettled([accept(code), accept(code)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await desk.parts.users.page({ after: null, limit: 10 })).toHaveLength(1)
  })

  test('ends when it is taken back, or when another one takes its place', async () => {
    const first = await invited()
    const second = await invited({ into: into('owner') })
    expect(await refusalOf(readInvitation(desk.parts, first))).toBe('invite.unknown')
    const [open] = await desk.parts.codes.invitations(desk.accountId, desk.clock.now())
    if (open === undefined) throw new Error('no invitation is open')
    await desk.parts.db.unit((tx) => desk.parts.codes.removeInvitation(tx, desk.accountId, open.id))
    expect(await refusalOf(accept(second))).toBe('invite.unknown')
  })

  test.each(['', 'nonsense', 'a'.repeat(49), `${'0'.repeat(26)}.${'A'.repeat(22)}`])('is not %j', async (code) => {
    expect(await refusalOf(readInvitation(desk.parts, code))).toBe('invite.unknown')
  })

  test('with guessed last characters is invalid', async () => {
    const code = await invited()
    const guessed = `${code.slice(0, -1)}${code.endsWith('A') ? 'Q' : 'A'}`
    expect(await refusalOf(accept(guessed))).toBe('invite.unknown')
  })

  test('of a member is refused, and of an operator too', async () => {
    await desk.person({ email: 'bo@bistro.test', role: 'staff', isOperator: true })
    expect(await refusalOf(invited({ into: into('owner') }))).toBe('invite.member')
    expect(await refusalOf(invited({ into: null }))).toBe('invite.member')
  })

  test('marks an address as verified where the link went by mail alone', async () => {
    await accept(await invited())
    expect((await desk.parts.users.byEmail('bo@bistro.test'))?.email_verified_at).not.toBeNull()
    await desk.close()
    desk = await PeopleDesk.open({ sendsMail: false })
    await accept(await invited())
    expect((await desk.parts.users.byEmail('bo@bistro.test'))?.email_verified_at).toBeNull()
  })
})

describe('an invitation to run the relay', () => {
  test('makes a new person an operator and a member of nothing', async () => {
    const code = await invited({ into: null })
    expect(await readInvitation(desk.parts, code)).toMatchObject({ isOperator: true, accountName: null, role: null })
    const entered = await accept(code)
    const person = await desk.signedIn(entered?.token ?? '')
    expect([person.isOperator, await desk.parts.memberships.ofUser(person.userId)]).toEqual([true, []])
  })

  test('requires an existing person to sign in again', async () => {
    await desk.person({ email: 'bo@bistro.test', role: null })
    const person = await signedIn('bo@bistro.test')
    expect(await accept(await invited({ into: null }), { signedIn: person })).toBeNull()
    expect(await desk.parts.logins.ofUser(person.userId)).toEqual([])
    expect((await signedIn('bo@bistro.test')).isOperator).toBe(true)
  })
})
