// The what-if check: tickets, printers, reasons, and whether they would print now.
import { describe, expect, it } from 'vitest'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { kioskOrder } from '#test/fixtures/kitchen-orders.ts'
import type { Route } from './route.ts'
import { routingRules } from './routing-rules.ts'
import { type Readiness, whatIf } from './what-if.ts'

const pass: Route = { printerId: 'pass', name: 'Pass', stations: [], isDefault: true }
const grill: Route = { printerId: 'grill', name: 'Grill', stations: ['grill'], isDefault: false }
const counter: Route = {
  printerId: 'counter',
  name: 'Counter',
  stations: [],
  isDefault: false,
  settings: { papers: ['receipt'], split: 'consolidated', copies: 1 },
}
const online: Readiness = { state: 'online', reasons: ['none'], isPaused: false, waiting: 0 }

const order = (change: object = {}): JobDoc => ({
  kind: 'order',
  order: kioskOrder(
    [
      { umsId: 'burger', name: 'Burger', qty: 2, station: 'grill' },
      { umsId: 'bread', name: 'Bread', qty: 1 },
    ],
    change,
  ),
})
const both = new Map([
  ['pass', online],
  ['grill', online],
])

describe('the what-if check', () => {
  it('lists each ticket with its printer, its items and the reason', () => {
    expect(whatIf(order(), { routes: [pass, grill], rules: [], readiness: both, nowMs: 0 })).toEqual({
      printsNow: true,
      notes: [],
      tickets: [
        {
          printerId: 'grill',
          printerName: 'Grill',
          paper: 'kitchen',
          station: 'grill',
          items: [{ name: 'Burger', qty: 2 }],
          alsoAt: ['Pass'],
          why: ['Burger: station grill is served by Grill'],
          printsNow: true,
          waitsFor: null,
        },
        {
          printerId: 'pass',
          printerName: 'Pass',
          paper: 'kitchen',
          station: null,
          items: [{ name: 'Bread', qty: 1 }],
          alsoAt: ['grill'],
          why: ['Bread: no station: default printer Pass'],
          printsNow: true,
          waitsFor: null,
        },
      ],
    })
  })

  it.each([
    [{ ...online, isPaused: true }, false, 'paused'],
    [{ ...online, state: 'offline', reasons: ['media-empty'] }, false, 'offline, media-empty'],
    [{ ...online, state: 'unknown' }, null, 'not answered'],
    [undefined, null, 'not answered'],
    [{ ...online, waiting: 3 }, true, '3 tickets'],
  ] as const)('says what a printer that is %j makes it wait for', (readiness, printsNow, words) => {
    const map = new Map(readiness ? [['pass', readiness]] : [])
    const answer = whatIf(order(), { routes: [pass], rules: [], readiness: map, nowMs: 0 })
    expect(answer.tickets[0]).toMatchObject({ printsNow, waitsFor: expect.stringContaining(words) })
    expect(answer.printsNow).toBe(printsNow === true)
  })

  it('sends the ticket of a printer that cannot print to its backup printer', () => {
    const away: Readiness = { ...online, state: 'offline', reasons: ['timed-out'], ticketsGoTo: 'grill' }
    const now = new Map([
      ['pass', away],
      ['grill', online],
    ])
    const bread = order({ items: [{ umsId: 'bread', name: 'Bread', qty: 1 }] })
    const answer = whatIf(bread, { routes: [pass, grill], rules: [], readiness: now, nowMs: 0 })
    expect(answer.printsNow).toBe(true)
    expect(answer.tickets).toMatchObject([{ printerName: 'Grill', printsNow: true, waitsFor: null }])
    expect(answer.tickets[0]?.why.at(-1)).toBe('Pass is away: its backup Grill has its tickets')
  })

  it('names the backup printer that takes over, if that one can print', () => {
    const settings = {
      papers: ['kitchen' as const],
      split: 'consolidated' as const,
      copies: 1,
      backupPrinterId: 'grill',
    }
    const off: Readiness = { ...online, state: 'offline', reasons: ['timed-out'] }
    const words = (grillNow: Readiness) => {
      const now = new Map([
        ['pass', off],
        ['grill', grillNow],
      ])
      const bread = order({ items: [{ umsId: 'bread', name: 'Bread', qty: 1 }] })
      return whatIf(bread, { routes: [{ ...pass, settings }, grill], rules: [], readiness: now, nowMs: 0 }).tickets[0]
        ?.waitsFor
    }
    expect(words(online)).toBe('the printer is offline, timed-out; its backup Grill takes over')
    expect(words(off)).toBe('the printer is offline, timed-out')
  })

  it('reports a held order, that no printer is set up, and a receipt without amounts', () => {
    expect(
      whatIf(order({ fireAtMs: 60_000 }), { routes: [pass], rules: [], readiness: both, nowMs: 0 }).tickets[0]
        ?.waitsFor,
    ).toBe('held until 00:01')
    expect(whatIf(order(), { routes: [], rules: [], readiness: both, nowMs: 0 }).tickets[0]?.waitsFor).toContain(
      'none is set up',
    )
    expect(whatIf(order(), { routes: [pass, counter], rules: [], readiness: both, nowMs: 0 }).notes).toEqual([
      'no receipt: the order does not say its amounts',
    ])
  })

  it('prints now if the kitchen tickets do, whatever happens to the receipt', () => {
    const receipt = { receipt: { currency: 'EUR', totalCents: 100, tipCents: 0 } }
    const answer = whatIf(order(receipt), {
      routes: [pass, counter],
      rules: [],
      readiness: new Map([['pass', online]]),
      nowMs: 0,
    })
    expect(answer.tickets.map((ticket) => [ticket.paper, ticket.printsNow])).toEqual([
      ['kitchen', true],
      ['receipt', null],
    ])
    expect(answer.printsNow).toBe(true)
  })

  it('names rules whose printers no longer exist', () => {
    const rules = routingRules.parse([{ name: 'Drinks', print: { printerIds: ['bar', 'pass'] } }])
    expect(whatIf(order(), { routes: [pass], rules, readiness: both, nowMs: 0 }).notes).toEqual([
      "rule 'Drinks' names printer bar, which is gone",
    ])
  })
})
