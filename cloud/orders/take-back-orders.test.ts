// Orders that a gateway hands back: what is stored again, and what is refused.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import { newId } from '#shared/ids.ts'
import { storedDoc } from '#shared/tickets/local-doc.ts'
import type { HandedBackJob } from '#shared/wire/hand-back.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { eventIds, type HandedBack, handedBack } from '#test/fixtures/handed-back.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'
import { EVERY_DETAIL } from '#test/fixtures/order-details.ts'

let desk: OrderDesk
let had: HandedBack
beforeEach(async () => {
  desk = await OrderDesk.open(new ManualClock())
  await desk.pair([printer('pass')])
  had = await handedBack(desk, {
    orderId: 'one',
    tip: 2,
    customer: { name: 'Ann', email: 'ann@example.com' },
    ...EVERY_DETAIL,
    items: [
      {
        ...{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5, note: 'rare', seat: 1, course: 2, allergens: ['nuts'] },
        modifiers: [{ umsId: 'UMS-MOD-CHEESE', qty: 2, verb: 'add', group: 'Extra' }],
      },
      { umsId: 'UMS-FRIES-01', qty: 2, price: 4.5 },
    ],
    total: 21.5,
  })
})
afterEach(() => desk.close())

const take = (change: Partial<HandedBackJob> = {}, piece: { after?: number; upTo?: number } = {}) =>
  desk.api.stores.takeBackOrders({
    ...{ gatewayId: desk.gatewayId, locationId: desk.api.locationId, stream: 'stream-a', after: 0, upTo: 5, end: 5 },
    ...piece,
    jobs: [{ ...had.job, ...change }],
  })

/** The document with a change. */
// biome-ignore lint/suspicious/noExplicitAny: forged in any place
const forged = (change: (doc: any) => void): Partial<HandedBackJob> => {
  const doc = structuredClone(had.job.doc)
  change(doc)
  return { doc }
}

describe('an order that was forgotten', () => {
  test('is restored as it was, without what the kitchen never had, and is sent under its first event id', async () => {
    const before = await eventIds(desk, had.serviceOrderId)
    await had.forget()
    expect((await desk.get(`/v1/order/${had.serviceOrderId}`)).status).toBe(404)
    expect(await take()).toEqual({ recorded: 1, known: 0, refused: 0, doubled: 0 })
    const { body } = await desk.get(`/v1/order/${had.serviceOrderId}`)
    expect(body).toEqual({ ...had.resource, customer: { name: 'Ann' }, ways: [] })
    expect(await eventIds(desk, had.serviceOrderId)).toEqual(before)
  })

  test('is answered to the client that repeats it, and refused to one that sends another under its id', async () => {
    await had.forget()
    await take()
    expect((await desk.api.inject(had.body)).body).toMatchObject({
      serviceOrderId: had.serviceOrderId,
      printJobId: had.job.jobId,
    })
    const other = await desk.api.inject({ ...had.body, tip: 3 })
    expect([other.status, other.body.code]).toEqual([409, 'order.duplicate_id'])
  })

  test('ends by the result that the gateway sends again, and its display number is not given twice', async () => {
    await had.forget()
    await take()
    await desk.report(had.job.jobId, 'printed')
    const { body } = await desk.get(`/v1/order/${had.serviceOrderId}`)
    expect([body.status, body.sequence]).toEqual(['printed', 2])
    const next = await desk.api.inject({ orderId: 'two' })
    expect(next.body.posOrderId).not.toBe(had.resource.posOrderId)
  })

  test('with an earlier number of the day leaves those that were given since: none is given twice', async () => {
    await had.forget()
    const since = [await desk.api.inject({ orderId: 'two' }), await desk.api.inject({ orderId: 'three' })]
    await take()
    const numbers = [...since, await desk.api.inject({ orderId: 'four' })].map(({ body }) => body.posOrderId)
    expect(new Set(numbers).size).toBe(3)
  })

  test('is taken also when the box has forgotten the customer, as it does after a day', async () => {
    await had.forget()
    expect(await take(forged((doc) => delete doc.order.customer))).toMatchObject({ recorded: 1, refused: 0 })
    expect((await desk.get(`/v1/order/${had.serviceOrderId}`)).body).toMatchObject({
      customer: null,
      table: EVERY_DETAIL.table,
    })
  })

  test('is taken as a box writes it down: with the keys in another order', async () => {
    await had.forget()
    const doc = JSON.parse(JSON.stringify(storedDoc.parse(had.job.doc)))
    const { kind, order, origin } = doc
    const turned = { origin, order: Object.fromEntries(Object.entries(order).reverse()), kind }
    expect(await take({ doc: turned })).toMatchObject({ recorded: 1 })
  })

  test('is not written twice', async () => {
    await had.forget()
    await take()
    expect(await take()).toMatchObject({ recorded: 0, known: 1 })
  })

  test('that the client has sent again meanwhile is left out, and the paper that waits is marked', async () => {
    await had.forget()
    const { serviceOrderId } = (await desk.api.inject(had.body)).body
    expect(serviceOrderId).not.toBe(had.serviceOrderId)
    expect(await take()).toMatchObject({ recorded: 0, doubled: 1 })
    expect((await desk.handOver()).map(({ possibleDuplicate }) => possibleDuplicate)).toEqual([true])
  })
})

describe('what is not accepted', () => {
  beforeEach(() => had.forget())

  test.each<[string, () => Partial<HandedBackJob>]>([
    ['nothing that is an order', () => ({ doc: { kind: 'note' } })],
    ['an order without the seal', () => forged((doc) => delete doc.origin)],
    ['a seal of another key', () => forged((doc) => (doc.origin = had.strangersOrigin))],
    ['a seal with a changed letter', () => forged((doc) => (doc.origin = `${doc.origin.slice(0, -6)}AAAAAA`))],
    ['another client order id', () => forged((doc) => (doc.order.orderId = 'other'))],
    ['another service order id', () => forged((doc) => (doc.order.serviceOrderId = 'ord_01jd3k5v8wz9x0y1a2b3c4d5e6'))],
    ['another job', () => ({ jobId: 'pj_01jd3k5v8wz9x0y1a2b3c4d5e6' })],
    ['another kitchen', () => forged((doc) => (doc.order.locationId = 'loc_other'))],
    ['another merchant', () => forged((doc) => (doc.order.merchantId = 'M-PROD-9'))],
    ['another line', () => forged((doc) => (doc.order.items[0].umsId = 'UMS-OTHER-01'))],
    ['another count of a line', () => forged((doc) => (doc.order.items[0].qty = 9))],
    ['another price of a line', () => forged((doc) => (doc.order.items[0].priceCents = 1))],
    ['another name', () => forged((doc) => (doc.order.items[0].name = 'Free'))],
    ['a line less', () => forged((doc) => doc.order.items.pop())],
    ['another note', () => forged((doc) => (doc.order.note = 'x'.repeat(1_000)))],
    ['no allergens', () => forged((doc) => delete doc.order.items[0].allergens)],
    ['another customer', () => forged((doc) => (doc.order.customer.name = 'Mallory'))],
    ['a customer with more', () => forged((doc) => (doc.order.customer.phone = '+15550001'))],
    ['another time', () => forged((doc) => doc.order.queuedAtMs--)],
    ['another number of the day', () => forged((doc) => (doc.order.posOrderId = '2099-01-01-9'))],
    ['a table without paper', () => forged((doc) => (doc.kind = 'board'))],
    ['a number that nobody asked for', () => ({ seq: 6 })],
  ])('%s: no order comes of it', async (_, change) => {
    expect(await take(change())).toEqual({ recorded: 0, known: 0, refused: 1, doubled: 0 })
    expect(await desk.api.db.read.selectFrom('orders').select('id').execute()).toEqual([])
  })

  test('the order of a kitchen, from the gateway of another kitchen of the same merchant', async () => {
    const { db, locationId: own } = desk.api
    const locationId = newId('loc', 0)
    const row = await db.read.selectFrom('locations').selectAll().where('id', '=', own).executeTakeFirstOrThrow()
    await db.unit((tx) =>
      tx
        .insertInto('locations')
        .values({ ...row, id: locationId })
        .execute(),
    )
    const piece = { gatewayId: desk.gatewayId, stream: 'stream-a', after: 0, upTo: 5, end: 5, jobs: [had.job] }
    const counts = await desk.api.stores.takeBackOrders({ ...piece, locationId })
    expect(counts).toMatchObject({ recorded: 0, refused: 1 })
  })

  test('one bad job keeps no good one back', async () => {
    const bad = { ...had.job, seq: 2, doc: 'nothing' }
    const piece = { gatewayId: desk.gatewayId, stream: 'stream-a', after: 0, upTo: 5, end: 5, jobs: [bad, had.job] }
    const counts = await desk.api.stores.takeBackOrders({ ...piece, locationId: desk.api.locationId })
    expect(counts).toMatchObject({ recorded: 1, refused: 1 })
  })
})

test('the progress of the gateway is stored with each piece, and nothing is left after the last', async () => {
  const range = () =>
    desk.api.db.read
      .selectFrom('gateways')
      .select(['recall_after', 'recall_to'])
      .where('id', '=', desk.gatewayId)
      .execute()
  await take({}, { upTo: 3 })
  expect(await range()).toEqual([{ recall_after: 3, recall_to: 5 }])
  await take({}, { after: 3 })
  expect(await range()).toEqual([{ recall_after: null, recall_to: null }])
})

describe('an order that proves that the database was rolled back', () => {
  /** A second gateway, at the same kitchen or elsewhere, that was connected before and not since. @returns whether its kitchen is in doubt */
  const silent = async () => {
    const { stores, account } = desk.api
    const all = account.merchants.flatMap(({ locations }) => locations.map((it) => it.locationId))
    const elsewhere = all.find((it) => it !== desk.api.locationId)!
    await registerGateway(stores, { locationId: elsewhere, name: 'Elsewhere' })
    return () => stores.watch.isInDoubt(elsewhere)
  }
  /** What the hello of the order's gateway proves. */
  const noteAhead = async (lastSeenAtMs: number): Promise<void> => {
    const { watch } = desk.api.stores
    const newcomer = { locationId: desk.api.locationId, lastSeenAtMs }
    const remember = await desk.api.db.unit((tx) => watch.noteAhead(tx, newcomer))
    remember()
  }
  const takeAndLook = async () => {
    const counts = await take()
    await desk.api.stores.watch.handedBack()
    return counts
  }
  let orderedMs: number
  let isElsewhereInDoubt: () => boolean
  beforeEach(async () => {
    orderedMs = desk.api.clock.now()
    isElsewhereInDoubt = await silent()
    ;(desk.api.clock as ManualClock).jump(60_000)
    await desk.api.stores.watch.start()
  })

  test('puts every kitchen in doubt whose gateways were not heard since, also after a restart', async () => {
    await had.forget()
    await noteAhead(orderedMs - 1)
    expect(isElsewhereInDoubt()).toBe(false)
    await takeAndLook()
    expect(isElsewhereInDoubt()).toBe(true)
    await desk.api.stores.watch.start()
    expect(isElsewhereInDoubt()).toBe(true)
  })

  test('so does one that the client has sent again meanwhile', async () => {
    await had.forget()
    await noteAhead(orderedMs - 1)
    await desk.api.inject(had.body)
    expect(await takeAndLook()).toMatchObject({ doubled: 1 })
    expect(isElsewhereInDoubt()).toBe(true)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['one that the relay knows', () => noteAhead(orderedMs - 1)],
    [
      'one from before its gateway was last heard: it was deleted for its age',
      () => had.forget().then(() => noteAhead(orderedMs)),
    ],
    ['one of a gateway that is not ahead', () => had.forget()],
  ])('is not %s', async (_, begin) => {
    await begin()
    await takeAndLook()
    expect(isElsewhereInDoubt()).toBe(false)
  })
})
