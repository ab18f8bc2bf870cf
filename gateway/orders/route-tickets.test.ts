// Routing: every item goes somewhere, exactly once.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KitchenOrder } from '#shared/order.ts'
import { type Route, routeTickets } from './route-tickets.ts'

const pass: Route = { printerId: 'pass', name: 'Pass', stations: [], isDefault: true }
const grill: Route = { printerId: 'grill', name: 'Grill 1', stations: ['grill'], isDefault: false }
const fry: Route = { printerId: 'fry', name: 'Fry', stations: ['fry', 'oven'], isDefault: false }

function orderAt(...stations: (string | null)[]): KitchenOrder {
  return {
    items: stations.map((station) => ({ umsId: 'u', name: 'x', qty: 1, modifiers: [], station })),
  } as unknown as KitchenOrder
}

describe('routeTickets', () => {
  it('sends items to the printer of their station and the rest to the default printer', () => {
    expect(routeTickets(orderAt('grill', null, 'FRY ', 'salad', 'grill'), [pass, grill, fry])).toEqual([
      { printerId: 'grill', station: 'grill', items: [0, 4], alsoAt: ['Pass', 'FRY '] },
      { printerId: 'pass', station: null, items: [1, 3], alsoAt: ['grill', 'FRY '] },
      { printerId: 'fry', station: 'FRY ', items: [2], alsoAt: ['grill', 'Pass'] },
    ])
  })

  it('gives one printer one ticket, also when it serves several stations', () => {
    expect(routeTickets(orderAt('fry', 'oven'), [pass, fry])).toEqual([
      { printerId: 'fry', station: null, items: [0, 1], alsoAt: [] },
    ])
  })

  it('keeps a ticket for the first printer while there is none', () => {
    expect(routeTickets(orderAt('grill'), [])).toEqual([{ printerId: '', station: 'grill', items: [0], alsoAt: [] }])
  })

  it('routes each item of any order exactly once', () => {
    const station = fc.option(fc.constantFrom('grill', 'fry', 'oven', 'bar', ''), { nil: null })
    const printers = fc.subarray([pass, grill, fry])
    fc.assert(
      fc.property(fc.array(station, { minLength: 1, maxLength: 30 }), printers, (stations, routes) => {
        const tickets = routeTickets(orderAt(...stations), routes)
        expect(tickets.flatMap((ticket) => ticket.items).sort((a, b) => a - b)).toEqual(stations.map((_, i) => i))
        expect(new Set(tickets.map((ticket) => ticket.printerId)).size).toBe(tickets.length)
      }),
    )
  })
})
