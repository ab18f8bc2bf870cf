// The story of an order: each step with its milliseconds, what the printer proved, each webhook attempt, and its tickets as drawn paper.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordPrintResult } from '#cloud/orders/record-print-result.ts'
import { asId } from '#shared/ids.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { printer } from '#test/fixtures/order-desk.ts'

let control: ControlDesk
beforeEach(async () => {
  control = await ControlDesk.open()
})
afterEach(() => control.close())

const inject = async (change: Record<string, unknown> = {}) =>
  (await control.desk.api.inject(change)).body.serviceOrderId as string
const trace = (serviceOrderId: string) => control.perform('orders.trace', { serviceOrderId })

/** The gateway accepts the order's job after 6 ms and reports its result after 800 ms. */
async function reported(change: Partial<TicketEvidence>): Promise<void> {
  const { clock, desk } = control
  clock.jump(6)
  const [job] = await desk.handOver()
  const takenMs = clock.now()
  clock.jump(800)
  const ticket: TicketEvidence = {
    ...{ ticketId: `${job?.jobId}-1`, printerId: 'pass', printerName: 'Grill', state: 'printed', attempts: 1 },
    ...{ confirmation: 'confirmed', method: 'gs-paren-h', possibleDuplicate: false, reason: null },
    ...{ firstByteAtMs: takenMs + 19, printedAtMs: takenMs + 489 },
    ...change,
  }
  await recordPrintResult(desk.api.stores, {
    ...{ jobId: asId<'pj'>(job?.jobId ?? ''), state: ticket.state, tickets: [ticket], gatewayId: desk.gatewayId },
    endedAtMs: clock.now(),
  })
}

describe('the time line', () => {
  test('goes from the API to the paper, to the screen of the customer and to each try of the webhook', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })])
    const serviceOrderId = await inject()
    const { deliveryId } = await control.tried(serviceOrderId)
    await reported({})
    control.clock.jump(60_000)
    await control.perform('orders.ready', { serviceOrderId })
    const { steps, paperMs, deliveries } = await trace(serviceOrderId)
    expect(steps.map(({ step, where, afterMs, sinceMs }) => [step, where, afterMs, sinceMs])).toEqual([
      ['taken', 'kiosk-7', null, 0],
      ['handed', 'box', 6, 6],
      ['received', 'box', 0, 6],
      ['first-byte', 'Grill', 19, 25],
      ['webhook', 'https://pos.example', 115, 140],
      ['proof', 'Grill', 355, 495],
      ['webhook', 'https://pos.example', 4_645, 5_140],
      ['ready', null, 55_666, 60_806],
    ])
    expect(steps[5]).toMatchObject({ by: 'confirmed', method: 'gs-paren-h', job: null, at: '2026-11-20T18:00:00.495Z' })
    const tried = steps.flatMap(({ webhook }) =>
      webhook === null ? [] : [[webhook.attempt, webhook.status, webhook.ms]],
    )
    expect(tried).toEqual([
      [1, 500, 40],
      [2, 200, 40],
    ])
    expect(paperMs).toBe(495)
    expect(deliveries.map(({ type, state }) => [type, state])).toEqual([
      ['order.accepted', 'delivered'],
      ['order.printed', 'pending'],
      ['order.ready', 'pending'],
    ])
    expect(deliveries[0]).toMatchObject({ deliveryId, site: 'https://pos.example', attempts: 2, lastStatus: 200 })
    // The part after the host may be a password of the receiver.
    expect(JSON.stringify({ steps, deliveries })).not.toContain('secret=1')
  })

  test('of a ticket without proof gives the reason, and claims no paper', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })])
    const serviceOrderId = await inject()
    await reported({ state: 'uncertain', confirmation: null, method: null, printedAtMs: null, reason: 'no-answer' })
    const { steps, paperMs } = await trace(serviceOrderId)
    expect(steps.at(-1)).toMatchObject({ step: 'unproven', where: 'Grill', by: 'no-answer' })
    expect([paperMs, (await control.perform('orders.get', { serviceOrderId })).proof]).toEqual([null, 'uncertain'])
  })

  test('keeps the entries of a kitchen with a wrong clock between the order and its report', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })])
    const serviceOrderId = await inject()
    await reported({ firstByteAtMs: 0, printedAtMs: control.clock.now() + 3_600_000 })
    const { steps } = await trace(serviceOrderId)
    const at = (step: string) => steps.find((one) => one.step === step)?.sinceMs
    expect([at('first-byte'), at('proof')]).toEqual([6, 806])
    expect(steps.every(({ afterMs }) => afterMs === null || afterMs >= 0)).toBe(true)
  })

  test('distinguishes a reprint from the first tickets, and has the reason of the void', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })])
    const serviceOrderId = await inject()
    await control.desk.handOver()
    await control.perform('jobs.reprint', { serviceOrderId })
    control.clock.jump(10)
    await control.desk.handOver()
    control.clock.jump(10)
    await control.perform('orders.void', { serviceOrderId, reason: 'guest left' })
    const { steps } = await trace(serviceOrderId)
    expect(steps.filter(({ step }) => step === 'handed').map(({ job }) => job)).toEqual([null, 'reprint'])
    expect(steps.at(-1)).toMatchObject({ step: 'voided', by: 'guest left' })
  })
})

describe('a refund', () => {
  test('is in the timeline with its reason', async () => {
    const serviceOrderId = await control.desk.completed()
    control.clock.jump(5_000)
    await control.perform('orders.refund', { serviceOrderId, amount: 1, reason: 'cold' })
    const { steps } = await trace(serviceOrderId)
    expect(steps.map(({ step, by }) => [step, by]).slice(-2)).toEqual([
      ['completed', null],
      ['refunded', 'cold'],
    ])
  })
})

describe('the drawing', () => {
  test('is that of the very bytes which the simulated kitchen printed', async () => {
    const kitchen = await control.simulatedKitchen()
    try {
      const serviceOrderId = await inject({ merchantId: 'M-TEST-001', customer: { name: 'Ana' } })
      await control.pass(2_000)
      const { source, tickets } = await control.perform('orders.drawing', { serviceOrderId })
      expect([source, tickets.length]).toEqual(['printed', 2])
      const [ticket] = tickets
      expect(ticket).toMatchObject({ kind: 'order', printerName: 'Kitchen', printedAt: expect.any(String) })
      expect(ticket?.text).toContain('Smash Burger')
      expect(ticket?.svg).toMatch(/^<svg /)
      expect(ticket?.operations.length).toBeGreaterThan(5)
      const kept = await control.desk.api.db.read.selectFrom('sandbox_tickets').selectAll().execute()
      expect(tickets.map(({ ticketId }) => ticketId)).toEqual(kept.map((row) => row.ticket_id))
    } finally {
      await kitchen.stop()
    }
  })

  test('of a real kitchen is composed by the relay, and marked so', async () => {
    await control.desk.pair([printer('pass', { isDefault: true }), printer('bar', { stations: ['dessert'] })])
    const serviceOrderId = await inject({ note: 'birthday' })
    const { source, tickets } = await control.perform('orders.drawing', { serviceOrderId })
    expect(source).toBe('composed')
    expect(tickets.map(({ printerName, printedAt }) => [printerName, printedAt])).toEqual([['PASS', null]])
    expect(tickets[0]?.text).toContain('birthday')
    expect(tickets[0]?.text).not.toContain('LATE')
  })

  test('of names that look like markup is text, in the picture too', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })])
    const serviceOrderId = await inject({ note: '<script>alert(1)</script>' })
    const { tickets } = await control.perform('orders.drawing', { serviceOrderId })
    expect(tickets[0]?.svg).not.toContain('<script')
  })
})
