// The order by which people try a box: everything that a guest's order goes through, and nothing of it for the relay.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import { openKitchen } from '#gateway/kitchen/open-kitchen.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import type { ActKind } from '#shared/wire/kitchen.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { TestOrders } from './test-order.ts'

const MINUTE_MS = 60_000
const site = { gatewayId: '', merchantName: 'Bistro', timeZone: 'Europe/Madrid' }

let core: GatewayCore
let kitchen: Kitchen
let taps = 0

async function openAll(next: GatewayCore): Promise<void> {
  core = next
  const { db, queue, jobs, intake, relayTime: time, clock } = core
  const log = pino({ level: 'silent' })
  kitchen = openKitchen({ db, queue, jobs, intake, time, clock, log, app: 'test', site })
  await kitchen.start()
}

beforeEach(() => openAll(new GatewayCore([GRILL, FRY])))
afterEach(async () => {
  await kitchen.stop()
  await core.stop()
})

function place(): string {
  const { intake, printers, relayTime: time } = core
  const names = [...printers.all(), ...kitchen.displays.all()].flatMap(({ stations }) => stations)
  const lines = [null, ...new Set(names)].map((station, index) => ({ station, number: `471${index}` }))
  return new TestOrders({ intake, time, site }).place(lines)
}

function addDisplay(name: string, stations: string[] = []): string {
  const added = kitchen.displays.add({ name, stations, language: 'en', backupPrinterId: null }, core.clock.now())
  if (!added.ok) throw new Error(added.reason)
  return added.display.displayId
}

function tap(displayId: string, orderId: string, kind: ActKind) {
  const display = kitchen.displays.find(displayId)
  if (!display) throw new Error('no display')
  const act = { id: `tap-${String(++taps).padStart(8, '0')}`, kind, orderId, stations: null, atMs: core.clock.now() }
  return kitchen.act(display, [act])
}

const settled = (jobId: string) =>
  expect.poll(() => core.history.testOrder(jobId)?.tickets.map(({ printerName, state }) => `${printerName} ${state}`))
const paper = (printerId: string) => core.transport(printerId).sent.map(({ text }) => text)

describe('a test order', () => {
  it('gives paper to every printer that serves a station, marked so that no cook makes it', async () => {
    await core.queue.start()
    await settled(place()).toEqual(['Grill printed', 'Fry printed'])
    for (const printerId of ['grill', 'fry'])
      expect(paper(printerId)).toEqual([expect.stringMatching(/TEST ORDER[\s\S]*DO NOT MAKE/)])
    expect(paper('fry')[0]?.replaceAll(/\s+/g, ' ')).toContain('Test item for fry: 4712')
  })

  it('tests a printer of receipts and labels as well', async () => {
    core.printers.update('fry', { settings: { ...DEFAULT_PRINTER_SETTINGS, papers: ['receipt', 'label'] } })
    await core.queue.start()
    place()
    await expect.poll(() => paper('fry').join('\n')).toMatch(/TOTAL/)
    for (const text of paper('fry')) expect(text).toContain('TEST ORDER')
  })

  it('is no part of the relay’s stream, and is not reported to the relay', async () => {
    await core.queue.start()
    const jobId = place()
    await settled(jobId).toEqual(['Grill printed', 'Fry printed'])
    expect([core.identity.lastSeq(), core.reports.count(), core.reports.open(9)]).toEqual([0, 0, []])
    core.accept('pj_1')
    expect((await core.result('pj_1')).jobId).toBe('pj_1')
    expect(core.history.testOrder('pj_1')).toBeNull()
  })

  it('prints after a power cut, still marked', async () => {
    const jobId = place()
    await kitchen.stop()
    await openAll(core.crash())
    await core.queue.start()
    await settled(jobId).toEqual(['Grill printed', 'Fry printed'])
    expect(paper('grill')[0]).toContain('TEST ORDER')
    expect(core.history.recent(1)).toMatchObject([{ kind: 'test-order' }])
  })

  it('does not print an hour later, when its printer is switched on', async () => {
    const jobId = place()
    await core.held.start()
    await core.pass(11 * MINUTE_MS)
    await core.queue.start()
    await core.pass(1_000)
    expect(core.history.testOrder(jobId)?.tickets.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
    expect([...paper('grill'), ...paper('fry'), core.reports.count()]).toEqual([0])
  })

  it('appears on the screens of its stations, and the cooks’ actions on it stay here', async () => {
    const grill = addDisplay('Grill screen', ['grill'])
    await core.clock.advance(1)
    const expo = addDisplay('Expo')
    const orderId = core.history.testOrder(place())?.serviceOrderId ?? ''
    await core.clock.advance(0)
    expect(kitchen.board.find(orderId)).toMatchObject({ isTest: true, source: 'TEST' })
    const display = kitchen.displays.find(grill)
    if (display) kitchen.present(display, { rendered: [orderId], noticed: [], onShift: true })
    expect(await kitchen.standingOf(orderId)).toEqual({
      displays: [
        { displayId: grill, name: 'Grill screen', isAlive: true, isSeen: true },
        { displayId: expo, name: 'Expo', isAlive: false, isSeen: false },
      ],
      readyAtMs: null,
      pickedUpAtMs: null,
    })
    expect(tap(expo, orderId, 'ready')).toMatchObject([{ outcome: 'done' }])
    await core.clock.advance(MINUTE_MS)
    expect((await kitchen.standingOf(orderId))?.readyAtMs).not.toBeNull()
    for (const kind of ['pick-up', 'recall'] as const)
      expect(tap(expo, orderId, kind)).toMatchObject([{ outcome: 'done' }])
    await core.clock.advance(0)
    // It is never reported to the relay, so one that is recalled in time does not come back marked.
    expect(kitchen.board.find(orderId)).toMatchObject({ pickedUpAtMs: null, recalledAtMs: null })
    expect(tap(expo, orderId, 'pick-up')).toMatchObject([{ outcome: 'done' }])
    await core.clock.advance(MINUTE_MS)
    expect(kitchen.facts.openFacts(core.clock.now(), 9)).toEqual([])
    expect(kitchen.facts.nextDueMs(core.clock.now())).toBeNull()
  })

  it('is printed where a screen does not answer, and that is no order to make either', async () => {
    const displayId = addDisplay('Expo')
    kitchen.displays.update(displayId, { backupPrinterId: 'fry' })
    const code = kitchen.displays.newCode(displayId, core.clock.now())?.code ?? ''
    kitchen.displays.claim(code, core.clock.now())
    await core.queue.start()
    const jobId = place()
    await settled(jobId).toEqual(['Grill printed', 'Fry printed'])
    await core.pass(20_000)
    await expect.poll(() => paper('fry')).toHaveLength(2)
    expect(paper('fry')[1]).toMatch(/SCREEN OFFLINE[\s\S]*TEST ORDER[\s\S]*DO NOT[\s\S]*MAKE/)
  })

  it('leaves the screens by itself after half an hour', async () => {
    const orderId = core.history.testOrder(place())?.serviceOrderId ?? ''
    await core.clock.advance(29 * MINUTE_MS)
    expect(kitchen.board.find(orderId)).not.toBeNull()
    await core.clock.advance(2 * MINUTE_MS)
    expect(kitchen.board.find(orderId)).toBeNull()
  })
})
