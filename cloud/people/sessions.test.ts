// Sessions at the dashboard: how they begin, how long they last, and what of them is kept.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LONGEST_MS } from '#cloud/storage/session-store.ts'
import { PASSWORD, PeopleDesk, refusalOf, visit } from '#test/fixtures/people-desk.ts'
import { setPassword } from './change-password.ts'
import { enterByCode, sendCode } from './code-sign-in.ts'
import { elevateByPassword, enterByPassword } from './password-sign-in.ts'
import { enterByWelcome, welcomeLink } from './welcome.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let desk: PeopleDesk
beforeEach(async () => {
  desk = await PeopleDesk.open()
  await desk.person()
})
afterEach(() => desk.close())

const enter = async (from = visit()) =>
  (await enterByPassword(desk.parts, { email: 'ana@bistro.test', password: PASSWORD }, from)).token
const find = (token: string) => desk.people.signedIn(`https ${token}`)

describe('a session', () => {
  test('is kept without its token, and is known by the form in which it was given alone', async () => {
    const token = await enter()
    const rows = await desk.api.db.read.selectFrom('login_sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(await find(token)).toMatchObject({ email: 'ana@bistro.test', name: 'Ana', isOperator: false, viewing: null })
    // The same token over http.
    expect(await desk.people.signedIn(token)).toBeNull()
    expect(await desk.people.signedIn(null)).toBeNull()
  })

  test('begins under a new token at each sign-in, and the one that the browser had is gone', async () => {
    const first = await enter()
    const { sessionId, userId } = await desk.signedIn(first)
    const second = await enter(visit({ before: { sessionId, userId } }))
    expect(second).not.toBe(first)
    expect([await find(first), await find(second)]).toEqual([null, expect.objectContaining({ userId })])
  })

  test('ends when it is left alone for twelve hours', async () => {
    const token = await enter()
    desk.clock.jump(12 * HOUR_MS)
    expect(await find(token)).not.toBeNull()
    desk.clock.jump(12 * HOUR_MS)
    expect(await find(token)).not.toBeNull()
    desk.clock.jump(12 * HOUR_MS + 1)
    expect(await find(token)).toBeNull()
  })

  test('ends after thirty days however much it is used', async () => {
    const token = await enter()
    for (let ms = 0; ms + 12 * HOUR_MS <= LONGEST_MS; ms += 12 * HOUR_MS) {
      expect(await find(token)).not.toBeNull()
      desk.clock.jump(12 * HOUR_MS)
    }
    expect(await find(token)).not.toBeNull()
    desk.clock.jump(1)
    expect(await find(token)).toBeNull()
  })

  test('that seems to begin in the future, after the clock was put right, has ended', async () => {
    const token = await enter()
    desk.clock.jump(-13 * HOUR_MS)
    expect(await find(token)).toBeNull()
  })

  test('is written at most every five minutes, however often it is used', async () => {
    const token = await enter()
    const units = vi.spyOn(desk.api.db, 'unit')
    desk.clock.jump(5 * MINUTE_MS)
    await find(token)
    expect(units).not.toHaveBeenCalled()
    desk.clock.jump(1)
    for (let n = 0; n < 5; n++) await find(token)
    expect(units).toHaveBeenCalledTimes(1)
  })

  test('opens nothing once its person was forgotten', async () => {
    const token = await enter()
    const { userId } = await desk.signedIn(token)
    await desk.api.db.unit((tx) => desk.parts.users.change(tx, userId, { disabled_at: desk.clock.now() }))
    expect(await find(token)).toBeNull()
  })
})

describe('what a person has shown', () => {
  test('counts for ten minutes, and again after the password was typed again', async () => {
    const token = await enter()
    const until = desk.clock.now() + 10 * MINUTE_MS
    expect((await desk.signedIn(token)).elevatedUntilMs).toBe(until)
    desk.clock.jump(11 * MINUTE_MS)
    const person = await desk.signedIn(token)
    await elevateByPassword(desk.parts, { person, password: PASSWORD }, visit())
    expect((await desk.signedIn(token)).elevatedUntilMs).toBe(desk.clock.now() + 10 * MINUTE_MS)
  })

  test('is not confirmed by somebody who guesses at an open browser', async () => {
    const person = await desk.signedIn(await enter())
    const guess = () => refusalOf(elevateByPassword(desk.parts, { person, password: 'not this' }, visit()))
    for (let n = 0; n < 5; n++) expect(await guess()).toBe('session.not-your-password')
    expect(await guess()).toBe('session.throttled')
    // Its owner comes in elsewhere.
    expect(await find(await enter(visit({ countedAs: '198.51.100.1' })))).not.toBeNull()
  })
})

describe('another password', () => {
  test('ends all sessions of the person, and this browser continues with a new token', async () => {
    const [here, there] = [await enter(), await enter()]
    const person = await desk.signedIn(here)
    const from = visit({ before: { sessionId: person.sessionId, userId: person.userId } })
    const { token } = await setPassword(desk.parts, { person, password: 'nine blue kettles sing' }, from)
    expect([await find(here), await find(there)]).toEqual([null, null])
    expect((await desk.signedIn(token)).userId).toBe(person.userId)
    expect(await refusalOf(enter())).toBe('session.wrong-password')
  })

  test('ends the codes and links that a reader of the mail could use, and sends mail about it', async () => {
    const codeId = await sendCode(desk.parts, { kind: 'sign-in', email: 'ana@bistro.test' }, visit())
    const code = await desk.mailedCode()
    const { link } = await desk.parts.db.unit((tx) =>
      welcomeLink(tx, desk.parts, { accountId: desk.accountId, owner: { email: '', name: '' }, madeBy: 'cli' }),
    )
    const person = await desk.signedIn(await enter())
    await setPassword(desk.parts, { person, password: 'nine blue kettles sing' }, visit())
    expect(await refusalOf(enterByCode(desk.parts, { codeId, code }, visit()))).toBe('session.code-ended')
    expect(await refusalOf(enterByWelcome(desk.parts, link.split('=')[1] ?? '', visit()))).toBe('welcome.ended')
    expect(await desk.mails()).toContainEqual(
      expect.objectContaining({ kind: 'sign-in-changed', to: 'ana@bistro.test' }),
    )
  })

  test('is set only with a confirmed identity', async () => {
    const token = await enter()
    desk.clock.jump(10 * MINUTE_MS)
    const person = await desk.signedIn(token)
    const set = setPassword(desk.parts, { person, password: 'nine blue kettles sing' }, visit())
    expect(await refusalOf(set)).toBe('right.elevate')
  })

  test('is none that is common, or that others know', async () => {
    const person = await desk.signedIn(await enter())
    const set = (password: string) => refusalOf(setPassword(desk.parts, { person, password }, visit()))
    expect(await set('Password2026!')).toBe('password.common')
    expect(await set('ana@bistro.test')).toBe('password.own-words')
  })
})
