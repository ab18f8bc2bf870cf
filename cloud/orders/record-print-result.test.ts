// Print results from the gateway: states, proof, one event per order, late and repeated results.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asId, type PrintJobId, type ServiceOrderId } from '#shared/ids.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import { orderResource } from '#shared/wire/api/orders.ts'
import { printFacts } from '#shared/wire/print-facts.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { advanceOrder, type OrderFact } from './advance-order.ts'
import { type RecordedResult, recordPrintResult } from './record-print-result.ts'

let api: RelayApi
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
})
afterEach(() => api.close())

function ticket(change: Partial<TicketEvidence> = {}): TicketEvidence {
  return {
    ticketId: 't1',
    printerId: 'p1',
    printerName: 'Grill',
    state: 'printed',
    attempts: 1,
    confirmation: 'confirmed',
    method: 'gs-paren-h',
    firstByteAtMs: clock.now() + 5,
    printedAtMs: clock.now() + 400,
    possibleDuplicate: false,
    reason: null,
    ...change,
  }
}

async function report(
  jobId: PrintJobId,
  state: 'printed' | 'uncertain' | 'failed' | 'cancelled',
  tickets = [ticket()],
) {
  clock.jump(1_000)
  return recordPrintResult(api.stores, { jobId, state, tickets, endedAtMs: clock.now(), gatewayId: asId('gw_1') })
}

const events = async () =>
  (await api.db.read.selectFrom('events').selectAll().orderBy('sequence').execute()).map((row) => ({
    ...JSON.parse(row.payload),
  }))
const read = async (id: string) =>
  orderResource.strict().parse((await api.call('GET', `/v1/order/${id}?merchantId=M-TEST-001`)).body)

async function mark(id: ServiceOrderId, fact: OrderFact) {
  return api.db.unit(async (tx) =>
    advanceOrder(tx, api.stores, { target: await api.stores.orders.load(tx, id), move: { fact, atMs: clock.now() } }),
  )
}

describe('a printed job', () => {
  test('moves the order to printed and sends order.printed with the time on paper and the proof', async () => {
    const { serviceOrderId, printJobId } = (await api.inject()).body
    const onPaper = clock.now() + 400
    expect(await report(printJobId, 'printed')).toBe('recorded')
    expect(await read(serviceOrderId)).toMatchObject({
      status: 'printed',
      printState: 'printed',
      sequence: 2,
      printedAt: new Date(onPaper).toISOString(),
      printProof: { confirmation: 'confirmed', method: 'gs-paren-h', attempts: 1, printers: [{ name: 'Grill' }] },
      timeline: [{ type: 'accepted' }, { type: 'printed' }],
    })
    const [, printed] = await events()
    expect(printed).toMatchObject({ type: 'order.printed', sequence: 2, timestamp: new Date(onPaper).toISOString() })
    expect(printed.data.order.status).toBe('printed')
    expect(printFacts.strict().parse(printed.data.print)).toEqual(printed.data.print)
    expect(printed.data.print.printers[0].firstByteAt).toBe(new Date(onPaper - 395).toISOString())
  })

  test('reported again changes nothing and sends nothing', async () => {
    const { printJobId } = (await api.inject()).body
    await report(printJobId, 'printed')
    expect(await report(printJobId, 'printed')).toBe('already')
    expect(await report(printJobId, 'failed')).toBe('already')
    expect(await events()).toHaveLength(2)
  })

  test('reported 20 times at once is recorded once', async () => {
    const { printJobId } = (await api.inject()).body
    const answers = await Promise.all(Array.from({ length: 20 }, () => report(printJobId, 'printed')))
    expect(answers.filter((answer) => answer === 'recorded')).toHaveLength(1)
    expect(await events()).toHaveLength(2)
  })

  test('that does not exist is unknown', async () => {
    expect(await report(asId('pj_none'), 'printed')).toBe('unknown')
  })

  test('is as weakly confirmed as its weakest ticket', async () => {
    const { serviceOrderId, printJobId } = (await api.inject()).body
    await report(printJobId, 'printed', [
      ticket(),
      ticket({
        printerId: 'p2',
        printerName: 'Bar',
        confirmation: 'assumed',
        method: 'dle-eot',
        attempts: 3,
        possibleDuplicate: true,
      }),
    ])
    expect((await read(serviceOrderId)).printProof).toMatchObject({
      confirmation: 'assumed',
      method: 'dle-eot',
      attempts: 3,
      possibleDuplicate: true,
      printers: [{ confirmation: 'confirmed' }, { confirmation: 'assumed' }],
    })
  })

  test('after the kitchen marked the order ready keeps ready, and still sends order.printed', async () => {
    const { serviceOrderId, printJobId } = (await api.inject()).body
    await mark(serviceOrderId, 'ready')
    await report(printJobId, 'printed')
    expect(await read(serviceOrderId)).toMatchObject({ status: 'ready', printState: 'printed', sequence: 3 })
    const [, , printed] = await events()
    expect(printed).toMatchObject({ type: 'order.printed', data: { order: { status: 'ready' } } })
  })

  test('of which one ticket has no proof names the printer of the other', async () => {
    const { serviceOrderId, printJobId } = (await api.inject()).body
    const at = new Date(clock.now() + 400).toISOString()
    await report(printJobId, 'uncertain', [ticket(), ticket({ printerName: 'Bar', state: 'uncertain' })])
    expect(await read(serviceOrderId)).toMatchObject({
      ...{ printState: 'uncertain', printProof: null },
      cameBy: [{ way: 'printer', name: 'Grill', at }],
    })
  })

  test('of a scheduled order also marks it as fired', async () => {
    const fireAt = new Date(clock.now() + 500).toISOString()
    const { serviceOrderId, printJobId } = (await api.inject({ fireAt })).body
    await report(printJobId, 'printed')
    expect(await read(serviceOrderId)).toMatchObject({ firedAt: fireAt, printState: 'printed' })
  })

  test('whose evidence shows no paper is not accepted', async () => {
    for (const [i, tickets] of [[], [ticket(), ticket({ state: 'failed' })]].entries()) {
      const { serviceOrderId, printJobId } = (await api.inject({ orderId: `order-${i}` })).body
      await report(printJobId, 'printed', tickets)
      expect(await read(serviceOrderId)).toMatchObject({
        status: 'accepted',
        printState: 'uncertain',
        printProof: null,
      })
    }
    expect((await events()).map((e) => e.type)).toEqual(['order.accepted', 'order.accepted'])
  })

  test.each([1e300, -1e300, 0, Number.MAX_SAFE_INTEGER])(
    'with the absurd time %d is held within what is possible',
    async (ms) => {
      const { serviceOrderId, printJobId } = (await api.inject()).body
      const queuedAtMs = clock.now()
      await report(printJobId, 'printed', [ticket({ printedAtMs: ms, firstByteAtMs: ms })])
      const printedAt = Date.parse((await read(serviceOrderId)).printedAt ?? '')
      expect(printedAt).toBeGreaterThanOrEqual(queuedAtMs)
      expect(printedAt).toBeLessThanOrEqual(clock.now())
    },
  )
})

test.each(['uncertain', 'failed', 'cancelled'] as const)(
  'a job that is %s sets the print state, without event',
  async (state) => {
    const { serviceOrderId, printJobId } = (await api.inject()).body
    expect(await report(printJobId, state, [ticket({ state, printedAtMs: null })])).toBe('recorded')
    expect(await read(serviceOrderId)).toMatchObject({ status: 'accepted', printState: state, sequence: 1 })
    expect(await events()).toHaveLength(1)
  },
)

describe('the state graph', () => {
  test('completed twice is recorded once', async () => {
    const { serviceOrderId } = (await api.inject()).body
    expect((await mark(serviceOrderId, 'completed')).moved).toBe(true)
    expect((await mark(serviceOrderId, 'completed')).moved).toBe(false)
    expect((await events()).map((e) => e.type)).toEqual(['order.accepted', 'order.completed'])
  })

  test.each([
    ['completed', 'ready'],
    ['completed', 'voided'],
    ['voided', 'ready'],
    ['voided', 'completed'],
    ['voided', 'refunded'],
    ['ready', 'refunded'],
  ] as const)('%s -> %s is refused with the order’s status', async (from, to) => {
    const { serviceOrderId } = (await api.inject()).body
    await mark(serviceOrderId, from)
    await expect(mark(serviceOrderId, to)).rejects.toMatchObject({
      code: 'order.invalid_transition',
      extra: { orderStatus: from },
    })
  })

  test('a completed order can be refunded, more than once, and the refundable rest is returned', async () => {
    const { serviceOrderId } = (await api.inject({ tip: 2.05 })).body
    await mark(serviceOrderId, 'completed')
    expect(await read(serviceOrderId)).toMatchObject({ status: 'completed', refundable: 35 })
    await mark(serviceOrderId, 'refunded')
    expect((await mark(serviceOrderId, 'refunded')).moved).toBe(true)
    expect((await events()).map((e) => `${e.type} ${e.sequence}`)).toEqual([
      'order.accepted 1',
      'order.completed 2',
      'order.refunded 3',
      'order.refunded 4',
    ])
  })
})

test('metrics count each result once it is on disk, and each order that it puts on paper', async () => {
  const told: RecordedResult[] = []
  const deps = { ...api.stores, recorded: (result: RecordedResult) => void told.push(result) }
  const { printJobId: jobId } = (await api.inject()).body
  const result = {
    jobId,
    state: 'printed' as const,
    tickets: [ticket()],
    endedAtMs: clock.now(),
    gatewayId: asId<'gw'>('gw_1'),
  }
  const queuedAt = clock.now()
  clock.jump(1_000)
  await recordPrintResult(deps, result)
  await recordPrintResult(deps, result)
  const order = { queued_at: queuedAt, fire_at: null, fired_at: queuedAt }
  expect(told).toMatchObject([
    { state: 'printed', printed: { order, confirmation: 'confirmed', printedAtMs: queuedAt + 400 } },
  ])
  const failed = (await api.inject({ orderId: 'another' })).body.printJobId
  await recordPrintResult(deps, { ...result, jobId: failed, state: 'failed', tickets: [ticket({ state: 'failed' })] })
  expect(told[1]).toMatchObject({ state: 'failed', printed: null })
})
