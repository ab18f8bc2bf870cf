// Which restaurants a person chooses from: those of the account and those that others let it act on, and no others.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AccountDesk, type Restaurant } from '#test/fixtures/account-desk.ts'

let desk: AccountDesk
let bistro: Restaurant
let kiosk: Restaurant

beforeEach(async () => {
  desk = await AccountDesk.open()
  bistro = await desk.restaurant('bistro')
  kiosk = await desk.restaurant('kiosk')
})
afterEach(() => desk.close())

const seenBy = async ({ accountId }: Restaurant) => {
  const { merchants, isMore } = await desk.perform(desk.person('staff', accountId), 'workspace.get')
  expect(isMore).toBe(false)
  return merchants.map(({ merchantId, isGranted }) => `${merchantId}${isGranted ? ' granted' : ''}`)
}

test('an account sees its own restaurant, and that of another once it was granted, until that is taken back', async () => {
  expect(await seenBy(kiosk)).toEqual([kiosk.merchantId])
  const owner = desk.person('owner', bistro.accountId)
  const grant = { merchantId: bistro.merchantId, accountId: kiosk.accountId }
  await desk.perform(owner, 'grants.approve', grant)
  expect(await seenBy(kiosk)).toEqual([`${bistro.merchantId} granted`, kiosk.merchantId])
  expect(await seenBy(bistro)).toEqual([bistro.merchantId])
  await desk.perform(owner, 'grants.remove', grant)
  expect(await seenBy(kiosk)).toEqual([kiosk.merchantId])
})

test('test restaurants have the fields that a page needs', async () => {
  const { accountId } = desk.api.account
  const { merchants } = await desk.perform(desk.person('developer', accountId), 'workspace.get')
  expect(merchants).toContainEqual({
    merchantId: 'M-TEST-001',
    name: expect.any(String),
    environment: 'sandbox',
    timeZone: expect.stringMatching(/\//),
    currency: 'USD',
    isGranted: false,
  })
})

test('whoever is no member sees none', async () => {
  const refused = await desk.refusal(desk.person(null, null), 'workspace.get')
  expect(refused.said?.key).toBe('right.member')
})
