// Actions of people on orders and print jobs: who may, that each is recorded once, and that an offline kitchen is no failure.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { printer } from '#test/fixtures/order-desk.ts'

let control: ControlDesk
beforeEach(async () => {
  control = await ControlDesk.open()
})
afterEach(() => control.close())

const inject = async (change: Record<string, unknown> = {}) =>
  (await control.desk.api.inject(change)).body.serviceOrderId as string
const actions = async () => (await control.audit()).map(({ action, subject }) => [action, subject])

describe('an order', () => {
  test('is ready, completed and refunded, and each is in the audit log with the person', async () => {
    const serviceOrderId = await inject({ tip: 5 })
    expect(await control.perform('orders.ready', { serviceOrderId }, { role: 'staff' })).toMatchObject({
      status: 'ready',
    })
    expect(await control.perform('orders.completed', { serviceOrderId }, { role: 'staff' })).toMatchObject({
      status: 'completed',
      refundable: 37.95,
    })
    const refund = await control.perform('orders.refund', { serviceOrderId, amount: 7.95 }, { role: 'manager' })
    expect(refund).toMatchObject({ amount: 7.95, refundable: 30 })
    const audit = await control.audit()
    expect(audit.map(({ action, subject, actor, via }) => [action, subject, actor, via])).toEqual([
      ['order.ready', serviceOrderId, 'usr_staff', 'dashboard'],
      ['order.completed', serviceOrderId, 'usr_staff', 'dashboard'],
      ['order.refund', serviceOrderId, 'usr_manager', 'dashboard'],
    ])
    const types = (await control.desk.events()).map(({ type }) => type)
    expect(types).toEqual(['order.accepted', 'order.ready', 'order.completed', 'order.refunded'])
  })

  test('is voided once, however often the tap is sent', async () => {
    const serviceOrderId = await inject()
    const tap = { tapId: 'tap-1' }
    const first = await control.perform('orders.void', { serviceOrderId, reason: 'guest left' }, tap)
    control.clock.jump(60_000)
    expect(await control.perform('orders.void', { serviceOrderId, reason: 'guest left' }, tap)).toEqual(first)
    expect(await actions()).toEqual([['order.void', serviceOrderId]])
    const { order, proof } = await control.perform('orders.get', { serviceOrderId })
    expect([order.status, order.voidReason, proof]).toEqual(['voided', 'guest left', 'cancelled'])
  })

  test('that is completed is not voided, and nothing is written down', async () => {
    const serviceOrderId = await control.desk.completed()
    await expect(control.perform('orders.void', { serviceOrderId })).rejects.toMatchObject({
      code: 'order.not_voidable',
      extra: { orderStatus: 'completed' },
    })
    expect(await actions()).toEqual([])
  })

  test('is voided and refunded by a manager, not by staff; a developer may in the sandbox alone', async () => {
    const serviceOrderId = await inject()
    for (const name of ['orders.void', 'orders.refund'] as const) {
      const raw = { serviceOrderId, ...(name === 'orders.refund' && { amount: 1 }) }
      await expect(control.perform(name, raw, { role: 'staff' })).rejects.toMatchObject({ kind: 'forbidden' })
    }
    expect(await control.perform('orders.void', { serviceOrderId }, { role: 'developer' })).toMatchObject({
      status: 'voided',
    })
    const merchantId = await control.goLive()
    const live = { role: 'developer', environment: 'live' } as const
    for (const name of ['orders.ready', 'orders.completed', 'orders.void', 'jobs.reprint'] as const)
      await expect(control.perform(name, { merchantId, serviceOrderId }, live)).rejects.toMatchObject({
        kind: 'forbidden',
      })
  })

  test('has amounts only in minor units that its currency has', async () => {
    const serviceOrderId = await control.desk.completed()
    await expect(control.perform('orders.refund', { serviceOrderId, amount: 1.001 })).rejects.toMatchObject({
      kind: 'invalid',
      errors: [{ field: 'amount' }],
    })
    await expect(control.perform('orders.refund', { serviceOrderId, amount: 99 })).rejects.toMatchObject({
      code: 'order.refund_exceeds_balance',
      extra: { refundable: 37.95 },
    })
  })
})

describe('an order of the dashboard', () => {
  test('is taken in the sandbox, once for its orderId', async () => {
    const order = control.desk.api.order({ orderId: 'try-1' })
    const first = await control.perform('orders.inject', order, { role: 'developer' })
    const second = await control.perform('orders.inject', order, { role: 'developer' })
    expect([first.outcome, second]).toEqual(['accepted', { ...first, outcome: 'replayed' }])
    expect(await actions()).toEqual([['order.inject', first.serviceOrderId]])
    await expect(control.perform('orders.inject', { ...order, source: 'other' })).rejects.toMatchObject({
      code: 'order.duplicate_id',
    })
  })

  test('of a live merchant is refused, for every person', async () => {
    const merchantId = await control.goLive()
    const order = control.desk.api.order({ merchantId })
    await expect(control.perform('orders.inject', order, { environment: 'live' })).rejects.toMatchObject({
      kind: 'refused',
      said: { key: 'order.sandbox-only' },
    })
    expect((await control.perform('orders.list', { merchantId }, { environment: 'live' })).rows).toEqual([])
  })

  test('for a kitchen that is away is accepted all the same, and the answer says so', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })])
    await control.kitchenGoesAway()
    const answer = await control.perform('orders.inject', control.desk.api.order())
    expect(answer.outcome).toBe('printer-offline')
    expect((await control.perform('orders.list', {})).rows).toHaveLength(1)
  })
})

describe('paper', () => {
  test('is requested and cancelled, and a note is sent to the named printer', async () => {
    await control.desk.pair([printer('pass', { isDefault: true }), printer('bar', { stations: ['bar'] })])
    const serviceOrderId = await inject()
    const again = await control.perform('jobs.reprint', { serviceOrderId, printerId: 'bar' }, { role: 'staff' })
    expect(again).toMatchObject({ status: 'queued', printers: [{ printerId: 'bar' }], isOffline: false })
    const back = await control.perform('jobs.cancel', { printJobId: again.printJobId }, { role: 'staff' })
    expect(back).toMatchObject({ type: 'reprint', state: 'cancelled' })
    const note = await control.perform('notes.print', { text: 'Bar: no more ice', station: 'bar' }, { role: 'manager' })
    expect(note.printers).toEqual([{ printerId: 'bar', name: 'BAR' }])
    expect(await actions()).toEqual([
      ['order.reprint', again.printJobId],
      ['job.cancel', again.printJobId],
      ['note.print', note.printJobId],
    ])
  })

  test('waits for printers that are away: the job is accepted and reported as waiting', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })])
    const serviceOrderId = await inject()
    await control.kitchenGoesAway()
    const again = await control.perform('jobs.reprint', { serviceOrderId }, { tapId: 'tap-1' })
    expect(again.isOffline).toBe(true)
    expect(await control.perform('jobs.reprint', { serviceOrderId }, { tapId: 'tap-1' })).toEqual(again)
  })

  test('for two places at once is refused, naming the field', async () => {
    const raw = { text: 'hello', printerId: 'pass', station: 'bar' }
    await expect(control.perform('notes.print', raw)).rejects.toMatchObject({
      kind: 'invalid',
      errors: [{ field: 'station', message: 'must be absent when printerId names the printer' }],
    })
  })

  test("of an order's own tickets is not taken back: the order is voided", async () => {
    const { printJobId } = (await control.desk.api.inject()).body
    await expect(control.perform('jobs.cancel', { printJobId })).rejects.toMatchObject({
      code: 'print_job.not_cancellable',
    })
  })
})
