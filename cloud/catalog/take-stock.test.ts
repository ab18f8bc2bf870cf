// Stock: taken with an order, given back by a void, low once, out and back again.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WEBHOOK_EVENT_DATA } from '#shared/wire/webhook-event.ts'
import { BRULEE, BURGER, CHEESE, MenuSite } from '#test/fixtures/menu-site.ts'
import { findOrderItems } from './order-items.ts'
import { stockNeeds } from './stock-needs.ts'
import { giveBackStock, takeStock } from './take-stock.ts'

let site: MenuSite
beforeEach(async () => {
  site = await MenuSite.open()
})
afterEach(() => site.close())

const take = (needs: Record<string, number>) =>
  site.unit((tx) =>
    takeStock(tx, site.deps, {
      merchant: site.merchant,
      needs: new Map(Object.entries(needs)),
      atMs: site.clock.now(),
    }),
  )
const giveBack = (taken: Record<string, number>) =>
  site.unit((tx) => giveBackStock(tx, site.deps, { merchant: site.merchant, taken, atMs: site.clock.now() }))
const stock = async (umsId: string) => (await site.row(umsId)).stock
const stockOf = async (ids: string[]) =>
  stockNeeds(
    ids.map((umsId) => ({ umsId, qty: 1 })),
    await site.deps.catalog.find(site.merchant.key, new Set(ids)),
  )

describe('what an order needs', () => {
  test('counts modifiers with every piece of their item, and leaves out what is not counted', async () => {
    await site.set(BURGER, { stock: 10 })
    await site.set(CHEESE, { stock: 20 })
    const rows = await site.deps.catalog.find(site.merchant.key, new Set([BURGER, CHEESE, BRULEE]))
    const items = [
      { umsId: BURGER, qty: 2, modifiers: [CHEESE, CHEESE] },
      { umsId: BURGER, qty: 1, modifiers: [CHEESE] },
      { umsId: BRULEE, qty: 4 },
    ]
    expect([...stockNeeds(items, rows)]).toEqual([
      [BURGER, 3],
      [CHEESE, 5],
    ])
  })

  test('is nothing when no item is counted', async () => {
    expect((await stockOf([BURGER, BRULEE])).size).toBe(0)
  })
})

describe('taking stock', () => {
  test('counts down and returns what was taken', async () => {
    await site.set(BURGER, { stock: 10 })
    expect(await take({ [BURGER]: 3 })).toEqual({ taken: { [BURGER]: 3 }, endpointIds: [], channelsChanged: false })
    expect(await stock(BURGER)).toBe(7)
    expect(await site.events()).toEqual([])
  })

  test('takes nothing of an item that is not counted any more', async () => {
    expect((await take({ [BURGER]: 3 })).taken).toEqual({})
    expect(await stock(BURGER)).toBeNull()
  })

  test('names every item that has too few and takes nothing of any', async () => {
    await site.set(BURGER, { stock: 1 })
    await site.set(CHEESE, { stock: 0 })
    await site.set(BRULEE, { stock: 50 })
    const refused = expect(take({ [BRULEE]: 2, [BURGER]: 3, [CHEESE]: 1 })).rejects
    await refused.toMatchObject({
      code: 'ums.item_silenced',
      errors: [
        { message: 'UMS-BURGER-01 (Smash Burger): 3 wanted, 1 left' },
        { message: expect.stringContaining('1 wanted, 0 left') },
      ],
    })
    expect([await stock(BRULEE), await stock(BURGER)]).toEqual([50, 1])
  })

  test('an order for more than the stock is refused with the field that names it', async () => {
    await site.set(BURGER, { stock: 2 })
    const items = [
      { umsId: BRULEE, qty: 1 },
      { umsId: BURGER, qty: 2 },
      { umsId: BURGER, qty: 1 },
    ]
    await expect(findOrderItems(site.deps.catalog, site.merchant.key, items)).rejects.toMatchObject({
      code: 'ums.item_silenced',
      errors: [{ field: 'items[1].umsId', message: 'UMS-BURGER-01 (Smash Burger): 3 wanted, 2 left' }],
    })
    expect((await findOrderItems(site.deps.catalog, site.merchant.key, items.slice(0, 2))).size).toBe(2)
  })

  test('twenty orders at once for the last ten pieces: ten get one', async () => {
    await site.set(BURGER, { stock: 10 })
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => take({ [BURGER]: 1 })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await stock(BURGER)).toBe(0)
  })
})

describe('low stock', () => {
  test('is reported once per crossing of the threshold', async () => {
    await site.set(BURGER, { stock: 7 })
    await take({ [BURGER]: 1 })
    expect(await site.events()).toEqual([])
    await take({ [BURGER]: 1 })
    await take({ [BURGER]: 1 })
    const [event, ...more] = await site.events()
    expect(more).toEqual([])
    expect(event).toMatchObject({
      type: 'sku.low_stock',
      sequence: 1,
      merchantId: 'M-TEST-001',
      subjectId: `${site.merchant.key}/${BURGER}`,
      data: {
        quantity: 5,
        lowThreshold: 5,
        sku: { umsId: BURGER, state: 'live', orderable: true, stock: { quantity: 5 } },
      },
    })
    expect(WEBHOOK_EVENT_DATA['sku.low_stock'].strict().parse(event?.data)).toEqual(event?.data)
    await giveBack({ [BURGER]: 2 })
    expect((await site.row(BURGER)).low_stock_at).toBeNull()
    await take({ [BURGER]: 1 })
    expect((await site.events()).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['sku.low_stock', 1],
      ['sku.low_stock', 2],
    ])
  })
})

describe('no stock', () => {
  test('silences the item everywhere, and stock given back restores it', async () => {
    await site.set(BURGER, { stock: 2, low_stock_at: 1 })
    await take({ [BURGER]: 2 })
    expect(await site.row(BURGER)).toMatchObject({
      stock: 0,
      direct_cause: 'out_of_stock',
      silenced_at: site.clock.now(),
    })
    await giveBack({ [BURGER]: 1 })
    expect(await site.row(BURGER)).toMatchObject({ stock: 1, direct_cause: null, silenced_at: null })
    const [out, back] = await site.events()
    expect(out).toMatchObject({
      type: 'sku.silenced',
      data: { channels: ['direct'], cause: 'out_of_stock', sku: { state: 'silenced', orderable: false } },
    })
    expect(back).toMatchObject({ type: 'sku.restored', data: { channels: ['direct'], cause: 'in_stock' } })
    expect(WEBHOOK_EVENT_DATA['sku.silenced'].strict().parse(out?.data)).toEqual(out?.data)
    expect(WEBHOOK_EVENT_DATA['sku.restored'].strict().parse(back?.data)).toEqual(back?.data)
  })

  test('only makes it unorderable where the merchant has switched silencing off', async () => {
    const merchant = { ...site.merchant, autoSilence: false }
    await site.set(BURGER, { stock: 2 })
    await site.unit((tx) =>
      takeStock(tx, site.deps, { merchant, needs: new Map([[BURGER, 2]]), atMs: site.clock.now() }),
    )
    expect((await site.events()).map(({ type }) => type)).toEqual(['sku.low_stock'])
    expect((await site.row(BURGER)).silenced_at).toBeNull()
    await expect(take({ [BURGER]: 1 })).rejects.toMatchObject({ code: 'ums.item_silenced' })
  })

  test('leaves to a call what a call has silenced', async () => {
    await site.set(BURGER, { stock: 1, low_stock_at: 1, direct_silenced_at: 5, direct_cause: 'call', silenced_at: 5 })
    await take({ [BURGER]: 1 })
    await giveBack({ [BURGER]: 1 })
    expect(await site.row(BURGER)).toMatchObject({ direct_silenced_at: 5, direct_cause: 'call', silenced_at: 5 })
    expect(await site.events()).toEqual([])
  })
})
