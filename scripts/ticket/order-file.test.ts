// Orders in JSON files: both forms, and errors that name the file and the field.
import { describe, expect, it } from 'vitest'
import { kitchenOrder } from '#shared/order.ts'
import { orderFromJson } from './order-file.ts'
import { TicketError } from './ticket-error.ts'

const DEFAULTS = { nowMs: Date.UTC(2026, 10, 21, 17, 2), timeZone: 'Europe/Madrid' }
const read = (value: unknown) => orderFromJson(JSON.stringify(value), 'order.json', DEFAULTS)

function refusal(text: string): string {
  try {
    orderFromJson(text, 'order.json', DEFAULTS)
  } catch (error) {
    if (error instanceof TicketError) return error.message
    throw error
  }
  throw new Error('It was accepted')
}
const refusalOf = (value: unknown): string => refusal(JSON.stringify(value))

describe('orderFromJson', () => {
  it('takes the body of POST /v1/order/inject: ids are used as names', () => {
    const body = {
      merchantId: 'M-1',
      orderId: 'WEB-1042',
      source: 'PICKUP',
      total: 8,
      items: [{ umsId: 'UMS-1', qty: 2, price: 4, modifiers: ['UMS-M'], note: 'cut' }],
    }
    expect(read(body)).toMatchObject({
      orderId: 'WEB-1042',
      queuedAtMs: DEFAULTS.nowMs,
      timeZone: 'Europe/Madrid',
      items: [{ name: 'UMS-1', qty: 2, note: 'cut', modifiers: [{ umsId: 'UMS-M', name: 'UMS-M' }], station: null }],
    })
  })

  it('takes names, stations and the kitchen’s details besides, and requires nothing but items', () => {
    const item = {
      name: 'Burger',
      qty: 1,
      station: 'grill',
      seat: 2,
      course: 1,
      allergens: ['nuts'],
      modifiers: [{ name: 'No onion' }, { umsId: 'm2', verb: 'instead', qty: 2 }],
    }
    const order = read({ items: [item], orderType: 'delivery', table: '12', fireAt: '2026-11-21T18:00:00Z' })
    expect(order).toMatchObject({ orderType: 'delivery', table: '12', fireAtMs: Date.UTC(2026, 10, 21, 18) })
    expect(order.items[0]).toMatchObject({ station: 'grill', seat: 2, course: 1, allergens: ['nuts'] })
    expect(order.items[0]?.modifiers).toEqual([
      { umsId: '', name: 'No onion' },
      { umsId: 'm2', name: 'm2', verb: 'instead', qty: 2 },
    ])
  })

  it('takes an order as a gateway gets it', () => {
    const order = kitchenOrder.parse({
      ...{ serviceOrderId: 'ord_1', orderId: 'A', merchantId: 'M', locationId: 'l', source: 'kiosk' },
      ...{ queuedAtMs: 1, timeZone: 'UTC', items: [{ umsId: 'u', name: 'Tea', qty: 1 }] },
    })
    expect(read(order)).toEqual(order)
  })

  it.each([
    [{ items: [{ umsId: 'x', qty: 0 }] }, 'order.json: items[0].qty must be 1 or more'],
    [{ items: [{ umsId: 'x', qty: 1, nmae: 'y' }] }, 'order.json: items[0] has no field "nmae"'],
    [{ items: [{ qty: 1 }] }, 'order.json: items[0] must have a umsId or a name'],
    [{ items: [] }, 'order.json: items must have at least 1 entry'],
    [{ itms: [] }, 'order.json: items must be a list\norder.json: an order has no field "itms"'],
    [
      { items: [{ name: 'x', qty: 1, modifiers: [{ qtty: 1 }] }] },
      'order.json: items[0].modifiers[0] has no field "qtty"',
    ],
    [{ items: [{ name: 'x', qty: 1, modifiers: [7] }] }, 'order.json: items[0].modifiers[0] must be text or an object'],
    [
      { serviceOrderId: 'ord_1', items: [{ umsId: 'x', name: 5, qty: 1 }] },
      /order\.json: items\[0\]\.name must be text/,
    ],
    [[], 'order.json: must be an object: { "items": [ ... ] }'],
  ])('names the field that is wrong: %j', (value, message) => {
    if (typeof message === 'string') expect(refusalOf(value)).toBe(message)
    else expect(refusalOf(value)).toMatch(message)
  })

  it('reports that a file is not JSON', () => {
    expect(refusal('{ "items": ')).toMatch(/^order\.json: is not JSON: /)
  })
})
