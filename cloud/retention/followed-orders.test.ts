// Orders that are deleted before their events: a client that follows the events gets each of them, or a true answer that they are too old.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CustomerDataStore } from '#cloud/storage/customer-data-store.ts'
import { EventStore } from '#cloud/storage/event-store.ts'
import { OrderArchiveStore } from '#cloud/storage/order-archive-store.ts'
import { WebhookHistory } from '#cloud/storage/webhook-history.ts'
import { followEvents } from '#cloud/webhooks/follow-events.ts'
import { ForgetWebhooks } from '#cloud/webhooks/forget-webhooks.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import type { RelayApi } from '#test/doubles/relay-api.ts'
import { OrderDesk } from '#test/fixtures/order-desk.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { ofSqlite, PLANS } from '#test/harness/engines.ts'
import { ForgetOrders } from './forget-orders.ts'

const DAY_MS = 86_400_000
let folder: string
let clock: ManualClock
let desk: OrderDesk
let api: RelayApi
let forgetOrders: ForgetOrders
let forgetWebhooks: ForgetWebhooks
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ticketrail-followed-'))
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
  ;({ api } = desk)
  forgetOrders = new ForgetOrders({
    ...api.stores,
    orderArchive: new OrderArchiveStore(api.db),
    customerData: new CustomerDataStore(api.db),
    orderDays: 60,
    exportFolder: folder,
    mayDeleteUnexported: false,
    pauseMs: 0,
  })
  forgetWebhooks = new ForgetWebhooks({ ...api.stores, webhookHistory: new WebhookHistory(api.db) })
})
afterEach(async () => {
  await forgetOrders.stop()
  await desk.close()
  rmSync(folder, { recursive: true })
})

const SECRET_BOX = new SecretBox(Buffer.alloc(32, 1))
const follow = (after: string) => {
  const { accountId } = api.account
  return followEvents(
    { ...api.stores, events: new EventStore(api.db), secretBox: SECRET_BOX },
    { accountId, key: api.merchantKey, environment: 'sandbox', publicId: 'M-TEST-001' },
    { after, limit: 100 },
  )
}
const typesAfter = async (place: string) => (await follow(place)).data.map(({ type }) => type)
const orders = async () => (await api.db.read.selectFrom('orders').select('client_order_id').execute()).length

/** An order that no box will ask for, made and ready. @returns its id */
async function order(orderId: string): Promise<string> {
  const { serviceOrderId } = (await api.inject({ orderId, print: false })).body
  await desk.advance(serviceOrderId, 'completed')
  return serviceOrderId
}

const refund = (id: string) => desk.post(`/v1/order/${id}/refund`, { amount: 1, reason: 'cold' })

describe('an order with a young event', () => {
  test('stays until that is old: its follower sees it', async () => {
    const id = await order('refunded-late')
    clock.jump(59 * DAY_MS)
    const { nextCursor: before } = await follow('now')
    expect((await refund(id)).status).toBe(200)
    const { nextCursor: seen } = await follow(before)
    clock.jump(1.1 * DAY_MS)
    await forgetWebhooks.sweep()
    expect(await forgetOrders.sweep()).toMatchObject({ orders: 0 })
    expect(await typesAfter(before)).toEqual(['order.refunded'])
    expect(await typesAfter(seen)).toEqual([])
    clock.jump(28.8 * DAY_MS)
    expect(await forgetOrders.sweep()).toMatchObject({ orders: 0 })
    clock.jump(0.2 * DAY_MS)
    expect([await forgetOrders.sweep(), await orders()]).toEqual([{ orders: 1, open: 0 }, 0])
  })

  ofSqlite(PLANS)('is found by an index, however many events there are', async () => {
    await order('one')
    const archive = new OrderArchiveStore(api.db)
    const nowMs = clock.now() + 1
    const plans = await queryPlans(api.databaseFile, () => archive.oldest(null, { beforeMs: nowMs, nowMs, limit: 20 }))
    const steps = plans.flatMap((plan) => plan.steps)
    expect(steps.filter((step) => / events /.test(step))).not.toEqual([])
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([])
  })
})

test('where an order is deleted with old events, their followers learn that these were too old', async () => {
  await order('one')
  const { nextCursor: atFirst } = await follow('start')
  const refunded = await order('two')
  await refund(refunded)
  const { nextCursor: atLast } = await follow(atFirst)
  clock.jump(61 * DAY_MS)
  expect(await forgetOrders.sweep()).toMatchObject({ orders: 2 })
  const { nextCursor: now } = await follow('now')
  expect([await typesAfter(now), await typesAfter(atLast)]).toEqual([[], []])
  await order('three')
  const made = ['order.accepted', 'order.completed']
  expect([await typesAfter(now), await typesAfter(atLast)]).toEqual([made, made])
  await expect(follow(atFirst)).rejects.toThrow(/this place is older than 30 days/)
})
