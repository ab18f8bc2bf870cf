// Courses over HTTP: held until they are fired by a client or by the kitchen, once, and shown in the order.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordKitchenFact } from '#cloud/orders/record-kitchen-fact.ts'
import { recordPrintResult } from '#cloud/orders/record-print-result.ts'
import { asId } from '#shared/ids.ts'
import { errorBody } from '#shared/wire/api/errors.ts'
import { fireResult, orderResource } from '#shared/wire/api/orders.ts'
import { CAP_KITCHEN, CAP_ORDER_DETAILS, CAP_PRINT_JOBS, jobDoc } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'

let clock: ManualClock
let desk: OrderDesk
beforeEach(async () => {
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
})
afterEach(() => desk.close())

const CAPS = [CAP_PRINT_JOBS, CAP_ORDER_DETAILS]
const inject = async (courses: (number | undefined)[], change: object = {}) => {
  const items = courses.map((course) => ({ umsId: 'UMS-BURGER-01', qty: 1, price: 10, ...(course ? { course } : {}) }))
  const { body } = await desk.api.inject({ items, total: 10 * items.length, ...change })
  return body.serviceOrderId as string
}
const fire = (id: string, course: number) => desk.post(`/v1/order/${id}/fire`, { course })
const courses = async (id: string) =>
  orderResource
    .strict()
    .parse((await desk.get(`/v1/order/${id}`)).body)
    .courses.map(({ course, state }) => [course, state])
const printJobs = async (id: string) =>
  orderResource.parse((await desk.get(`/v1/order/${id}`)).body).courses.map(({ printJobId }) => printJobId)
/** Jobs that the gateway gets. */
const jobs = async () => (await desk.handOver()).map(({ doc }) => jobDoc.parse(JSON.parse(doc)))

describe('fire', () => {
  test('sends the course to the kitchen and answers when', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2, 3])
    expect(await jobs()).toMatchObject([
      { kind: 'order', order: { items: [{ course: 1 }, { course: 2 }, { course: 3 }] } },
    ])
    expect(await courses(id)).toEqual([
      [1, 'fired'],
      [2, 'held'],
      [3, 'held'],
    ])
    clock.jump(60_000)
    const answer = await fire(id, 2)
    expect(answer.status).toBe(200)
    expect(fireResult.strict().parse(answer.body)).toMatchObject({ status: 'fired', course: 2 })
    expect(await jobs()).toMatchObject([{ kind: 'fire', course: 2, firedAtMs: clock.now() }])
    expect(await courses(id)).toEqual([
      [1, 'fired'],
      [2, 'fired'],
      [3, 'held'],
    ])
  })

  test('that is on paper names its printer', async () => {
    await desk.pair([printer('pass'), printer('bar')], CAPS)
    const id = await inject([1, 2])
    await jobs()
    clock.jump(60_000)
    const { printJobId: jobId } = (await fire(id, 2)).body
    await jobs()
    const at = clock.now()
    const proof = {
      state: 'printed',
      attempts: 1,
      confirmation: 'confirmed',
      method: 'gs-paren-h',
      reason: null,
    } as const
    const ticket = { ticketId: 't', printerId: 'bar', printerName: 'Bar', firstByteAtMs: at, printedAtMs: at }
    const tickets = [{ ...proof, ...ticket, possibleDuplicate: false, movedFrom: 'pass' }]
    const gatewayId = desk.gatewayId
    await recordPrintResult(desk.api.stores, { jobId, state: 'printed', tickets, endedAtMs: at, gatewayId })
    expect(orderResource.strict().parse((await desk.get(`/v1/order/${id}`)).body)).toMatchObject({
      ...{ printedAt: null, printProof: null },
      cameBy: [{ way: 'backup', name: 'Bar', at: new Date(at).toISOString() }],
    })
  })

  test('twice answers the same and prints once', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2])
    await jobs()
    const first = await fire(id, 2)
    clock.jump(5_000)
    const second = await fire(id, 2)
    expect([second.status, second.body]).toEqual([200, first.body])
    expect(await jobs()).toHaveLength(1)
  })

  test('fifty calls at once print once', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2])
    await jobs()
    const answers = await Promise.all(Array.from({ length: 50 }, () => fire(id, 2)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await jobs()).toHaveLength(1)
  })

  test.each([
    ['of the first course', [1, 2], 1],
    ['of a course that the order has not', [1, 2], 7],
    ['of an order without courses', [undefined], 2],
    ['of an order with one course', [2], 2],
  ])('%s is refused and says which are held', async (_, of, course) => {
    await desk.pair([printer('pass')], CAPS)
    const answer = await fire(await inject(of), course)
    expect(answer.status).toBe(422)
    expect(errorBody.parse(answer.body).errors).toMatchObject([
      { field: 'course', message: expect.stringContaining('not held') },
    ])
    expect(answer.body.message).toMatch(new RegExp(`^Course ${course} is not held: `))
  })

  test('again, after a void, is refused, but under its Idempotency-Key answers what it did', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2])
    const underKey = () => desk.post(`/v1/order/${id}/fire`, { course: 2 }, { 'idempotency-key': 'fire-1' })
    const first = await underKey()
    await desk.void(id)
    expect((await fire(id, 2)).body).toMatchObject({ code: 'order.invalid_transition', orderStatus: 'voided' })
    expect((await underKey()).body).toEqual(first.body)
  })

  test('again, after the order is completed, answers what it did', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2])
    const first = await fire(id, 2)
    await desk.advance(id, 'completed')
    expect((await fire(id, 2)).body).toEqual(first.body)
  })

  test('of a voided order, and before its fireAt, is refused', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2])
    await desk.void(id)
    expect((await fire(id, 2)).body).toMatchObject({ code: 'order.invalid_transition', orderStatus: 'voided' })
    const later = await inject([1, 2], { orderId: 'later', fireAt: new Date(clock.now() + 3_600_000).toISOString() })
    expect((await fire(later, 2)).body).toMatchObject({ code: 'order.invalid_transition' })
  })

  test('at a gateway that holds no courses is refused: it has printed them all', async () => {
    await desk.pair([printer('pass')])
    const answer = await fire(await inject([1, 2]), 2)
    expect([answer.status, answer.body.code]).toEqual([422, 'printer.no_route'])
  })

  test('while the printer is offline is taken as usual where a live screen shows the station', async () => {
    await desk.pair([printer('pass', { state: 'offline' })], CAPS)
    const way = { kind: 'display', id: 'dsp_1', name: 'Expo' }
    const stations = JSON.stringify([{ station: null, way }])
    await desk.api.db.unit((tx) =>
      desk.api.stores.gateways.recordStanding(tx, { gatewayId: desk.gatewayId, stations, health: null }),
    )
    expect((await fire(await inject([1, 2]), 2)).status).toBe(200)
  })

  test('while the printer is offline is taken, and reported as pending', async () => {
    await desk.pair([printer('pass', { state: 'offline' })], CAPS)
    const { body } = await desk.api.inject({
      items: [1, 2].map((course) => ({ umsId: 'UMS-BURGER-01', qty: 1, price: 10, course })),
      total: 20,
    })
    const id = body.order.serviceOrderId
    const answer = await fire(id, 2)
    expect([answer.status, answer.body.code]).toEqual([503, 'printer.offline'])
    expect(answer.body.fired).toMatchObject({ course: 2, printPending: true })
    expect(await jobs()).toHaveLength(2)
    const again = await fire(id, 2)
    expect([again.status, again.body]).toEqual([200, answer.body.fired])
  })

  test('is taken back with its order', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2])
    await jobs()
    await fire(id, 2)
    const [job] = await desk.handOver()
    await desk.void(id)
    expect(await desk.asked()).toContain(job?.jobId)
  })

  test('of an order without paper prints none', async () => {
    await desk.pair([printer('pass')], [...CAPS, CAP_KITCHEN])
    const id = await inject([1, 2], { print: false })
    await jobs()
    expect((await fire(id, 2)).status).toBe(200)
    expect(await jobs()).toMatchObject([{ kind: 'fire', isWithoutPaper: true }])
  })

  test('of an order that no kitchen has is only noted', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2], { print: false })
    expect((await fire(id, 2)).status).toBe(200)
    expect(await jobs()).toEqual([])
    expect(await courses(id)).toEqual([
      [1, 'fired'],
      [2, 'fired'],
    ])
  })

  test('does not touch the order’s own proof of print', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2])
    const [own] = await desk.handOver()
    await desk.report(own?.jobId ?? '', 'printed')
    await fire(id, 2)
    const [job] = await desk.handOver()
    await desk.report(job?.jobId ?? '', 'failed')
    expect((await desk.get(`/v1/order/${id}`)).body).toMatchObject({ status: 'printed', printState: 'printed' })
    expect((await desk.get(`/v1/print/job/${job?.jobId}`)).body).toMatchObject({ type: 'fire', state: 'failed' })
  })
})

describe('the print job of a fired course', () => {
  test('is named in the answer, in its repetition and in the order, with the state of the paper', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2, 3])
    const [own] = await desk.handOver()
    const first = await fire(id, 2)
    const [job] = await desk.handOver()
    expect(first.body.printJobId).toBe(job?.jobId)
    expect((await fire(id, 2)).body).toEqual(first.body)
    expect(await printJobs(id)).toEqual([own?.jobId, job?.jobId, null])
    expect((await desk.get(`/v1/print/job/${job?.jobId}`)).body).toMatchObject({ type: 'fire', state: 'sent' })
    await desk.report(job?.jobId ?? '', 'printed')
    expect((await desk.get(`/v1/print/job/${job?.jobId}`)).body).toMatchObject({
      type: 'fire',
      state: 'printed',
      serviceOrderId: id,
      printers: [{ printerId: 'pass', confirmation: 'confirmed' }],
    })
  })

  test('is named although the printer is offline', async () => {
    await desk.pair([printer('pass', { state: 'offline' })], CAPS)
    const { body } = await desk.api.inject({
      items: [1, 2].map((course) => ({ umsId: 'UMS-BURGER-01', qty: 1, price: 10, course })),
      total: 20,
    })
    const answer = await fire(body.order.serviceOrderId, 2)
    const fires = (await desk.handOver()).filter(({ doc }) => jobDoc.parse(JSON.parse(doc)).kind === 'fire')
    expect(fires.map(({ jobId }) => jobId)).toEqual([answer.body.fired.printJobId])
  })

  test.each([
    ['for the displays alone', [...CAPS, CAP_KITCHEN]],
    ['that no kitchen has', CAPS],
  ])('is null of an order %s: nothing is printed', async (_, caps) => {
    await desk.pair([printer('pass')], caps)
    const id = await inject([1, 2], { print: false })
    expect((await fire(id, 2)).body.printJobId).toBeNull()
    expect((await fire(id, 2)).body.printJobId).toBeNull()
    expect(await printJobs(id)).toEqual([null, null])
  })

  test('is null while the order waits for its fireAt', async () => {
    await desk.pair([printer('pass')], CAPS)
    expect(await printJobs(await inject([1, 2], { fireAt: new Date(clock.now() + 3_600_000).toISOString() }))).toEqual([
      null,
      null,
    ])
  })

  test('is null of a course that an older relay has fired', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2])
    const atMs = clock.now()
    await desk.api.db.unit((tx) =>
      desk.api.stores.orders.update(tx, asId<'ord'>(id), { fired_courses: JSON.stringify({ 2: atMs }) }),
    )
    expect((await fire(id, 2)).body).toMatchObject({ firedAt: new Date(atMs).toISOString(), printJobId: null })
    expect(await courses(id)).toEqual([
      [1, 'fired'],
      [2, 'fired'],
    ])
  })
})

describe('a course that the kitchen fired', () => {
  test('is shown in the order, and firing it again prints nothing', async () => {
    await desk.pair([printer('pass')], CAPS)
    const id = await inject([1, 2])
    await jobs()
    const fact = { orderId: id, fact: 'fired' as const, atMs: clock.now(), locationId: desk.api.locationId }
    const say = (course: number) => recordKitchenFact(desk.api.stores, { ...fact, course })
    expect([await say(2), await say(2), await say(1), await say(9)]).toEqual([
      'recorded',
      'already',
      'refused',
      'refused',
    ])
    expect(await courses(id)).toEqual([
      [1, 'fired'],
      [2, 'fired'],
    ])
    expect((await fire(id, 2)).body).toMatchObject({ status: 'fired', printJobId: null })
    expect(await jobs()).toEqual([])
  })
})
