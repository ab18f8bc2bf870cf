// Void, refund, list and advance over HTTP: every rule of the contract, the contents of each event, and that others' orders do not exist.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { errorBody } from '#shared/wire/api/errors.ts'
import { orderResource, ordersPage, refundResult, voidResult } from '#shared/wire/api/orders.ts'
import { WEBHOOK_EVENT_DATA } from '#shared/wire/webhook-event.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'
import { assertProperty } from '#test/harness/property.ts'

const HOUR = 3_600_000
let clock: ManualClock
let desk: OrderDesk
beforeEach(async () => {
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
})
afterEach(() => desk.close())

const read = async (id: string) => orderResource.strict().parse((await desk.get(`/v1/order/${id}`)).body)
const stockOf = async (umsId: string) =>
  (await desk.api.stores.catalog.item(desk.api.db.read, desk.api.merchantKey, umsId))?.stock
const setStock = (umsId: string, stock: number) =>
  desk.api.db.unit((tx) =>
    desk.api.stores.catalog.update(tx, { merchant_id: desk.api.merchantKey, ums_id: umsId }, { stock }),
  )

describe('void', () => {
  test('voids an order that waits: nothing prints, the event has the reason', async () => {
    const { serviceOrderId, printJobId } = (await desk.api.inject()).body
    const answer = await desk.void(serviceOrderId, { reason: 'guest left' })
    expect(answer.status).toBe(200)
    expect(voidResult.strict().parse(answer.body)).toEqual({
      status: 'voided',
      serviceOrderId,
      orderId: 'order-1',
      merchantId: 'M-TEST-001',
      voidedAt: '2026-11-20T18:00:00.000Z',
    })
    expect(await read(serviceOrderId)).toMatchObject({
      status: 'voided',
      voidReason: 'guest left',
      printState: 'cancelled',
    })
    expect((await desk.get(`/v1/print/job/${printJobId}`)).body.state).toBe('cancelled')
    const events = await desk.events()
    expect(events.map((event) => event.type)).toEqual(['order.accepted', 'order.voided'])
    expect(WEBHOOK_EVENT_DATA['order.voided'].parse(events[1].data).order).toMatchObject({ status: 'voided' })
  })

  test('twice answers the same and sends one event', async () => {
    const { serviceOrderId } = (await desk.api.inject()).body
    const first = await desk.void(serviceOrderId)
    clock.jump(60_000)
    const second = await desk.void(serviceOrderId, { reason: 'again' })
    expect([second.status, second.body]).toEqual([200, first.body])
    expect((await desk.events()).filter((event) => event.type === 'order.voided')).toHaveLength(1)
  })

  test('is sent to the gateway that has the order, also when it is printed: it prints a VOID slip', async () => {
    await desk.pair([printer('pass', { isDefault: true })])
    const { serviceOrderId, printJobId } = (await desk.api.inject()).body
    await desk.handOver()
    await desk.report(printJobId, 'printed')
    const woken: string[] = []
    desk.api.stores.dispatches.changed.subscribe((locationId) => woken.push(locationId))
    expect((await desk.void(serviceOrderId)).status).toBe(200)
    expect([await desk.asked(), woken]).toEqual([[printJobId], [desk.api.locationId]])
    expect(await read(serviceOrderId)).toMatchObject({ status: 'voided', printState: 'printed' })
  })

  test('of a scheduled order that the gateway holds already recalls it, and it never counts as fired', async () => {
    await desk.pair([printer('pass', { isDefault: true })])
    const fireAt = new Date(clock.now() + HOUR).toISOString()
    const { serviceOrderId, printJobId } = (await desk.api.inject({ fireAt })).body
    await desk.handOver()
    await desk.void(serviceOrderId)
    expect(await desk.asked()).toEqual([printJobId])
    await desk.report(printJobId, 'cancelled')
    clock.jump(2 * HOUR)
    await desk.api.db.unit((tx) => desk.api.stores.orders.fireDue(tx, clock.now()))
    expect(await read(serviceOrderId)).toMatchObject({ status: 'voided', firedAt: null, printState: 'cancelled' })
    expect((await read(serviceOrderId)).timeline.map((entry) => entry.type)).toEqual(['accepted', 'voided'])
  })

  test('of an order that is sent again because its gateway lost its disk leaves open whether it is on paper', async () => {
    await desk.pair([printer('pass', { isDefault: true })])
    const { serviceOrderId, printJobId } = (await desk.api.inject()).body
    const [job] = await desk.handOver()
    await desk.api.db.unit((tx) => desk.api.stores.dispatches.requeueAfterLostStream(tx, desk.gatewayId))
    expect([job?.jobId, (await desk.void(serviceOrderId)).status]).toEqual([printJobId, 200])
    expect(await read(serviceOrderId)).toMatchObject({ status: 'voided', printState: 'uncertain' })
  })

  test('cancels waiting reprints as well', async () => {
    await desk.pair([printer('pass', { isDefault: true })])
    const { serviceOrderId } = (await desk.api.inject()).body
    const reprint = (await desk.post('/v1/print/job', { type: 'kitchen', serviceOrderId })).body.printJobId
    await desk.void(serviceOrderId)
    expect((await desk.get(`/v1/print/job/${reprint}`)).body).toMatchObject({ type: 'reprint', state: 'cancelled' })
  })

  test('covers reprints that are on paper as well: the kitchen may cook by them', async () => {
    await desk.pair([printer('pass', { isDefault: true }), printer('bar')])
    const { serviceOrderId, printJobId } = (await desk.api.inject()).body
    const again = { type: 'kitchen', serviceOrderId, printerId: 'bar' }
    const reprint = (await desk.post('/v1/print/job', again)).body.printJobId
    await desk.handOver()
    await desk.report(reprint, 'printed', 'bar')
    await desk.void(serviceOrderId)
    expect(await desk.asked()).toEqual([printJobId, reprint])
    expect((await desk.get(`/v1/print/job/${reprint}`)).body.state).toBe('printed')
  })

  test('is refused after completion, with the status', async () => {
    const id = await desk.completed()
    const answer = await desk.void(id)
    expect([answer.status, answer.body.code, answer.body.orderStatus]).toEqual([409, 'order.not_voidable', 'completed'])
  })

  test('returns counted stock, exactly what the order took', async () => {
    await setStock('UMS-BURGER-01', 10)
    const { serviceOrderId } = (await desk.api.inject()).body
    expect(await stockOf('UMS-BURGER-01')).toBe(8)
    await desk.void(serviceOrderId)
    await desk.void(serviceOrderId)
    expect(await stockOf('UMS-BURGER-01')).toBe(10)
  })

  test('of an order that needs more than the stock is refused and takes nothing', async () => {
    await setStock('UMS-BURGER-01', 1)
    const answer = await desk.api.inject()
    expect([answer.status, answer.body.code]).toEqual([422, 'ums.item_silenced'])
    expect(await stockOf('UMS-BURGER-01')).toBe(1)
    await setStock('UMS-BURGER-01', 2)
    expect((await desk.api.inject()).status).toBe(200)
  })
})

describe('refund', () => {
  const refund = (id: string, amount: number, key?: string) =>
    desk.post(`/v1/order/${id}/refund`, { amount, reason: 'cold' }, key === undefined ? {} : { 'idempotency-key': key })

  test('of a part leaves the rest, each in its event, until total and tip are used up', async () => {
    const id = await desk.completed()
    const first = await refund(id, 10.05)
    expect(first.status).toBe(200)
    expect(refundResult.strict().parse(first.body)).toMatchObject({
      status: 'refunded',
      amount: 10.05,
      refundedTotal: 10.05,
      refundable: 27.9,
    })
    clock.jump(1_000)
    expect((await refund(id, 27.9)).body).toMatchObject({ refundedTotal: 37.95, refundable: 0 })
    const order = await read(id)
    expect(order).toMatchObject({ status: 'refunded', refundedTotal: 37.95, refundable: 0 })
    expect(order.refunds.map(({ amount, reason }) => [amount, reason])).toEqual([
      [10.05, 'cold'],
      [27.9, 'cold'],
    ])
    expect(order.timeline.map((entry) => entry.type)).toEqual(['accepted', 'completed', 'refunded', 'refunded'])
    const events = (await desk.events()).filter((event) => event.type === 'order.refunded')
    const told = events.map((event) => WEBHOOK_EVENT_DATA['order.refunded'].parse(event.data))
    expect(told.map(({ refund, order }) => [refund.amount, order.refunds.length])).toEqual([
      [10.05, 1],
      [27.9, 2],
    ])
  })

  test('of more than is left is refused with the rest', async () => {
    const id = await desk.completed()
    const answer = await refund(id, 37.96)
    expect([answer.status, answer.body.code, answer.body.refundable]).toEqual([
      422,
      'order.refund_exceeds_balance',
      37.95,
    ])
    expect(errorBody.parse(answer.body).errors).toEqual([
      { field: 'amount', message: expect.stringContaining('37.95') },
    ])
    expect((await read(id)).refunds).toEqual([])
  })

  test.each([['accepted'], ['ready'], ['voided']])(
    'of an order that is %s is refused with the status',
    async (status) => {
      const { serviceOrderId } = (await desk.api.inject()).body
      if (status === 'voided') await desk.void(serviceOrderId)
      if (status === 'ready') await desk.advance(serviceOrderId, 'ready')
      const answer = await refund(serviceOrderId, 1)
      expect([answer.status, answer.body.code, answer.body.orderStatus]).toEqual([409, 'order.not_refundable', status])
    },
  )

  test('repeated under its Idempotency-Key is one refund', async () => {
    const id = await desk.completed()
    const answers = await Promise.all([refund(id, 5, 'r-1'), refund(id, 5, 'r-1'), refund(id, 5, 'r-1')])
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect((await read(id)).refundedTotal).toBe(5)
  })

  test('at the same moment cannot spend the balance twice', async () => {
    const id = await desk.completed()
    const answers = await Promise.all([refund(id, 30), refund(id, 30)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422])
    expect((await read(id)).refundedTotal).toBe(30)
  })

  test('never exceeds total and tip, and is made once per key, with any parallel, repeated or lost calls', async () => {
    const asked = fc.record({ cents: fc.integer({ min: 1, max: 2_500 }), key: fc.option(fc.nat({ max: 4 })) })
    const rounds = fc.array(fc.array(asked, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 })
    let orders = 0
    await assertProperty(
      fc.asyncProperty(rounds, async (sent) => {
        const { serviceOrderId } = (await desk.api.inject({ orderId: `many-${++orders}`, tip: 5 })).body
        await desk.advance(serviceOrderId, 'completed')
        const given = new Map<string, number>()
        for (const round of sent) {
          // A key belongs to one amount, as a client that retries would use it.
          const amounts = round.map(({ cents, key }) => ({ cents: key === null ? cents : 400 * (key + 1), key }))
          const answers = await Promise.all(
            amounts.map(({ cents, key }) => refund(serviceOrderId, cents / 100, key === null ? undefined : `k-${key}`)),
          )
          for (const { status, body } of answers) {
            expect([200, 422]).toContain(status)
            if (status === 200) given.set(body.refundId, body.amount)
          }
        }
        const order = await read(serviceOrderId)
        const keys = new Set(sent.flat().flatMap(({ key }) => key ?? []))
        const cents = (amount: number) => Math.round(amount * 100)
        const sum = order.refunds.reduce((total, { amount }) => total + cents(amount), 0)
        expect(new Map(order.refunds.map(({ refundId, amount }) => [refundId, amount]))).toEqual(given)
        expect(order.refunds.length).toBeLessThanOrEqual(
          sent.flat().filter(({ key }) => key === null).length + keys.size,
        )
        expect([sum, sum + cents(order.refundable)]).toEqual([cents(order.refundedTotal), 3_795])
        expect(order.status).toBe(sum === 0 ? 'completed' : 'refunded')
      }),
      { numRuns: 30 },
    )
  })

  test.each([[0], [-1], [1.005], ['5']])('of %j is no refund', async (amount) => {
    const answer = await desk.post(`/v1/order/${await desk.completed()}/refund`, { amount })
    expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'amount'])
  })
})

describe('advance by hand', () => {
  test('goes the way of an order, with its events; the same step twice is one', async () => {
    const { serviceOrderId } = (await desk.api.inject()).body
    for (const to of ['printed', 'ready', 'ready', 'completed'])
      expect((await desk.advance(serviceOrderId, to)).body.status).toBe(to)
    const events = await desk.events()
    expect(events.map((event) => event.type)).toEqual([
      'order.accepted',
      'order.printed',
      'order.ready',
      'order.completed',
    ])
    expect(WEBHOOK_EVENT_DATA['order.printed'].parse(events[1].data).print.confirmation).toBe('assumed')
  })

  test.each(['printed', 'ready', 'completed'])('to %s is refused once the order is voided', async (to) => {
    const { serviceOrderId } = (await desk.api.inject()).body
    await desk.advance(serviceOrderId, 'ready')
    await desk.void(serviceOrderId)
    const answer = await desk.advance(serviceOrderId, to)
    expect([answer.status, answer.body.orderStatus]).toEqual([409, 'voided'])
  })

  test('backwards, or printed without a ticket, is refused', async () => {
    const back = await desk.advance(await desk.completed(), 'ready')
    expect([back.status, back.body.code]).toEqual([409, 'order.invalid_transition'])
    const { serviceOrderId } = (await desk.api.inject({ orderId: 'silent', print: false })).body
    expect((await desk.advance(serviceOrderId, 'printed')).status).toBe(409)
  })
})

describe('list', () => {
  const ids = async (query: string) => {
    const answer = await desk.get(`/v1/orders?${query}`)
    const page = ordersPage.strict().parse(answer.body)
    return { ids: page.data.map((order) => order.orderId), next: page.nextCursor }
  }

  test('pages through all, newest first, also when some were made in the same millisecond', async () => {
    for (let i = 0; i < 7; i++) {
      await desk.api.inject({ orderId: `o-${i}` })
      if (i % 3 === 0) clock.jump(1)
    }
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: Awaited<ReturnType<typeof ids>> = await ids(`limit=2${next === '' ? '' : `&cursor=${next}`}`)
      seen.push(...page.ids)
      next = page.next
    }
    expect(new Set(seen).size).toBe(7)
    expect(seen).toHaveLength(7)
    expect(seen.at(-1)).toBe('o-0')
  })

  test('filters by the client’s id, status, source and time', async () => {
    const done = await desk.completed()
    clock.jump(HOUR)
    await desk.api.inject({ orderId: 'o-2', source: 'web' })
    expect((await ids('orderId=order-1')).ids).toEqual(['order-1'])
    expect((await ids('orderId=nobody')).ids).toEqual([])
    expect((await ids('status=completed')).ids).toEqual(['order-1'])
    expect((await ids('source=web')).ids).toEqual(['o-2'])
    expect((await ids('source=web&status=completed')).ids).toEqual([])
    expect((await ids('source=kiosk-7&status=completed')).ids).toEqual(['order-1'])
    const from = new Date(clock.now()).toISOString()
    expect([(await ids(`from=${from}`)).ids, (await ids(`to=${from}`)).ids]).toEqual([['o-2'], ['order-1']])
    await desk.post(`/v1/order/${done}/refund`, { amount: 1 })
    expect((await desk.get('/v1/orders?status=refunded')).body.data[0].refunds).toHaveLength(1)
  })

  test('refuses a cursor that is not ours', async () => {
    const answer = await desk.get('/v1/orders?cursor=bm90LW91cnM')
    expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'cursor'])
  })
})

describe('an order of another account', () => {
  test('does not exist, for every action', async () => {
    const { serviceOrderId, printJobId } = (await desk.api.inject()).body
    const other = await createSandboxAccount({ db: desk.api.db, clock }, { name: 'Other' })
    const call = (method: 'GET' | 'POST', path: string, body?: object) =>
      desk.api.call(method, path, {
        key: other.apiKey,
        ...(body ? { body: { merchantId: 'M-TEST-001', ...body } } : {}),
      })
    const answers = [
      await call('GET', `/v1/order/${serviceOrderId}?merchantId=M-TEST-001`),
      await call('POST', `/v1/order/${serviceOrderId}/void`, {}),
      await call('POST', `/v1/order/${serviceOrderId}/refund`, { amount: 1 }),
      await call('POST', `/v1/test/order/${serviceOrderId}/advance`, { to: 'ready' }),
    ]
    const unknown = await desk.void('ord_00000000000000000000000000')
    for (const answer of answers) {
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([
        404,
        unknown.body.code,
        unknown.body.message,
      ])
    }
    expect((await call('GET', '/v1/orders?merchantId=M-TEST-001')).body.data).toEqual([])
    expect((await call('GET', `/v1/print/job/${printJobId}?merchantId=M-TEST-001`)).status).toBe(404)
    expect((await read(serviceOrderId)).status).toBe('accepted')
  })
})
