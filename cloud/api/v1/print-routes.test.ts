// Print jobs and printers over HTTP: what reaches the gateway, where it goes, what became of it, and what is refused.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { printersList, printJobResource, printJobResult } from '#shared/wire/api/printing.ts'
import { jobDoc } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'

const PASS = printer('pass', { isDefault: true })
const GRILL = printer('grill', { stations: ['grill'] })
const FRONT = printer('front', { stations: ['receipt'] })
const NOTE = { type: 'kitchen', text: '86 salmon' }

let clock: ManualClock
let desk: OrderDesk
beforeEach(async () => {
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
})
afterEach(() => desk.close())

const submit = (body: object = NOTE, headers: Record<string, string> = {}) => desk.post('/v1/print/job', body, headers)
const read = async (id: string) => printJobResource.strict().parse((await desk.get(`/v1/print/job/${id}`)).body)
const docs = async () =>
  (await desk.api.db.read.selectFrom('dispatches').select('doc').orderBy('ordinal').execute()).map((row) =>
    jobDoc.parse(JSON.parse(row.doc)),
  )

describe('POST /v1/print/job', () => {
  test('queues a note for its printer, and names it', async () => {
    await desk.pair([PASS, GRILL])
    const answer = await submit({
      ...NOTE,
      title: 'Attention',
      station: 'GRILL',
      copies: 2,
      text: 'no salmon\n\nuntil 20:00',
    })
    expect(answer.status).toBe(200)
    expect(printJobResult.strict().parse(answer.body)).toMatchObject({
      status: 'queued',
      merchantId: 'M-TEST-001',
      printers: [{ printerId: 'grill', name: 'GRILL' }],
    })
    expect(await docs()).toMatchObject([
      {
        kind: 'note',
        print: {
          title: 'Attention',
          content: [
            { type: 'text', text: 'no salmon' },
            { type: 'text', text: '' },
            { type: 'text', text: 'until 20:00' },
          ],
          target: { printerId: null, station: 'GRILL', copies: 2 },
          timeZone: 'America/New_York',
        },
      },
    ])
    expect(await read(answer.body.printJobId)).toMatchObject({ type: 'kitchen', state: 'queued', serviceOrderId: null })
  })

  test('sends receipts to the receipt printer, labels without one to the default printer', async () => {
    await desk.pair([PASS, FRONT])
    const content = [
      { type: 'text', text: 'Total 12.50', bold: true },
      { type: 'rule' },
      { type: 'qr', data: 'https://x.y' },
    ]
    const receipt = await submit({ type: 'receipt', content })
    const label = await submit({ type: 'label', content })
    expect([receipt, label].map(({ body }) => body.printers[0].printerId)).toEqual(['front', 'pass'])
    expect((await docs()).map((doc) => doc.kind)).toEqual(['receipt', 'label'])
  })

  test('prints an order again with a mark and the content of its own ticket', async () => {
    await desk.pair([PASS, GRILL])
    const { serviceOrderId } = (await desk.api.inject()).body
    const answer = await submit({ type: 'kitchen', serviceOrderId, printerId: 'pass' })
    expect(answer.body.printers).toEqual([{ printerId: 'pass', name: 'PASS' }])
    const [order, again] = await docs()
    expect(again).toMatchObject({ kind: 'reprint', target: { printerId: 'pass' } })
    expect(again).toMatchObject({ order: order && 'order' in order ? order.order : null })
    await desk.handOver()
    await desk.report(answer.body.printJobId, 'printed')
    expect(await read(answer.body.printJobId)).toMatchObject({ type: 'reprint', state: 'printed', serviceOrderId })
    expect((await desk.get(`/v1/order/${serviceOrderId}`)).body).toMatchObject({
      status: 'accepted',
      printState: 'pending',
    })
  })

  test('prints an order that was injected without print, from the catalog', async () => {
    await desk.pair([PASS])
    const { serviceOrderId } = (await desk.api.inject({ print: false })).body
    await submit({ type: 'kitchen', serviceOrderId })
    expect(await docs()).toMatchObject([
      { kind: 'reprint', order: { orderId: 'order-1', items: [{ name: 'Smash Burger', station: 'grill' }, {}] } },
    ])
  })

  test('does not print a voided order, or one that does not exist', async () => {
    await desk.pair([PASS])
    const { serviceOrderId } = (await desk.api.inject()).body
    await desk.void(serviceOrderId)
    const voided = await submit({ type: 'kitchen', serviceOrderId })
    expect([voided.status, voided.body.code, voided.body.orderStatus]).toEqual([
      409,
      'order.invalid_transition',
      'voided',
    ])
    expect((await submit({ type: 'kitchen', serviceOrderId: 'ord_1' })).body.code).toBe('order.not_found')
  })

  test.each([
    ['an unknown printer', { printerId: 'nobody' }, 404, 'printer.not_found'],
    ['an unknown station', { station: 'bar' }, 422, 'printer.no_route'],
    ['an unknown location', { locationId: 'loc_1' }, 422, 'location.unknown'],
  ])('refuses %s', async (_, change, status, code) => {
    await desk.pair([PASS])
    const answer = await submit({ ...NOTE, ...change })
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await docs()).toEqual([])
  })

  test('names the station that no printer serves', async () => {
    await desk.pair([PASS])
    expect((await submit({ ...NOTE, station: 'bar' })).body.errors).toEqual([
      { field: 'station', message: 'No printer of the location serves this station.' },
    ])
  })

  test('refuses what a gateway of an older release does not print', async () => {
    await desk.pair([PASS], ['job:order'])
    const answer = await submit()
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      422,
      'printer.no_route',
      expect.stringContaining('update it'),
    ])
  })

  test('refuses a text of more than 200 lines', async () => {
    await desk.pair([PASS])
    const long = await submit({ type: 'kitchen', text: 'x\n'.repeat(200) })
    expect([long.status, long.body.errors[0].field]).toEqual([422, 'text'])
  })

  test('breaks a long line between words, and never parts a character', async () => {
    await desk.pair([PASS])
    await submit({ type: 'kitchen', text: 'word '.repeat(300) })
    await submit({ type: 'kitchen', text: '🍔'.repeat(600) })
    const lines = (await docs()).map((doc) =>
      'print' in doc ? doc.print.content.map((line) => ('text' in line ? line.text : '')) : [],
    )
    expect(lines[0]?.every((line) => line.length <= 500)).toBe(true)
    expect(lines[0]?.join(' ').trimEnd()).toBe('word '.repeat(300).trimEnd())
    expect(lines[1]?.every((line) => line.isWellFormed() && line.length <= 500)).toBe(true)
    expect(lines[1]?.join('')).toBe('🍔'.repeat(600))
  })

  test('answers 503 with the job when its printer is known to be offline; the same key again gets 200', async () => {
    await desk.pair([PASS, printer('grill', { stations: ['grill'], state: 'offline' })])
    expect((await submit()).status).toBe(200)
    const headers = { 'idempotency-key': 'n-1' }
    const first = await submit({ ...NOTE, station: 'grill' }, headers)
    expect([first.status, first.body.code]).toEqual([503, 'printer.offline'])
    expect(printJobResult.strict().parse(first.body.printJob).printers).toEqual([{ printerId: 'grill', name: 'GRILL' }])
    const again = await submit({ ...NOTE, station: 'grill' }, headers)
    expect([again.status, again.body]).toEqual([200, first.body.printJob])
    expect(await docs()).toHaveLength(2)
    await desk.handOver()
    expect((await read(first.body.printJob.printJobId)).state).toBe('sent')
  })
})

describe('a printer that is off, with a backup that prints', () => {
  test('takes a print job as usual, and is listed with its backup', async () => {
    await desk.pair([PASS, printer('grill', { stations: ['grill'], state: 'offline', standIn: 'pass' })])
    expect((await submit({ ...NOTE, station: 'grill' })).status).toBe(200)
    const { data } = (await desk.get('/v1/printers')).body
    expect(data.map((one: Record<string, unknown>) => [one['printerId'], one['state'], one['standIn']])).toEqual([
      ['pass', 'online', null],
      ['grill', 'offline', 'pass'],
    ])
  })
})

describe('GET /v1/print/job', () => {
  test('returns an order’s own job as well, with the proof of each printer', async () => {
    await desk.pair([PASS])
    const { serviceOrderId, printJobId } = (await desk.api.inject()).body
    expect(await read(printJobId)).toMatchObject({ type: 'order', state: 'queued', printers: [{ printerId: 'pass' }] })
    await desk.handOver()
    expect((await read(printJobId)).state).toBe('sent')
    clock.jump(2_000)
    await desk.report(printJobId, 'printed')
    expect(await read(printJobId)).toMatchObject({
      state: 'printed',
      serviceOrderId,
      attempts: 1,
      printedAt: '2026-11-20T18:00:02.000Z',
      printers: [{ printerId: 'pass', state: 'printed', confirmation: 'confirmed', possibleDuplicate: false }],
    })
  })

  test('does not exist for another account, or under any other text', async () => {
    await desk.pair([PASS])
    const { printJobId } = (await submit()).body
    const other = await createSandboxAccount({ db: desk.api.db, clock }, { name: 'Other' })
    const path = `/v1/print/job/${printJobId}`
    expect((await desk.api.call('GET', `${path}?merchantId=M-TEST-001`, { key: other.apiKey })).status).toBe(404)
    expect((await desk.get(`/v1/print/job/${printJobId}x`)).body.code).toBe('print_job.not_found')
    const cancel = { key: other.apiKey, body: { merchantId: 'M-TEST-001' } }
    expect((await desk.api.call('POST', `${path}/cancel`, cancel)).status).toBe(404)
    expect((await read(printJobId)).state).toBe('queued')
  })
})

describe('POST /v1/print/job/{printJobId}/cancel', () => {
  const cancel = (id: string) => desk.post(`/v1/print/job/${id}/cancel`, {})

  test('cancels at once what has not left the relay, and returns the same again', async () => {
    await desk.pair([PASS])
    const { printJobId } = (await submit()).body
    expect((await cancel(printJobId)).body).toMatchObject({ printJobId, state: 'cancelled' })
    expect((await cancel(printJobId)).status).toBe(200)
    expect(await desk.handOver()).toEqual([])
  })

  test('asks the gateway for what it has, and is cancelled when that confirms', async () => {
    await desk.pair([PASS])
    const { printJobId } = (await submit()).body
    await desk.handOver()
    expect((await cancel(printJobId)).body.state).toBe('sent')
    expect(await desk.asked()).toEqual([printJobId])
    await desk.report(printJobId, 'cancelled')
    expect((await read(printJobId)).state).toBe('cancelled')
    expect(await desk.asked()).toEqual([])
  })

  test('is too late for what is printed, and not for an order’s own tickets', async () => {
    await desk.pair([PASS])
    const { printJobId } = (await submit()).body
    await desk.handOver()
    await desk.report(printJobId, 'printed')
    const printed = await cancel(printJobId)
    expect([printed.status, printed.body.code, printed.body.printJobState]).toEqual([
      409,
      'print_job.not_cancellable',
      'printed',
    ])
    const order = await cancel((await desk.api.inject()).body.printJobId)
    expect([order.status, order.body.message]).toEqual([409, expect.stringContaining('void the order')])
  })
})

describe('GET /v1/printers', () => {
  test('lists the printers with what is wrong with them', async () => {
    await desk.pair([PASS, printer('grill', { stations: ['grill'], state: 'offline', reasons: ['cover-open'] })])
    const list = printersList.parse((await desk.get(`/v1/printers?locationId=${desk.api.locationId}`)).body).data
    expect(list).toMatchObject([
      { printerId: 'pass', isDefault: true, state: 'online', detail: [], lastSeenAt: '2026-11-20T18:00:00.000Z' },
      { printerId: 'grill', stations: ['grill'], state: 'offline', detail: ['cover-open'] },
    ])
  })

  test('of a location that the merchant does not have are refused, not an empty list', async () => {
    expect((await desk.get('/v1/printers?locationId=loc_1')).body).toMatchObject({
      code: 'location.unknown',
      errors: [{ field: 'locationId', message: 'the merchant has no such location' }],
    })
  })

  test('are as far away as their gateway', async () => {
    await desk.pair([PASS])
    const [gateway] = await desk.api.stores.gateways.ofLocation(desk.api.locationId)
    const gone = { gatewayId: gateway!.gatewayId, presence: 'offline', epoch: null, seenAtMs: null } as const
    await desk.api.db.unit((tx) => desk.api.stores.gateways.setPresence(tx, gone))
    const { data } = (await desk.get(`/v1/printers?locationId=${desk.api.locationId}`)).body
    expect(data).toMatchObject([{ state: 'offline', detail: ['not-responding'] }])
  })
})
