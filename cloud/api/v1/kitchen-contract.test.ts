// An order's fields for the kitchen other than its lines, over HTTP: accepted, returned, sent to the gateway, refused with the field's name.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { errorBody } from '#shared/wire/api/errors.ts'
import { orderResource } from '#shared/wire/api/orders.ts'
import { CAP_ORDER_DETAILS, CAP_PRINT_JOBS, jobDoc } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'
import { DETAILS, EVERY_DETAIL } from '#test/fixtures/order-details.ts'

let clock: ManualClock
let desk: OrderDesk
beforeEach(async () => {
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
  await desk.pair([printer('pass')], [CAP_PRINT_JOBS, CAP_ORDER_DETAILS])
})
afterEach(() => desk.close())

const CHEESE = 'UMS-MOD-CHEESE'
const line = { umsId: 'UMS-BURGER-01', qty: 2, price: 10 }
const inject = (change: object = {}, item: object = {}) =>
  desk.api.inject({ items: [{ ...line, ...item }], total: 20, tip: 0, ...change })
const read = async (id: string) => orderResource.strict().parse((await desk.get(`/v1/order/${id}`)).body)
/** The order as the gateway gets it. */
const handed = async () => {
  const [job] = await desk.handOver()
  const doc = jobDoc.parse(JSON.parse(job?.doc ?? ''))
  if (!('order' in doc)) throw new Error('no order')
  return doc.order
}
const setCurrency = (currency: string) =>
  desk.api.db.unit((tx) => desk.api.stores.merchants.change(tx, desk.api.merchantKey, { currency }))

const LINE = { seat: 3, course: 1, allergens: ['milk'] }

describe('notes for the kitchen', () => {
  test('is taken, answered as it was sent, and handed to the gateway', async () => {
    const { body } = await inject(EVERY_DETAIL, LINE)
    expect(await read(body.serviceOrderId)).toMatchObject({ ...EVERY_DETAIL, items: [LINE] })
    expect(await handed()).toMatchObject({ ...EVERY_DETAIL, items: [LINE] })
  })

  test('is null or absent where nothing was sent', async () => {
    const { body } = await inject()
    const order = await read(body.serviceOrderId)
    for (const detail of DETAILS) expect(order[detail]).toEqual(Array.isArray(EVERY_DETAIL[detail]) ? [] : null)
    expect(order.items[0]).not.toHaveProperty('seat')
    expect(Object.keys(await handed()).filter((name) => name in EVERY_DETAIL)).toEqual([])
  })

  test('stands in the event too', async () => {
    await inject(EVERY_DETAIL, LINE)
    const [accepted] = await desk.events()
    expect(accepted.data.order).toMatchObject({ ...EVERY_DETAIL, items: [LINE] })
  })

  test('is part of what makes two orders the same', async () => {
    await inject({ orderId: 'a', table: '12' })
    expect((await inject({ orderId: 'a', table: '12' })).status).toBe(200)
    expect((await inject({ orderId: 'a', table: '13' })).body.code).toBe('order.duplicate_id')
  })

  test('is on an add-on and on a reprint as on an order', async () => {
    const { body } = await inject({ orderId: 'first' })
    await desk.handOver()
    await inject({ orderId: 'second', addOnTo: 'first', ...EVERY_DETAIL })
    expect(await handed()).toMatchObject({ ...EVERY_DETAIL, addOnTo: '1' })
    await desk.post('/v1/print/job', { type: 'kitchen', serviceOrderId: body.serviceOrderId })
    expect(await handed()).toMatchObject({ orderId: 'first' })
  })

  test.each([
    [{ orderType: 'to-go' }, {}, 'orderType'],
    [{ table: '' }, {}, 'table'],
    [{ table: 'a\nb' }, {}, 'table'],
    [{ guests: 0 }, {}, 'guests'],
    [{ server: 'x'.repeat(65) }, {}, 'server'],
    [{ note: 'x'.repeat(501) }, {}, 'note'],
    [{ allergens: 'peanuts' }, {}, 'allergens'],
    [{ allergens: [''] }, {}, 'allergens[0]'],
    [{}, { seat: 1.5 }, 'items[0].seat'],
    [{}, { course: 0 }, 'items[0].course'],
    [{}, { allergens: Array.from({ length: 21 }, () => 'x') }, 'items[0].allergens'],
    [{}, { modifiers: [{ umsId: CHEESE, verb: 'sub' }] }, 'items[0].modifiers[0]'],
    [{}, { modifiers: [{ umsId: CHEESE, qty: 0 }] }, 'items[0].modifiers[0]'],
    [{}, { modifiers: [{ umsId: CHEESE, size: 1 }] }, 'items[0].modifiers[0]'],
  ])('refuses %j %j by the name of the field', async (head, item, field) => {
    const answer = await inject(head, item)
    expect(answer.status).toBe(422)
    const named = errorBody.parse(answer.body).errors?.map((error) => error.field) ?? []
    expect(named.some((name) => name.startsWith(field))).toBe(true)
  })
})

describe('a modifier', () => {
  const sent = { umsId: CHEESE, qty: 2, verb: 'side', group: 'Extras' }

  test('may be an object with quantity, action and modifier group', async () => {
    const { body } = await inject({}, { modifiers: [CHEESE, sent] })
    const [item] = (await read(body.serviceOrderId)).items
    expect(item).toMatchObject({ modifiers: [CHEESE, CHEESE], modifierDetails: [{ umsId: CHEESE }, sent] })
    expect((await handed()).items[0]?.modifiers).toMatchObject([{ umsId: CHEESE }, sent])
  })

  test('of plain ids is answered as before', async () => {
    const { body } = await inject({}, { modifiers: [CHEESE] })
    const [item] = (await read(body.serviceOrderId)).items
    expect(item?.modifiers).toEqual([CHEESE])
    expect(item).not.toHaveProperty('modifierDetails')
  })

  test('that is unknown is named with its place', async () => {
    const answer = await inject({}, { modifiers: [CHEESE, { umsId: 'NO-SUCH' }] })
    expect(answer.body).toMatchObject({
      code: 'ums.unknown_item',
      errors: [{ field: 'items[0].modifiers[1].umsId' }],
    })
  })
})

describe('line breaks of a note', () => {
  test('may be those of Windows: they are kept as one sign each, for the kitchen and for whoever reads the order', async () => {
    const said = { note: 'gate 4\r\nring twice' }
    const kept = { note: 'gate 4\nring twice' }
    const { body } = await inject(said, said)
    expect(await read(body.serviceOrderId)).toMatchObject({ ...kept, items: [kept] })
    expect(await handed()).toMatchObject({ ...kept, items: [kept] })
  })

  test('do not make another order of it when it is sent again', async () => {
    const first = await inject({ note: 'a\r\nb' })
    for (const note of ['a\r\nb', 'a\nb']) {
      const again = await inject({ note })
      expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true'])
    }
  })

  test('count once, and one alone of an old Mac is refused', async () => {
    expect((await inject({ note: `${'a'.repeat(498)}\r\nb` })).status).toBe(200)
    const answer = await inject({ orderId: 'mac', note: 'a\rb' })
    expect(errorBody.parse(answer.body).errors).toMatchObject([{ field: 'note' }])
  })

  test('are in a print job, too', async () => {
    expect((await desk.post('/v1/print/job', { type: 'kitchen', text: 'one\r\ntwo' })).status).toBe(200)
    const [job] = await desk.handOver()
    expect(jobDoc.parse(JSON.parse(job?.doc ?? ''))).toMatchObject({
      print: { content: [{ text: 'one' }, { text: 'two' }] },
    })
  })
})

describe('a text of which nothing would be seen on paper', () => {
  test.each([
    ['a blank', ' '],
    ['a byte order mark', '\ufeff'],
    ['a wide blank', '\u3000'],
    ['signs without a width', '\u200b\u2060'],
    ['a blank letter', '\u3164'],
  ])('is refused, and named: %s', async (_, blank) => {
    const ofOrder = await inject({ allergens: ['nuts', blank] })
    expect(errorBody.parse(ofOrder.body).errors).toEqual([{ field: 'allergens[1]', message: 'must not be blank' }])
    const ofLine = await inject({}, { allergens: [blank] })
    expect(errorBody.parse(ofLine.body).errors).toMatchObject([{ field: 'items[0].allergens[0]' }])
    const ofNote = await desk.post('/v1/print/job', { type: 'kitchen', text: 'x', allergens: [blank] })
    expect(errorBody.parse(ofNote.body).errors).toMatchObject([{ field: 'allergens[0]' }])
    const inHead = await inject({ table: blank, server: blank })
    expect(errorBody.parse(inHead.body).errors).toMatchObject([{ field: 'table' }, { field: 'server' }])
  })
})

describe('the fields of a kitchen note', () => {
  test('are refused with a receipt, by a sentence about that', async () => {
    const receipt = await desk.post('/v1/print/job', { type: 'receipt', text: 'x', table: '4' })
    expect(errorBody.parse(receipt.body).errors).toEqual([
      { field: 'table', message: 'must be absent unless type is kitchen' },
    ])
  })
})

describe('a currency', () => {
  test('of the merchant is on receipts', async () => {
    await setCurrency('EUR')
    await inject()
    expect((await handed()).receipt).toMatchObject({ currency: 'EUR', totalCents: 2_000 })
  })

  test('without decimals takes whole amounts only, and names the others', async () => {
    await setCurrency('JPY')
    const answer = await desk.api.inject({
      items: [
        { ...line, price: 950 },
        { ...line, price: 99.5 },
      ],
      total: 2_099,
      tip: 0.5,
    })
    expect(answer.body).toMatchObject({ code: 'request.invalid' })
    expect(errorBody.parse(answer.body).errors?.map(({ field }) => field)).toEqual(['items[1].price', 'tip'])
    expect((await inject()).status).toBe(200)
  })
})

describe('a kitchen note', () => {
  test('has its purpose at its top', async () => {
    const head = { orderType: 'dine-in', table: '12', allergens: ['nuts'] }
    expect((await desk.post('/v1/print/job', { type: 'kitchen', text: 'Hurry', ...head })).status).toBe(200)
    const [job] = await desk.handOver()
    expect(jobDoc.parse(JSON.parse(job?.doc ?? ''))).toMatchObject({
      print: { content: [{ text: 'DINE-IN  TABLE 12' }, { text: '!! ALLERGY: nuts !!' }, { text: 'Hurry' }] },
    })
  })

  test.each([['receipt'], ['label']])('only: a %s with a table is refused', async (type) => {
    const answer = await desk.post('/v1/print/job', { type, text: 'x', table: '12' })
    expect(errorBody.parse(answer.body).errors).toMatchObject([{ field: 'table' }])
  })
})
