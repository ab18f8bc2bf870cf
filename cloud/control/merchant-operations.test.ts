// Fields of a merchant and of its locations as people change them; two people who change the same thing.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import type { ControlRefusal } from './control-refusal.ts'

let control: ControlDesk
beforeEach(async () => {
  control = await ControlDesk.open()
})
afterEach(() => control.close())

const newest = async () => (await control.audit()).at(-1)
const refusal = async (asked: Promise<unknown>): Promise<ControlRefusal> =>
  (await asked.then(
    () => expect.unreachable('it was not refused'),
    (error: unknown) => error,
  )) as ControlRefusal

describe('the settings of a merchant', () => {
  test('sets how customers hear that an order is ready, and in which language', async () => {
    const before = await control.perform('merchant.get', {})
    expect(before).toMatchObject({ notifyReady: 'off', notifyLanguage: 'en' })
    const saved = await control.perform('merchant.save', { notifyReady: 'both', notifyLanguage: 'zh-Hans' })
    expect(saved).toMatchObject({ notifyReady: 'both', notifyLanguage: 'zh-Hans' })
    const late = control.perform('merchant.save', { notifyReady: 'sms', seen: { notifyReady: 'off' } })
    expect((await refusal(late)).kind).toBe('stale')
    expect((await refusal(control.perform('merchant.save', { notifyReady: 'fax' }))).kind).toBe('invalid')
    expect(await control.perform('merchant.get', {})).toMatchObject({ notifyReady: 'both' })
  })

  test('is saved field by field, with what stood there before', async () => {
    const before = await control.perform('merchant.get', {}, { role: 'staff' })
    const seen = { name: before.name, prepMinutes: before.prepMinutes }
    const saved = await control.perform('merchant.save', { name: 'Bistro Neuf', prepMinutes: 20, seen })
    expect(saved).toMatchObject({ name: 'Bistro Neuf', prepMinutes: 20, timeZone: before.timeZone })
    expect(await control.perform('merchant.get', {})).toEqual({ ...before, name: 'Bistro Neuf', prepMinutes: 20 })
    expect(await newest()).toMatchObject({ action: 'merchant.set', actor: 'usr_owner' })
    expect(JSON.parse((await newest())?.before ?? '')).toMatchObject(seen)
  })

  test('that somebody else has changed is not overwritten: the current value is returned, and nothing is saved', async () => {
    const { name, prepMinutes } = await control.perform('merchant.get', {})
    await control.perform('merchant.save', { name: 'Theirs', seen: { name } })
    const late = control.perform('merchant.save', { name: 'Mine', prepMinutes: 30, seen: { name, prepMinutes } })
    expect(await refusal(late)).toMatchObject({ kind: 'stale', said: { values: { name: 'Theirs' } } })
    expect(await control.perform('merchant.get', {})).toMatchObject({ name: 'Theirs', prepMinutes })
  })

  test('in another field is no conflict', async () => {
    const { name, currency } = await control.perform('merchant.get', {})
    await control.perform('merchant.save', { name: 'Theirs', seen: { name } })
    expect(await control.perform('merchant.save', { currency: 'eur', seen: { currency } })).toMatchObject({
      name: 'Theirs',
      currency: 'EUR',
    })
  })

  test.each([
    [{ timeZone: 'Mars/Base' }, 'timeZone'],
    [{ currency: 'JPY2' }, 'currency'],
    [{ prepMinutes: 601 }, 'prepMinutes'],
    [{ fireAheadDays: 366 }, 'fireAheadDays'],
    [{ name: '' }, 'name'],
  ])('is refused by the field that is wrong: %j', async (wrong, field) => {
    const refused = await refusal(control.perform('merchant.save', wrong))
    expect(refused.errors.map((one) => one.field)).toEqual([field])
  })

  test('changes nothing without a field, and not for staff', async () => {
    expect((await refusal(control.perform('merchant.save', {}))).said?.key).toBe('merchant.nothing')
    const asStaff = control.perform('merchant.save', { name: 'x' }, { role: 'staff' })
    expect((await refusal(asStaff)).kind).toBe('forbidden')
  })
})

describe('a location', () => {
  test('is added, and gets another name when it is still what the person saw', async () => {
    const { locationId } = await control.perform('locations.add', { name: 'Harbour' })
    await control.perform('locations.rename', { locationId, name: 'Pier', seen: { name: 'Harbour' } })
    const late = control.perform('locations.rename', { locationId, name: 'Beach', seen: { name: 'Harbour' } })
    expect((await refusal(late)).said?.values).toEqual({ name: 'Pier' })
    const rows = await control.perform('locations.list', {}, { role: 'staff' })
    expect(rows.map(({ name, isDefault }) => [name, isDefault])).toContainEqual(['Pier', false])
    const accountId = await control.stranger()
    const theirs = control.perform('locations.rename', { locationId, name: 'Mine' }, { accountId })
    expect((await refusal(theirs)).kind).toBe('not-found')
  })

  test('beyond the plan of a live account is refused', async () => {
    const merchantId = await control.goLive()
    const { db, account } = control.desk.api
    await db.unit((tx) =>
      tx.updateTable('accounts').set({ plan: 'starter' }).where('id', '=', account.accountId).execute(),
    )
    const live = { environment: 'live' as const }
    const refused = await refusal(control.perform('locations.add', { merchantId, name: 'Harbour' }, live))
    expect(refused.said?.key).toBe('plan.over')
    expect(await control.perform('locations.list', { merchantId }, live)).toHaveLength(1)
  })
})
