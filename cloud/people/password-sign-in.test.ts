// Sign-in by password: who gets which answer, how guesses are delayed, and what operators need in addition.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Passwords, type ScryptCost, scryptKey } from '#shared/pages/passwords.ts'
import { PASSWORD, PeopleDesk, refusalOf, thrownBy, visit } from '#test/fixtures/people-desk.ts'
import { CHEAP_COST } from '#test/fixtures/people-parts.ts'
import { enterByPassword } from './password-sign-in.ts'

let desk: PeopleDesk
/** What scrypt was asked for. */
let worked: ScryptCost[]
/** Hashes wait for it. */
let gate: Promise<void>

beforeEach(async () => {
  worked = []
  gate = Promise.resolve()
  const derive: typeof scryptKey = async (question) => {
    worked.push(question.cost)
    await gate
    return scryptKey(question)
  }
  desk = await PeopleDesk.open({ passwords: new Passwords(CHEAP_COST, derive, { atOnce: 2, mostWaiting: 4 }) })
})
afterEach(() => desk.close())

const enter = (email: string, password = PASSWORD, from = visit()) =>
  enterByPassword(desk.parts, { email, password }, from)

describe('a sign-in', () => {
  test('finds the person under any spelling of the address', async () => {
    const { id } = await desk.person({ email: 'Ana@Bistro.test' })
    const { token } = await enter(' ana@BISTRO.test ')
    expect((await desk.signedIn(token)).userId).toBe(id)
  })

  test('gives the same answer for a wrong password, an unknown address and a person without a password, after the same work', async () => {
    await desk.person()
    await desk.person({ email: 'bo@bistro.test', passwordHash: null })
    const told: unknown[] = []
    worked = []
    for (const email of ['ana@bistro.test', 'bo@bistro.test', 'nobody@bistro.test']) {
      const { kind, key, message } = await thrownBy(enter(email, 'not this one'))
      told.push({ kind, key, message })
    }
    expect(told).toEqual(
      Array(3).fill({ kind: 'wrong-password', key: 'session.wrong-password', message: 'E-mail or password is wrong.' }),
    )
    expect(worked).toEqual([CHEAP_COST, CHEAP_COST, CHEAP_COST])
  })

  test('writes no address and no password into the log', async () => {
    await desk.person()
    await enter('ana@bistro.test')
    await refusalOf(enter('ana@bistro.test', 'typed-in-the-wrong-field'))
    await refusalOf(enter('typed-in-the-wrong-field@bistro.test', 'not this one'))
    const log = desk.api.logLines.join('')
    expect(log).toContain('a sign-in was refused')
    expect(log).not.toMatch(/typed-in-the-wrong-field|ana@bistro|six green/)
  })

  test('whose password was changed while it was checked is refused', async () => {
    const { id } = await desk.person()
    let open = (): void => {}
    gate = new Promise((resolve) => {
      open = resolve
    })
    worked = []
    const refused = refusalOf(enter('ana@bistro.test'))
    await expect.poll(() => worked.length).toBe(1)
    await desk.api.db.unit((tx) => desk.parts.users.change(tx, id, { password_hash: 'another' }))
    open()
    expect(await refused).toBe('session.signed-out')
    expect(await desk.parts.logins.ofUser(id)).toEqual([])
  })
})

describe('who guesses', () => {
  test('waits after five wrong ones for a name, from any addresses', async () => {
    await desk.person()
    for (let n = 0; n < 5; n++) {
      const from = visit({ countedAs: `203.0.113.${n}` })
      expect(await refusalOf(enter('ana@bistro.test', 'not this one', from))).toBe('session.wrong-password')
    }
    const refused = await thrownBy(enter('ana@bistro.test', PASSWORD, visit({ countedAs: '203.0.113.99' })))
    expect(refused).toMatchObject({ kind: 'throttled', key: 'session.throttled', retryAfterSeconds: 2 })
    await desk.clock.advance(2_000)
    await enter('ana@bistro.test')
  })

  test('waits after ten wrong ones from one address, whatever the names', async () => {
    for (let n = 0; n < 10; n++) await refusalOf(enter(`nobody-${n}@bistro.test`, 'not this one'))
    expect(await refusalOf(enter('nobody-10@bistro.test', 'not this one'))).toBe('session.throttled')
  })

  test('does not lock the owner out of a browser in which they signed in before', async () => {
    await desk.person()
    const { device } = await enter('ana@bistro.test')
    for (let n = 0; n < 6; n++) await refusalOf(enter('ana@bistro.test', 'no', visit({ countedAs: '203.0.113.5' })))
    const elsewhere = visit({ countedAs: '198.51.100.1' })
    expect(await refusalOf(enter('ana@bistro.test', PASSWORD, elsewhere))).toBe('session.throttled')
    await enter('ana@bistro.test', PASSWORD, { ...elsewhere, device })
    // Another person's browser is none of hers.
    await desk.person({ email: 'bo@bistro.test' })
    const other = (await enter('bo@bistro.test')).device
    const farther = visit({ countedAs: '198.51.100.9', device: other })
    expect(await refusalOf(enter('ana@bistro.test', PASSWORD, farther))).toBe('session.throttled')
  })
})

test('a crowd of sign-ins is asked to retry later, and does not keep out returning browsers', async () => {
  await desk.person()
  const { device } = await enter('ana@bistro.test')
  let open = (): void => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  const crowd = [0, 1, 2, 3].map((n) =>
    refusalOf(enter(`nobody-${n}@bistro.test`, 'not this one', visit({ countedAs: `203.0.113.${n}` }))),
  )
  await expect.poll(() => desk.parts.passwords.isBusy).toBe(true)
  const refused = await thrownBy(enter('bo@bistro.test', 'not this one', visit({ countedAs: '198.51.100.1' })))
  expect(refused).toMatchObject({ kind: 'busy', key: 'session.busy', retryAfterSeconds: 2 })
  const hers = enter('ana@bistro.test', PASSWORD, visit({ countedAs: '198.51.100.2', device }))
  open()
  expect(await Promise.all(crowd)).toEqual(Array(4).fill('session.wrong-password'))
  await hers
})

describe('a person gets mail about it', () => {
  test('of a sign-in from a browser that was not seen before, and of no other', async () => {
    await desk.person()
    const { device } = await enter('ana@bistro.test')
    expect(await desk.mails()).toMatchObject([{ kind: 'new-device', to: 'ana@bistro.test' }])
    await enter('ana@bistro.test', PASSWORD, visit({ device }))
    expect(await desk.mails()).toHaveLength(1)
    await enter('ana@bistro.test')
    expect(await desk.mails()).toHaveLength(2)
  })
})

describe('an operator', () => {
  test('signs in by password until they have a passkey, and never after that', async () => {
    const { id } = await desk.person({ isOperator: true, role: null })
    const { token } = await enter('ana@bistro.test')
    expect((await desk.signedIn(token)).isOperator).toBe(true)
    await desk.api.db.unit((tx) =>
      desk.parts.passkeys.insert(tx, {
        ...{ id: 'psk_1' as never, credential_id: 'c', user_id: id, public_key: '', counter: 0, transports: '[]' },
        ...{ backed_up: 0, name: 'Key', created_at: 0, last_used_at: null },
      }),
    )
    expect(await refusalOf(enter('ana@bistro.test'))).toBe('passkey.needed')
    // Without the password, no answer reveals who has a passkey.
    expect(await refusalOf(enter('ana@bistro.test', 'not this one'))).toBe('session.wrong-password')
  })
})
