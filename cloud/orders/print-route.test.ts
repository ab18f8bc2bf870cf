// Whether an order would wait for its kitchen: by the very rule by which the gateway routes it.
import { describe, expect, test } from 'vitest'
import type { Kitchen, KitchenPrinter } from '#cloud/storage/print-job-store.ts'
import { asId } from '#shared/ids.ts'
import type { StationWay } from '#shared/wire/gateway-standing.ts'
import { orderRoute as routeOf } from './print-route.ts'

type State = KitchenPrinter['state']

const printer = (printerId: string, state: State, ...stations: string[]): KitchenPrinter => ({
  printerId,
  name: printerId,
  stations,
  isDefault: false,
  state,
  reasons: [],
  standIn: null,
})
const kitchen = (presence: Kitchen['presence'], ...printers: KitchenPrinter[]): Kitchen => ({
  gatewayId: asId('gw'),
  locationId: asId('loc'),
  presence,
  lastSeenAtMs: null,
  caps: [],
  printers,
  stations: null,
  routing: null,
})
const orderRoute = (kitchens: readonly Kitchen[], stations: readonly (string | null)[], over: object = {}) =>
  routeOf(kitchens, { ...ORDER, due: stations.map((station) => ({ umsId: 'U-1', station, ...over })) })
const ORDER = { locationId: 'loc', source: 'kiosk', orderType: 'dine-in' }
const isHeldUp = (...of: Parameters<typeof orderRoute>) => orderRoute(...of).isHeldUp
const main = (state: State) => ({ ...printer('main', state), isDefault: true })

describe('an order is held up', () => {
  test('when its gateway is known to be offline, and never by what is not known', () => {
    expect(isHeldUp([kitchen('offline', main('online'))], ['grill'])).toBe(true)
    expect(isHeldUp([kitchen('unknown', main('offline'))], ['grill'])).toBe(false)
    expect(isHeldUp([kitchen('online', main('unknown'))], ['grill'])).toBe(false)
    expect(isHeldUp([kitchen('online')], ['grill'])).toBe(false)
    expect(isHeldUp([], ['grill'])).toBe(false)
  })

  test('when every printer of its route is, whatever the others are', () => {
    const here = kitchen('online', main('offline'), printer('bar', 'online', 'Bar'))
    expect(isHeldUp([here], ['grill'])).toBe(true)
    expect(isHeldUp([here], [null])).toBe(true)
    expect(isHeldUp([here], [' bar '])).toBe(false)
    expect(isHeldUp([here], ['bar', 'grill'])).toBe(false)
  })

  test('when the printer that its station goes to is, though another one serves that station too', () => {
    const here = kitchen('online', printer('grill-1', 'offline', 'grill'), printer('grill-2', 'online', 'grill'))
    expect(isHeldUp([here], ['grill'])).toBe(true)
  })

  test('when the first printer is and none is the default one', () => {
    const here = kitchen('online', printer('first', 'offline'), printer('second', 'online'))
    expect(isHeldUp([here], ['grill'])).toBe(true)
  })

  test('only when no other gateway of the location can print it', () => {
    expect(isHeldUp([kitchen('offline'), kitchen('online', main('online'))], [null])).toBe(false)
    expect(isHeldUp([kitchen('offline'), kitchen('online', main('offline'))], [null])).toBe(true)
  })
})

describe('a gateway that reports how its stations are served', () => {
  const way = (station: string | null, kind?: 'printer' | 'backup' | 'display', name = ''): StationWay => ({
    station,
    way: kind === undefined ? null : { kind, id: name, name },
  })
  /** Its printers are all off, which does not count. */
  const box = (...stations: StationWay[]): Kitchen => ({
    ...kitchen('online', main('offline'), printer('grill', 'offline', 'grill')),
    stations,
  })

  test('accepts what a backup or a live screen can take, and goes before its printers', () => {
    const here = box(way('Grill', 'display', 'Grill 1'), way('bar', 'backup', 'Pass'), way(null))
    expect(orderRoute([here], ['GRILL ', 'bar'])).toEqual({
      isHeldUp: false,
      ways: [
        { station: 'GRILL ', way: 'display', name: 'Grill 1' },
        { station: 'bar', way: 'backup', name: 'Pass' },
      ],
    })
  })

  test('holds an order up only when none of its stations can be served', () => {
    const here = box(way('grill'), way('bar', 'printer', 'Bar'), way(null))
    expect(orderRoute([here], ['grill', 'bar'])).toEqual({
      isHeldUp: false,
      ways: [
        { station: 'grill', way: null, name: null },
        { station: 'bar', way: 'printer', name: 'Bar' },
      ],
    })
    expect(orderRoute([here], ['grill', null]).isHeldUp).toBe(true)
  })

  test('serves a station of which it never heard, and lines without one, like the rest', () => {
    const here = box(way('grill'), way(null, 'printer', 'Pass'))
    expect(orderRoute([here], ['new', null]).ways?.map(({ name }) => name)).toEqual(['Pass', 'Pass'])
  })

  test('can take nothing while it is away, and nothing is known of it before its hello', () => {
    const said = box(way(null, 'printer', 'Pass'))
    expect(orderRoute([{ ...said, presence: 'offline' }], ['grill'])).toEqual({
      isHeldUp: true,
      ways: [{ station: 'grill', way: null, name: null }],
    })
    expect(orderRoute([{ ...said, presence: 'unknown' }], ['grill'])).toEqual({ isHeldUp: false, ways: null })
  })

  test('is not used where another one of the location can take the order', () => {
    const dead = box(way(null))
    const well = { ...box(way(null, 'printer', 'Second')), gatewayId: asId<'gw'>('gw_2') }
    expect(orderRoute([dead, well], [null])).toEqual({
      isHeldUp: false,
      ways: [{ station: null, way: 'printer', name: 'Second' }],
    })
  })
})

describe('a gateway that does not report it', () => {
  test('is judged by its printers', () => {
    const here = kitchen('online', main('online'), printer('bar', 'offline', 'bar'))
    expect(orderRoute([here], ['bar', 'grill']).ways).toEqual([
      { station: 'bar', way: null, name: null },
      { station: 'grill', way: 'printer', name: 'main' },
    ])
  })

  test('and has not reported its printers yet is left out', () => {
    expect(orderRoute([kitchen('online')], ['grill'])).toEqual({ isHeldUp: false, ways: null })
    expect(orderRoute([], ['grill'])).toEqual({ isHeldUp: false, ways: null })
  })
})

describe('a gateway whose rules have conditions beyond the station', () => {
  const way = (station: string | null, name?: string): StationWay => ({
    ...{ station, way: name === undefined ? null : { kind: 'display', id: name, name } },
  })
  /** The grill's printer is off, the bar's is not. */
  const box = (rules: NonNullable<Kitchen['routing']>['rules'], ...screens: StationWay[]): Kitchen => ({
    ...kitchen('online', printer('grill', 'offline', 'grill'), printer('bar', 'online', 'bar')),
    stations: [way('grill'), { station: 'bar', way: { kind: 'printer', id: 'bar', name: 'bar' } }, way(null)],
    routing: {
      printers: [
        { id: 'grill', orders: true, by: null },
        { id: 'bar', orders: true, by: 'bar' },
      ],
      ...{ rules, screens: [...screens, way(null)] },
    },
  })
  const to = (when: NonNullable<Kitchen['routing']>['rules'][number]['when'], ...ids: string[]) => ({
    ...{ when, to: ids, stop: true },
  })

  test.each([
    ['category', to({ category: 'Mains' }, 'bar')],
    ['item', to({ umsId: 'U-1' }, 'bar')],
    ['source', to({ source: 'KIOSK' }, 'bar')],
    ['order type', to({ orderType: 'dine-in' }, 'bar')],
    ['course', to({ course: 2 }, 'bar')],
    ['location', to({ locationId: 'loc' }, 'bar')],
  ])('takes a line that its %s sends to a printer that is well', (_, rule) => {
    const line = { category: 'mains', course: 2 }
    expect(orderRoute([box([rule])], ['grill'], line).ways).toEqual([{ station: 'grill', way: 'printer', name: 'bar' }])
    const other = { umsId: 'U-2', category: 'x', course: 1 }
    const { isHeldUp } = routeOf([box([rule])], {
      ...{ locationId: 'else', source: 'web', due: [{ station: 'grill', ...other }] },
    })
    expect(isHeldUp).toBe(true)
  })

  test('holds up what a rule sends to a printer that is off, unless a screen shows it', () => {
    const rule = to({ category: 'Drinks' }, 'grill')
    expect(isHeldUp([box([rule])], ['bar'], { category: 'drinks' })).toBe(true)
    expect(isHeldUp([box([rule])], ['bar'], { category: 'wine' })).toBe(false)
    expect(orderRoute([box([rule], way('Bar', 'Bar screen'))], ['bar'], { category: 'drinks' }).ways).toEqual([
      { station: 'bar', way: 'display', name: 'Bar screen' },
    ])
  })

  test('names a backup, and each way of a station whose lines are split', () => {
    const here = box([to({ category: 'Drinks' }, 'grill')])
    const backed = { ...here.routing!, printers: [{ id: 'grill', orders: true, by: 'bar' }] }
    const due = ['drinks', 'wine'].map((category) => ({ umsId: 'U', station: 'bar', category }))
    expect(routeOf([{ ...here, routing: backed }], { ...ORDER, due }).ways).toEqual([
      { station: 'bar', way: 'backup', name: 'bar' },
    ])
    expect(routeOf([here], { ...ORDER, due }).ways).toEqual([
      { station: 'bar', way: null, name: null },
      { station: 'bar', way: 'printer', name: 'bar' },
    ])
  })
})
