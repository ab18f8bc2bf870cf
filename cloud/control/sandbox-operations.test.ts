// The sandbox at the dashboard: its merchants, the paper of its kitchen, time that passes for its orders, and putting it back.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openOrigin } from '#cloud/orders/order-origin.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { printer } from '#test/fixtures/order-desk.ts'

const HOUR = 3_600_000
let control: ControlDesk
beforeEach(async () => {
  control = await ControlDesk.open()
})
afterEach(() => control.close())

const inHours = (hours: number) => new Date(control.clock.now() + hours * HOUR).toISOString()
const inject = async (change: Record<string, unknown> = {}) =>
  (await control.desk.api.inject(change)).body.serviceOrderId as string

test('the merchants are listed with their kitchens and the simulated faults', async () => {
  await control.desk.pair([printer('pass', { isDefault: true })])
  const merchants = await control.performAlone('sandbox.merchants')
  expect(
    merchants.map(({ merchantId, fault, channels, locations }) => [merchantId, fault, channels, locations.length]),
  ).toEqual([
    ['M-TEST-001', null, 0, 1],
    ['M-TEST-002', null, 6, 1],
    ['M-TEST-003', null, 0, 3],
    ['M-TEST-SLOW', 'slow', 0, 1],
    ['M-TEST-FLAKY', 'flaky', 0, 1],
    ['M-TEST-PRINTER-OFFLINE', 'printer-offline', 0, 1],
  ])
  const bar = merchants[1]?.locations[0]?.printers.find(({ name }) => name === 'Bar')
  expect(bar).toEqual({ name: 'Bar', stations: ['bar'], columns: 32 })
  expect(merchants[5]?.locations[0]).toMatchObject({ presence: 'offline' })
})

describe('paper', () => {
  test('is listed newest first with its order, by pages', async () => {
    const kitchen = await control.simulatedKitchen()
    try {
      const orders: string[] = []
      for (let number = 1; number <= 5; number += 1) {
        orders.push(await inject({ orderId: `o-${number}` }))
        await control.pass(2_000)
      }
      const first = await control.perform('sandbox.paper', {})
      const rest = await control.perform('sandbox.paper', { cursor: first.nextCursor })
      const all = [...first.tickets, ...rest.tickets]
      expect([first.tickets.length, rest.nextCursor]).toEqual([8, null])
      expect([...new Set(all.map(({ serviceOrderId }) => serviceOrderId))]).toEqual(orders.toReversed())
      expect(first.tickets[0]?.text).toContain('#5')
      const accountId = await control.stranger()
      expect((await control.perform('sandbox.paper', {}, { accountId })).tickets).toEqual([])
    } finally {
      await kitchen.stop()
    }
  })

  test('of a live kitchen stays in the kitchen', async () => {
    await expect(
      control.perform('sandbox.paper', { merchantId: 'M-PROD-001' }, { environment: 'live' }),
    ).rejects.toMatchObject({
      kind: 'invalid',
      errors: [{ field: 'merchantId' }],
    })
  })
})

describe('the clock', () => {
  test('is put forward for the orders of the merchant that wait: they fire and print', async () => {
    const kitchen = await control.simulatedKitchen()
    try {
      const soon = await inject({ orderId: 'soon', fireAt: inHours(2) })
      const later = await inject({ orderId: 'later', fireAt: inHours(30) })
      // The kitchen has the first already, and waits for its time.
      await control.pass(2_000)
      const answer = await control.perform('sandbox.clock', { minutes: 180 }, { role: 'developer' })
      expect(answer).toEqual({ moved: 2, firing: 1, held: 0, nextFireAt: '2026-11-21T21:00:00.000Z' })
      await kitchen.sweep()
      await control.pass(2_000)
      await expect
        .poll(async () => (await control.perform('orders.get', { serviceOrderId: soon })).proof)
        .toBe('confirmed')
      const { order } = await control.perform('orders.get', { serviceOrderId: soon })
      expect([order.firedAt, order.estimatedReadyAt]).toEqual(['2026-11-20T18:00:02.000Z', '2026-11-20T18:12:02.000Z'])
      expect((await control.perform('orders.get', { serviceOrderId: later })).proof).toBe('scheduled')
      const paper = await control.perform('sandbox.paper', {})
      expect(paper.tickets.map(({ text }) => text.includes('POSSIBLE DUPLICATE'))).toEqual([false, false])
      expect((await control.audit()).map(({ action, after }) => [action, after])).toEqual([
        ['sandbox.clock', '{"minutes":180,"moved":2}'],
      ])
    } finally {
      await kitchen.stop()
    }
  })

  test('moves the document of the kitchen with its seal, and no other merchant or account', async () => {
    const orderId = await inject({ fireAt: inHours(30) })
    const other = await inject({ orderId: 'other', merchantId: 'M-TEST-002', fireAt: inHours(30) })
    await control.perform('sandbox.clock', { minutes: 60 })
    const rows = await control.desk.api.db.read
      .selectFrom('dispatches as d')
      .innerJoin('orders as o', 'o.id', 'd.order_id')
      .select(['d.id', 'd.doc', 'd.not_before', 'd.available_at', 'o.id as order', 'o.fire_at', 'o.merchant_id'])
      .execute()
    const [moved, stays] = [orderId, other].map((id) => rows.find((row) => row.order === id))
    const doc = JSON.parse(moved?.doc ?? '') as Extract<JobDoc, { kind: 'order' }>
    const fireAtMs = control.clock.now() + 29 * HOUR
    expect([moved?.fire_at, moved?.not_before, moved?.available_at, doc.order.fireAtMs]).toEqual([
      fireAtMs,
      fireAtMs,
      fireAtMs - 24 * HOUR,
      fireAtMs,
    ])
    expect(stays?.fire_at).toBe(control.clock.now() + 30 * HOUR)
    const of = {
      jobId: moved?.id ?? '',
      merchantKey: moved?.merchant_id ?? '',
      kind: 'order' as const,
      order: doc.order,
    }
    expect(openOrigin(new SecretBox(Buffer.alloc(32, 1)), of, doc.origin ?? '')).toMatchObject({ totalCents: 3_295 })
  })

  test('leaves alone what a paired gateway has: its clock is its own', async () => {
    await control.desk.pair([printer('pass', { isDefault: true })])
    const serviceOrderId = await inject({ fireAt: inHours(2) })
    await control.desk.handOver()
    expect(await control.perform('sandbox.clock', { minutes: 180 })).toEqual({
      ...{ moved: 0, firing: 0, held: 1 },
      nextFireAt: inHours(2),
    })
    expect((await control.perform('orders.get', { serviceOrderId })).proof).toBe('scheduled')
  })

  test('of a live merchant cannot be moved by anyone', async () => {
    await expect(
      control.perform('sandbox.clock', { merchantId: 'M-PROD-001', minutes: 5 }, { environment: 'live' }),
    ).rejects.toMatchObject({ kind: 'invalid' })
  })
})

test('the reset puts the menu back, throws the paper away and leaves the orders', async () => {
  const kitchen = await control.simulatedKitchen()
  try {
    await inject()
    await control.pass(2_000)
    const { db, stores, merchantKey } = control.desk.api
    await db.unit((tx) =>
      stores.catalog.update(
        tx,
        { merchant_id: merchantKey, ums_id: 'UMS-BURGER-01' },
        { name: 'Renamed', kind: 'modifier', price_cents: 1, stock: 0, direct_silenced_at: control.clock.now() },
      ),
    )
    const order = control.desk.api.order({ orderId: 'another' })
    const refused = await control.perform('orders.check', order)
    expect(refused).toMatchObject({ isAccepted: false, code: 'ums.item_silenced' })
    expect(await control.perform('sandbox.reset', {})).toEqual({ items: 1, tickets: 2 })
    expect(await control.perform('orders.check', order)).toMatchObject({
      isAccepted: true,
      items: [{ name: 'Smash Burger' }, {}],
    })
    expect(await stores.catalog.item(db.read, merchantKey, 'UMS-BURGER-01')).toMatchObject({ kind: 'item' })
    expect((await control.perform('sandbox.paper', {})).tickets).toEqual([])
    expect((await control.perform('orders.list', {})).rows).toHaveLength(1)
    expect(await control.perform('sandbox.reset', {})).toEqual({ items: 0, tickets: 0 })
    await expect(control.perform('sandbox.reset', {}, { role: 'staff' })).rejects.toMatchObject({ kind: 'forbidden' })
  } finally {
    await kitchen.stop()
  }
})
