// Telephone numbers that cost the operator something: how many an account may buy, and who connects those that are there.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Telephones } from '#cloud/telephony/telephones.ts'
import { ControlDesk, type Who } from '#test/fixtures/control-desk.ts'
import { BOUGHT_A_DAY } from './number-handlers.ts'

let at: ControlDesk
let merchantId: string
const OWNER: Who = { environment: 'live', isElevated: true }
beforeEach(async () => {
  at = await ControlDesk.open()
  merchantId = await at.goLive()
  const telephones = { for: () => ({ provider: 'twilio' }) } as unknown as Telephones
  Object.assign(at.context.running ?? {}, { telephones })
})
afterEach(() => at.close())

const buy = () => at.perform('numbers.want', { merchantId, wanted: { areaCode: '212' } }, OWNER)
/** Given up: the row goes, and the number stays bought. */
const giveUp = () => at.desk.api.db.unit((tx) => tx.deleteFrom('phone_numbers').execute())

test('an account buys so many numbers a day, also when it gives each of them up', async () => {
  for (let n = 0; n < BOUGHT_A_DAY; n++) {
    await buy()
    await giveUp()
  }
  await expect(buy()).rejects.toMatchObject({ kind: 'refused', said: { key: 'number.too-many-today' } })
  await at.clock.pass(86_400_001)
  expect(await buy()).toMatchObject({ state: 'wanted', wanted: { areaCode: '212' } })
})

test('a number that answers and was not told the newest settings is tried again when somebody asks', async () => {
  const { numberId } = await buy()
  const stands = async () => (await at.perform('numbers.list', { merchantId }, OWNER)).numbers
  expect(await stands()).toMatchObject([{ state: 'wanted', error: null, isTried: true }])
  const refused = { state: 'wired', error: 'not_authorized', next_at: null } as const
  await at.desk.api.db.unit((tx) => tx.updateTable('phone_numbers').set(refused).execute())
  expect(await stands()).toMatchObject([{ state: 'wired', error: 'not_authorized', isTried: false }])
  expect(await at.perform('numbers.retry', { merchantId, numberId }, OWNER)).toEqual({ changed: true })
  expect(await stands()).toMatchObject([{ state: 'wired', error: null, isTried: true }])
})

test('only the operator connects a number of the telephone account, and nobody one that is taken', async () => {
  const number = '+12125550142'
  await expect(at.perform('numbers.attach', { merchantId, number }, OWNER)).rejects.toMatchObject({ kind: 'forbidden' })
  // Not by the way of buying either.
  const want = at.perform('numbers.want', { merchantId, wanted: { number } }, OWNER)
  await expect(want).rejects.toMatchObject({ kind: 'invalid' })
  const operator = { ...OWNER, isOperator: true }
  const { numberId } = await at.perform('numbers.attach', { merchantId, number }, operator)
  expect(await at.context.phoneNumbers.byId(numberId)).toMatchObject({
    state: 'wanted',
    wanted: JSON.stringify({ number }),
  })
  await at.desk.api.db.unit((tx) => tx.updateTable('phone_numbers').set({ e164: number }).execute())
  await expect(at.perform('numbers.attach', { merchantId, number }, operator)).rejects.toMatchObject({
    said: { key: 'number.taken' },
  })
})
