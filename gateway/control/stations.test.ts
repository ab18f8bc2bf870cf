// Stations as things: what serves each of them, and what has no place. The facts are those of the stores, without a store.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { routeJob } from '#shared/tickets/route-job.ts'
import { routingRules } from '#shared/tickets/routing-rules.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { assertProperty } from '#test/harness/property.ts'
import { type StationFacts, stationsOf } from './stations.ts'

type Printer = StationFacts['printers'][number]

const printer = (name: string, stations: string[], change: Partial<Printer['settings']> = {}): Printer => ({
  ...{ printerId: name.toLowerCase(), name, stations, isDefault: name === 'Pass' },
  settings: { ...DEFAULT_PRINTER_SETTINGS, ...change },
})
const screen = (name: string, stations: string[], backupPrinterId: string | null = null) => ({
  ...{ displayId: name.toLowerCase(), name, stations, backupPrinterId },
})
const pass = printer('Pass', [])
const grill = printer('Grill', ['grill'])
const bar = printer('Bar', ['bar'])

function all(facts: Partial<Omit<StationFacts, 'rules'>> & { rules?: unknown[] }) {
  const rules = routingRules.parse(facts.rules ?? [])
  return stationsOf({ printers: [pass, grill, bar], displays: [], seen: [], ...facts, rules })
}
const one = (name: string, facts: Parameters<typeof all>[0]) =>
  all(facts).stations.find((station) => station.name.toLowerCase() === name)

describe('a station', () => {
  it('is whatever a printer, a screen, a rule or an order names, once whatever its case', () => {
    const names = all({
      printers: [pass, printer('Front', ['receipt', 'Label', 'Bar'])],
      displays: [screen('S', ['BAR', 'Fry'])],
      rules: [{ name: 'r', when: { station: 'Sushi' }, print: { printerIds: ['pass'] } }],
      seen: [
        { station: 'fry', lines: 3 },
        { station: '', lines: 9 },
        { station: 'Wok', lines: 1 },
      ],
    })
    expect(names.stations.map(({ name, lines }) => [name, lines])).toEqual([
      ['Bar', 0],
      ['Fry', 3],
      ['Sushi', 0],
      ['Wok', 1],
    ])
    expect(names.rest).toEqual({ lines: 9, printerId: 'pass' })
  })

  it('prints where it is served first; a second printer of the same name is passed over', () => {
    const second = printer('Grill 2', ['GRILL'])
    const { stations, printers } = all({ printers: [pass, grill, second] })
    expect(stations).toMatchObject([
      { name: 'grill', paper: [{ printerId: 'grill', by: 'station' }], passedOver: ['grill 2'], faults: [] },
    ])
    expect(printers.map(({ name, work }) => `${name} ${work}`)).toEqual([
      'Pass rest',
      'Grill stations',
      'Grill 2 passed-over',
    ])
  })

  it('prints also where a rule names it', () => {
    const rules = [{ name: 'a', when: { station: 'Grill' }, print: { printerIds: ['pass'] } }]
    expect(one('grill', { rules })?.paper).toEqual([
      { printerId: 'pass', by: 'also' },
      { printerId: 'grill', by: 'station' },
    ])
    const wide = [{ name: 'a', print: { printerIds: ['bar'] }, stop: true }]
    expect(one('grill', { rules: wide })?.paper).toEqual([{ printerId: 'bar', by: 'rule' }])
  })

  it('is not served by a rule with conditions beyond the station', () => {
    const rules = [{ name: 'a', when: { orderType: 'delivery' }, print: { printerIds: ['pass'] } }]
    expect(one('wok', { rules, seen: [{ station: 'Wok', lines: 1 }] })).toMatchObject({
      ...{ paper: [{ printerId: 'pass', by: 'default' }], faults: ['no-place'] },
    })
  })

  it('without printer and screen has no place, where there is a choice', () => {
    const seen = [{ station: 'Wok', lines: 4 }]
    expect(one('wok', { seen })).toMatchObject({ faults: ['no-place'], paper: [{ printerId: 'pass', by: 'default' }] })
    expect(one('wok', { seen, printers: [pass] })?.faults).toEqual([])
    expect(one('wok', { seen, printers: [pass], displays: [screen('Expo', [])] })?.faults).toEqual([])
    expect(one('wok', { seen, displays: [screen('Expo', [])] })?.faults).toEqual(['no-printer'])
    expect(one('wok', { seen, displays: [screen('S', ['grill'])] })?.faults).toEqual(['no-place', 'no-screen'])
  })

  it('is a typing error when a similar station is served, or when orders name the similar one', () => {
    expect(one('gril', { displays: [screen('S', ['Gril', 'grill'])] })?.like).toBe('grill')
    const typo = { printers: [pass, printer('Grill', ['Gril']), bar], seen: [{ station: 'Grill', lines: 20 }] }
    expect([one('gril', typo)?.like, one('grill', typo)?.like]).toEqual(['Grill', null])
  })

  it('is no slip of the keyboard when both of two that are one letter apart are served', () => {
    const printers = [pass, printer('Fry', ['Wings']), printer('Cellar', ['Wines'])]
    const seen = ['Wings', 'Wines'].map((station) => ({ station, lines: 20 }))
    for (const facts of [{ printers }, { printers, seen }])
      expect([one('wings', facts)?.like, one('wines', facts)?.like]).toEqual([null, null])
    const [, fry = pass] = printers
    const unserved = { printers: [pass, fry], seen }
    expect([one('wings', unserved)?.like, one('wines', unserved)?.like]).toEqual([null, 'Wings'])
  })
})

describe('a printer', () => {
  it('without station, rule, receipts or another printer to back up never prints', () => {
    const rules = [{ name: 'r', when: { orderType: 'delivery' }, print: { printerIds: ['door'] } }]
    const { printers } = all({
      printers: [
        pass,
        printer('Grill', ['grill'], { backupPrinterId: 'spare' }),
        printer('Spare', []),
        printer('Door', []),
        printer('Front', [], { papers: ['receipt'] }),
        printer('Till', ['receipt']),
        printer('Screens', []),
        printer('Forgotten', []),
      ],
      rules,
      displays: [screen('S', [], 'screens')],
    })
    expect(Object.fromEntries(printers.map(({ name, work }) => [name, work]))).toEqual({
      ...{ Pass: 'rest', Grill: 'stations', Spare: 'backup', Door: 'rules', Front: 'papers', Till: 'papers' },
      ...{ Screens: 'backup', Forgotten: 'nothing' },
    })
  })

  it('names its backup printers and where they form a circle', () => {
    const { printers } = all({
      printers: [
        printer('Pass', [], { backupPrinterId: 'grill' }),
        printer('Grill', ['grill'], { backupPrinterId: 'bar' }),
        printer('Bar', ['bar'], { backupPrinterId: 'grill' }),
      ],
    })
    expect(printers.map(({ backups }) => backups)).toEqual([
      ['Grill', 'Bar', 'Grill'],
      ['Bar', 'Grill'],
      ['Grill', 'Bar'],
    ])
  })
})

describe('a screen', () => {
  it('shows nothing when nothing else names its stations', () => {
    const faultOf = (stations: string[], change: Parameters<typeof all>[0] = {}) =>
      all({ displays: [screen('S', stations)], ...change }).displays[0]?.fault
    expect(faultOf(['Wok'])).toBe('no-overlap')
    expect(faultOf(['Wok', 'GRILL'])).toBeNull()
    expect(faultOf([])).toBeNull()
    expect(faultOf(['Wok'], { seen: [{ station: 'wok', lines: 1 }] })).toBeNull()
    expect(faultOf(['Wok'], { printers: [pass] })).toBeNull()
  })
})

describe('a rule', () => {
  const to = (...printerIds: string[]) => ({ printerIds })
  it.each([
    ['gone', [{ name: 'r', print: to('x') }]],
    ['part-gone', [{ name: 'r', print: to('pass', 'x') }]],
    [null, [{ name: 'r', print: to('pass') }]],
  ])('is %s', (fault, rules) => {
    expect(all({ rules }).rules).toEqual([{ name: 'r', fault }])
  })

  it('is never offered behind a printer whose backups end the same way', () => {
    const faults = (first: object, second: object) =>
      all({
        rules: [
          { name: 'a', print: to('bar'), stop: true, ...first },
          { name: 'b', print: to('pass'), ...second },
        ],
      }).rules[1]?.fault
    expect(faults({}, { when: { station: 'grill' } })).toBe('never')
    expect(faults({ when: { station: 'Grill' } }, { when: { station: 'grill', course: 2 } })).toBe('never')
    expect(faults({ when: { station: 'grill' } }, { when: { station: 'bar' } })).toBeNull()
    expect(faults({ when: { station: 'grill', course: 2 } }, { when: { station: 'grill' } })).toBeNull()
    expect(faults({ stop: false }, { when: { station: 'grill' } })).toBeNull()
    expect(faults({}, { print: { ...to('pass'), paper: 'receipt' } })).toBeNull()
  })

  it('is offered behind one of the same paper that holds it for print jobs where it holds it for orders, and vice versa', () => {
    const receipt = { ...to('pass'), paper: 'receipt' }
    const rules = (...papers: unknown[]) =>
      papers.map((paper, n) => ({ name: `r${n}`, when: { paper }, print: receipt, stop: true }))
    const second = (...papers: unknown[]) => all({ rules: rules(...papers) }).rules[1]?.fault
    expect(second('receipt', 'kitchen')).toBeNull()
    expect(second('kitchen', 'receipt')).toBeNull()
    expect([second('receipt', 'receipt'), second('kitchen', undefined)]).toEqual(['never', 'never'])
  })
})

it('sends the paper of each station where the router sends it', () => {
  const name = fc.constantFrom('grill', 'Bar', 'wok')
  const printers = fc.array(
    fc.record({ stations: fc.uniqueArray(name), papers: fc.subarray(['kitchen', 'receipt']) }),
    {
      ...{ minLength: 1, maxLength: 4 },
    },
  )
  const rules = fc.array(
    fc.record({ station: fc.option(name, { nil: undefined }), to: fc.nat(3), stop: fc.boolean() }),
    { maxLength: 3 },
  )
  assertProperty(
    fc.property(printers, rules, name, (drawn, drawnRules, station) => {
      const facts = {
        printers: drawn.map(({ stations, papers }, n) => ({
          ...printer(`P${n}`, stations, { papers: papers as never }),
          isDefault: n === 0,
        })),
        rules: drawnRules.map(({ station: asked, to: n, stop }, index) => ({
          ...{ name: `r${index}`, when: asked === undefined ? {} : { station: asked } },
          ...{ print: { printerIds: [`p${n}`] }, stop },
        })),
        seen: [{ station, lines: 1 }],
      }
      const items = [{ umsId: 'u', name: 'x', qty: 1, modifiers: [], station }]
      const doc = { kind: 'order', order: { items } } as unknown as JobDoc
      const parts = routeJob(doc, facts.printers, { rules: routingRules.parse(facts.rules) })
      const meant = parts
        .filter(({ paper }) => paper === undefined || paper === 'kitchen')
        .map((part) => part.printerId)
      const told = one(station.toLowerCase(), facts)?.paper.map(({ printerId }) => printerId)
      expect(new Set(told)).toEqual(new Set(meant))
    }),
  )
})
