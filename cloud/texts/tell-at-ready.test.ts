// What customers hear when their order is ready: written with the fact, once an order, within limits, and not against their wish.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { advanceOrder } from '#cloud/orders/advance-order.ts'
import { recordKitchenFact } from '#cloud/orders/record-kitchen-fact.ts'
import { CustomerDataStore } from '#cloud/storage/customer-data-store.ts'
import { insertNotice, NoticeStore, readyMailId } from '#cloud/storage/notice-store.ts'
import { TextStore } from '#cloud/storage/text-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { asId, type MerchantKey, newId } from '#shared/ids.ts'
import type { InjectOrder } from '#shared/wire/api/orders.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { takeText } from './take-text.ts'
import { MERCHANT_MAILS, tellAtReady } from './tell-at-ready.ts'
import { openedText } from './text-worker.ts'
import { MERCHANT_TEXTS, NUMBER_TEXTS, numberMac, writeText } from './write-text.ts'

const PHONE = '(415) 555-2671'
const E164 = '+14155552671'
const EMAIL = 'ana.lopez@example.com'
const MINUTE_MS = 60_000
const secretBox = new SecretBox(Buffer.alloc(32, 1))
let clock: ManualClock
let api: RelayApi
let texts: TextStore
let orders = 0

beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  texts = new TextStore(api.db)
  await live()
  await notify('both')
})
afterEach(() => api.close())

const deps = () => ({ ...api.stores, texts, notices: new NoticeStore(api.db), secretBox, countries: ['+1'] })
const set = (change: object) => api.db.unit((tx) => tx.updateTable('merchants').set(change).execute())
const notify = (by: 'off' | 'sms' | 'mail' | 'both') => set({ notify_ready: by })
/** A sandbox sends nothing: the restaurant of these tests is a real one, to the code that sends. */
const live = () => set({ environment: 'live', name: 'Bistro' })

/** Whose orders these are. */
async function merchant() {
  const { id, account_id } = await api.db.read
    .selectFrom('merchants')
    .select(['id', 'account_id'])
    .where('public_id', '=', 'M-TEST-001')
    .executeTakeFirstOrThrow()
  return { key: id, accountId: account_id }
}

async function ordered(customer: InjectOrder['customer'], more: Partial<InjectOrder> = {}): Promise<string> {
  await set({ environment: 'sandbox' })
  const body = { orderId: `w-${++orders}`, ...(customer && { customer }), ...more }
  const { serviceOrderId } = (await api.inject(body)).body
  await live()
  return serviceOrderId
}

const ready = async (orderId: string, { atMs = clock.now(), told = tellAtReady(deps()) } = {}) => {
  const { location_id: locationId } = await api.db.read
    .selectFrom('orders')
    .select('location_id')
    .where('id', '=', asId<'ord'>(orderId))
    .executeTakeFirstOrThrow()
  return recordKitchenFact({ ...api.stores, tellCustomer: told }, { orderId, fact: 'ready', atMs, locationId })
}
const sms = () => api.db.read.selectFrom('text_messages').selectAll().orderBy('created_at').orderBy('id').execute()
const mail = () => api.db.read.selectFrom('notices').selectAll().execute()
const ends = async () => (await sms()).map(({ state, error }) => (error === null ? state : `${state} ${error}`))

describe('an order that is ready', () => {
  test('is told by text message and by mail, in the commit of the fact', async () => {
    const id = await ordered({ name: 'Ana', phone: PHONE, email: EMAIL })
    expect(await ready(id)).toBe('recorded')
    const [text, ...others] = await sms()
    expect(others).toEqual([])
    expect(text).toMatchObject({ kind: 'order-ready', subject_id: id, state: 'queued' })
    expect(text && openedText(secretBox, text)).toEqual({
      to: E164,
      text: expect.stringMatching(/^Bistro: order \S+ is ready for pickup\. Reply STOP to end\.$/),
    })
    const [letter] = await mail()
    expect(secretBox.open(letter?.to_enc ?? '')).toBe(EMAIL)
    expect(JSON.parse(secretBox.open(letter?.text_enc ?? '')).subject).toMatch(/^Bistro: order \S+ is ready$/)
    expect(letter).toMatchObject({ kind: 'order-ready', state: 'queued', expires_at: clock.now() + 30 * MINUTE_MS })
  })

  test('is not ready if that cannot be written', async () => {
    const id = await ordered({ phone: PHONE })
    const told = async () => Promise.reject(new Error('no room'))
    await expect(ready(id, { told })).rejects.toThrow('no room')
    expect(await sms()).toEqual([])
    const order = await api.db.read
      .selectFrom('orders')
      .select('ready_at')
      .where('id', '=', asId<'ord'>(id))
      .executeTakeFirst()
    expect(order?.ready_at).toBeNull()
    expect(await ready(id)).toBe('recorded')
    expect(await ends()).toEqual(['queued'])
  })

  test('is told once, however often the kitchen says so', async () => {
    const id = await ordered({ phone: PHONE, email: EMAIL })
    expect([await ready(id), await ready(id), await ready(id)]).toEqual(['recorded', 'already', 'already'])
    // As after a recall, if the relay forgot that it was ready.
    await api.db.unit((tx) =>
      tx.updateTable('orders').set({ ready_at: null, status: 'printed', sequence: 7 }).execute(),
    )
    expect(await ready(id)).toBe('recorded')
    expect([(await sms()).length, (await mail()).length]).toEqual([1, 1])
  })

  test('by hand, as in the sandbox, is told too; a test merchant’s messages are kept and never leave', async () => {
    const id = await ordered({ phone: PHONE, email: EMAIL })
    await set({ environment: 'sandbox' })
    await api.db.unit(async (tx) =>
      advanceOrder(
        tx,
        { ...api.stores, tellCustomer: tellAtReady(deps()) },
        { target: await api.stores.orders.load(tx, asId<'ord'>(id)), move: { fact: 'ready', atMs: clock.now() } },
      ),
    )
    expect([await ends(), (await mail()).map(({ state }) => state)]).toEqual([['kept'], ['kept']])
  })

  test.each([
    ['off', [0, 0]],
    ['sms', [1, 0]],
    ['mail', [0, 1]],
    ['both', [1, 1]],
  ] as const)('is told as the restaurant has set: %s', async (by, [bySms, byMail]) => {
    await notify(by)
    await ready(await ordered({ phone: PHONE, email: EMAIL }))
    expect([(await sms()).length, (await mail()).length]).toEqual([bySms, byMail])
  })

  test('is told to nobody without a number or an address, and not if it is brought to the guest', async () => {
    await ready(await ordered(undefined))
    await ready(await ordered({ name: 'Ana' }))
    await ready(await ordered({ phone: PHONE, email: EMAIL }, { orderType: 'delivery' }))
    await ready(await ordered({ phone: PHONE, email: EMAIL }, { orderType: 'dine-in' }))
    expect([await sms(), await mail()]).toEqual([[], []])
    await ready(await ordered({ phone: PHONE, email: EMAIL }, { orderType: 'curbside' }))
    expect(await ends()).toEqual(['queued'])
  })

  test('in the language of the restaurant’s customers', async () => {
    await set({ notify_language: 'es' })
    await ready(await ordered({ phone: PHONE, email: EMAIL }))
    const [text] = await sms()
    expect(text && openedText(secretBox, text)?.text).toMatch(/^Bistro: su pedido/)
    expect((await mail())[0]?.language).toBe('es')
  })

  test('that became known half an hour late is told to nobody: it is no news', async () => {
    const id = await ordered({ phone: PHONE, email: EMAIL })
    const atMs = clock.now()
    clock.jump(30 * MINUTE_MS)
    await ready(id, { atMs })
    expect(await ends()).toEqual(['dropped too_late'])
    expect(await mail()).toMatchObject([{ state: 'dropped', error: 'too_late' }])
  })
})

describe('limits', () => {
  test.each([
    ['not_a_number', 'call me'],
    ['not_a_number', '911'],
    ['number_type', '900-555-1234'],
    ['country', '+44 7400 123456'],
  ])('refuse with %s, and it can be seen: %s', async (error, phone) => {
    await ready(await ordered({ phone }))
    expect(await ends()).toEqual([`dropped ${error}`])
  })

  test('let five orders a day be told to one number', async () => {
    for (let n = 0; n < NUMBER_TEXTS['order-ready'] + 1; n++) {
      await ready(await ordered({ phone: PHONE }))
      clock.jump(1)
    }
    expect(await ends()).toEqual([...Array.from({ length: 5 }, () => 'queued'), 'dropped number_limit'])
    clock.jump(24 * 60 * MINUTE_MS)
    await ready(await ordered({ phone: PHONE }))
    expect((await ends()).at(-1)).toBe('queued')
  })

  test('let a restaurant send 500 a day, whoever pumps numbers into its orders', async () => {
    const of = { ...(await merchant()), environment: 'live' as const }
    const expiresAtMs = clock.now() + MINUTE_MS
    await api.db.unit(async (tx) => {
      for (let n = 0; n < MERCHANT_TEXTS; n++) {
        const to = `+1415555${1_000 + n}`
        const text = { merchant: of, kind: 'test' as const, subjectId: `t${n}`, to, text: '', expiresAtMs }
        await writeText(tx, deps(), text)
      }
    })
    await ready(await ordered({ phone: PHONE }))
    const [row] = (await sms()).filter(({ kind }) => kind === 'order-ready')
    expect(row).toMatchObject({ state: 'dropped', error: 'merchant_limit' })
  })

  test('let each restaurant of an account mail 500 customers a day, whatever another one of it has sent', async () => {
    const { key, accountId } = await merchant()
    const nowMs = clock.now()
    const sealed = { to_enc: '', text_enc: '', language: 'en', expires_at: nowMs, created_at: nowMs }
    const mailed = (merchantKey: MerchantKey, count: number) =>
      api.db.unit(async (tx) => {
        const of = { ...sealed, account_id: accountId, merchant_id: merchantKey, kind: 'order-ready', end: null }
        for (let n = 0; n < count; n++) await insertNotice(tx, { ...of, id: newId('ntc', nowMs) })
      })
    const told = async () => {
      const id = await ordered({ email: EMAIL })
      await ready(id)
      return (await mail()).find((row) => row.id === readyMailId(asId<'ord'>(id)))
    }
    await mailed(asId<'mer'>('mer_other'), MERCHANT_MAILS)
    await mailed(key, MERCHANT_MAILS - 1)
    expect(await told()).toMatchObject({ state: 'queued', merchant_id: key })
    expect(await told()).toMatchObject({ state: 'dropped', error: 'merchant_limit' })
    clock.jump(24 * 60 * MINUTE_MS)
    expect(await told()).toMatchObject({ state: 'queued' })
  })
})

describe('a customer', () => {
  const says = async (text: string, from = E164) => {
    const { key: id } = await merchant()
    return takeText(
      deps(),
      { merchantKey: id },
      { kind: 'incoming', providerId: 'SM1', from, to: '+12125550123', text },
    )
  }

  test.each(['STOP', ' stop. ', 'Stop texting me!', 'Unsubscribe', 'CANCEL', 'end', 'Quit', 'Arrêt', 'ALTO', '退订'])(
    'who answers %j gets no further message, however often the hook comes',
    async (word) => {
      expect([await says(word), await says(word)]).toEqual([null, null])
      await ready(await ordered({ phone: PHONE }))
      expect(await ends()).toEqual(['dropped opted_out'])
      const [optout] = await api.db.read.selectFrom('sms_optouts').selectAll().execute()
      expect(optout).toMatchObject({ to_mac: numberMac(secretBox, E164), tail: '2671', source: 'word' })
    },
  )

  test('who writes START after that gets them again', async () => {
    await says('STOP')
    await says('start')
    await ready(await ordered({ phone: PHONE }))
    expect(await ends()).toEqual(['queued'])
  })

  test('who writes START to one restaurant has begun nothing of another', async () => {
    await says('STOP')
    const other = { merchantKey: asId<'mer'>('mer_other') }
    const start = { kind: 'incoming', providerId: 'SM2', from: E164, to: '+12125550124', text: 'START' } as const
    await takeText(deps(), other, { ...start, text: 'STOP' })
    await takeText(deps(), other, start)
    const optouts = await api.db.read.selectFrom('sms_optouts').select('merchant_id').execute()
    expect(optouts).toEqual([{ merchant_id: (await merchant()).key }])
  })

  test.each(['Cancel my order', 'I will end up late', 'HELP', '', '🛑', 'x'.repeat(100_000), 'STO\u0000P'])(
    'who writes something else changes nothing (%#)',
    async (text) => {
      await says(text)
      await says('STOP', 'anonymous')
      expect(await api.db.read.selectFrom('sms_optouts').selectAll().execute()).toEqual([])
    },
  )
})

describe('news of a message', () => {
  const told = async (status: 'sent' | 'delivered' | 'failed', error: string | null = null, of?: string) => {
    const { key: id } = await merchant()
    const merchantKey = of === undefined ? id : asId<'mer'>(of)
    return takeText(deps(), { merchantKey }, { kind: 'status', providerId: 'SM-9', textId: null, status, error })
  }
  beforeEach(async () => {
    await ready(await ordered({ phone: PHONE }))
    await api.db.unit((tx) =>
      tx.updateTable('text_messages').set({ state: 'sent', provider_id: 'SM-9', next_at: null }).execute(),
    )
  })

  test('that it arrived is kept, in whatever order news come and however often', async () => {
    for (const status of ['delivered', 'sent', 'failed', 'delivered'] as const) {
      await told(status, status === 'failed' ? 'twilio_30003' : null)
      clock.jump(1_000)
    }
    expect(await sms()).toMatchObject([{ state: 'sent', error: null, delivered_at: clock.now() - 4_000 }])
  })

  test('that it did not is shown, and one that the number refuses is remembered', async () => {
    await told('failed', 'twilio_21610')
    expect(await ends()).toEqual(['failed twilio_21610'])
    expect(await api.db.read.selectFrom('sms_optouts').selectAll().execute()).toMatchObject([{ source: 'provider' }])
  })

  test('of another restaurant’s hook counts for nothing', async () => {
    await told('failed', 'twilio_30003', 'mer_other')
    expect(await ends()).toEqual(['sent'])
  })
})

test('the customer of an order that is forgotten is forgotten in its messages', async () => {
  const id = await ordered({ phone: PHONE, email: EMAIL })
  await ready(id)
  await api.db.unit((tx) => new CustomerDataStore(api.db).blank(tx, asId<'ord'>(id)))
  expect([await sms(), await mail()]).toEqual([[], []])
})
