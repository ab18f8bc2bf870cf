// What the relay says of a line's way is what the gateway's own router does with the line, whatever the rules, printers and screens.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wayOfLine } from '#cloud/orders/line-way.ts'
import type { Kitchen } from '#cloud/storage/print-job-store.ts'
import {
  type StationFacts,
  stationWays,
  type Way,
  type WayDisplay,
  type WayPrinter,
  wayByScreen,
  wayThrough,
} from '#gateway/kitchen/station-ways.ts'
import { toldRouting } from '#gateway/kitchen/told-routing.ts'
import { asId } from '#shared/ids.ts'
import type { KitchenOrder } from '#shared/order.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { routeJob } from '#shared/tickets/route-job.ts'
import { routingRules } from '#shared/tickets/routing-rules.ts'
import { gatewayRouting } from '#shared/wire/gateway-routing.ts'
import { assertProperty } from '#test/harness/property.ts'

const IDS = ['p0', 'p1', 'p2', 'p3'] as const
const STATIONS = ['grill', 'Fry', 'bar'] as const
const optional = <T>(...of: T[]) => fc.option(fc.constantFrom(...of), { nil: undefined })

const anyPrinters = fc
  .array(
    fc.record({
      stations: fc.uniqueArray(fc.constantFrom(...STATIONS), { maxLength: 2 }),
      state: fc.constantFrom('online' as const, 'offline' as const),
      isPaused: fc.boolean(),
      backupPrinterId: fc.option(fc.constantFrom(...IDS)),
      papers: fc.constantFrom(['kitchen' as const], ['label' as const]),
    }),
    { maxLength: IDS.length },
  )
  .map((list) =>
    list.map(({ papers, backupPrinterId, ...one }, n): WayPrinter => {
      const printerId = IDS[n] ?? ''
      const settings = { ...DEFAULT_PRINTER_SETTINGS, papers: [...papers], backupPrinterId }
      return { ...one, printerId, name: `printer ${n}`, isDefault: n === 0, settings }
    }),
  )
const anyDisplays = fc
  .array(
    fc.record({
      stations: fc.uniqueArray(fc.constantFrom(...STATIONS), { maxLength: 2 }),
      isAlive: fc.boolean(),
      backupPrinterId: fc.option(fc.constantFrom(...IDS)),
    }),
    { maxLength: 2 },
  )
  .map((list) => list.map((one, n): WayDisplay => ({ ...one, displayId: `d${n}`, name: `screen ${n}` })))
const anyRules = fc
  .array(
    fc.record({
      when: fc.record({
        station: optional('GRILL', 'bar'),
        category: optional('mains', 'Drinks'),
        umsId: optional('U-1', 'U-2'),
        source: optional('kiosk', 'web'),
        orderType: optional('dine-in' as const, 'delivery' as const),
        course: optional(1, 2),
        locationId: optional('loc', 'else'),
      }),
      printerIds: fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 2 }),
      stop: fc.boolean(),
    }),
    { maxLength: 3 },
  )
  .map((list) =>
    routingRules.parse(
      list.map(({ when, printerIds, stop }, n) => ({ name: `${n}`, when, print: { printerIds }, stop })),
    ),
  )
const anyLine = fc.record({
  umsId: fc.constantFrom('U-1', 'U-2'),
  station: fc.constantFrom(...STATIONS, 'never heard of', null),
  category: fc.constantFrom('Mains', 'drinks'),
  course: fc.constantFrom(1, 2),
})
const anyOrder = fc.record({
  source: fc.constantFrom('Kiosk', 'app'),
  orderType: fc.constantFrom('dine-in', 'takeaway'),
})

test('the relay names a way by which the gateway brings the line in, and none only where it waits', () => {
  assertProperty(
    fc.property(anyPrinters, anyDisplays, anyRules, anyLine, anyOrder, (printers, displays, rules, line, about) => {
      const facts: StationFacts = { printers, displays, rules }
      const order = orderOf(line, about)
      const tickets = routeJob({ kind: 'order', order }, printers, { rules })
      const ways = tickets
        .filter(({ paper = 'kitchen' }) => paper === 'kitchen')
        .flatMap(({ printerId }) => printers.find((one) => one.printerId === printerId) ?? [])
        .map((meant) => wayThrough(meant, printers))
      const way = wayOfLine(order.items[0]!, order, kitchenOf(facts))
      if (ways.some((one) => one !== null)) expect(ways.map(nameOf)).toContainEqual(nameOf(way))
      else expect(nameOf(way)).toEqual(nameOf(wayByScreen(line.station, facts)))
    }),
    { numRuns: 500 },
  )
})

const nameOf = (way: Pick<Way, 'kind' | 'name'> | null) => way && `${way.kind} ${way.name}`

function kitchenOf(facts: StationFacts): Kitchen {
  const routing = toldRouting(facts)
  return {
    ...{ gatewayId: asId('gw'), locationId: asId('loc'), presence: 'online', lastSeenAtMs: null, caps: [] },
    printers: facts.printers.map(({ printerId, name, stations, isDefault, state }) => ({
      ...{ printerId, name, stations, isDefault, state, reasons: [], standIn: null },
    })),
    stations: stationWays(facts),
    routing: routing && gatewayRouting.parse(JSON.parse(JSON.stringify(routing))),
  }
}

function orderOf(line: Pick<KitchenOrder['items'][number], 'umsId' | 'station'>, about: object): KitchenOrder {
  return {
    ...{ serviceOrderId: 'ord_1', orderId: '1', merchantId: 'M', locationId: 'loc', source: 'app', posOrderId: null },
    ...{ queuedAtMs: 1, fireAtMs: null, readyByMs: 1, timeZone: 'UTC' },
    items: [{ name: 'X', qty: 1, modifiers: [], ...line }],
    ...about,
  }
}
