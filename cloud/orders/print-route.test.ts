// Whether an order would wait for its kitchen: by the very rule by which the gateway routes it.
import { describe, expect, test } from 'vitest'
import type { Kitchen, KitchenPrinter } from '#cloud/storage/print-job-store.ts'
import { asId } from '#shared/ids.ts'
import { isOrderHeldUp } from './print-route.ts'

type State = KitchenPrinter['state']

const printer = (printerId: string, state: State, ...stations: string[]): KitchenPrinter => ({
  printerId,
  name: printerId,
  stations,
  isDefault: false,
  state,
  reasons: [],
})
const kitchen = (presence: Kitchen['presence'], ...printers: KitchenPrinter[]): Kitchen => ({
  gatewayId: asId('gw'),
  locationId: asId('loc'),
  presence,
  lastSeenAtMs: null,
  caps: [],
  printers,
})
const main = (state: State) => ({ ...printer('main', state), isDefault: true })

describe('an order is held up', () => {
  test('when its gateway is known to be offline, and never by what is not known', () => {
    expect(isOrderHeldUp([kitchen('offline', main('online'))], ['grill'])).toBe(true)
    expect(isOrderHeldUp([kitchen('unknown', main('offline'))], ['grill'])).toBe(false)
    expect(isOrderHeldUp([kitchen('online', main('unknown'))], ['grill'])).toBe(false)
    expect(isOrderHeldUp([kitchen('online')], ['grill'])).toBe(false)
    expect(isOrderHeldUp([], ['grill'])).toBe(false)
  })

  test('when every printer of its route is, whatever the others are', () => {
    const here = kitchen('online', main('offline'), printer('bar', 'online', 'Bar'))
    expect(isOrderHeldUp([here], ['grill'])).toBe(true)
    expect(isOrderHeldUp([here], [null])).toBe(true)
    expect(isOrderHeldUp([here], [' bar '])).toBe(false)
    expect(isOrderHeldUp([here], ['bar', 'grill'])).toBe(false)
  })

  test('when the printer that its station goes to is, though another one serves that station too', () => {
    const here = kitchen('online', printer('grill-1', 'offline', 'grill'), printer('grill-2', 'online', 'grill'))
    expect(isOrderHeldUp([here], ['grill'])).toBe(true)
  })

  test('when the first printer is and none is the default one', () => {
    const here = kitchen('online', printer('first', 'offline'), printer('second', 'online'))
    expect(isOrderHeldUp([here], ['grill'])).toBe(true)
  })

  test('only when no other gateway of the location can print it', () => {
    expect(isOrderHeldUp([kitchen('offline'), kitchen('online', main('online'))], [null])).toBe(false)
    expect(isOrderHeldUp([kitchen('offline'), kitchen('online', main('offline'))], [null])).toBe(true)
  })
})
