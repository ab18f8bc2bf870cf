// The status that the box sends to the relay: sent again when a printer, a screen or its health changes, never in a loop.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { printerReport } from '#shared/wire/gateway-link.ts'
import type { HealthSummary } from '#shared/wire/gateway-standing.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'
import { RelayStatus } from './relay-status.ts'

const WELL: HealthSummary = { critical: 0, warning: 0, advice: 0, worst: null, sinceMs: null }

let room: KitchenRoom
let status: RelayStatus
let health: () => Promise<HealthSummary>
let changes: number

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
  health = async () => WELL
  changes = 0
  const { queue, printers, clock } = room.core
  status = new RelayStatus({
    ...{ queue, printers, clock, displays: room.kitchen.displays, screens: room.kitchen.presence },
    ...{ routing: room.core.routing, health: () => health(), log: pino({ level: 'silent' }) },
  })
  status.changed.subscribe(() => changes++)
  await status.start()
})

afterEach(async () => {
  await status.stop()
  await room.stop()
})

const clock = () => room.core.clock
const rest = () => status.snapshot().stations?.find(({ station }) => station === null)?.way ?? null

describe('screens', () => {
  test('are reported when one comes to life, and when it no longer answers', async () => {
    health = () => new Promise(() => undefined)
    await room.core.queue.start()
    room.core.queue.pause(room.core.printers.all()[0]?.printerId ?? '')
    changes = 0
    room.claim()
    expect(changes).toBe(1)
    expect(rest()).toBeNull()
    room.here([])
    await clock().advance(1_000)
    expect(changes).toBe(2)
    expect(rest()).toMatchObject({ kind: 'display', name: 'Expo' })
    await clock().advance(KITCHEN_TIMES.silentAfterMs + 1_000)
    expect(changes).toBe(3)
    expect(rest()).toBeNull()
  })
})

describe('routing', () => {
  test('is reported at once when a rule is saved, and when one is removed with its printer', async () => {
    health = () => new Promise(() => undefined)
    const { queue, routing } = room.core
    await queue.start()
    const bar = queue.addPrinter({
      ...FRY,
      name: 'Bar',
      port: 9102,
      profileId: 'generic-80',
      settings: DEFAULT_PRINTER_SETTINGS,
    })
    const printerIds = [bar.ok ? bar.printer.printerId : '']
    changes = 0
    const rule = {
      name: 'grill',
      when: { station: 'grill' },
      print: { printerIds, paper: 'kitchen' as const },
      stop: true,
    }
    routing.save([rule])
    expect(changes).toBe(1)
    const grill = () => status.snapshot().stations?.find(({ station }) => station === 'grill')?.way?.name
    expect(grill()).toBe('Bar')
    expect(queue.removePrinter(printerIds[0] ?? '').ok).toBe(true)
    expect(changes).toBeGreaterThan(1)
    expect(grill()).toBe('Grill')
  })

  test('is reported in full where a rule has conditions beyond the station, if it is short enough', async () => {
    health = () => new Promise(() => undefined)
    const { queue, routing, printers } = room.core
    await queue.start()
    const [grill] = printers.all()
    const rule = (name: string, when: object) => ({
      ...{ name, when, print: { printerIds: [grill?.printerId ?? ''], paper: 'kitchen' as const }, stop: true },
    })
    routing.save([rule('a', { station: 'grill' })])
    expect(status.snapshot().routing).toBeUndefined()
    routing.save([rule('a', { category: 'Mains' })])
    expect(status.snapshot().routing).toMatchObject({
      printers: [{ id: grill?.printerId, orders: true }],
      rules: [{ when: { category: 'Mains' }, to: [grill?.printerId], stop: true }],
      screens: [{ station: null, way: null }],
    })
    routing.save(Array.from({ length: 200 }, (_, n) => rule(`${n}`, { category: `${n}`.padEnd(64, 'x') })))
    expect(status.snapshot().routing).toBeUndefined()
  })
})

describe('a printer', () => {
  test('with more stations than a relay can read is reported with as many as it can', async () => {
    const { printers, queue } = room.core
    await queue.start()
    const [grill] = printers.all()
    const stations = Array.from({ length: 80 }, (_, n) => `station ${n}`)
    printers.update(grill?.printerId ?? '', { stations }, { who: 'test', atMs: 0 })
    queue.printersWereWritten()
    const told = status.snapshot().printers[0]
    expect(told?.stations).toHaveLength(64)
    expect(printerReport.safeParse(told).success).toBe(true)
  })

  const FRY_ALONE = { ...FRY, name: 'Bar', port: 9102 }

  test('that is off is reported with the backup that prints for it, and without one while that is off too', async () => {
    health = () => new Promise(() => undefined)
    const core = new GatewayCore([GRILL, FRY_ALONE])
    const { queue, printers } = core
    const [grill, bar] = printers.all()
    queue.updatePrinter(grill?.printerId ?? '', { settings: { backupPrinterId: bar?.printerId ?? '' } })
    await queue.start()
    const asked = {
      queue,
      printers,
      clock: core.clock,
      displays: room.kitchen.displays,
      screens: room.kitchen.presence,
    }
    const log = pino({ level: 'silent' })
    const told = new RelayStatus({ ...asked, routing: core.routing, health: () => health(), log })
    const standIns = () => told.snapshot().printers.map(({ name, standIn }) => `${name} ${standIn}`)
    expect(standIns()).toEqual(['Grill undefined', 'Bar undefined'])
    core.transport(grill?.printerId ?? '').show('offline')
    expect(standIns()).toEqual([`Grill ${bar?.printerId}`, 'Bar undefined'])
    core.transport(bar?.printerId ?? '').show('offline')
    expect(standIns()).toEqual(['Grill undefined', 'Bar undefined'])
    await core.stop()
  })
})

describe('the health of the box', () => {
  const flush = () => new Promise((resolve) => setImmediate(resolve))

  test('is read with each snapshot, and reported at once when it changed', async () => {
    expect(status.snapshot().health).toBeUndefined()
    await flush()
    expect(changes).toBe(1)
    expect(status.snapshot().health).toEqual(WELL)
    await clock().advance(5_000)
    status.snapshot()
    await flush()
    expect(changes).toBe(1)
  })

  test('that changes constantly is read at most every five seconds', async () => {
    let asked = 0
    health = async () => ({ ...WELL, critical: ++asked })
    for (let n = 0; n < 9; n++) {
      status.snapshot()
      await flush()
    }
    expect(asked).toBe(1)
    // What was asked meanwhile is not forgotten.
    await clock().advance(5_000)
    await flush()
    expect([asked, changes]).toEqual([2, 2])
    await clock().advance(60_000)
    expect(asked).toBe(2)
  })

  test('that cannot be read leaves the rest of the status intact', async () => {
    health = () => Promise.reject(new Error('the disk is ill'))
    status.snapshot()
    await flush()
    expect(status.snapshot()).toMatchObject({ queue: { queued: 0 }, stations: expect.any(Array) })
    expect(status.snapshot().health).toBeUndefined()
  })
})
