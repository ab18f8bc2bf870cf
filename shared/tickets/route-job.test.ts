// Routing of all kinds of jobs: every item goes to exactly one kitchen ticket; other jobs go to their target.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KitchenOrder } from '#shared/order.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import type { PrintTarget } from '#shared/wire/print-doc.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { Route } from './route.ts'
import { routeJob } from './route-job.ts'
import { MOST_DECIDING_TICKETS } from './route-order.ts'
import { routingRules } from './routing-rules.ts'

const pass: Route = { printerId: 'pass', name: 'Pass', stations: [], isDefault: true }
const grill: Route = { printerId: 'grill', name: 'Grill 1', stations: ['grill'], isDefault: false }
const fry: Route = { printerId: 'fry', name: 'Fry', stations: ['fry', 'oven'], isDefault: false }
const front: Route = { printerId: 'front', name: 'Front', stations: ['receipt', 'Label'], isDefault: false }
const all = [pass, grill, fry, front]

function orderAt(...stations: (string | null)[]): Extract<JobDoc, { kind: 'order' }> {
  const items = stations.map((station) => ({ umsId: 'u', name: 'x', qty: 1, modifiers: [], station }))
  return { kind: 'order', order: { items } } as unknown as Extract<JobDoc, { kind: 'order' }>
}

const target = (change: Partial<PrintTarget> = {}): PrintTarget => ({
  printerId: null,
  station: null,
  copies: 1,
  ...change,
})
const reprintOf = (doc: ReturnType<typeof orderAt>, change: Partial<PrintTarget> = {}): JobDoc => ({
  kind: 'reprint',
  order: doc.order,
  target: target(change),
})
const printersOf = (kind: 'note' | 'receipt' | 'label', change: Partial<PrintTarget> = {}, routes = all) =>
  routeJob({ kind, print: { target: target(change) } } as unknown as JobDoc, routes).map((part) => part.printerId)

describe('an order', () => {
  it('sends items to the printer of their station and the rest to the default printer', () => {
    expect(routeJob(orderAt('grill', null, 'FRY ', 'salad', 'grill'), [pass, grill, fry])).toMatchObject([
      { printerId: 'grill', station: 'grill', items: [0, 4], alsoAt: ['Pass', 'FRY '] },
      { printerId: 'pass', station: null, items: [1, 3], alsoAt: ['grill', 'FRY '] },
      { printerId: 'fry', station: 'FRY ', items: [2], alsoAt: ['grill', 'Pass'] },
    ])
  })

  it('prints one ticket at a printer that serves several stations', () => {
    expect(routeJob(orderAt('fry', 'oven'), [pass, fry])).toMatchObject([
      { printerId: 'fry', station: null, items: [0, 1], alsoAt: [] },
    ])
  })

  it('assigns a ticket to the first printer while there is none', () => {
    expect(routeJob(orderAt('grill'), [])).toMatchObject([{ printerId: '', station: 'grill', items: [0], alsoAt: [] }])
  })

  it('routes each item of any order exactly once', () => {
    const station = fc.option(fc.constantFrom('grill', 'fry', 'oven', 'bar', ''), { nil: null })
    const printers = fc.subarray([pass, grill, fry])
    assertProperty(
      fc.property(fc.array(station, { minLength: 1, maxLength: 30 }), printers, (stations, routes) => {
        const tickets = routeJob(orderAt(...stations), routes)
        expect(tickets.flatMap((ticket) => ticket.items).sort((a, b) => a - b)).toEqual(stations.map((_, i) => i))
        expect(new Set(tickets.map((ticket) => ticket.printerId)).size).toBe(tickets.length)
      }),
    )
  })
})

describe('a reprint', () => {
  const order = orderAt('grill', 'fry', null)

  it('gives the same tickets as the order', () => {
    expect(routeJob(reprintOf(order), all)).toEqual(routeJob(order, all))
  })

  it('prints everything at the printer of the target', () => {
    expect(routeJob(reprintOf(order, { printerId: 'front' }), all)).toMatchObject([
      { printerId: 'front', station: null, items: [0, 1, 2], alsoAt: [] },
    ])
  })

  it('prints the ticket of the target station, and everything at a station that had no ticket', () => {
    expect(routeJob(reprintOf(order, { station: 'Grill' }), all)).toMatchObject([
      { printerId: 'grill', station: 'grill', items: [0], alsoAt: ['fry', 'Pass'] },
    ])
    expect(routeJob(reprintOf(order, { station: 'receipt' }), all)).toMatchObject([
      { printerId: 'front', items: [0, 1, 2] },
    ])
  })

  it('prints the requested number of copies, side by side', () => {
    const parts = routeJob(reprintOf(order, { copies: 2 }), all)
    expect(parts.map((part) => part.printerId)).toEqual(['grill', 'grill', 'fry', 'fry', 'pass', 'pass'])
  })
})

describe('a reprint of an order with courses', () => {
  const items = [1, 2, 3].map((course) => ({ umsId: 'u', name: 'x', qty: 1, modifiers: [], station: 'grill', course }))
  const order = { items } as unknown as KitchenOrder
  const again = (fired: number[], known: number[] = []) =>
    routeJob({ kind: 'reprint', order, target: target(), fired } as JobDoc, [grill], { fired: known })

  it('prints the first course, and lists those that are held', () => {
    expect(again([])).toMatchObject([{ items: [0], later: [1, 2] }])
  })

  it('prints a fired course, whether the reprint names it or the gateway has recorded it', () => {
    expect(again([2])).toMatchObject([{ items: [0, 1], later: [2] }])
    expect(again([], [2])).toMatchObject([{ items: [0, 1], later: [2] }])
    expect(again([2], [3])[0]).toMatchObject({ items: [0, 1, 2] })
    expect(again([2], [3])[0]).not.toHaveProperty('later')
  })
})

describe('a note, a receipt, a label', () => {
  it('goes to its target printer', () => {
    expect(printersOf('note', { printerId: 'fry' })).toEqual(['fry'])
  })

  it('goes to the first printer that serves its target station', () => {
    expect(printersOf('note', { station: 'OVEN' })).toEqual(['fry'])
  })

  it('without a target goes by kind of paper: receipts and labels to their printers, notes to the default one', () => {
    expect([printersOf('receipt'), printersOf('label'), printersOf('note')]).toEqual([['front'], ['front'], ['pass']])
    expect(printersOf('receipt', {}, [pass, grill])).toEqual(['pass'])
  })

  it('goes to the default printer if its printer or station no longer exists, and waits if there is none', () => {
    expect(printersOf('note', { printerId: 'gone' })).toEqual(['pass'])
    expect(printersOf('note', { station: 'gone' })).toEqual(['pass'])
    expect(printersOf('label', {}, [])).toEqual([''])
  })

  it('prints the requested number of copies', () => {
    expect(printersOf('label', { copies: 3 })).toEqual(['front', 'front', 'front'])
  })

  it('gets fewer copies if a rule makes more tickets than one message to the relay can report', () => {
    const routes = Array.from({ length: 16 }, (_, n): Route => ({ ...fry, printerId: `p${n}`, name: `P${n}` }))
    const printerIds = routes.map(({ printerId }) => printerId)
    const rules = routingRules.parse([
      { name: 'everywhere', when: { paper: 'label' }, print: { printerIds, paper: 'label' } },
    ])
    const doc = { kind: 'label', print: { target: target({ copies: 10 }) } } as unknown as JobDoc
    expect(routeJob(doc, routes, { rules })).toHaveLength(MOST_DECIDING_TICKETS)
  })
})
