// Routing of orders with rules, papers, splits and copies: every item is on a kitchen ticket, and the trace has the reason.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KitchenLine } from '#shared/order.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { kioskOrder } from '#test/fixtures/kitchen-orders.ts'
import { assertProperty } from '#test/harness/property.ts'
import { isDueAtOnce, laterCourses } from './courses.ts'
import type { Route, TicketPart } from './route.ts'
import { routeJob } from './route-job.ts'
import { MOST_DECIDING_TICKETS, traceWords } from './route-order.ts'
import { type RoutingRule, routingRules } from './routing-rules.ts'

type OrderDoc = Extract<JobDoc, { kind: 'order' }>

const settings = (change: Partial<NonNullable<Route['settings']>> = {}): NonNullable<Route['settings']> => ({
  papers: ['kitchen'],
  split: 'consolidated',
  copies: 1,
  ...change,
})
const pass: Route = { printerId: 'pass', name: 'Pass', stations: [], isDefault: true, settings: settings() }
const grill: Route = { printerId: 'grill', name: 'Grill', stations: ['grill'], isDefault: false, settings: settings() }
const bar: Route = { printerId: 'bar', name: 'Bar', stations: ['bar'], isDefault: false, settings: settings() }
const cups: Route = {
  printerId: 'cups',
  name: 'Cups',
  stations: ['bar'],
  isDefault: false,
  settings: settings({ papers: ['label'] }),
}
const front: Route = {
  printerId: 'front',
  name: 'Front',
  stations: [],
  isDefault: false,
  settings: settings({ papers: ['receipt'] }),
}
const routes = [pass, grill, bar, cups, front]

const burger = { umsId: 'burger', name: 'Cheeseburger', qty: 2, station: 'grill', category: 'Mains' }
const cola = { umsId: 'cola', name: 'Cola', qty: 3, station: 'bar', category: 'Drinks' }
const bread = { umsId: 'bread', name: 'Bread', qty: 1 }

const orderOf = (items: readonly Partial<KitchenLine>[], change: object = {}): OrderDoc => ({
  kind: 'order',
  order: kioskOrder(items, change),
})
const withReceipt = { receipt: { currency: 'EUR', totalCents: 1250, tipCents: 0 } }
const rulesOf = (...rules: object[]): RoutingRule[] =>
  routingRules.parse(rules.map((rule, index) => ({ name: `Rule ${index + 1}`, ...rule })))
const ticketsOf = (doc: JobDoc, rules: RoutingRule[] = [], at: readonly Route[] = routes) =>
  routeJob(doc, at, { rules }).map((part) => `${part.printerId}:${part.paper ?? 'kitchen'}:${part.items.join(',')}`)

describe('a rule', () => {
  it('adds a ticket to those of the stations', () => {
    const rules = rulesOf({ when: { category: 'drinks' }, print: { printerIds: ['pass'] } })
    expect(ticketsOf(orderOf([burger, cola]), rules)).toEqual([
      'grill:kitchen:0',
      'pass:kitchen:1',
      'bar:kitchen:1',
      'cups:label:1',
      'cups:label:1',
      'cups:label:1',
    ])
  })

  it('with stop replaces them', () => {
    const rules = rulesOf({ when: { category: 'Drinks' }, print: { printerIds: ['pass'] }, stop: true })
    expect(ticketsOf(orderOf([burger, cola]), rules, [pass, grill, bar])).toEqual(['grill:kitchen:0', 'pass:kitchen:1'])
  })

  it('stops its own paper only', () => {
    const rules = rulesOf({ when: { umsId: 'cola' }, print: { printerIds: ['pass'], paper: 'label' }, stop: true })
    expect(ticketsOf(orderOf([{ ...cola, qty: 1 }]), rules)).toEqual(['bar:kitchen:0', 'pass:label:0'])
  })

  it.each([
    [{ station: 'GRILL' }, true],
    [{ station: 'bar' }, false],
    [{ umsId: 'burger', category: 'mains' }, true],
    [{ umsId: 'burger', category: 'Drinks' }, false],
    [{ locationId: 'main' }, true],
    [{ locationId: 'other' }, false],
    [{ source: 'Kiosk' }, true],
    [{ source: 'web' }, false],
    [{ paper: 'kitchen' }, true],
  ])('with the conditions %j applies: %s', (when, applies) => {
    const rules = rulesOf({ when, print: { printerIds: ['bar'] }, stop: true })
    expect(ticketsOf(orderOf([burger]), rules)).toEqual([applies ? 'bar:kitchen:0' : 'grill:kitchen:0'])
  })

  it('gives a ticket at each of its printers, with its copies and station', () => {
    const rules = rulesOf({ print: { printerIds: ['bar', 'grill'], copies: 2, station: 'EXPO' }, stop: true })
    expect(routeJob(orderOf([burger]), routes, { rules })).toMatchObject([
      { printerId: 'grill', station: 'EXPO', copy: { n: 1, of: 2 }, alsoAt: ['Bar'] },
      { printerId: 'grill', station: 'EXPO', copy: { n: 2, of: 2 } },
      { printerId: 'bar', station: 'EXPO', copy: { n: 1, of: 2 }, alsoAt: ['Grill'] },
      { printerId: 'bar', station: 'EXPO', copy: { n: 2, of: 2 } },
    ])
  })

  it('is skipped if its printer no longer exists, and the trace says so', () => {
    const rules = rulesOf({ name: 'To the cellar', print: { printerIds: ['cellar'] }, stop: true })
    const [part] = routeJob(orderOf([burger]), routes, { rules })
    expect(part?.trace).toEqual([
      { items: [0], why: "rule 'To the cellar' passed over: printer cellar is gone; station grill is served by Grill" },
    ])
  })

  it('for receipts of clients applies to those without a target printer', () => {
    const rules = rulesOf({ when: { paper: 'receipt' }, print: { printerIds: ['bar'], paper: 'receipt' } })
    const target = { printerId: null, station: null, copies: 1 }
    const doc = (change: object) =>
      ({ kind: 'receipt', print: { locationId: 'main', target: { ...target, ...change } } }) as unknown as JobDoc
    expect(ticketsOf(doc({}), rules)).toEqual(['bar:kitchen:'])
    expect(ticketsOf(doc({ printerId: 'front' }), rules)).toEqual(['front:kitchen:'])
  })
})

describe('a rule about type or course', () => {
  const toCups = (when: object) => rulesOf({ when, print: { printerIds: ['bar'] }, stop: true })
  const kitchen = (doc: OrderDoc, rules: RoutingRule[]) =>
    routeJob(doc, routes, { rules }).map((part) => part.printerId)

  it('applies to orders of that type only', () => {
    const rules = toCups({ orderType: 'delivery' })
    expect(kitchen(orderOf([burger], { orderType: 'delivery' }), rules)).toEqual(['bar'])
    expect(kitchen(orderOf([burger], { orderType: 'dine-in' }), rules)).toEqual(['grill'])
    expect(kitchen(orderOf([burger]), rules)).toEqual(['grill'])
  })

  it('applies to lines of that course, also when they are fired', () => {
    const rules = toCups({ course: 2 })
    const { order } = orderOf([
      { ...burger, course: 1 },
      { ...burger, course: 2 },
    ])
    expect(kitchen({ kind: 'order', order }, rules)).toEqual(['grill'])
    const fired = routeJob({ kind: 'fire', order, course: 2, firedAtMs: 0 }, routes, { rules })
    expect(fired).toMatchObject([{ printerId: 'bar', items: [1], course: 2 }])
  })
})

describe('the trace', () => {
  it('gives the reason for each item in words', () => {
    const rules = rulesOf({
      name: 'Drinks to pass',
      when: { category: 'Drinks' },
      print: { printerIds: ['pass'] },
      stop: true,
    })
    const doc = orderOf([burger, cola, bread, { ...bread, station: 'oven' }])
    const words = routeJob(doc, routes, { rules }).flatMap((part) => traceWords(doc.order.items, part.trace ?? []))
    expect(words.slice(0, 4)).toEqual([
      "Cheeseburger: rule 'Drinks to pass' no (category Mains); station grill is served by Grill",
      "Cola: rule 'Drinks to pass' yes -> Pass",
      "Bread: rule 'Drinks to pass' no (no category); no station: default printer Pass",
      "Bread: rule 'Drinks to pass' no (no category); no printer serves station oven: default printer Pass",
    ])
  })

  it('stays short with two hundred rules', () => {
    const rules = rulesOf(
      ...Array.from({ length: 200 }, (_, n) => ({ when: { umsId: `other-${n}` }, print: { printerIds: ['bar'] } })),
    )
    const [part] = routeJob(orderOf([burger]), routes, { rules })
    expect(part?.trace?.[0]?.why).toMatch(/rule 'Rule 5' no \(item burger\); 195 more rules no; station grill/)
  })
})

describe('papers, splits and copies of printers', () => {
  it('prints a receipt of the whole order at a printer for receipts, if the order has amounts', () => {
    expect(ticketsOf(orderOf([burger, bread], withReceipt)).at(-1)).toBe('front:receipt:0,1')
    expect(ticketsOf(orderOf([burger, bread])).some((ticket) => ticket.startsWith('front'))).toBe(false)
  })

  it('prints the receipt with the order, also if a rule for it matches a dish of a later course', () => {
    const rules = rulesOf({ when: { umsId: 'bread' }, print: { printerIds: ['bar'], paper: 'receipt' } })
    const items = [burger, bread].map((item, i) => ({ ...item, course: i + 1 }))
    expect(ticketsOf(orderOf(items, withReceipt), rules, [pass, grill, bar])).toContain('bar:receipt:0,1')
  })

  it('lists later courses on one ticket of each printer', () => {
    const steak = { ...burger, umsId: 'steak', course: 2 }
    const parts = routeJob(orderOf([{ ...burger, course: 1 }, { ...burger, umsId: 'ribs', course: 1 }, steak]), [
      { ...grill, isDefault: true, settings: settings({ split: 'per-item' }) },
    ])
    expect(parts.map(({ items, later }) => [items, later])).toEqual([
      [[0], [2]],
      [[1], undefined],
    ])
  })

  it('prints one receipt of the whole order if a rule for it matches one item', () => {
    const rules = rulesOf({ when: { umsId: 'cola' }, print: { printerIds: ['bar'], paper: 'receipt' } })
    expect(ticketsOf(orderOf([burger, cola, cola], withReceipt), rules, [pass, bar])).toEqual(
      expect.arrayContaining(['bar:receipt:0,1,2']),
    )
  })

  it('prints a label for each piece of its stations', () => {
    const labels = routeJob(orderOf([burger, cola]), routes).filter((part) => part.paper === 'label')
    expect(labels.map((part) => [part.items, part.piece])).toEqual([
      [[1], { n: 1, of: 3 }],
      [[1], { n: 2, of: 3 }],
      [[1], { n: 3, of: 3 }],
    ])
  })

  it('prints one label a line if there are too many pieces', () => {
    const labels = routeJob(orderOf([{ ...cola, qty: 999 }]), routes).filter((part) => part.paper === 'label')
    expect(labels).toMatchObject([{ items: [0] }])
    expect(labels[0]?.piece).toBeUndefined()
  })

  it('prints one ticket a line at a printer with that setting', () => {
    const apart = { ...grill, settings: settings({ split: 'per-item' }) }
    expect(routeJob(orderOf([burger, cola, burger]), [pass, apart, bar])).toMatchObject([
      { printerId: 'grill', items: [0], split: 'per-item', piece: { n: 1, of: 2 }, alsoAt: ['bar'] },
      { printerId: 'grill', items: [2], split: 'per-item', piece: { n: 2, of: 2 } },
      { printerId: 'bar', items: [1], alsoAt: ['grill'] },
    ])
  })

  it('sends no kitchen ticket to a printer for receipts, unless there is no other', () => {
    const counter = { ...front, isDefault: true, stations: ['grill'] }
    expect(ticketsOf(orderOf([burger, bread]), [], [counter, pass])).toEqual(['pass:kitchen:0,1'])
    expect(ticketsOf(orderOf([burger]), [], [counter])).toEqual(['front:kitchen:0'])
  })

  it('leaves receipts, labels and copies out of a reprint', () => {
    const doc = orderOf([burger, cola], withReceipt)
    const twice = routes.map((route) => ({ ...route, settings: { ...route.settings!, copies: 2 } }))
    const target = { printerId: null, station: null, copies: 1 }
    expect(ticketsOf({ kind: 'reprint', order: doc.order, target }, [], twice)).toEqual([
      'grill:kitchen:0',
      'bar:kitchen:1',
    ])
  })
})

describe('a reprint of many tickets', () => {
  it('makes fewer copies than requested rather than more tickets than one message can report', () => {
    const apart = { ...pass, settings: settings({ split: 'per-item' }) }
    const { order } = orderOf(Array.from({ length: 15 }, () => bread))
    const again = (copies: number): number =>
      routeJob({ kind: 'reprint', order, target: { printerId: null, station: null, copies } }, [apart]).length
    expect([again(1), again(2), again(10)]).toEqual([15, 30, 30])
  })
})

describe('with any rules and settings', () => {
  const some = fc.option(fc.constantFrom('grill', 'bar', 'Oven', 'x'), { nil: undefined })
  const rule = fc.record(
    {
      when: fc.record({ station: some, category: some, umsId: fc.constantFrom(undefined, 'a', 'b') }),
      print: fc.record(
        {
          printerIds: fc.array(fc.constantFrom('pass', 'grill', 'bar', 'cups', 'front', 'gone'), {
            minLength: 1,
            maxLength: 4,
          }),
          paper: fc.constantFrom('kitchen', 'receipt', 'label'),
          copies: fc.integer({ min: 1, max: 5 }),
          split: fc.constantFrom('per-item', 'consolidated'),
          station: fc.constantFrom('EXPO', 'expo', 'Cold'),
        },
        { requiredKeys: ['printerIds', 'paper'] },
      ),
      stop: fc.boolean(),
    },
    { requiredKeys: ['when', 'print'] },
  )
  const rules = fc.array(rule, { maxLength: 12 }).map((list) => rulesOf(...list))
  const printers = fc.subarray(routes).chain((list) =>
    fc.tuple(
      ...list.map((route) =>
        fc
          .record({
            papers: fc.subarray(['kitchen', 'receipt', 'label'] as PrinterSettings['papers']),
            split: fc.constantFrom('per-item' as const, 'consolidated' as const),
            copies: fc.integer({ min: 1, max: 5 }),
          })
          .map((own) => ({ ...route, settings: own })),
      ),
    ),
  )
  const line = fc.record({
    umsId: fc.constantFrom('a', 'b', 'c'),
    name: fc.constant('x'),
    qty: fc.integer({ min: 1, max: 40 }),
    station: fc.constantFrom('grill', 'bar', 'oven', null),
    category: fc.constantFrom('grill', 'bar', 'x'),
    course: fc.constantFrom(undefined, 1, 2, 5),
  })
  const orders = fc.array(line, { minLength: 1, maxLength: 60 }).map((items) => orderOf(items, withReceipt))

  it('every item is on a kitchen ticket, once per printer without copies, and the number of tickets has a limit', () => {
    assertProperty(
      fc.property(orders, printers, rules, (doc, at, all) => {
        const parts = routeJob(doc, at, { rules: all })
        const kitchen = parts.filter((part) => (part.paper ?? 'kitchen') === 'kitchen')
        const later = laterCourses(doc.order.items)
        const now = doc.order.items.filter((item) => isDueAtOnce(later, item))
        expect(new Set(kitchen.flatMap((part) => part.items)).size).toBe(now.length)
        expect(kitchen.length).toBeLessThanOrEqual(MOST_DECIDING_TICKETS)
        const once = parts.filter(
          (part) =>
            (part.copy?.n ?? 1) === 1 && (part.piece === undefined || part.paper !== 'label' || part.piece.n === 1),
        )
        const seen = once.flatMap((part) =>
          part.items.map((index) => `${part.paper ?? 'kitchen'} ${part.printerId} ${index}`),
        )
        expect(new Set(seen).size).toBe(seen.length)
        for (const part of parts) {
          expect(part.items.length).toBeGreaterThan(0)
          expect(part.trace?.every((step) => step.why !== '')).toBe(true)
          expect(part.trace?.length).toBeGreaterThan(0)
          if (at.length > 0) expect(at.some((route) => route.printerId === part.printerId)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('every item is printed once at each of its printers, with its order or when its course is fired', () => {
    assertProperty(
      fc.property(orders, printers, rules, (doc, at, all) => {
        const { order } = doc
        const whole = { ...order, items: order.items.map(({ course: _, ...item }) => item) }
        const placesOf = (parts: TicketPart[]) =>
          parts
            .filter(({ paper, copy }) => paper === undefined && (copy?.n ?? 1) === 1)
            .flatMap(({ printerId, items }) => items.map((index) => `${printerId} ${index}`))
            .sort()
        const fires = laterCourses(order.items).flatMap((course) =>
          routeJob({ kind: 'fire', order, course, firedAtMs: 0 }, at, { rules: all }),
        )
        const parts = routeJob(doc, at, { rules: all })
        expect(placesOf([...parts, ...fires])).toEqual(
          placesOf(routeJob({ kind: 'order', order: whole }, at, { rules: all })),
        )
        // What a ticket lists as held is printed at the same printer when it is fired.
        for (const { printerId, later = [] } of parts)
          for (const index of later) expect(placesOf(fires)).toContain(`${printerId} ${index}`)
      }),
      { numRuns: 100 },
    )
  })

  it('the same order is routed in the same way and sequence', () => {
    assertProperty(
      fc.property(orders, printers, rules, (doc, at, all) => {
        expect(routeJob(doc, at, { rules: all })).toEqual(
          routeJob(structuredClone(doc), structuredClone(at), { rules: structuredClone(all) }),
        )
        const kitchen = routeJob(doc, at, { rules: all }).filter((part) => part.paper === undefined)
        const firsts = [...new Map(kitchen.map((part) => [`${part.printerId} ${part.station}`, part])).values()]
        expect(firsts.length).toBeGreaterThan(0)
      }),
      { numRuns: 50 },
    )
  })
})

describe('saved rules', () => {
  it.each([
    [[{ name: 'a', print: { printerIds: [] } }], 'printerIds'],
    [[{ name: 'a', print: { printerIds: ['p'], paper: 'menu' } }], 'paper'],
    [[{ name: 'a', wen: {}, print: { printerIds: ['p'] } }], 'wen'],
    [
      [
        { name: 'a', print: { printerIds: ['p'] } },
        { name: 'A', print: { printerIds: ['p'] } },
      ],
      'unlike',
    ],
    [
      [{ name: 'a', when: { paper: 'receipt', umsId: 'x' }, print: { printerIds: ['p'], paper: 'receipt' } }],
      'no items',
    ],
    [[{ name: 'a', when: { paper: 'receipt' }, print: { printerIds: ['p'] } }], 'must be receipt'],
  ])('%j is refused', (rules, word) => {
    const result = routingRules.safeParse(rules)
    expect(result.success).toBe(false)
    expect(JSON.stringify(result.error?.issues)).toContain(word)
  })

  it('are at most two hundred', () => {
    const many = Array.from({ length: 201 }, (_, n) => ({ name: `r${n}`, print: { printerIds: ['p'] } }))
    expect(routingRules.safeParse(many).success).toBe(false)
    expect(routingRules.safeParse(many.slice(1)).success).toBe(true)
  })
})
