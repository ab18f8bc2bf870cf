// Sign-up: a code by mail, then a person with a sandbox account; and what a person learns who signs up with the address of another.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authenticate } from '#cloud/auth/api-keys.ts'
import { PeopleDesk, refusalOf, visit } from '#test/fixtures/people-desk.ts'
import { askSignUp, finishSignUp } from './sign-up.ts'

let desk: PeopleDesk
beforeEach(async () => {
  desk = await PeopleDesk.open()
})
afterEach(() => desk.close())

const DETAILS = { email: 'Bo@Kiosk.test', name: 'Bo', company: 'Kiosk Company', language: 'es' } as const
const ask = () => {
  // Mail is read in the order of its time.
  desk.clock.jump(1)
  return askSignUp(desk.parts, DETAILS, visit())
}
const finish = async (codeId: Awaited<ReturnType<typeof ask>>, password: string | null = null) =>
  finishSignUp(desk.parts, { codeId, code: await desk.mailedCode(), password }, visit())

describe('a sign-up', () => {
  test('makes the person the owner of a new account, whose key works', async () => {
    const codeId = await ask()
    expect(await desk.mails()).toMatchObject([{ kind: 'code', to: 'Bo@Kiosk.test' }])
    const { token, accountId, apiKey } = await finish(codeId, 'nine blue kettles sing')
    const person = await desk.signedIn(token)
    expect(person).toMatchObject({ email: 'Bo@Kiosk.test', name: 'Bo', language: 'es', isOperator: false })
    expect(await desk.parts.memberships.ofUser(person.userId)).toMatchObject([
      { id: accountId, name: 'Kiosk Company', role: 'owner', plan: 'sandbox', live_approved_at: null },
    ])
    const principal = await authenticate({ ...desk.api.stores }, `Bearer ${apiKey}`)
    expect(principal).toMatchObject({ accountId, environment: 'sandbox' })
    const audit = await desk.api.db.read
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute()
    expect(audit).toMatchObject([{ action: 'account.sign-up', actor: person.userId, via: 'dashboard' }])
    expect(JSON.stringify(audit)).not.toMatch(/kiosk/i)
  })

  test('needs no password: the person signs in by codes and passkeys then', async () => {
    const { token } = await finish(await ask())
    const { userId, elevatedUntilMs } = await desk.signedIn(token)
    expect((await desk.parts.users.find(userId))?.password_hash).toBeNull()
    expect(elevatedUntilMs).toBe(desk.clock.now() + 600_000)
  })

  test('of an existing person creates nothing, gets the same answer, and sends mail to that person alone', async () => {
    const before = await ask()
    await finish(before)
    const codeId = await ask()
    expect(codeId).toMatch(/^cod_/)
    expect((await desk.mails()).at(-1)).toMatchObject({ kind: 'already-known', to: 'Bo@Kiosk.test' })
    const guess = finishSignUp(desk.parts, { codeId, code: '0000-0000', password: null }, visit())
    expect(await refusalOf(guess)).toBe('session.wrong-code')
  })

  test('that was begun twice is one person', async () => {
    const first = await ask()
    const code = await desk.mailedCode()
    await finish(await ask())
    const late = finishSignUp(desk.parts, { codeId: first, code, password: null }, visit())
    expect(await refusalOf(late)).toBe('sign-up.known')
    expect((await desk.parts.users.page({ after: null, limit: 10 })).map(({ email }) => email)).toEqual([
      'Bo@Kiosk.test',
    ])
    expect(await desk.parts.accounts.list()).toHaveLength(2)
  })

  test('with the name of the company as its password is refused with the reason', async () => {
    const codeId = await ask()
    expect(await refusalOf(finish(codeId, 'KioskCompany1'))).toBe('password.own-words')
    await finish(codeId, 'nine blue kettles sing')
  })
})

test('by invitation only, no one signs up and no mail is sent', async () => {
  await desk.close()
  desk = await PeopleDesk.open({ signUp: 'invited' })
  expect(await refusalOf(ask())).toBe('sign-up.invited')
  expect(await desk.mails()).toEqual([])
})
