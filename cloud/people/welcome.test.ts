// The link of `users welcome`: it signs in the owner of an account, once, within a day.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PeopleDesk, refusalOf, visit } from '#test/fixtures/people-desk.ts'
import { enterByWelcome, welcomeLink } from './welcome.ts'

let desk: PeopleDesk
beforeEach(async () => {
  desk = await PeopleDesk.open()
})
afterEach(() => desk.close())

async function made(): Promise<string> {
  const owner = { email: 'owner@bistro.test', name: 'Owner' }
  const { link } = await desk.parts.db.unit((tx) =>
    welcomeLink(tx, desk.parts, { accountId: desk.accountId, owner, madeBy: 'cli' }),
  )
  expect(link).toMatch(/^https:\/\/relay\.example\/dashboard#welcome=/)
  return link.split('=')[1] ?? ''
}
const enter = (code: string) => enterByWelcome(desk.parts, code, visit())

test('it signs in as the owner, with all rights of an owner', async () => {
  const person = await desk.signedIn((await enter(await made())).token)
  expect(person).toMatchObject({ email: 'owner@bistro.test', elevatedUntilMs: desk.clock.now() + 600_000 })
  expect(await desk.people.membership(person.userId, desk.accountId)).toBe('owner')
})

test('it is valid once, also for two browsers at once', async () => {
  const code = await made()
  const both = await Promise.allSettled([enter(code), enter(code)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await refusalOf(enter(code))).toBe('welcome.ended')
})

test('it is good for a day, and no invitation is one', async () => {
  const code = await made()
  desk.clock.jump(86_400_000)
  expect(await refusalOf(enter(code))).toBe('welcome.ended')
  expect(await refusalOf(enter('nonsense'))).toBe('welcome.ended')
})

test('an address of another person is refused for a new owner', async () => {
  await desk.person({ email: 'owner@bistro.test', role: 'staff' })
  expect(await refusalOf(made())).toBe('welcome.taken')
})
