// Codes by mail: who gets one, how often, how often it may be typed wrong, and that no answer reveals who has an address.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CodeId } from '#shared/ids.ts'
import { PASSWORD, PeopleDesk, refusalOf, thrownBy, visit } from '#test/fixtures/people-desk.ts'
import { enterByCode, resetPassword, sendCode } from './code-sign-in.ts'
import { enterByPassword } from './password-sign-in.ts'

const MINUTE_MS = 60_000

let desk: PeopleDesk
beforeEach(async () => {
  desk = await PeopleDesk.open()
})
afterEach(() => desk.close())

const ask = (email = 'ana@bistro.test', from = visit(), kind: 'sign-in' | 'reset' = 'sign-in') =>
  sendCode(desk.parts, { kind, email }, from)
const enter = (codeId: CodeId, code: string) => enterByCode(desk.parts, { codeId, code }, visit())
const WRONG = '0000-0000'

describe('a code', () => {
  test('is kept unreadable, and signs in however it is typed', async () => {
    await desk.person()
    const codeId = await ask()
    const code = await desk.mailedCode()
    const rows = JSON.stringify(await desk.api.db.read.selectFrom('email_codes').selectAll().execute())
    expect(rows).not.toContain(code)
    expect(rows).not.toContain(code.replace('-', ''))
    const { token } = await enter(codeId, ` ${code.toLowerCase().replace('-', ' ')} `)
    expect((await desk.signedIn(token)).email).toBe('ana@bistro.test')
  })

  test.each(['sign-in', 'reset'] as const)(
    'comes in the language of the page that asks for it, else in that of the person (%s)',
    async (kind) => {
      await desk.person()
      const subjects = async () => (await desk.mails()).map(({ subject }) => subject)
      await sendCode(desk.parts, { kind, email: 'ana@bistro.test', language: 'es' }, visit())
      expect(await subjects()).toEqual([expect.stringMatching(/código/i)])
      await ask('ana@bistro.test', visit(), kind)
      expect(await subjects()).toContainEqual(expect.stringMatching(/code/i))
    },
  )

  test('is good once', async () => {
    await desk.person()
    const codeId = await ask()
    const code = await desk.mailedCode()
    await enter(codeId, code)
    expect(await refusalOf(enter(codeId, code))).toBe('session.code-ended')
  })

  test('is good for fifteen minutes', async () => {
    await desk.person()
    const codeId = await ask()
    desk.clock.jump(15 * MINUTE_MS)
    expect(await refusalOf(enter(codeId, await desk.mailedCode()))).toBe('session.code-ended')
  })

  test('is invalid after five wrong ones, and the answer has how many are left', async () => {
    await desk.person()
    const codeId = await ask()
    for (const left of [4, 3, 2, 1])
      expect(await thrownBy(enter(codeId, WRONG))).toMatchObject({ key: 'session.wrong-code', values: { left } })
    expect(await refusalOf(enter(codeId, WRONG))).toBe('session.code-ended')
    await desk.clock.advance(5 * MINUTE_MS)
    expect(await refusalOf(enter(codeId, await desk.mailedCode()))).toBe('session.code-ended')
  })

  test('signs in with another code’s id no more than a made-up one', async () => {
    await desk.person()
    const first = await ask()
    const code = await desk.mailedCode()
    const second = await ask()
    expect(await refusalOf(enter(second, code))).toBe('session.wrong-code')
    await enter(first, code)
  })

  test('for another password does not sign in, and the other way round', async () => {
    await desk.person()
    const codeId = await ask('ana@bistro.test', visit(), 'reset')
    expect(await refusalOf(enter(codeId, await desk.mailedCode()))).toBe('session.code-ended')
  })

  test('of an address without an account is requested, counted and refused like any other, and no mail is sent', async () => {
    const codeId = await ask('nobody@bistro.test')
    expect(await desk.mails()).toEqual([])
    expect(await refusalOf(enter(codeId, WRONG))).toBe('session.wrong-code')
    for (let n = 0; n < 4; n++) await ask('nobody@bistro.test')
    expect(await refusalOf(ask('nobody@bistro.test'))).toBe('session.mails')
  })
})

describe('who requests codes', () => {
  test('gets five for an address in an hour, and the next when the first is an hour old', async () => {
    await desk.person()
    for (let n = 0; n < 5; n++) {
      await ask('ana@bistro.test', visit({ countedAs: `203.0.113.${n}` }))
      desk.clock.jump(10 * MINUTE_MS)
    }
    expect(await thrownBy(ask(' ANA@bistro.test'))).toMatchObject({
      ...{ kind: 'throttled', key: 'session.mails', values: { minutes: 10 }, retryAfterSeconds: 600 },
    })
    desk.clock.jump(10 * MINUTE_MS)
    await ask()
    expect(await desk.mails()).toHaveLength(6)
  })

  test('gets five of their own in the browser in which they signed in before, whoever else asks in their name', async () => {
    await desk.person()
    const { device } = await enterByPassword(desk.parts, { email: 'ana@bistro.test', password: PASSWORD }, visit())
    for (let n = 0; n < 5; n++) await ask('ana@bistro.test', visit({ countedAs: `203.0.113.${n}` }))
    expect(await refusalOf(ask())).toBe('session.mails')
    for (let n = 0; n < 5; n++) await ask('ana@bistro.test', visit({ device }), 'reset')
    expect(await refusalOf(ask('ana@bistro.test', visit({ device })))).toBe('session.mails')
    await desk.person({ email: 'bo@bistro.test' })
    for (let n = 0; n < 5; n++) await ask('bo@bistro.test', visit({ countedAs: `203.0.113.${n}` }))
    expect(await refusalOf(ask('bo@bistro.test', visit({ device })))).toBe('session.mails')
  })

  test('gets twenty at an address of the network in an hour', async () => {
    for (let n = 0; n < 20; n++) await ask(`nobody-${n}@bistro.test`)
    expect(await refusalOf(ask('nobody-20@bistro.test'))).toBe('session.mails')
    await ask('nobody-20@bistro.test', visit({ countedAs: '198.51.100.1' }))
  })

  test('and guesses for one code after another waits', async () => {
    await desk.person()
    const codes = [await ask(), await ask(), await ask()]
    const told = []
    for (const codeId of codes) for (let n = 0; n < 4; n++) told.push(await refusalOf(enter(codeId, WRONG)))
    expect(told.slice(0, 10)).toEqual(Array(10).fill('session.wrong-code'))
    expect(told.slice(10)).toEqual(['session.throttled', 'session.throttled'])
  })
})

describe('a person who signs in by a code', () => {
  test('has shown all that they can show, if they have neither password nor passkey', async () => {
    await desk.person({ passwordHash: null })
    const { token } = await enter(await ask(), await desk.mailedCode())
    expect((await desk.signedIn(token)).elevatedUntilMs).toBe(desk.clock.now() + 10 * MINUTE_MS)
  })

  test('must show more for what needs it, if they have a password', async () => {
    await desk.person()
    const { token } = await enter(await ask(), await desk.mailedCode())
    expect((await desk.signedIn(token)).elevatedUntilMs).toBeNull()
  })
})

describe('another password by a code', () => {
  const reset = (codeId: CodeId, code: string, password = 'nine blue kettles sing') =>
    resetPassword(desk.parts, { codeId, code, password }, visit())

  test('ends all sessions, signs in here, and the old one is worth nothing', async () => {
    await desk.person()
    const before = await enterByPassword(desk.parts, { email: 'ana@bistro.test', password: PASSWORD }, visit())
    const codeId = await ask('ana@bistro.test', visit(), 'reset')
    const { token } = await reset(codeId, await desk.mailedCode())
    expect((await desk.signedIn(token)).elevatedUntilMs).toBe(desk.clock.now() + 10 * MINUTE_MS)
    expect(await desk.people.signedIn(`https ${before.token}`)).toBeNull()
    const old = enterByPassword(desk.parts, { email: 'ana@bistro.test', password: PASSWORD }, visit())
    expect(await refusalOf(old)).toBe('session.wrong-password')
    expect(await desk.mails()).toContainEqual(expect.objectContaining({ kind: 'sign-in-changed' }))
  })

  test('that is too easy leaves the code valid; a wrong code is refused before the password is read', async () => {
    await desk.person()
    const codeId = await ask('ana@bistro.test', visit(), 'reset')
    const code = await desk.mailedCode()
    expect(await refusalOf(reset(codeId, code, 'password'))).toBe('password.common')
    expect(await refusalOf(reset(codeId, WRONG, 'password'))).toBe('session.wrong-code')
    await reset(codeId, code)
  })
})
