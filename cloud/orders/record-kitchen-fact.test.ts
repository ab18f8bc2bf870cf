// Facts of a kitchen display about an order: one step and one event, however often and however late they arrive.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asId, type LocationId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { advanceOrder } from './advance-order.ts'
import { type KitchenFact, recordKitchenFact } from './record-kitchen-fact.ts'

let api: RelayApi
let clock: ManualClock
let orderId: string
let locationId: LocationId

beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  orderId = (await api.inject()).body.serviceOrderId
  const row = await api.db.read.selectFrom('orders').select('location_id').executeTakeFirstOrThrow()
  locationId = asId(row.location_id)
  clock.jump(60_000)
})
afterEach(() => api.close())

const say = (fact: KitchenFact['fact'], over: Partial<KitchenFact> = {}) =>
  recordKitchenFact(api.stores, { orderId, fact, atMs: clock.now(), locationId, ...over })
const events = async () =>
  (await api.db.read.selectFrom('events').selectAll().orderBy('sequence').execute()).map((row) =>
    JSON.parse(row.payload),
  )

describe('a fact of the kitchen', () => {
  test('moves the order and makes its event, once', async () => {
    expect([await say('ready'), await say('ready'), await say('completed'), await say('completed')]).toEqual([
      'recorded',
      'already',
      'recorded',
      'already',
    ])
    expect((await events()).map(({ type }) => type)).toEqual(['order.accepted', 'order.ready', 'order.completed'])
  })

  test('has the kitchen’s time, never before the order and never in the future', async () => {
    const now = clock.now()
    await say('ready', { atMs: now - 999_999_999 })
    await say('completed', { atMs: now + 999_999_999 })
    const [accepted, ready, completed] = await events()
    expect(ready.timestamp).toBe(accepted.timestamp)
    expect(completed.timestamp).toBe(new Date(now).toISOString())
  })

  test('of another location, of an unknown order, or of no order at all is not taken', async () => {
    expect(await say('ready', { locationId: asId('loc_other') })).toBe('unknown')
    expect(await say('ready', { orderId: 'ord_00000000000000000000000000' })).toBe('unknown')
    expect(await say('ready', { orderId: "'; drop table orders" })).toBe('unknown')
    expect(await events()).toHaveLength(1)
  })

  test('about a voided order is refused for good', async () => {
    await api.db.unit(async (tx) =>
      advanceOrder(tx, api.stores, {
        target: await api.stores.orders.load(tx, asId(orderId)),
        move: { fact: 'voided', atMs: clock.now() },
      }),
    )
    expect(await say('ready')).toBe('refused')
    expect((await events()).map(({ type }) => type)).not.toContain('order.ready')
  })

  test('stores which screens had shown the order, in the order itself', async () => {
    const now = clock.now()
    const shownOn = [
      { name: 'Grill 1', atMs: now - 30_000 },
      { name: 'Expo', atMs: now + 999_999 },
    ]
    await say('ready', { shownOn })
    await say('completed')
    const { body } = await api.call('GET', `/v1/order/${orderId}?merchantId=M-TEST-001`)
    expect(body.cameBy).toEqual([
      { way: 'display', name: 'Grill 1', at: new Date(now - 30_000).toISOString() },
      { way: 'display', name: 'Expo', at: new Date(now).toISOString() },
    ])
  })
})
