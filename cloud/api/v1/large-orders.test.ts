// The largest order that is taken: whatever is printed of it later fits too, and a larger one is refused at once, in words that help.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asId } from '#shared/ids.ts'
import { CAP_ORDER_DETAILS, CAP_PRINT_JOBS } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'

/** As long as an id of a printer may be, in bytes too. */
const PRINTER = '廚'.repeat(64)

let desk: OrderDesk
let orders = 0
beforeEach(async () => {
  desk = await OrderDesk.open(new ManualClock())
  await desk.pair([printer(PRINTER)], [CAP_PRINT_JOBS, CAP_ORDER_DETAILS])
})
afterEach(() => desk.close())

/** Twenty courses, and as many characters in the notes of further lines. */
function order(characters: number, change: object = {}) {
  const line = { umsId: 'UMS-BURGER-01', qty: 1, price: 10 }
  const courses = Array.from({ length: 20 }, (_, index) => ({ ...line, course: index + 1, note: 'é'.repeat(500) }))
  const notes = Array.from({ length: 170 }, (_, index) => {
    const length = Math.min(500, Math.max(0, characters - index * 500))
    return { ...line, ...(length === 0 ? {} : { note: 'x'.repeat(length) }) }
  })
  const items = [...courses, ...notes]
  return { orderId: `large-${++orders}`, items, total: 10 * items.length, ...change }
}
const inject = (characters: number, change: object = {}) => desk.api.inject(order(characters, change))

/** The most characters with which the order is taken. */
async function most(change: object = {}): Promise<number> {
  let fits = 0
  let fails = 85_000
  expect((await inject(fits, change)).status).toBe(200)
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2)
    if ((await inject(middle, change)).status === 200) fits = middle
    else fails = middle
  }
  return fits
}

describe('the largest order that is taken', () => {
  test.each([
    ['with paper', {}],
    ['without paper', { print: false }],
  ])('%s is fired, printed again and voided like any other', async (_, change) => {
    const { body } = await inject(await most(change), change)
    const id = body.serviceOrderId as string
    // A point of sale may number it late, as long as it likes.
    const posOrderId = '\\"'.repeat(32)
    await desk.api.db.unit((tx) => desk.api.stores.orders.update(tx, asId<'ord'>(id), { pos_order_id: posOrderId }))
    const fired = []
    for (let course = 2; course <= 20; course++)
      fired.push((await desk.post(`/v1/order/${id}/fire`, { course })).status)
    expect(new Set(fired)).toEqual(new Set([200]))
    const again = { type: 'kitchen', serviceOrderId: id, printerId: PRINTER, copies: 10 }
    expect((await desk.post('/v1/print/job', again)).body).toMatchObject({ status: 'queued' })
    expect((await desk.void(id, { reason: '廚'.repeat(500) })).status).toBe(200)
  })

  test('is the same as an add-on', async () => {
    await desk.api.inject({ orderId: 'first' })
    const change = { addOnTo: 'first' }
    const characters = await most(change)
    expect((await inject(characters, change)).status).toBe(200)
    expect((await inject(characters + 1, change)).status).toBe(413)
  })
})

test('a larger order is refused with a helpful message, and its orderId stays free', async () => {
  const answer = await inject(84_000, { orderId: 'again' })
  expect(answer.body).toMatchObject({ code: 'request.too_large', status: 413 })
  expect(answer.body.message).toMatch(/comes to \d+ bytes.*at most 128000.*addOnTo/)
  expect((await inject(0, { orderId: 'again' })).status).toBe(200)
})

test('an order that an older relay took at its limit is still fired', async () => {
  const { body } = await inject(await most())
  const { printJobId } = body
  const row = await desk.api.db.read
    .selectFrom('dispatches')
    .select(['doc', 'bytes'])
    .where('id', '=', printJobId)
    .executeTakeFirstOrThrow()
  const doc = JSON.parse(row.doc)
  doc.order.source += 'x'.repeat(130_048 - row.bytes)
  await desk.api.db.unit((tx) =>
    tx
      .updateTable('dispatches')
      .set({ doc: JSON.stringify(doc), bytes: 130_048 })
      .where('id', '=', printJobId)
      .execute(),
  )
  expect((await desk.post(`/v1/order/${body.serviceOrderId}/fire`, { course: 2 })).status).toBe(200)
})
