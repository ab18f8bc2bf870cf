// Passkeys, with a device in software that signs as a real one does, and misbehaves as the test requires.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { UsersTable } from '#cloud/storage/schema-people.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { type Misbehaviour, SoftwareAuthenticator } from '#test/doubles/software-authenticator.ts'
import { PASSWORD, PeopleDesk, refusalOf, visit } from '#test/fixtures/people-desk.ts'
import { addPasskey, askNewPasskey, askPasskey, elevateByPasskey, enterByPasskey, type Owner } from './passkeys.ts'
import { enterByPassword } from './password-sign-in.ts'
import { siteOf } from './site.ts'

const ORIGIN = 'https://relay.example'

let desk: PeopleDesk
let ana: UsersTable
let device: SoftwareAuthenticator
beforeEach(async () => {
  desk = await PeopleDesk.open()
  ana = await desk.person()
  device = new SoftwareAuthenticator(ORIGIN)
})
afterEach(() => desk.close())

async function byPassword(email = 'ana@bistro.test'): Promise<Owner & Awaited<ReturnType<PeopleDesk['signedIn']>>> {
  const { token } = await enterByPassword(desk.parts, { email, password: PASSWORD }, visit())
  return desk.signedIn(token)
}
async function add(wrong: Misbehaviour = {}, on = device) {
  const person = await byPassword()
  const { ticket, options } = await askNewPasskey(desk.parts, person)
  return addPasskey(desk.parts, person, { ticket, response: on.register(options, wrong), name: 'Tablet' })
}
async function enter(wrong: Misbehaviour = {}, on = device) {
  const { ticket, options } = await askPasskey(desk.parts, null)
  return enterByPasskey(desk.parts, { ticket, response: on.answer(options, wrong) }, visit())
}

describe('a passkey', () => {
  test('is added, and signs in without a name typed', async () => {
    await add()
    const { options } = await askPasskey(desk.parts, null)
    expect(options).toMatchObject({ rpId: 'relay.example', userVerification: 'required', allowCredentials: [] })
    const person = await desk.signedIn((await enter()).token)
    expect(person).toMatchObject({ userId: ana.id, elevatedUntilMs: desk.clock.now() + 600_000 })
    const [kept] = await desk.parts.passkeys.ofUser(ana.id)
    const told = (await desk.mails()).find(({ kind }) => kind === 'sign-in-changed')
    expect(told?.text).toContain('Passkey: Tablet')
    expect(kept).toMatchObject({ name: 'Tablet', counter: 1, backed_up: 1, last_used_at: desk.clock.now() })
  })

  test('is not made twice by one device', async () => {
    await add()
    const { options } = await askNewPasskey(desk.parts, await byPassword())
    expect(options.excludeCredentials).toMatchObject([{ id: device.credentials[0]?.id }])
  })

  test('whose device keeps no counter signs in again and again', async () => {
    const still = new SoftwareAuthenticator(ORIGIN, false)
    await add({}, still)
    await enter({}, still)
    await enter({}, still)
  })

  test('that was copied is noticed when its counter goes back', async () => {
    await add()
    const copy = device.clone()
    await enter()
    await enter()
    expect(await refusalOf(enter({}, copy))).toBe('passkey.copied')
    expect(desk.api.logLines.join('')).toContain('the counter of a passkey went back')
    await enter()
  })

  test('that was removed signs no one in', async () => {
    const { id } = await add()
    await desk.parts.db.unit((tx) => desk.parts.passkeys.remove(tx, ana.id, id))
    expect(await refusalOf(enter())).toBe('passkey.unknown')
  })

  test('removed between the challenge and the answer signs no one in', async () => {
    const { id } = await add()
    const { ticket, options } = await askPasskey(desk.parts, null)
    await desk.parts.db.unit((tx) => desk.parts.passkeys.remove(tx, ana.id, id))
    const answer = enterByPasskey(desk.parts, { ticket, response: device.answer(options) }, visit())
    expect(await refusalOf(answer)).toBe('passkey.unknown')
  })

  test('of a deleted person signs no one in', async () => {
    await add()
    await desk.parts.db.unit((tx) => desk.parts.users.change(tx, ana.id, { disabled_at: desk.clock.now() }))
    expect(await refusalOf(enter())).toBe('passkey.unknown')
  })
})

const WRONG: readonly [string, Misbehaviour][] = [
  ['is bound to another name', { rpId: 'evil.example' }],
  ['comes from a page of another site', { origin: 'https://evil.example' }],
  ['answers another question', { challenge: Buffer.alloc(32, 9).toString('base64url') }],
  ['was made without a finger, a face or a number', { isUnverified: true }],
]

describe('an answer', () => {
  test.each([...WRONG, ['is signed by nobody', { isForged: true }]] as const)(
    'that %s is refused',
    async (_, wrong) => {
      await add()
      expect(await refusalOf(enter(wrong))).toBe('passkey.wrong')
      // The right one is not used up by it.
      await enter()
    },
  )

  test.each(WRONG)('of a new passkey that %s is refused', async (_, wrong) => {
    expect(await refusalOf(add(wrong))).toBe('passkey.wrong')
    expect(await desk.parts.passkeys.ofUser(ana.id)).toEqual([])
  })

  test('counts once', async () => {
    await add()
    const { ticket, options } = await askPasskey(desk.parts, null)
    const answered = { ticket, response: device.answer(options) }
    await enterByPasskey(desk.parts, answered, visit())
    expect(await refusalOf(enterByPasskey(desk.parts, answered, visit()))).toBe('passkey.late')
  })

  test('counts for five minutes', async () => {
    await add()
    const { ticket, options } = await askPasskey(desk.parts, null)
    desk.clock.jump(5 * 60_000)
    const answer = enterByPasskey(desk.parts, { ticket, response: device.answer(options) }, visit())
    expect(await refusalOf(answer)).toBe('passkey.late')
  })

  test('to a challenge of another installation, or an unknown one, is refused', async () => {
    await add()
    const strange = { ...desk.parts, secretBox: new SecretBox(Buffer.alloc(32, 9)) }
    const { ticket, options } = await askPasskey(strange, null)
    const answerTo = (asked: string) =>
      refusalOf(enterByPasskey(desk.parts, { ticket: asked, response: device.answer(options) }, visit()))
    expect([await answerTo(ticket), await answerTo('made up')]).toEqual(['passkey.late', 'passkey.late'])
  })

  test('to a question of one kind is none to another', async () => {
    await add()
    const person = await byPassword()
    const toElevate = await askPasskey(desk.parts, person)
    const answered = { ticket: toElevate.ticket, response: device.answer(toElevate.options) }
    expect(await refusalOf(enterByPasskey(desk.parts, answered, visit()))).toBe('passkey.late')
    const toEnter = await askPasskey(desk.parts, null)
    const other = { ticket: toEnter.ticket, response: device.answer(toEnter.options) }
    expect(await refusalOf(elevateByPasskey(desk.parts, person, other))).toBe('passkey.late')
  })
})

describe('confirming the identity', () => {
  test('works with a passkey of one’s own, for this browser', async () => {
    await add()
    const person = await byPassword()
    desk.clock.jump(600_000)
    const { ticket, options } = await askPasskey(desk.parts, person)
    expect(options.allowCredentials).toHaveLength(1)
    await elevateByPasskey(desk.parts, person, { ticket, response: device.answer(options) })
    const [row] = (await desk.parts.logins.ofUser(ana.id)).filter(({ id }) => id === person.sessionId)
    expect(row?.elevated_until).toBe(desk.clock.now() + 600_000)
  })

  test('does not work with another person’s', async () => {
    await add()
    await desk.person({ email: 'bo@bistro.test' })
    const bo = await byPassword('bo@bistro.test')
    const { ticket, options } = await askPasskey(desk.parts, bo)
    const answer = elevateByPasskey(desk.parts, bo, { ticket, response: device.answer(options) })
    expect(await refusalOf(answer)).toBe('passkey.unknown')
  })
})

test('an operator signs in by passkey alone', async () => {
  await add()
  await desk.parts.db.unit((tx) => desk.parts.users.change(tx, ana.id, { is_operator: 1 }))
  expect(await refusalOf(byPassword())).toBe('passkey.needed')
  expect((await desk.signedIn((await enter()).token)).isOperator).toBe(true)
})

describe('the address of the dashboard', () => {
  test.each([
    ['https://relay.example', 'https://relay.example', 'relay.example'],
    ['https://relay.example:8443/', 'https://relay.example:8443', 'relay.example'],
    ['http://127.0.0.1:8080', 'http://localhost:8080', 'localhost'],
    ['http://[::1]:8080', 'http://localhost:8080', 'localhost'],
    ['http://localhost:8080', 'http://localhost:8080', 'localhost'],
    ['http://relay.example', 'http://relay.example', null],
    ['https://192.0.2.7', 'https://192.0.2.7', null],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]', null],
  ])('%s is %s, and passkeys are bound to %s', (url, origin, passkeyName) => {
    expect(siteOf(url)).toEqual({ origin, passkeyName })
  })

  test('where browsers refuse passkeys, reports that', async () => {
    const parts = { ...desk.parts, site: () => siteOf('https://192.0.2.7') }
    expect(await refusalOf(askPasskey(parts, null))).toBe('passkey.not-here')
    expect(await refusalOf(askNewPasskey(parts, await byPassword()))).toBe('passkey.not-here')
  })
})
