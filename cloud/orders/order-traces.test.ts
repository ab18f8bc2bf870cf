// The trace of an order wherever it is needed, and which reads are skipped when nothing is traced.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WalkLine } from '#shared/log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { OrderTraces, type SpanMaker } from './order-traces.ts'

const CLIENTS = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const OURS = `00-${'a'.repeat(32)}-${'c'.repeat(16)}-01`

let clock: ManualClock
let api: RelayApi
/** What became of spans, in order. */
let made: string[]
let looked: string[]
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  made = []
  looked = []
})
afterEach(() => api.close())

const spans: SpanMaker = {
  begin: (parent, startMs) => {
    made.push(`begin ${parent} ${startMs - clock.now()}`)
    return { traceparent: OURS, end: (line) => made.push(`end ${line?.walk ?? 'failed'}`) }
  },
  add: (parent, line) => made.push(`add ${line.walk} ${parent}`),
}
async function traces(of: { spans?: SpanMaker; isShared?: boolean } = {}): Promise<OrderTraces> {
  const { orders } = api.stores
  const told = new OrderTraces({
    orders: {
      hasTraced: () => orders.hasTraced(),
      traceparentOf: (id) => {
        looked.push(id)
        return orders.traceparentOf(id)
      },
    },
    spans: of.spans ?? null,
    isShared: of.isShared ?? false,
    clock,
  })
  await told.start()
  return told
}
/** The id of an order that is stored with this trace. */
async function stored(traceparent: string | null): Promise<string> {
  const { serviceOrderId } = (await api.inject()).body
  const copied = `${serviceOrderId.slice(0, -1)}${serviceOrderId.endsWith('0') ? '1' : '0'}`
  await api.db.unit(async (tx) => {
    const { source, ...row } = await tx.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
    await tx.deleteFrom('deliveries').execute()
    const copy = { ...row, id: copied, client_order_id: 'copy' }
    await api.stores.orders.insert(tx, copy as never, { source, traceparent })
  })
  return copied
}
const line = (change: Partial<WalkLine>): WalkLine => ({ walk: '9/10', ms: 5, ...change })

test('without any traced order, no lookup is made', async () => {
  const orderId = await stored(null)
  const told = await traces()
  expect(told.begin(undefined, 0).traceparent).toBeNull()
  expect(told.begin('nonsense', 0).traceparent).toBeNull()
  told.walked(line({ walk: '2/10', serviceOrderId: orderId }))
  expect(await told.of(orderId)).toBeNull()
  expect(looked).toEqual([])
})

test('what a client sent is stored with its order, and found there by whoever starts later', async () => {
  const orderId = await stored(CLIENTS)
  const told = await traces()
  expect(await told.of(orderId)).toBe(CLIENTS)
  expect(await told.of(orderId)).toBe(CLIENTS)
  expect(looked).toEqual([orderId])
  expect(await told.of('sku')).toBeNull()
})

test('the first client that traces its orders is remembered without a lookup', async () => {
  const told = await traces()
  expect(told.begin(CLIENTS, 0).traceparent).toBe(CLIENTS)
  const orderId = await stored(CLIENTS)
  told.walked(line({ walk: '2/10', serviceOrderId: orderId, traceparent: CLIENTS }))
  expect(await told.of(orderId)).toBe(CLIENTS)
  expect(looked).toEqual([])
})

test('with other relays on the database it is always looked up, since another one may have taken the order', async () => {
  const orderId = await stored(CLIENTS)
  expect(await (await traces({ isShared: true })).of(orderId)).toBe(CLIENTS)
})

test('a call is a span from its arrival to its answer; each station is one of its order’s trace', async () => {
  const told = await traces({ spans })
  const orderId = await stored(OURS)
  const arrivedMs = clock.monotonicMs()
  clock.jump(0)
  await clock.advance(20)
  const { traceparent } = told.begin(CLIENTS, arrivedMs)
  expect(traceparent).toBe(OURS)
  told.walked(line({ walk: '2/10', serviceOrderId: orderId, traceparent: OURS }))
  told.walked(line({ walk: '1/10', serviceOrderId: orderId, traceparent: OURS }))
  told.walked(line({ walk: '9/10', serviceOrderId: orderId }))
  await expect.poll(() => made).toEqual([`begin ${CLIENTS} -20`, `add 2/10 ${OURS}`, 'end 1/10', `add 9/10 ${OURS}`])
})

test('a call that is refused has failed, once', async () => {
  const told = await traces({ spans })
  const begun = told.begin(undefined, clock.monotonicMs())
  begun.failed()
  begun.failed()
  expect(made).toEqual(['begin null 0', 'end failed'])
})

test('an order that was not traced when it arrived has no spans later', async () => {
  const told = await traces({ spans })
  const orderId = await stored(null)
  told.walked(line({ serviceOrderId: orderId }))
  await expect.poll(() => looked).toEqual([orderId])
  expect(await told.of(orderId)).toBeNull()
  expect(made).toEqual([])
})
