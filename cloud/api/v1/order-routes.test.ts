// POST /v1/order/inject and GET /v1/order over HTTP: every rule of the contract, replays, refusals, scheduled orders.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asId } from '#shared/ids.ts'
import { errorBody } from '#shared/wire/api/errors.ts'
import { orderResource, orderResult } from '#shared/wire/api/orders.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'

const HOUR = 3_600_000
let api: RelayApi
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
})
afterEach(() => api.close())

const count = async (table: 'orders' | 'dispatches' | 'events') =>
  Number(
    (
      await api.db.read
        .selectFrom(table)
        .select((e) => e.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

describe('inject', () => {
  test('answers 200 with the order result, and order, kitchen job and event are stored', async () => {
    const woken: string[] = []
    api.stores.dispatches.changed.subscribe((location) => woken.push(location))
    const answer = await api.inject()
    expect(answer.status).toBe(200)
    expect(orderResult.strict().parse(answer.body)).toMatchObject({
      status: 'accepted',
      posOrderId: '2026-11-20-1',
      queuedAt: '2026-11-20T18:00:00.000Z',
      estimatedReadyAt: '2026-11-20T18:12:00.000Z',
    })
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    expect(woken).toEqual([api.locationId])
    const dispatch = await api.db.read.selectFrom('dispatches').selectAll().executeTakeFirstOrThrow()
    expect(dispatch).toMatchObject({
      id: answer.body.printJobId,
      order_id: answer.body.serviceOrderId,
      not_before: null,
    })
    expect(JSON.parse(dispatch.doc).order).toMatchObject({
      orderId: 'order-1',
      timeZone: 'America/New_York',
      items: [
        {
          name: 'Smash Burger',
          qty: 2,
          station: 'grill',
          category: 'Mains',
          priceCents: 1250,
          note: 'no pickles',
          modifiers: [{ name: 'Extra Cheese' }],
        },
        { name: 'Crème brûlée', qty: 1, station: 'cold', category: 'Desserts', priceCents: 795 },
      ],
      receipt: { merchantName: 'Café Señorita', currency: 'USD', totalCents: 3295, tipCents: 0 },
    })
    const event = await api.db.read.selectFrom('events').selectAll().executeTakeFirstOrThrow()
    expect(event).toMatchObject({ type: 'order.accepted', sequence: 1, subject_id: answer.body.serviceOrderId })
    const { data } = JSON.parse(event.payload)
    expect(orderResource.strict().parse(data.order)).toMatchObject({ status: 'accepted', printState: 'pending' })
  })

  test('the same body again, keys in another order and 12.50 for 12.5, gives the same bytes', async () => {
    const first = await api.inject()
    const payload = `{"total":32.95,"print":true,"source":"kiosk-7","orderId":"order-1","merchantId":"M-TEST-001","items":[
      {"price":12.50,"qty":2,"umsId":"UMS-BURGER-01","modifiers":["UMS-MOD-CHEESE"],"note":"no pickles"},{"qty":1,"umsId":"UMS-BRULEE-01","price":7.950}]}`
    const again = await api.call('POST', '/v1/order/inject', { payload })
    expect(again.status).toBe(200)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect([await count('orders'), await count('dispatches'), await count('events')]).toEqual([1, 1, 1])
  })

  test('the same orderId with another body is 409 and names the first order', async () => {
    const first = await api.inject()
    const other = await api.inject({ source: 'kiosk-8' })
    expect(other.status).toBe(409)
    expect(other.body).toMatchObject({
      code: 'order.duplicate_id',
      message: expect.stringContaining('for an order with another body'),
      serviceOrderId: first.body.serviceOrderId,
    })
    expect(await count('orders')).toBe(1)
  })

  test('50 equal requests at once are one order, one job, one event, one answer; no display number is lost', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.inject()))
    expect(new Set(answers.map((a) => `${a.status} ${a.text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(answers.filter((a) => a.headers['idempotent-replayed'] === 'true')).toHaveLength(49)
    expect([await count('orders'), await count('dispatches'), await count('events')]).toEqual([1, 1, 1])
    expect((await api.inject({ orderId: 'order-2' })).body.posOrderId).toBe('2026-11-20-2')
  })

  test('50 requests at once with one orderId and two bodies: one body wins, the other gets 409', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => api.inject({ source: i % 2 === 0 ? 'kiosk-a' : 'kiosk-b' })),
    )
    expect(answers.filter((a) => a.status === 200)).toHaveLength(25)
    expect(answers.filter((a) => a.body.code === 'order.duplicate_id')).toHaveLength(25)
    expect(await count('orders')).toBe(1)
  })

  test('a replay gives the first answer even when the item is silenced and fireAt has passed meanwhile', async () => {
    const fireAt = new Date(clock.now() + HOUR).toISOString()
    const first = await api.inject({ fireAt })
    await clock.advance(3 * HOUR)
    await api.db.unit((tx) => tx.updateTable('catalog_items').set({ silenced_at: 1 }).execute())
    const again = await api.inject({ fireAt })
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('a refused request does not use up its orderId', async () => {
    expect((await api.inject({ total: 1 })).status).toBe(422)
    expect((await api.inject()).status).toBe(200)
  })

  test('two accounts may use the same orderId at their own copies of the merchant', async () => {
    const { createSandboxAccount } = await import('#cloud/sandbox/fixtures.ts')
    const other = await createSandboxAccount(api, { name: 'Other' })
    const mine = await api.inject()
    const theirs = await api.call('POST', '/v1/order/inject', { body: api.order(), key: other.apiKey })
    expect(theirs.status).toBe(200)
    expect(theirs.body.serviceOrderId).not.toBe(mine.body.serviceOrderId)
    const peek = await api.call('GET', `/v1/order/${mine.body.serviceOrderId}?merchantId=M-TEST-001`, {
      key: other.apiKey,
    })
    expect([peek.status, peek.body.code]).toEqual([404, 'order.not_found'])
  })

  test('every unknown item and modifier is listed', async () => {
    const answer = await api.inject({
      items: [
        { umsId: 'NOPE-1', qty: 1, price: 1, modifiers: ['UMS-MOD-CHEESE', 'NOPE-2'] },
        { umsId: 'UMS-BURGER-01', qty: 1, price: 1, modifiers: ['NOPE-3', 'NOPE-1'] },
      ],
      total: 2,
    })
    expect([answer.status, answer.body.code]).toEqual([422, 'ums.unknown_item'])
    expect(answer.body.errors.map((e: { field: string }) => e.field)).toEqual([
      'items[0].umsId',
      'items[0].modifiers[1]',
      'items[1].modifiers[0]',
    ])
    expect(await count('orders')).toBe(0)
  })

  test('a silenced item is refused by name', async () => {
    await api.db.unit((tx) =>
      tx.updateTable('catalog_items').set({ silenced_at: clock.now() }).where('ums_id', '=', 'UMS-BRULEE-01').execute(),
    )
    const answer = await api.inject()
    expect([answer.status, answer.body.code]).toEqual([422, 'ums.item_silenced'])
    expect(answer.body.errors).toEqual([
      { field: 'items[1].umsId', message: 'UMS-BRULEE-01 (Crème brûlée) is silenced' },
    ])
  })

  test('a wrong total is refused with the expected and the received one', async () => {
    const answer = await api.inject({ total: 33 })
    expect([answer.status, answer.body.code]).toEqual([422, 'order.total_mismatch'])
    expect(answer.body).toMatchObject({ expected: 32.95, received: 33 })
    expect(answer.body.errors[0].field).toBe('total')
  })

  test('modifiers and tip add nothing to the total', async () => {
    expect((await api.inject({ tip: 5 })).status).toBe(200)
  })

  test('print false makes no kitchen job and no printJobId', async () => {
    const woken: string[] = []
    api.stores.dispatches.changed.subscribe((location) => woken.push(location))
    const answer = await api.inject({ print: false })
    expect(answer.body.printJobId).toBeNull()
    expect([await count('dispatches'), woken]).toEqual([0, []])
    const order = await api.call('GET', `/v1/order/${answer.body.serviceOrderId}?merchantId=M-TEST-001`)
    expect(order.body).toMatchObject({ print: false, printState: 'none', printJobId: null })
  })

  test('an unknown location is refused, one of another merchant too, the own one is taken', async () => {
    const { createSandboxAccount } = await import('#cloud/sandbox/fixtures.ts')
    const other = await createSandboxAccount(api, { name: 'Other' })
    for (const locationId of ['loc_nope', other.merchants[0]!.locations[0]!.locationId]) {
      const answer = await api.inject({ locationId })
      expect([answer.status, answer.body.code]).toEqual([422, 'location.unknown'])
    }
    expect((await api.inject({ locationId: api.locationId })).status).toBe(200)
  })

  test('items of the slowest preparation decide when the order is ready', async () => {
    const answer = await api.inject({ items: [{ umsId: 'UMS-CHICKEN-01', qty: 1, price: 18.9 }], total: 18.9 })
    expect(answer.body.estimatedReadyAt).toBe('2026-11-20T18:22:00.000Z')
  })

  test('the business day is the merchant’s own', async () => {
    clock.jump(11 * HOUR) // 05:00 UTC is midnight in New York
    expect((await api.inject()).body.posOrderId).toBe('2026-11-21-1')
    clock.jump(-1)
    expect((await api.inject({ orderId: 'order-2' })).body.posOrderId).toBe('2026-11-20-1')
  })
})

describe('a scheduled order', () => {
  const at = (ms: number) => new Date(clock.now() + ms).toISOString()

  test('is accepted now, handed to the kitchen 24 h ahead, held until fireAt, and marked as fired then', async () => {
    const fireAt = at(48 * HOUR)
    const answer = await api.inject({ fireAt })
    expect(answer.body.estimatedReadyAt).toBe(at(48 * HOUR + 12 * 60_000))
    const dispatch = await api.db.read.selectFrom('dispatches').selectAll().executeTakeFirstOrThrow()
    expect(dispatch).toMatchObject({ not_before: clock.now() + 48 * HOUR, available_at: clock.now() + 24 * HOUR })
    const read = async () =>
      (await api.call('GET', `/v1/order/${answer.body.serviceOrderId}?merchantId=M-TEST-001`)).body
    expect(await read()).toMatchObject({ status: 'accepted', fireAt, firedAt: null, printState: 'scheduled' })

    const { FireDue } = await import('#cloud/orders/fire-due.ts')
    const fireDue = new FireDue(api.stores)
    clock.jump(48 * HOUR - 1)
    await fireDue.sweep()
    expect(await read()).toMatchObject({ firedAt: null, printState: 'scheduled' })
    clock.jump(1)
    await fireDue.sweep()
    expect(await read()).toMatchObject({ status: 'accepted', firedAt: fireAt, printState: 'pending' })
  })

  test('up to 5 minutes in the past means now', async () => {
    const answer = await api.inject({ fireAt: at(-5 * 60_000) })
    expect(answer.status).toBe(200)
    const dispatch = await api.db.read.selectFrom('dispatches').selectAll().executeTakeFirstOrThrow()
    expect(dispatch).toMatchObject({ not_before: null, available_at: 0 })
  })

  test.each([
    ['earlier than 5 minutes ago', -5 * 60_000 - 1],
    ['later than 30 days ahead', 30 * 24 * HOUR + 1],
  ])('%s is refused', async (_name, ms) => {
    const answer = await api.inject({ fireAt: at(ms) })
    expect([answer.status, answer.body.code]).toEqual([422, 'order.fire_at_out_of_range'])
  })

  test('RFC 3339 allows small letters', async () => {
    const answer = await api.inject({ fireAt: '2026-11-20t18:30:00z' })
    expect(answer.status).toBe(200)
    expect(answer.body.estimatedReadyAt).toBe('2026-11-20T18:42:00.000Z')
    const again = await api.inject({ fireAt: '2026-11-20T18:30:00Z' })
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('a time without a zone is refused by the schema; an offset is understood', async () => {
    expect((await api.inject({ fireAt: '2026-11-20T19:00:00' })).body.code).toBe('request.invalid')
    const answer = await api.inject({ fireAt: '2026-11-20T14:00:00-05:00' })
    const order = await api.call('GET', `/v1/order/${answer.body.serviceOrderId}?merchantId=M-TEST-001`)
    expect(order.body.fireAt).toBe('2026-11-20T19:00:00.000Z')
  })
})

describe('when the kitchen is known to be offline', () => {
  beforeEach(async () => {
    await api.db.unit((tx) =>
      api.stores.gateways.insert(tx, {
        id: asId('gw_1'),
        locationId: api.locationId,
        name: 'Kitchen',
        tokenHash: 'x',
        shard: 0,
        createdAtMs: clock.now(),
      }),
    )
    await api.db.unit((tx) =>
      api.stores.gateways.setPresence(tx, {
        gatewayId: asId('gw_1'),
        presence: 'offline',
        epoch: null,
        seenAtMs: null,
      }),
    )
  })

  test('the order is stored and queued, and the answer is 503 with the order inside and without Retry-After', async () => {
    const answer = await api.inject()
    expect(answer.status).toBe(503)
    expect(errorBody.parse(answer.body)).toMatchObject({ code: 'printer.offline', status: 503 })
    expect(orderResult.strict().parse(answer.body.order).status).toBe('accepted')
    expect(answer.headers['retry-after']).toBeUndefined()
    expect([await count('orders'), await count('dispatches'), await count('events')]).toEqual([1, 1, 1])
  })

  test('its retry answers 200 with the original result, marked as a replay', async () => {
    const first = await api.inject()
    const again = await api.inject()
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body.order)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await count('orders')).toBe(1)
  })

  test('nothing is due for a scheduled order or one without print: 200', async () => {
    expect((await api.inject({ fireAt: new Date(clock.now() + HOUR).toISOString() })).status).toBe(200)
    expect((await api.inject({ orderId: 'order-2', print: false })).status).toBe(200)
  })

  test('a gateway of unknown state is not offline', async () => {
    await api.db.unit((tx) => api.stores.gateways.forgetPresence(tx))
    expect((await api.inject()).status).toBe(200)
  })
})

describe('reading an order', () => {
  test('gives every field of the Order', async () => {
    const injected = await api.inject({ customer: { name: 'Zoë', phone: '+1 555', nick: 'Z' }, tip: 2.5 })
    const answer = await api.call('GET', `/v1/order/${injected.body.serviceOrderId}?merchantId=M-TEST-001`)
    expect(answer.status).toBe(200)
    expect(orderResource.strict().parse(answer.body)).toMatchObject({
      orderId: 'order-1',
      status: 'accepted',
      sequence: 1,
      total: 32.95,
      tip: 2.5,
      customer: { name: 'Zoë', phone: '+1 555' },
      items: [
        { name: 'Smash Burger', price: 12.5, note: 'no pickles', modifiers: ['UMS-MOD-CHEESE'] },
        { name: 'Crème brûlée', modifiers: [] },
      ],
      refundable: 0,
      printProof: null,
      timeline: [{ type: 'accepted', at: '2026-11-20T18:00:00.000Z' }],
    })
    expect(answer.body.customer).not.toHaveProperty('nick')
  })

  test.each(['ord_00000000000000000000000000', 'nonsense', 'ord_%27%20or%201=1'])('%s is not found', async (id) => {
    const answer = await api.call('GET', `/v1/order/${id}?merchantId=M-TEST-001`)
    expect([answer.status, answer.body.code]).toEqual([404, 'order.not_found'])
  })

  test('without merchantId is 422', async () => {
    const answer = await api.call('GET', '/v1/order/ord_1')
    expect(answer.body).toMatchObject({
      status: 422,
      errors: [{ field: 'merchantId', message: 'is required in the query' }],
    })
  })
})
