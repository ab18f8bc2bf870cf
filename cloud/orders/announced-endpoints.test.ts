// Code that records an event announces its endpoints after the commit. A missing announcement delays the event by half a second, and nothing else shows it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RestoreDue } from '#cloud/catalog/restore-due.ts'
import { restoreSku, setStock, silenceSku } from '#cloud/catalog/silence-sku.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { WebhookId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { handedBack } from '#test/fixtures/handed-back.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'
import { recordKitchenFact } from './record-kitchen-fact.ts'

const BURGER = 'UMS-BURGER-01'

let clock: ManualClock
let desk: OrderDesk
let announced: (WebhookId | null)[]
/** The endpoint for events of orders, and the one for events of items. */
let orders: WebhookId
let items: WebhookId

beforeEach(async () => {
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
  await desk.pair([printer('pass')])
  await desk.api.db.unit((tx) => tx.updateTable('merchants').set({ auto_silence: 1 }).execute())
  orders = await desk.listen('order.accepted', 'order.printed', 'order.ready', 'order.voided', 'order.refunded')
  items = await desk.listen('sku.silenced', 'sku.restored', 'sku.low_stock')
  announced = []
  desk.api.stores.deliveries.changed.subscribe((endpointId) => announced.push(endpointId))
})
afterEach(() => desk.close())

const theMerchant = () => desk.api.stores.merchants.byKey(desk.api.merchantKey)

/** @returns the endpoints that were announced, which are those that got a delivery */
async function announcedBy(act: () => Promise<unknown>): Promise<Set<WebhookId | null>> {
  const { db } = desk.api.stores
  const ordinals = () =>
    db.read.selectFrom('deliveries').select(['ordinal', 'endpoint_id']).orderBy('ordinal').execute()
  const before = (await ordinals()).length
  announced.length = 0
  await act()
  const found = new Set(announced)
  expect(found).toEqual(new Set((await ordinals()).slice(before).map((row) => row.endpoint_id)))
  return found
}

const accepted = async (): Promise<{ serviceOrderId: string; printJobId: string }> => (await desk.api.inject()).body
const stock = (quantity: number) => item((tx) => setStockOf(tx, quantity))
const setStockOf = async (tx: Tx, quantity: number) =>
  setStock(tx, desk.api.stores, { merchant: await theMerchant(), umsId: BURGER, quantity, lowThreshold: 1 })

async function item(change: (tx: Tx) => Promise<Effect<unknown>>): Promise<void> {
  const { wake } = await desk.api.db.unit(change)
  wake?.()
}

describe('an order announces its endpoints when it', () => {
  it('is accepted', async () => {
    expect(await announcedBy(accepted)).toEqual(new Set([orders]))
  })

  it('takes the last of an item, and gives it back', async () => {
    await stock(1)
    let id = ''
    const taken = await announcedBy(async () => {
      id = (await desk.api.inject({ items: [{ umsId: BURGER, qty: 1, price: 12.5 }], total: 12.5 })).body.serviceOrderId
    })
    expect(taken).toEqual(new Set([orders, items]))
    expect(await announcedBy(() => desk.void(id))).toEqual(new Set([orders, items]))
  })

  it('is refunded', async () => {
    const { serviceOrderId: id } = await accepted()
    await desk.advance(id, 'completed')
    expect(await announcedBy(() => desk.post(`/v1/order/${id}/refund`, { amount: 1 }))).toEqual(new Set([orders]))
  })

  it('is moved by hand', async () => {
    const { serviceOrderId: id } = await accepted()
    expect(await announcedBy(() => desk.advance(id, 'ready'))).toEqual(new Set([orders]))
  })

  it('is printed', async () => {
    const { printJobId } = await accepted()
    await desk.handOver()
    expect(await announcedBy(() => desk.report(printJobId, 'printed'))).toEqual(new Set([orders]))
  })

  it('is ready at the kitchen', async () => {
    const { serviceOrderId: orderId } = await accepted()
    const { locationId } = desk.api
    const fact = { orderId, fact: 'ready', atMs: clock.now(), locationId } as const
    expect(await announcedBy(() => recordKitchenFact(desk.api.stores, fact))).toEqual(new Set([orders]))
  })

  it('is handed back by a gateway after a restore', async () => {
    const { job, forget } = await handedBack(desk, {})
    await forget()
    const place = { gatewayId: desk.gatewayId, locationId: desk.api.locationId, stream: 'stream-a' }
    const piece = { ...place, after: 0, upTo: 5, end: 5, jobs: [job] }
    expect(await announcedBy(() => desk.api.stores.takeBackOrders(piece))).toEqual(new Set([orders]))
  })
})

describe('an item announces its endpoints when it', () => {
  it.each([
    ['runs low', () => stock(1)],
    [
      'is silenced',
      () => item(async (tx) => silenceSku(tx, desk.api.stores, { merchant: await theMerchant(), umsId: BURGER })),
    ],
  ])('%s', async (_, act) => {
    await stock(10)
    expect(await announcedBy(act)).toEqual(new Set([items]))
  })

  it('is restored by hand', async () => {
    await item(async (tx) => silenceSku(tx, desk.api.stores, { merchant: await theMerchant(), umsId: BURGER }))
    const act = () =>
      item(async (tx) => restoreSku(tx, desk.api.stores, { merchant: await theMerchant(), umsId: BURGER }))
    expect(await announcedBy(act)).toEqual(new Set([items]))
  })

  it('is restored when its time is up', async () => {
    const until = new Date(clock.now() + 60_000).toISOString()
    await item(async (tx) => silenceSku(tx, desk.api.stores, { merchant: await theMerchant(), umsId: BURGER, until }))
    clock.jump(60_000)
    expect(await announcedBy(() => new RestoreDue(desk.api.stores).sweep())).toEqual(new Set([items]))
  })
})
