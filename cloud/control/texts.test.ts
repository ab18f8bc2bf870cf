// Text messages as people of the restaurant see them, and numbers that get none: who sees what, and what the audit log keeps.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeNotice } from '#cloud/notices/write-notice.ts'
import { readyMailId } from '#cloud/storage/notice-store.ts'
import { numberMac, type TextTo, writeText } from '#cloud/texts/write-text.ts'
import { asId } from '#shared/ids.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'

const NUMBER = '+12125550142'
/** A number of the plan that is given to people: those for fiction are none of it. */
const CUSTOMER = '+14155552671'
let at: ControlDesk
beforeEach(async () => {
  at = await ControlDesk.open()
})
afterEach(() => at.close())

const box = () => at.secretBox

function write(change: Partial<TextTo> = {}): Promise<boolean> {
  const { db, merchantKey: key, account } = at.desk.api
  const { clock } = at
  const deps = { texts: at.context.texts, secretBox: box(), clock, countries: ['+1'] }
  const text: TextTo = {
    ...{ merchant: { key, accountId: account.accountId, environment: 'sandbox' }, kind: 'order-ready' },
    ...{ subjectId: 'ord_1', to: CUSTOMER, text: 'Bistro: order 41 is ready.', expiresAtMs: clock.now() + 60_000 },
    ...change,
  }
  return db.unit((tx) => writeText(tx, deps, text))
}

const asOf = (source: 'word' | 'provider', number = NUMBER) => {
  const { db, merchantKey } = at.desk.api
  const optout = { merchant_id: merchantKey, to_mac: numberMac(box(), number), tail: '0142', created_at: 0 }
  return db.unit((tx) => at.context.texts.optOut(tx, { ...optout, source }))
}

test('text messages are listed, the newest first, with what became of them', async () => {
  await write()
  at.clock.jump(1_000)
  await write({ subjectId: 'ord_2', to: '+442071838750' })
  const listed = await at.perform('texts.list', {}, { role: 'staff' })
  expect(listed).toMatchObject([
    { subjectId: 'ord_2', state: 'dropped', error: 'country', to: '+442071838750' },
    { subjectId: 'ord_1', state: 'kept', error: null, to: CUSTOMER, text: 'Bistro: order 41 is ready.' },
  ])
  expect(await at.perform('texts.list', { limit: 1 })).toHaveLength(1)
})

test('whoever does not see customers of live restaurants gets neither number nor words', async () => {
  await write()
  const merchantId = await at.goLive()
  const developer = { role: 'developer', environment: 'live' } as const
  const [hidden] = await at.perform('texts.list', { merchantId }, developer)
  expect(hidden).toMatchObject({ to: '+*********71', text: null, state: 'kept' })
  const [shown] = await at.perform('texts.list', { merchantId }, { role: 'staff', environment: 'live' })
  expect(shown).toMatchObject({ to: CUSTOMER, text: 'Bistro: order 41 is ready.' })
})

test('a number gets no more text messages, and then again; the audit log has its last four digits alone', async () => {
  const number = CUSTOMER
  expect(await at.perform('texts.put-optout', { number }, { role: 'staff' })).toEqual({ changed: true })
  expect(await at.perform('texts.put-optout', { number })).toEqual({ changed: false })
  const since = new Date(at.clock.now()).toISOString()
  expect(await at.perform('texts.optouts', {})).toEqual([{ tail: '2671', source: 'person', since }])
  await write()
  expect(await at.perform('texts.list', {})).toMatchObject([{ state: 'dropped', error: 'opted_out' }])
  expect(await at.perform('texts.remove-optout', { number })).toEqual({ changed: true })
  await write({ subjectId: 'ord_2' })
  expect((await at.perform('texts.list', {})).map(({ state }) => state).toSorted()).toEqual(['dropped', 'kept'])
  const audit = await at.desk.api.db.read
    .selectFrom('audit_log')
    .selectAll()
    .where('action', 'like', 'text.%')
    .execute()
  expect(audit.map(({ action }) => action).toSorted()).toEqual(['text.optin', 'text.optout'])
  expect(JSON.stringify(audit)).toContain('2671')
  expect(JSON.stringify(audit)).not.toContain('415555')
})

test('only the number itself takes its STOP back; what the telephone company said may be tried again', async () => {
  await asOf('word')
  const remove = () => at.perform('texts.remove-optout', { number: NUMBER })
  await expect(remove()).rejects.toMatchObject({ kind: 'refused', said: { key: 'text.stopped' } })
  expect(await at.perform('texts.optouts', {})).toMatchObject([{ tail: '0142', source: 'word' }])
  await at.desk.api.db.unit((tx) => at.context.texts.optIn(tx, at.desk.api.merchantKey, numberMac(box(), NUMBER)))
  await expect(remove()).rejects.toMatchObject({ kind: 'not-found', said: { key: 'text.no-optout' } })
  await asOf('provider')
  expect(await remove()).toEqual({ changed: true })
  expect(await at.perform('texts.optouts', {})).toEqual([])
})

test('a number that is none is refused at its field', async () => {
  await expect(at.perform('texts.put-optout', { number: '0142' })).rejects.toThrow(/must be a telephone number/)
})

test('an order tells whether its customer was told, and how that ended', async () => {
  const serviceOrderId = (await at.desk.api.inject()).body.serviceOrderId as string
  expect((await at.perform('orders.trace', { serviceOrderId })).told).toEqual([])
  await write({ subjectId: serviceOrderId })
  const when = new Date(at.clock.now()).toISOString()
  const sms = { by: 'sms', state: 'kept', error: null, at: when, deliveredAt: null }
  expect((await at.perform('orders.trace', { serviceOrderId })).told).toEqual([sms])
  const { db, merchantKey, account } = at.desk.api
  await db.unit((tx) =>
    writeNotice(
      tx,
      { secretBox: box(), clock: at.clock },
      {
        ...{ id: readyMailId(asId<'ord'>(serviceOrderId)), to: 'ana@example.com', language: 'en' },
        ...{ accountId: account.accountId, merchantKey, end: { state: 'dropped', error: 'merchant_limit' } },
        notice: { kind: 'order-ready', values: { restaurant: 'Bistro', number: '41', readyAtMs: at.clock.now() } },
      },
    ),
  )
  const mail = { by: 'mail', state: 'dropped', error: 'merchant_limit', at: when, deliveredAt: null }
  expect((await at.perform('orders.trace', { serviceOrderId })).told).toEqual([sms, mail])
})
