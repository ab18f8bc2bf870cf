// What a client learns that sends a call again by itself, as HTTP clients do after a 503: whether a printer was there, and no paper twice.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { orderResult } from '#shared/wire/api/orders.ts'
import { printJobResult } from '#shared/wire/api/printing.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'

const NOTE = { type: 'kitchen', text: '86 salmon' }
const MINUTE = 60_000

let clock: ManualClock
let desk: OrderDesk
beforeEach(async () => {
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
})
afterEach(() => desk.close())

const inject = (change: Record<string, unknown> = {}, key?: string) =>
  desk.api.call('POST', '/v1/order/inject', {
    body: desk.api.order(change),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
const print = (body: object = NOTE, headers: Record<string, string> = {}) => desk.post('/v1/print/job', body, headers)
const count = async (table: 'orders' | 'dispatches' | 'idempotency') =>
  (await desk.api.db.read.selectFrom(table).selectAll().execute()).length

describe('while the printer is off', () => {
  beforeEach(() => desk.pair([printer('pass', { isDefault: true, state: 'offline' })]))

  test('an order is 503 with `Should-Retry: false`, and its repetition has printPending, in the same bytes each time', async () => {
    const first = await inject()
    expect([first.status, first.headers['should-retry']]).toEqual([503, 'false'])
    expect(orderResult.strict().parse(first.body.order).printPending).toBe(true)
    const again = await inject()
    expect([again.status, again.body, again.headers['should-retry']]).toEqual([200, first.body.order, undefined])
    expect((await inject()).text).toBe(again.text)
    expect(await count('orders')).toBe(1)
  })

  test('a print job without a key is one job, however often the same call is tried again', async () => {
    const first = await print()
    expect([first.status, first.headers['should-retry']]).toEqual([503, 'false'])
    expect(printJobResult.strict().parse(first.body.printJob).printPending).toBe(true)
    const again = await print()
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body.printJob, 'true'])
    expect(await count('dispatches')).toBe(1)
  })

  test('another body, or the same key of another account, is a job of its own', async () => {
    await print()
    expect((await print({ ...NOTE, text: '86 trout' })).status).toBe(503)
    expect((await print(NOTE, { 'idempotency-key': 'n-1' })).status).toBe(503)
    expect(await count('dispatches')).toBe(3)
  })

  test('once the job has its outcome, the same words are a new job', async () => {
    const first = await print()
    await desk.handOver()
    await desk.report(first.body.printJob.printJobId, 'printed')
    const second = await print()
    expect(second.body.printJob.printJobId).not.toBe(first.body.printJob.printJobId)
    expect(await count('dispatches')).toBe(2)
  })

  test('after ten minutes the same words are a new job, too', async () => {
    await print()
    clock.jump(10 * MINUTE)
    expect((await print()).status).toBe(503)
    expect(await count('dispatches')).toBe(2)
  })
})

describe('while the printer is there', () => {
  beforeEach(() => desk.pair([printer('pass', { isDefault: true })]))

  test('no result has printPending', async () => {
    expect((await inject()).body).not.toHaveProperty('printPending')
    expect((await print()).body).not.toHaveProperty('printPending')
  })

  test('the same note without a key is printed as often as it is sent', async () => {
    expect([(await print()).status, (await print()).status]).toEqual([200, 200])
    expect([await count('dispatches'), await count('idempotency')]).toEqual([2, 0])
  })
})

describe('an order with empty fields and one without them', () => {
  test('are the same order', async () => {
    const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }]
    const first = await inject({ items, total: 12.5 })
    const full = items.map((item) => ({ ...item, note: '', modifiers: [], allergens: [] }))
    const again = await inject({ items: full, total: 12.5, note: '', allergens: [], customer: {} })
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })
})

describe('an Idempotency-Key on inject', () => {
  test('belongs to one body for 24 hours: another order under it is refused, and its orderId stays free', async () => {
    const first = await inject({}, 'k-1')
    expect((await inject({}, 'k-1')).text).toBe(first.text)
    const other = await inject({ orderId: 'order-2' }, 'k-1')
    expect([other.status, other.body.code]).toEqual([409, 'request.idempotency_mismatch'])
    expect(await count('orders')).toBe(1)
    expect((await inject({ orderId: 'order-2' }, 'k-2')).status).toBe(200)
    clock.jump(24 * 60 * MINUTE)
    expect((await inject({ orderId: 'order-3' }, 'k-1')).status).toBe(200)
  })

  test('of a refused order is free again', async () => {
    expect((await inject({ total: 1 }, 'k-1')).status).toBe(422)
    expect((await inject({}, 'k-1')).status).toBe(200)
  })

  test('is used once when different orders arrive under it at the same time', async () => {
    const orders = Array.from({ length: 20 }, (_, i) => inject({ orderId: `order-${i}` }, 'k-1'))
    const statuses = (await Promise.all(orders)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(19)
    expect(await count('orders')).toBe(1)
  })

  test('that breaks its rule is refused by its name', async () => {
    const answer = await inject({}, 'a b')
    expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'Idempotency-Key'])
  })
})
