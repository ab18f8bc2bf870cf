// Orders as people of an account read them: lists and their filters, ids, what is hidden from whom, and that others' orders do not exist.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asId, newId } from '#shared/ids.ts'
import { CAP_PRINT_JOBS } from '#shared/wire/gateway-link.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { printer } from '#test/fixtures/order-desk.ts'

const HOUR = 3_600_000
const ANA = { name: 'Ana Lopez', phone: '+1 555 0134', email: 'ana@example.com' }
let control: ControlDesk
beforeEach(async () => {
  control = await ControlDesk.open()
})
afterEach(() => control.close())

async function inject(orderId: string, change: object = {}): Promise<string> {
  control.clock.jump(1_000)
  const { status, body } = await control.desk.api.inject({ orderId, ...change })
  if (status !== 200 && status !== 503) throw new Error(JSON.stringify(body))
  return body.serviceOrderId ?? body.order.serviceOrderId
}
/** So many orders more that are as this one is, each with a ticket as its own, if it has one. */
async function copies(serviceOrderId: string, count: number): Promise<void> {
  const { db } = control.desk.api
  await db.unit(async (tx) => {
    const {
      source,
      traceparent: _,
      ...order
    } = await tx
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', asId<'ord'>(serviceOrderId))
      .executeTakeFirstOrThrow()
    const ticket = await tx.selectFrom('dispatches').selectAll().where('order_id', '=', order.id).executeTakeFirst()
    for (let n = 0; n < count; n++) {
      const id = newId('ord', control.clock.now())
      const copy = { ...order, id, client_order_id: `copy-${n}`, queued_at: order.queued_at + n }
      await tx
        .insertInto('orders')
        .values(db.words.storesOrderSource ? { ...copy, source } : copy)
        .execute()
      if (ticket === undefined) continue
      const { ordinal: __, ...job } = ticket
      const row = { ...job, id: newId('pj', control.clock.now()), order_id: id }
      await tx.insertInto('dispatches').values(row).execute()
    }
  })
}
const list = async (filter: object = {}) =>
  (await control.perform('orders.list', filter)).rows.map((row) => row.orderId)

describe('the list of orders', () => {
  test('has the newest first, each with its summary', async () => {
    await inject('first')
    await inject('second', { customer: ANA, tip: 2, table: '7' })
    const { rows, nextCursor, currency } = await control.perform('orders.list', {})
    expect(rows.map(({ orderId }) => orderId)).toEqual(['second', 'first'])
    expect(rows[0]).toMatchObject({
      number: '2',
      source: 'kiosk-7',
      status: 'accepted',
      proof: 'waiting',
      items: [
        { name: 'Smash Burger', qty: 2 },
        { name: 'Crème brûlée', qty: 1 },
      ],
      lines: 2,
      pieces: 3,
      total: 32.95,
      tip: 2,
      table: '7',
      customerName: 'Ana Lopez',
    })
    expect([nextCursor, currency]).toEqual([null, 'USD'])
  })

  test('of what is open leaves out what was handed over or voided', async () => {
    const done = await inject('done')
    const gone = await inject('gone')
    const ready = await inject('ready')
    await inject('new')
    await control.perform('orders.completed', { serviceOrderId: done })
    await control.perform('orders.void', { serviceOrderId: gone })
    await control.perform('orders.ready', { serviceOrderId: ready })
    expect(await list({ state: 'open' })).toEqual(['new', 'ready'])
    expect(await list({ state: 'voided' })).toEqual(['gone'])
    expect(await list()).toEqual(['new', 'ready', 'gone', 'done'])
  })

  test('is narrowed by source and by the time when it was taken', async () => {
    await inject('kiosk')
    const noon = new Date(control.clock.now() + 500).toISOString()
    await inject('phone', { source: 'phone' })
    expect(await list({ source: 'phone' })).toEqual(['phone'])
    expect(await list({ to: noon })).toEqual(['kiosk'])
    expect(await list({ from: noon, state: 'open' })).toEqual(['phone'])
  })

  test('finds an order by its id, by the id of the client, and by the number on its ticket', async () => {
    const first = await inject('web-4711')
    await inject('web-4712')
    expect(await list({ text: first })).toEqual(['web-4711'])
    expect(await list({ text: 'web-4712' })).toEqual(['web-4712'])
    expect(await list({ text: '1' })).toEqual(['web-4711'])
    expect(await list({ text: '001' })).toEqual(['web-4711'])
    expect(await list({ text: 'web-4712', state: 'voided' })).toEqual([])
    expect(await list({ text: 'nobody has this' })).toEqual([])
  })

  test('has 50 a page, and the cursor continues where the page ended, also over the open states', async () => {
    for (let number = 1; number <= 53; number += 1) {
      const id = await inject(`o-${number}`)
      if (number % 2 === 0) await control.perform('orders.ready', { serviceOrderId: id })
    }
    for (const filter of [{}, { state: 'open' }]) {
      const first = await control.perform('orders.list', filter)
      const rest = await control.perform('orders.list', { ...filter, cursor: first.nextCursor })
      expect([first.rows.length, rest.rows.map(({ orderId }) => orderId), rest.nextCursor]).toEqual([
        50,
        ['o-3', 'o-2', 'o-1'],
        null,
      ])
    }
  })

  test('shows which kitchen is away and how many tickets wait for it, until it is back', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })], [CAP_PRINT_JOBS])
    await inject('while-here')
    expect((await control.perform('orders.list', {})).waiting).toEqual([])
    const nowMs = control.clock.now()
    await control.kitchenGoesAway()
    await inject('while-away')
    await inject('later', { fireAt: new Date(nowMs + HOUR).toISOString() })
    expect((await control.perform('orders.list', {})).waiting).toEqual([
      {
        locationId: control.desk.api.locationId,
        name: 'Main Street',
        tickets: 2,
        more: false,
        since: '2026-11-20T18:00:01.000Z',
      },
    ])
  })

  test('counts waiting tickets, however many orders without paper came after them', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })], [CAP_PRINT_JOBS])
    await inject('handed-over')
    await control.desk.handOver()
    await control.kitchenGoesAway()
    await inject('while-away')
    const unprinted = await inject('no-paper', { print: false })
    await copies(unprinted, 1_000)
    expect((await control.perform('orders.list', {})).waiting).toMatchObject([
      { tickets: 2, more: false, since: '2026-11-20T18:00:01.000Z' },
    ])
  })

  test('counts at most a thousand tickets, and says so', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })], [CAP_PRINT_JOBS])
    await control.kitchenGoesAway()
    await copies(await inject('while-away'), 1_000)
    expect((await control.perform('orders.list', {})).waiting).toMatchObject([{ tickets: 1_000, more: true }])
  })

  test("counts an account's own tickets alone, and none that is on paper or voided", async () => {
    await control.desk.pair([printer('pass', { isDefault: true })], [CAP_PRINT_JOBS])
    await inject('printed')
    const [job] = await control.desk.handOver()
    await control.desk.report(job?.jobId ?? '', 'printed')
    await control.kitchenGoesAway()
    await control.perform('orders.void', { serviceOrderId: await inject('voided') })
    const others = await inject('of-another')
    const accountId = await control.stranger()
    const { db } = control.desk.api
    await db.unit((tx) =>
      tx.updateTable('orders').set({ account_id: accountId }).where('id', '=', asId<'ord'>(others)).execute(),
    )
    expect((await control.perform('orders.list', {})).waiting).toEqual([])
  })
})

describe('one order', () => {
  test('comes with its proof, its print jobs and its kitchen', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })])
    const serviceOrderId = await inject('o-1', { customer: ANA })
    const [job] = await control.desk.handOver()
    await control.desk.report(job?.jobId ?? '', 'printed')
    const answer = await control.perform('orders.get', { serviceOrderId })
    expect(answer).toMatchObject({
      number: '1',
      proof: 'confirmed',
      isMasked: false,
      currency: 'USD',
      timeZone: 'America/New_York',
      locationName: 'Main Street',
      jobs: [{ printJobId: job?.jobId, type: 'order', state: 'printed' }],
    })
    expect(answer.order.customer).toEqual(ANA)
    expect(answer.names['UMS-MOD-CHEESE']).toBe('Extra Cheese')
  })

  test('of another account does not exist, nor does one of another merchant', async () => {
    const serviceOrderId = await inject('o-1')
    const accountId = await control.stranger()
    for (const name of ['orders.get', 'orders.trace', 'orders.drawing', 'orders.ready', 'orders.void'] as const) {
      await expect(control.perform(name, { serviceOrderId }, { accountId })).rejects.toMatchObject({
        code: 'order.not_found',
      })
      await expect(control.perform(name, { serviceOrderId, merchantId: 'M-TEST-002' })).rejects.toMatchObject({
        code: 'order.not_found',
      })
    }
    expect((await control.perform('orders.list', {}, { accountId })).rows).toEqual([])
    expect(await control.perform('orders.find', { text: serviceOrderId }, { accountId })).toBeNull()
  })
})

describe('the guests of live orders', () => {
  const masked = { name: '***', phone: '***', email: '***' }

  test('are hidden from a developer, everywhere where an order is shown', async () => {
    const serviceOrderId = await inject('o-1', { customer: ANA })
    const merchantId = await control.goLive()
    const who = { role: 'developer', environment: 'live' } as const
    const one = await control.perform('orders.get', { merchantId, serviceOrderId }, who)
    const { rows } = await control.perform('orders.list', { merchantId }, who)
    const drawing = await control.perform('orders.drawing', { merchantId, serviceOrderId }, who)
    const trace = await control.perform('orders.trace', { merchantId, serviceOrderId }, who)
    expect([one.order.customer, one.isMasked, rows[0]?.customerName]).toEqual([masked, true, '***'])
    expect(drawing.tickets.length).toBeGreaterThan(0)
    const all = JSON.stringify([one, rows, drawing, trace])
    for (const part of ['Ana', 'Lopez', '555', '0134', 'ana@']) expect(all).not.toContain(part)
  })

  test('are hidden from a developer in what was typed as the reason of a void', async () => {
    const serviceOrderId = await inject('o-1', { customer: ANA })
    await control.perform('orders.void', { serviceOrderId, reason: 'Ana Lopez left' })
    const merchantId = await control.goLive()
    const seenBy = async (role: 'developer' | 'staff') => {
      const who = { role, environment: 'live' } as const
      const { order } = await control.perform('orders.get', { merchantId, serviceOrderId }, who)
      const { steps } = await control.perform('orders.trace', { merchantId, serviceOrderId }, who)
      return [order.voidReason, steps.find(({ step }) => step === 'voided')?.by]
    }
    expect(await seenBy('developer')).toEqual(['***', '***'])
    expect(await seenBy('staff')).toEqual(['Ana Lopez left', 'Ana Lopez left'])
  })

  test('are hidden from an operator who views the account', async () => {
    const serviceOrderId = await inject('o-1', { customer: ANA })
    const merchantId = await control.goLive()
    const who = { isViewing: true, environment: 'live' } as const
    expect((await control.perform('orders.get', { merchantId, serviceOrderId }, who)).order.customer).toEqual(masked)
  })

  test('are shown to those who serve them', async () => {
    const serviceOrderId = await inject('o-1', { customer: ANA })
    const merchantId = await control.goLive()
    for (const role of ['staff', 'manager', 'owner'] as const) {
      const { order, isMasked } = await control.perform(
        'orders.get',
        { merchantId, serviceOrderId },
        { role, environment: 'live' },
      )
      expect([order.customer, isMasked]).toEqual([ANA, false])
    }
  })

  test('of the sandbox are made up: a developer sees them', async () => {
    const serviceOrderId = await inject('o-1', { customer: ANA })
    const { order } = await control.perform('orders.get', { serviceOrderId }, { role: 'developer' })
    expect(order.customer).toEqual(ANA)
  })
})

describe('the search text', () => {
  test("is the beginning of the client's id, or a part of the guest's name, whatever case and accents", async () => {
    await inject('kiosk-41', { customer: { ...ANA, name: 'Ána López' } })
    await inject('kiosk-42')
    await inject('web-1', { customer: { name: 'Ben' } })
    expect(await list({ text: 'KIOSK' })).toEqual(['kiosk-42', 'kiosk-41'])
    expect(await list({ text: 'ana lop' })).toEqual(['kiosk-41'])
    expect(await list({ text: 'ben', state: 'voided' })).toEqual([])
    // Nearly every name contains two letters, and other texts of an order are not names.
    expect(await list({ text: 'be' })).toEqual([])
    expect(await list({ text: '0134' })).toEqual([])
    expect(await list({ text: 'Smash' })).toEqual([])
  })

  test('finds no guest for those who do not see customers', async () => {
    await inject('kiosk-41', { customer: ANA })
    const merchantId = await control.goLive()
    const found = async (role: 'developer' | 'owner') =>
      (await control.perform('orders.list', { merchantId, text: 'lopez' }, { role, environment: 'live' })).rows.length
    expect([await found('developer'), await found('owner')]).toEqual([0, 1])
  })
})

describe('the search box', () => {
  test('finds orders by any id of theirs, of jobs, events and deliveries', async () => {
    const serviceOrderId = await inject('web-1')
    const { webhookId, deliveryId } = await control.tried(serviceOrderId)
    const [event] = await control.desk.events()
    const { printJobId } = (await control.desk.get(`/v1/order/${serviceOrderId}`)).body
    const order = { merchantId: 'M-TEST-001', serviceOrderId, webhookId: null }
    const find = (text: string) => control.perform('orders.find', { text })
    expect(await find(serviceOrderId)).toEqual({ ...order, kind: 'order', id: serviceOrderId })
    expect(await find(' web-1 ')).toEqual({ ...order, kind: 'order', id: 'web-1' })
    expect(await find('1')).toEqual({ ...order, kind: 'order', id: '1' })
    expect(await find(printJobId)).toEqual({ ...order, kind: 'job', id: printJobId })
    expect(await find(event.id)).toEqual({ ...order, kind: 'event', id: event.id })
    expect(await find(deliveryId)).toEqual({ ...order, kind: 'delivery', id: deliveryId, webhookId })
    expect(await find('nothing')).toBeNull()
  })

  test('finds an order of another restaurant of the account', async () => {
    const serviceOrderId = await inject('web-1')
    const found = await control.perform('orders.find', { text: serviceOrderId, merchantId: 'M-TEST-002' })
    expect(found).toMatchObject({ merchantId: 'M-TEST-001', serviceOrderId })
  })
})

describe('the check of an order', () => {
  test('returns the result without deleting anything', async () => {
    const order = control.desk.api.order()
    expect(await control.perform('orders.check', order)).toMatchObject({
      isAccepted: true,
      total: 32.95,
      fireAt: null,
      items: [{ name: 'Smash Burger', qty: 2, price: 12.5 }, { name: 'Crème brûlée' }],
    })
    expect(await list()).toEqual([])
  })

  test('gives the reason for a refusal, in the words of the API', async () => {
    const answer = await control.perform('orders.check', { ...control.desk.api.order(), total: 33 })
    expect(answer).toMatchObject({
      isAccepted: false,
      code: 'order.total_mismatch',
      errors: [{ field: 'total' }],
      facts: { expected: 32.95, received: 33 },
    })
  })

  test('of a body that is no order names the field', async () => {
    await expect(control.perform('orders.check', { ...control.desk.api.order(), items: [] })).rejects.toMatchObject({
      kind: 'invalid',
      errors: [{ field: 'items' }],
    })
  })
})
