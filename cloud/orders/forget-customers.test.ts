// Customers' data and its end: gone everywhere after the retention time, kept before; idempotency outlives it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CustomerDataStore } from '#cloud/storage/customer-data-store.ts'
import { asId } from '#shared/ids.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { ForgetCustomers } from './forget-customers.ts'

const DAY_MS = 86_400_000
const customer = { name: 'Zoë Secretname', phone: '+15550001', email: 'zoe@example.com' }
let api: RelayApi
let clock: ManualClock
let service: ForgetCustomers
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  service = new ForgetCustomers({ ...api.stores, customerData: new CustomerDataStore(api.db), retentionDays: 90 })
})
afterEach(async () => {
  await service.stop()
  await api.close()
})

/** Everything in the tables that an order writes, as text. */
async function stored(): Promise<string> {
  const rows = [
    await api.db.read.selectFrom('orders').selectAll().execute(),
    await api.db.read.selectFrom('dispatches').selectAll().execute(),
    await api.db.read.selectFrom('events').selectAll().execute(),
  ]
  return JSON.stringify(rows)
}
const traces = async () => [...(await stored()).matchAll(/Secretname|15550001|zoe@example/g)].length

test('nothing is forgotten before its time', async () => {
  await api.inject({ customer })
  const before = await stored()
  clock.jump(90 * DAY_MS - 1_000)
  expect(await service.sweep()).toBe(0)
  expect(await stored()).toBe(before)
})

test('after 90 days the customer is gone from order, kitchen job and events; the order is there and a retry is still a replay', async () => {
  const first = await api.inject({ customer })
  expect(await traces()).toBeGreaterThan(0)
  clock.jump(90 * DAY_MS + 1_000)
  await api.inject({ customer, orderId: 'young' })
  expect(await service.sweep()).toBe(1)

  const { body: order } = await api.call('GET', `/v1/order/${first.body.serviceOrderId}?merchantId=M-TEST-001`)
  expect(order).toMatchObject({ customer: null, total: 32.95, items: [{ note: 'no pickles' }, {}] })
  const again = await api.inject({ customer })
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  // What is left is the young order's: in its request, its kitchen job and its event.
  const young = await api.db.read.selectFrom('orders').selectAll().where('client_order_id', '=', 'young').execute()
  expect(young[0]?.body).toContain('Secretname')
  expect((await stored()).match(/Secretname/g)).toHaveLength(3)
})

test('hundreds of orders, with and without a customer or a ticket, are gone through in one pass, and once only', async () => {
  for (let i = 0; i < 450; i++) {
    clock.jump(1)
    await api.inject({ orderId: `no-${i}`, print: i % 3 > 0, ...(i % 2 === 0 ? { customer } : {}) })
  }
  clock.jump(91 * DAY_MS)
  expect(await service.sweep()).toBe(225)
  expect(await traces()).toBe(0)
  expect(await service.sweep()).toBe(0)
})

test('reprints forget the customer with their order; notes and receipts are deleted when they are old and done', async () => {
  const { serviceOrderId, printJobId } = (await api.inject({ customer })).body
  const order = JSON.parse(
    (await api.db.read.selectFrom('dispatches').select('doc').executeTakeFirstOrThrow()).doc,
  ).order
  const target = { printerId: null, station: null, copies: 1 }
  const note = { content: [{ type: 'text' as const, text: 'for Zoë Secretname' }], title: null, target }
  const place = { merchantId: 'M-TEST-001', locationId: api.locationId, queuedAtMs: clock.now(), timeZone: 'UTC' }
  const insert = (id: string, atMs: number, doc: JobDoc) =>
    api.db.unit((tx) =>
      api.stores.dispatches.insert(tx, {
        id: asId(id),
        orderId: doc.kind === 'reprint' ? serviceOrderId : null,
        locationId: api.locationId,
        doc,
        availableAtMs: atMs,
        notBeforeMs: null,
        expiresAtMs: null,
        createdAtMs: atMs,
        owner: { accountId: api.account.accountId, merchantKey: api.merchantKey },
      }),
    )
  const lateMs = clock.now() + 80 * DAY_MS
  await insert('pj_reprint', lateMs, { kind: 'reprint', order, target })
  await insert('pj_old', clock.now(), { kind: 'note', print: { ...place, ...note } })
  await insert('pj_open', clock.now(), { kind: 'receipt', print: { ...place, ...note } })
  await insert('pj_young', lateMs, { kind: 'note', print: { ...place, ...note } })
  for (const jobId of ['pj_reprint', 'pj_old', 'pj_young'])
    await api.db.unit((tx) =>
      api.stores.dispatches.settle(tx, { jobId: asId(jobId), state: 'printed', evidence: [], atMs: clock.now() }),
    )
  clock.jump(91 * DAY_MS)
  await service.sweep()
  const left = await api.db.read.selectFrom('dispatches').select(['id', 'doc']).orderBy('ordinal').execute()
  expect(left.map((row) => [row.id, row.doc.includes('Secretname')])).toEqual([
    [printJobId, false],
    ['pj_reprint', false],
    ['pj_open', true],
    ['pj_young', true],
  ])
})

test('it runs at the start', async () => {
  await api.inject({ customer })
  clock.jump(91 * DAY_MS)
  await service.start()
  await expect.poll(traces).toBe(0)
})
