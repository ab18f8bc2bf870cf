// Station ways: how a line of each station can reach the kitchen now, compared with the router that sends it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KitchenOrder } from '#shared/order.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { fold } from '#shared/tickets/route.ts'
import { routeJob } from '#shared/tickets/route-job.ts'
import { type RoutingRule, routingRules } from '#shared/tickets/routing-rules.ts'
import { assertProperty } from '#test/harness/property.ts'
import { type StationFacts, stationWays, type WayDisplay, type WayPrinter, wayOf } from './station-ways.ts'

interface Printer {
  name: string
  stations?: string[]
  isDefault?: boolean
  state?: WayPrinter['state']
  isPaused?: boolean
  backup?: string
  ticketsGoTo?: string
}

function printer({ name, backup, ...rest }: Printer): WayPrinter {
  const settings = { ...DEFAULT_PRINTER_SETTINGS, backupPrinterId: backup ?? null }
  return { printerId: name, name, stations: [], isDefault: false, state: 'online', isPaused: false, ...rest, settings }
}

function display(name: string, stations: string[], rest: Partial<WayDisplay> = {}): WayDisplay {
  return { displayId: name, name, stations, isAlive: true, ...rest }
}

function rules(...list: unknown[]): RoutingRule[] {
  return routingRules.parse(list)
}

/** In the form `printer Grill`. */
function words(station: string | null, facts: Partial<StationFacts>): string | null {
  const way = wayOf(station, { printers: [], displays: [], rules: [], ...facts })
  return way && `${way.kind} ${way.name}`
}

const PASS = { name: 'Pass', isDefault: true }
const GRILL = { name: 'Grill', stations: ['grill'] }
const DEAD_GRILL = { ...GRILL, state: 'offline' as const }

describe('a line with paper', () => {
  const cases: { title: string; printers: Printer[]; rules?: RoutingRule[]; station?: string | null; way: unknown }[] =
    [
      { title: 'goes to the printer of its station', printers: [PASS, GRILL], way: 'printer Grill' },
      {
        title: 'has its station compared without case',
        printers: [PASS, GRILL],
        station: ' GRILL',
        way: 'printer Grill',
      },
      {
        title: 'of a station that nobody serves goes to the default',
        printers: [PASS, GRILL],
        station: 'fry',
        way: 'printer Pass',
      },
      { title: 'without a station goes to the default', printers: [PASS, GRILL], station: null, way: 'printer Pass' },
      { title: 'does not go to the default for a dead printer', printers: [PASS, DEAD_GRILL], way: null },
      {
        title: 'is taken by a printer of which nothing was heard',
        printers: [{ ...GRILL, state: 'unknown' }],
        way: 'printer Grill',
      },
      {
        title: 'goes to the backup of a dead printer',
        printers: [PASS, { ...DEAD_GRILL, backup: 'Pass' }],
        way: 'backup Pass',
      },
      {
        title: 'goes to the first of the chain that prints',
        printers: [
          { ...PASS, state: 'offline', backup: 'Bar' },
          { ...DEAD_GRILL, backup: 'Pass' },
          { name: 'Bar', backup: 'Grill' },
        ],
        way: 'backup Bar',
      },
      {
        title: 'is taken by nothing when a chain of dead printers is a circle',
        printers: [
          { ...PASS, state: 'offline', backup: 'Grill' },
          { ...DEAD_GRILL, backup: 'Pass' },
        ],
        way: null,
      },
      {
        title: 'waits at a printer that a person has stopped, its backup notwithstanding',
        printers: [PASS, { ...GRILL, isPaused: true, backup: 'Pass' }],
        way: null,
      },
      {
        title: 'passes a stopped backup over',
        printers: [{ ...PASS, isPaused: true, backup: 'Bar' }, { ...DEAD_GRILL, backup: 'Pass' }, { name: 'Bar' }],
        way: 'backup Bar',
      },
      {
        title: 'passes a backup over whose own tickets are elsewhere',
        printers: [{ ...PASS, ticketsGoTo: 'Bar' }, { ...DEAD_GRILL, backup: 'Pass' }, { name: 'Bar' }],
        way: null,
      },
      {
        title: 'goes where the outage has sent the tickets',
        printers: [PASS, { ...GRILL, ticketsGoTo: 'Bar', backup: 'Pass' }, { name: 'Bar' }],
        way: 'backup Bar',
      },
      {
        title: 'comes home when the stand-in dies and the printer is back',
        printers: [
          { ...PASS, state: 'offline' },
          { ...GRILL, ticketsGoTo: 'Pass' },
        ],
        way: 'printer Grill',
      },
      {
        title: 'goes where a rule for its station sends it',
        printers: [PASS, GRILL],
        rules: rules({ name: 'a', when: { station: 'Grill' }, print: { printerIds: ['Pass'] }, stop: true }),
        way: 'printer Pass',
      },
      {
        title: 'is taken by the copy at the pass while its own printer is dead',
        printers: [PASS, DEAD_GRILL],
        rules: rules({ name: 'copies', print: { printerIds: ['Pass'] } }),
        way: 'printer Pass',
      },
      {
        title: 'is named by its own printer where a rule copies it as well',
        printers: [PASS, GRILL],
        rules: rules({ name: 'copies', print: { printerIds: ['Pass'] } }),
        way: 'printer Grill',
      },
      {
        title: 'does not go by a rule for some orders only',
        printers: [PASS, DEAD_GRILL],
        rules: rules({
          name: 'deliveries',
          when: { orderType: 'delivery' },
          print: { printerIds: ['Pass'] },
          stop: true,
        }),
        way: null,
      },
      {
        title: 'is taken by nobody who prints receipts',
        printers: [DEAD_GRILL, { name: 'Front', stations: ['receipt'], isDefault: false }],
        way: null,
      },
    ]
  test.each(cases)('$title', ({ printers, rules: list = [], station = 'grill', way }) => {
    expect(words(station, { printers: printers.map(printer), rules: list })).toBe(way)
  })
})

describe('a line whose printers are all offline', () => {
  const printers = [printer({ ...PASS, state: 'offline' }), printer(DEAD_GRILL), printer({ name: 'Bar' })]
  const cases: { title: string; displays: WayDisplay[]; way: string | null }[] = [
    {
      title: 'stands on the live screen of its station',
      displays: [display('Expo', []), display('Grill 1', ['Grill'])],
      way: 'display Grill 1',
    },
    {
      title: 'stands on a live expo screen',
      displays: [display('Expo', []), display('Fry', ['fry'])],
      way: 'display Expo',
    },
    {
      title: 'stands on every live screen when none is for its station',
      displays: [display('Fry', ['fry'])],
      way: 'display Fry',
    },
    {
      title: 'does not stand on the screen of another station while a silent one is for its own',
      displays: [display('Fry', ['fry']), display('Grill 1', ['grill'], { isAlive: false })],
      way: null,
    },
    { title: 'is on no silent screen', displays: [display('Grill 1', ['grill'], { isAlive: false })], way: null },
    {
      title: 'is printed behind a silent screen',
      displays: [display('Grill 1', ['grill'], { isAlive: false, backupPrinterId: 'Bar' })],
      way: 'backup Bar',
    },
    {
      title: 'is not printed behind a silent screen by a dead printer',
      displays: [display('Grill 1', ['grill'], { isAlive: false, backupPrinterId: 'Pass' })],
      way: null,
    },
    {
      title: 'is not printed behind a silent screen of another station',
      displays: [
        display('Fry', ['fry'], { isAlive: false, backupPrinterId: 'Bar' }),
        display('Grill 1', ['grill'], { isAlive: false }),
      ],
      way: null,
    },
  ]
  test.each(cases)('$title', ({ displays, way }) => {
    expect(words('grill', { printers, displays })).toBe(way)
  })

  test('is printed while a printer works, also beside a live screen', () => {
    expect(words('grill', { printers: [printer(GRILL)], displays: [display('Grill 1', ['grill'])] })).toBe(
      'printer Grill',
    )
  })
})

describe('the list', () => {
  test('names each station once, as it is written first, and the rest last', () => {
    const facts = {
      printers: [printer(PASS), printer({ ...GRILL, stations: ['Grill', 'fry'] })],
      displays: [display('Cold', ['FRY', 'Salads'])],
      rules: rules({ name: 'a', when: { station: 'pizza' }, print: { printerIds: ['Grill'] }, stop: true }),
    }
    expect(stationWays(facts).map(({ station, way }) => [station, way?.name])).toEqual([
      ['Grill', 'Grill'],
      ['fry', 'Grill'],
      ['Salads', 'Pass'],
      ['pizza', 'Grill'],
      [null, 'Pass'],
    ])
  })

  test('of a box without printers and screens has no output', () => {
    expect(stationWays({ printers: [], displays: [], rules: [] })).toEqual([{ station: null, way: null }])
  })
})

const IDS = ['p0', 'p1', 'p2', 'p3'] as const
const STATIONS = ['grill', 'Fry', 'bar'] as const
const anyStations = fc.uniqueArray(fc.constantFrom(...STATIONS), { maxLength: 2 })
const anyPrinters = fc.array(
  fc.record({
    stations: anyStations,
    isDefault: fc.boolean(),
    state: fc.constantFrom('online' as const, 'offline' as const, 'unknown' as const),
    isPaused: fc.boolean(),
    backup: fc.constantFrom(...IDS),
  }),
  { maxLength: IDS.length },
)
const anyRules = fc
  .array(
    fc.record({
      station: fc.option(fc.constantFrom(...STATIONS), { nil: undefined }),
      printerIds: fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 2 }),
      stop: fc.boolean(),
    }),
    { maxLength: 3 },
  )
  .map((list) =>
    rules(
      ...list.map(({ station, printerIds, stop }, n) => ({
        name: `${n}`,
        when: { station },
        print: { printerIds },
        stop,
      })),
    ),
  )

test('the router sends a line to a printer of the way, or to one whose backup chain first prints at the way', () => {
  assertProperty(
    fc.property(
      anyPrinters,
      anyRules,
      fc.constantFrom(...STATIONS, 'never heard of', null),
      (list, someRules, station) => {
        const printers = list.map((one, n) => printer({ name: IDS[n] ?? '', ...one }))
        const facts = { printers, displays: [], rules: someRules }
        const tickets = routeJob({ kind: 'order', order: orderOf(station) }, printers, { rules: someRules })
        const ways = tickets.map(({ printerId }) => standInOf(printers, printerId))
        const way = wayOf(station, facts)
        // Some ticket of the line is printed: the way is one of theirs. None is: there is no way.
        if (way) expect(ways).toContainEqual([way.kind, way.id])
        else expect(ways.every((one) => one === null)).toBe(true)
        const listed = stationWays(facts).find(
          (one) => one.station !== null && fold(one.station) === fold(station ?? ''),
        )
        expect((listed ?? stationWays(facts).at(-1))?.way).toEqual(way)
      },
    ),
    { numRuns: 500 },
  )
})

function standInOf(printers: readonly WayPrinter[], printerId: string): [string, string] | null {
  const seen: string[] = []
  for (let at = printers.find((one) => one.printerId === printerId); at && !seen.includes(at.printerId); ) {
    const { state, isPaused, settings } = at
    if (state !== 'offline' && !isPaused) return [seen.length === 0 ? 'printer' : 'backup', at.printerId]
    if (isPaused && seen.length === 0) return null
    seen.push(at.printerId)
    const backupId = settings?.backupPrinterId
    at = printers.find((one) => one.printerId === backupId)
  }
  return null
}

function orderOf(station: string | null): KitchenOrder {
  return {
    ...{ serviceOrderId: 'ord_1', orderId: '1', merchantId: 'M', locationId: 'loc', source: 'app', posOrderId: null },
    ...{ queuedAtMs: 1, fireAtMs: null, readyByMs: 1, timeZone: 'UTC' },
    items: [{ umsId: 'x', name: 'X', qty: 1, modifiers: [], station }],
  }
}
