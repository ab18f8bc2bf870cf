// The end of orders: exported first, each line proved, then deleted with all that hangs on them; nothing goes that was not exported or named.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CustomerDataStore } from '#cloud/storage/customer-data-store.ts'
import { OrderArchiveStore } from '#cloud/storage/order-archive-store.ts'
import { asId, newId, type ServiceOrderId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { COUNTS, ofOneRun } from '#test/harness/units-twice.ts'
import { ForgetOrders, type ForgetOrdersDeps } from './forget-orders.ts'
import { OrderExport } from './order-export.ts'

const DAY_MS = 86_400_000
const TABLES = ['orders', 'dispatches', 'refunds', 'pos_outbox', 'events', 'deliveries', 'delivery_attempts'] as const
let folder: string
let clock: ManualClock
let api: RelayApi
let service: ForgetOrders
beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'ticketrail-export-')), 'orders')
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  service = make({})
})
afterEach(async () => {
  vi.restoreAllMocks()
  await service.stop()
  await api.close()
  rmSync(join(folder, '..'), { recursive: true })
})

const make = (change: Partial<ForgetOrdersDeps>) =>
  new ForgetOrders({
    ...api.stores,
    orderArchive: new OrderArchiveStore(api.db),
    customerData: new CustomerDataStore(api.db),
    orderDays: 400,
    exportFolder: folder,
    mayDeleteUnexported: false,
    pauseMs: 0,
    ...change,
  })

const filesOf = () =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.gz'))
        .sort()
    : []
const textOf = (name: string) => gunzipSync(readFileSync(join(folder, name))).toString()
const linesOf = (name: string) =>
  textOf(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const exported = () => filesOf().flatMap(linesOf)
const count = async (table: (typeof TABLES)[number]) =>
  Number(
    (
      await api.db.read
        .selectFrom(table)
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
const counts = async () =>
  Object.fromEntries(await Promise.all(TABLES.map(async (table) => [table, await count(table)])))

/** A box has accepted everything that waited, and never reported a result. */
const takeUp = () => api.db.unit((tx) => tx.updateTable('dispatches').set({ state: 'accepted' }).execute())

async function injectMany(many: number, change: Record<string, unknown> = {}): Promise<ServiceOrderId[]> {
  const ids: ServiceOrderId[] = []
  for (let n = 0; n < many; n++) {
    clock.jump(1)
    const answer = await api.inject({ orderId: `no-${clock.now()}`, ...change })
    ids.push(answer.body.serviceOrderId)
  }
  await takeUp()
  return ids
}

/** What else can hang on an order: a refund, a message to a point of sale, a delivery with its attempt. */
async function hangOn(orderId: ServiceOrderId, state: 'delivered' | 'pending' = 'delivered'): Promise<void> {
  const now = clock.now()
  const endpointId = newId('we', now)
  const deliveryId = newId('dlv', now)
  const { accountId } = api.account
  await api.db.unit(async (tx) => {
    const event = await tx.selectFrom('events').select('id').where('subject_id', '=', orderId).executeTakeFirstOrThrow()
    const row = {
      id: newId('rfd', now),
      order_id: orderId,
      amount_cents: 100,
      reason: 'cold',
      created_at: now,
      ordinal: 1,
    }
    await tx.insertInto('refunds').values(row).execute()
    const message = { id: newId('pos', now), merchant_id: api.merchantKey, order_id: orderId, kind: 'order' as const }
    const done = { payload: '{}', state: 'done' as const, attempts: 1, next_at: now, created_at: now, settled_at: now }
    await tx
      .insertInto('pos_outbox')
      .values({ ...message, ...done })
      .execute()
    const owner = { account_id: accountId, merchant_id: api.merchantKey, environment: 'sandbox' as const }
    const endpoint = { url: 'https://x.example', events: '[]', secret_enc: '', status: 'enabled' as const }
    await tx
      .insertInto('webhook_endpoints')
      .values({ id: endpointId, ...owner, ...endpoint, created_at: now })
      .execute()
    const delivery = { id: deliveryId, event_id: event.id, endpoint_id: endpointId, subject_id: orderId, state }
    await tx
      .insertInto('deliveries')
      .values({ ...delivery, type: 'order.accepted', attempts: 1, next_at: now, created_at: now })
      .execute()
    const attempt = { id: newId('att', now), delivery_id: deliveryId, number: 1, trigger: 'schedule' as const }
    await tx
      .insertInto('delivery_attempts')
      .values({ ...attempt, at: now, ms: 5, status: 200 })
      .execute()
  })
}

describe('an order that is old', () => {
  test('is exported with all that hangs on it, and then nothing of it is left but its ids', async () => {
    const { accountId } = api.account
    const { body } = await api.inject({ orderId: 'first' })
    await hangOn(body.serviceOrderId)
    await takeUp()
    clock.jump(400 * DAY_MS + 1)
    expect(await service.sweep()).toEqual({ orders: 1, open: 1 })

    const [line] = exported()
    expect(line).toMatchObject({ format: 1, merchantId: 'M-TEST-001', environment: 'sandbox' })
    expect(line.order).toMatchObject({ id: body.serviceOrderId, client_order_id: 'first', account_id: accountId })
    expect(JSON.parse(line.order.body).items).toHaveLength(2)
    expect(line.printJobs).toMatchObject([{ id: body.printJobId, state: 'accepted' }])
    expect(line.refunds).toMatchObject([{ amount_cents: 100, reason: 'cold' }])
    expect(line.posMessages).toMatchObject([{ state: 'done' }])
    expect(line.events).toMatchObject([{ type: 'order.accepted', sequence: 1 }])
    expect(line.deliveries).toMatchObject([{ state: 'delivered' }])
    expect(line.attempts).toMatchObject([{ status: 200 }])
    expect(Object.values(await counts())).toEqual(TABLES.map(() => 0))
    expect(await api.db.read.selectFrom('spent_order_ids').selectAll().execute()).toEqual([
      { account_id: accountId, merchant_id: api.merchantKey, client_order_id: 'first', order_id: body.serviceOrderId },
    ])
  })

  test('is deleted at its time and not before, and younger ones stay as they are', async () => {
    await injectMany(1)
    clock.jump(300 * DAY_MS)
    const [young] = await injectMany(1)
    clock.jump(100 * DAY_MS - 1)
    expect(await service.sweep()).toEqual({ orders: 0, open: 0 })
    expect(filesOf()).toEqual([])
    clock.jump(2)
    expect(await service.sweep()).toEqual({ orders: 1, open: 1 })
    expect(await api.db.read.selectFrom('orders').select('id').execute()).toEqual([{ id: young }])
    expect([await count('dispatches'), await count('events')]).toEqual([1, 1])
  })

  test('keeps its client order id: whoever sends it again gets 409 with the first order, and no second ticket', async () => {
    const first = await api.inject({ orderId: 'first' })
    await takeUp()
    clock.jump(401 * DAY_MS)
    await service.sweep()
    const again = await api.inject({ orderId: 'first' })
    expect([again.status, again.body.code]).toEqual([409, 'order.duplicate_id'])
    expect(again.body.serviceOrderId).toBe(first.body.serviceOrderId)
    expect(again.body.message).toMatch(/an order that was deleted after its time/)
    // Also where the order would be refused today.
    const refused = await api.inject({ orderId: 'first', total: 1 })
    expect([refused.status, refused.body.serviceOrderId]).toEqual([409, first.body.serviceOrderId])
    expect([await count('orders'), await count('dispatches')]).toEqual([0, 0])
    expect((await api.inject({ orderId: 'second' })).body.serviceOrderId).toMatch(/^ord_/)
  })

  test('cannot be read any more: 404', async () => {
    const { body } = await api.inject({ orderId: 'first' })
    await takeUp()
    clock.jump(401 * DAY_MS)
    await service.sweep()
    const answer = await api.call('GET', `/v1/order/${body.serviceOrderId}?merchantId=M-TEST-001`)
    expect([answer.status, answer.body.code]).toEqual([404, 'order.not_found'])
  })

  test('stays as long as a webhook about it is still to be sent, and those behind it are deleted', async () => {
    const [waits] = await injectMany(1)
    await hangOn(waits ?? asId(''), 'pending')
    await injectMany(30)
    clock.jump(401 * DAY_MS)
    expect(await service.sweep()).toMatchObject({ orders: 30 })
    expect(await api.db.read.selectFrom('orders').select('id').execute()).toEqual([{ id: waits }])
    await api.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'failed' }).execute())
    expect(await service.sweep()).toMatchObject({ orders: 1 })
  })

  test('stays as long as a webhook about it is to be sent once more by hand', async () => {
    const [waits] = await injectMany(1)
    await hangOn(waits ?? asId(''))
    const byHand = (at: number | null) =>
      api.db.unit((tx) => tx.updateTable('deliveries').set({ manual_at: at }).execute())
    await byHand(clock.now())
    clock.jump(401 * DAY_MS)
    expect(await service.sweep()).toMatchObject({ orders: 0 })
    await byHand(null)
    expect(await service.sweep()).toMatchObject({ orders: 1 })
  })

  test('stays as long as its point of sale still has to get it', async () => {
    const [waits] = await injectMany(1)
    await hangOn(waits ?? asId(''))
    const message = (state: 'pending' | 'done') =>
      api.db.unit((tx) => tx.updateTable('pos_outbox').set({ state }).execute())
    await message('pending')
    clock.jump(401 * DAY_MS)
    expect(await service.sweep()).toMatchObject({ orders: 0 })
    await message('done')
    expect(await service.sweep()).toMatchObject({ orders: 1 })
  })

  test('stays as long as its kitchen job waits for a box, however old it is', async () => {
    await api.inject({ orderId: 'waits' })
    clock.jump(4_000 * DAY_MS)
    expect(await service.sweep()).toEqual({ orders: 0, open: 0 })
    await api.db.unit((tx) => tx.updateTable('dispatches').set({ state: 'cancelled' }).execute())
    expect(await service.sweep()).toEqual({ orders: 1, open: 0 })
  })

  test('stays until the moment has passed for which it was taken', async () => {
    const [id] = await injectMany(1)
    await api.db.unit((tx) =>
      tx
        .updateTable('orders')
        .set({ fire_at: clock.now() + 402 * DAY_MS })
        .execute(),
    )
    clock.jump(401 * DAY_MS)
    expect(await service.sweep()).toMatchObject({ orders: 0 })
    expect(await api.db.read.selectFrom('orders').select('id').execute()).toEqual([{ id }])
    clock.jump(DAY_MS)
    expect(await service.sweep()).toMatchObject({ orders: 1 })
  })

  test('that is written to between its line and its deletion stays, and is exported again', async () => {
    const [id] = await injectMany(1)
    const kept = vi.spyOn(OrderArchiveStore.prototype, 'placeOf').mockImplementationOnce(async () => {
      await api.db.unit((tx) => tx.updateTable('orders').set({ refunded_cents: 7 }).execute())
      return null
    })
    clock.jump(401 * DAY_MS)
    expect(await service.sweep()).toEqual({ orders: 0, open: 0 })
    kept.mockRestore()
    expect(await service.sweep()).toEqual({ orders: 1, open: 1 })
    expect(textOf(filesOf()[0] ?? '').match(new RegExp(`"id":"${id}"`, 'g'))).toHaveLength(2)
    expect(exported().map(({ order }) => order.refunded_cents)).toEqual([0, 7])
  })
})

describe('the export', () => {
  test('has a file a month, holds no customer, and everyone but the owner is kept out', async () => {
    clock.jump(Date.parse('2027-01-31T23:59:59.950Z') - clock.now())
    const ids = await injectMany(100, { customer: { name: 'Zoë Secretname', phone: '+15550001' } })
    clock.jump(401 * DAY_MS)
    expect(await service.sweep()).toMatchObject({ orders: 100 })
    expect(filesOf()).toEqual(['orders-2027-01.jsonl.gz', 'orders-2027-02.jsonl.gz'])
    expect(exported().map(({ order }) => order.id)).toEqual(ids)
    expect(filesOf().map(textOf).join('')).not.toMatch(/Secretname|15550001/)
  })

  test.each([
    ['was taken away', (file: string) => rmSync(file)],
    ['is longer than what was proved', (file: string) => writeFileSync(file, 'torn', { flag: 'a' })],
    ['is shorter', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, -3))],
  ])('goes on in the next file where the last one %s, and leaves that one alone', async (_, change) => {
    clock.jump(Date.parse('2027-01-02T00:00:00Z') - clock.now())
    await injectMany(1)
    clock.jump(DAY_MS)
    const [second] = await injectMany(1)
    clock.jump(399 * DAY_MS + 10)
    await service.sweep()
    const file = join(folder, 'orders-2027-01.jsonl.gz')
    change(file)
    const before = existsSync(file) ? readFileSync(file) : null
    clock.jump(DAY_MS)
    await service.sweep()
    expect(existsSync(file) ? readFileSync(file) : null).toEqual(before)
    expect(linesOf('orders-2027-01.2.jsonl.gz').map(({ order }) => order.id)).toEqual([second])
  })

  test('that cannot be written deletes nothing, and logs it once', async () => {
    await injectMany(25)
    clock.jump(401 * DAY_MS)
    const before = await counts()
    // There is a file in place of the folder.
    mkdirSync(join(folder, '..'), { recursive: true })
    writeFileSync(folder, '')
    await service.start()
    const errors = () => api.logLines.filter((line) => line.includes('could not be exported'))
    await expect.poll(errors).toHaveLength(1)
    await clock.advance(3_600_000)
    expect([errors().length, await counts()]).toEqual([1, before])
    rmSync(folder)
    await clock.advance(3_600_000)
    await expect.poll(() => count('orders')).toBe(0)
    expect(exported()).toHaveLength(25)
  })
})

describe('a folder of another relay', () => {
  test('gets nothing: every order stays, and one line reports it, until that relay has ended', async () => {
    const other = new OrderExport(folder)
    await other.prepare()
    await injectMany(1)
    clock.jump(401 * DAY_MS)
    await service.start()
    const errors = () => api.logLines.filter((line) => line.includes('could not be exported'))
    await expect.poll(errors).toEqual([expect.stringMatching(/another relay exports into .*CLOUD_EXPORT_DIR/)])
    await clock.advance(3_600_000)
    expect([await count('orders'), filesOf(), errors().length]).toEqual([1, [], 1])
    other.close()
    await clock.advance(3_600_000)
    await expect.poll(() => count('orders')).toBe(0)
  })

  test('is this one from its start to its end, also when nothing is old yet', async () => {
    const prepared = vi.spyOn(OrderExport.prototype, 'prepare')
    await service.start()
    // The first one gets the folder, and any after the relay are refused.
    await expect.poll(() => prepared.mock.settledResults[0]?.type).toBe('fulfilled')
    prepared.mockRestore()
    expect(await new OrderExport(folder).prepare().then(() => '', String)).toContain('ExportHeld')
    await service.stop()
    const other = new OrderExport(folder)
    await other.prepare()
    other.close()
  })
})

describe('without a folder', () => {
  test('nothing is deleted, and one line names the setting', async () => {
    service = make({ exportFolder: null })
    await injectMany(3)
    clock.jump(401 * DAY_MS)
    expect([await service.sweep(), await service.sweep()]).toEqual([
      { orders: 0, open: 0 },
      { orders: 0, open: 0 },
    ])
    expect(await count('orders')).toBe(3)
    expect(api.logLines.filter((line) => line.includes('CLOUD_EXPORT_DIR'))).toHaveLength(1)
  })

  test('they are deleted where the operator explicitly chose it', async () => {
    service = make({ exportFolder: null, mayDeleteUnexported: true })
    await injectMany(3)
    clock.jump(401 * DAY_MS)
    expect(await service.sweep()).toMatchObject({ orders: 3 })
    expect((await api.inject({ orderId: 'new' })).status).not.toBe(409)
  })
})

test('CLOUD_ORDER_DAYS=never: nothing is read', async () => {
  service = make({ orderDays: null })
  await injectMany(1)
  clock.jump(4_000 * DAY_MS)
  await service.start()
  expect([await service.sweep(), await count('orders')]).toEqual([{ orders: 0, open: 0 }, 1])
})

test('it pauses between two batches, so that orders in that time are not delayed', async () => {
  service = make({ pauseMs: 250 })
  await injectMany(30, { print: false })
  clock.jump(401 * DAY_MS)
  await service.start()
  await expect.poll(() => count('orders')).toBe(10)
  await clock.advance(249)
  expect(await count('orders')).toBe(10)
  await clock.advance(1)
  await expect.poll(() => count('orders')).toBe(0)
})

ofOneRun(COUNTS)('hundreds go in pieces, none of which holds the writer for more than twenty orders', async () => {
  await injectMany(130, { print: false })
  clock.jump(401 * DAY_MS)
  const deleted = vi.spyOn(OrderArchiveStore.prototype, 'delete')
  expect(await service.sweep()).toEqual({ orders: 130, open: 0 })
  expect(deleted.mock.calls.map(([, ids]) => ids.length)).toEqual([20, 20, 20, 20, 20, 20, 10])
})
