// Guesses at two relays on one database count together, and an attacker cannot lock an owner out of a browser or place of their own.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { PASSWORD, PeopleDesk, refusalOf, visit } from '#test/fixtures/people-desk.ts'
import { peopleParts } from '#test/fixtures/people-parts.ts'
import type { PeopleParts } from './parts.ts'
import { enterByPassword } from './password-sign-in.ts'

let desk: PeopleDesk
/** Of each relay. */
let relays: readonly [PeopleParts, PeopleParts]
beforeEach(async () => {
  desk = await PeopleDesk.open()
  const { db, stores } = desk.api
  relays = [desk.parts, peopleParts({ db, stores: openStores(db), clock: desk.clock, log: stores.log })]
  await desk.person()
})
afterEach(() => desk.close())

const enter = (relay: 0 | 1, { password = PASSWORD, email = 'ana@bistro.test', ...from }: Partial<Enter> = {}) =>
  enterByPassword(relays[relay], { email, password }, visit(from))
type Enter = { password: string; email: string } & Parameters<typeof visit>[0]
const guess = (relay: 0 | 1, from: Partial<Enter> = {}) =>
  refusalOf(enter(relay, { password: 'not this one', ...from }))

describe('at two relays on one database', () => {
  test('five wrong ones for a name are five in total, from any addresses', async () => {
    for (let n = 0; n < 5; n++)
      expect(await guess(n % 2 === 0 ? 0 : 1, { countedAs: `203.0.113.${n}` })).toBe('session.wrong-password')
    for (const relay of [0, 1] as const)
      expect(await refusalOf(enter(relay, { countedAs: `198.51.100.${relay}` }))).toBe('session.throttled')
    await desk.clock.advance(2_000)
    await enter(1, { countedAs: '198.51.100.1' })
  })

  test('ten wrong ones from an address are ten in all, whatever the names', async () => {
    for (let n = 0; n < 10; n++) await guess(n % 2 === 0 ? 0 : 1, { email: `nobody-${n}@bistro.test` })
    for (const relay of [0, 1] as const)
      expect(await guess(relay, { email: 'nobody@bistro.test' })).toBe('session.throttled')
  })

  test('simultaneous guesses do not all pass', async () => {
    const together = Array.from({ length: 12 }, (_, n) => guess(n % 2 === 0 ? 0 : 1, { countedAs: `203.0.113.${n}` }))
    const told = (await Promise.all(together)).toSorted()
    expect(told).toEqual([...Array(7).fill('session.throttled'), ...Array(5).fill('session.wrong-password')])
  })

  test('an owner signs in at either, with a browser that signed in at one', async () => {
    const { device } = await enter(0)
    for (let n = 0; n < 6; n++) await guess(1, { countedAs: '203.0.113.5' })
    const elsewhere = { countedAs: '198.51.100.1' }
    expect(await refusalOf(enter(1, elsewhere))).toBe('session.throttled')
    await enter(1, { ...elsewhere, device })
    await enter(0, { ...elsewhere, device })
  })

  test('an owner signs in at either, from an address that signed in at one, for thirty days', async () => {
    await enter(0, { countedAs: '192.0.2.7' })
    for (let n = 0; n < 6; n++) await guess(1, { countedAs: '203.0.113.5' })
    await enter(1, { countedAs: '192.0.2.7' })
    await desk.clock.advance(30 * 86_400_000)
    for (let n = 0; n < 6; n++) await guess(1, { countedAs: '203.0.113.5' })
    expect(await refusalOf(enter(1, { countedAs: '192.0.2.7' }))).toBe('session.throttled')
  })

  test('a right password resets the name, and returns the address its attempt', async () => {
    for (let n = 0; n < 4; n++) await guess(0)
    await enter(1)
    for (let n = 0; n < 5; n++) expect(await guess(n % 2 === 0 ? 0 : 1)).toBe('session.wrong-password')
    expect(await guess(0)).toBe('session.throttled')
  })

  test('half an hour later nothing counts', async () => {
    for (let n = 0; n < 9; n++) {
      await guess(0, { countedAs: `203.0.113.${n}` })
      await desk.clock.advance(5 * 60_000)
    }
    await desk.clock.advance(30 * 60_000)
    for (let n = 0; n < 5; n++) expect(await guess(1)).toBe('session.wrong-password')
  })
})

test('nothing of what was typed is stored, and no address', async () => {
  await guess(0, { email: 'typed-in-the-wrong-field@bistro.test', countedAs: '203.0.113.5' })
  const rows = await desk.api.db.read.selectFrom('sign_in_tries').selectAll().execute()
  expect(rows).not.toHaveLength(0)
  expect(JSON.stringify(rows)).not.toMatch(/typed-in|203\.0\.113/)
  for (const { key_hash } of rows) expect(key_hash).toMatch(/^[0-9a-f]{64}$/)
})

test('guesses while a clock was far ahead delay no one until then', async () => {
  desk.clock.jump(3_600_000)
  for (let n = 0; n < 6; n++) await guess(0)
  desk.clock.jump(-3_600_000)
  await enter(1)
})

test('a relay whose database accepts no writes counts its own guesses', async () => {
  const { db } = desk.api
  const full = { ...db, unit: () => Promise.reject(new StorageRefusal('full')) } as unknown as typeof db
  const alone = peopleParts({ db: full, stores: openStores(db), clock: desk.clock, log: desk.api.stores.log })
  const wrong = () => refusalOf(enterByPassword(alone, { email: 'ana@bistro.test', password: 'not this' }, visit()))
  for (let n = 0; n < 5; n++) expect(await wrong()).toBe('session.wrong-password')
  expect(await wrong()).toBe('session.throttled')
})
