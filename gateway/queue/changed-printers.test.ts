// Printers that are removed or set up again while others depend on them: nothing gets stuck, and no state of the old device remains.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { KNOWS_ALL } from '#test/doubles/printer-rig.ts'
import { OFFLINE, type ScriptedTransport } from '#test/doubles/scripted-transport.ts'

const BAR = { ...GRILL, name: 'Bar', port: 9102, stations: ['bar'] }
const FRIES = { items: [{ umsId: 'f', name: 'Fries', qty: 1, modifiers: [], station: 'fry' }] }
const ids = (transport: ScriptedTransport) => transport.sent.map(({ attemptId }) => attemptId.replace(/\.\d+$/, ''))

let core: GatewayCore
let grill: ScriptedTransport
let fry: ScriptedTransport
let bar: ScriptedTransport
beforeEach(() => {
  core = new GatewayCore([GRILL, FRY, BAR])
  ;[grill, fry, bar] = [core.transport('grill'), core.transport('fry'), core.transport('bar')]
})
afterEach(async () => {
  expect(core.fatal).toEqual([])
  await core.stop()
})

describe('a backup printer that is removed', () => {
  it('is no backup any more, and its printer can still be paused and changed', () => {
    core.set('grill', { backupPrinterId: 'fry' })
    expect(core.queue.removePrinter('fry').ok).toBe(true)
    expect(core.queue.pause('grill').ok).toBe(true)
    expect(core.printers.find('grill')?.settings).toMatchObject({ backupPrinterId: null, paused: true })
  })

  it('is replaced by the next backup that is set', async () => {
    core.set('grill', { backupPrinterId: 'fry' })
    grill.down = OFFLINE
    await core.queue.start()
    core.accept('pj_1')
    await core.pass(21_000)
    expect(ids(fry)).toEqual(['pj_1-1'])
    core.queue.removePrinter('fry')
    core.accept('pj_2')
    await core.pass(5_000)
    expect(core.states()['pj_2-1']).toBe('queued')
    core.queue.updatePrinter('grill', { settings: { backupPrinterId: 'bar' } })
    await core.pass(5_000)
    expect(ids(bar)).toEqual(['pj_2-1'])
  })
})

describe('tickets that a person moves to a printer that cannot print', () => {
  it('go on to its backup', async () => {
    core.set('fry', { backupPrinterId: 'bar' })
    fry.down = OFFLINE
    grill.down = OFFLINE
    await core.queue.start()
    core.accept('pj_1', { order: FRIES })
    await core.pass(21_000)
    core.accept('pj_2')
    await core.pass(1_000)
    expect(await core.queue.moveAll('grill', 'fry')).toBe(1)
    await core.pass(5_000)
    expect(ids(bar)).toEqual(['pj_1-1', 'pj_2-1'])
  })
})

describe('a reprint of a ticket of a removed printer', () => {
  it('is refused until another printer is chosen', async () => {
    await core.queue.start()
    core.accept('pj_1', { order: FRIES })
    await core.result('pj_1')
    core.queue.removePrinter('fry')
    expect(core.queue.reprint('pj_1-1')).toEqual({ ok: false, reason: 'unknown-printer' })
    expect(core.queue.reprint('pj_1-1', 'bar')).toEqual({ ok: true, ticketId: 'pj_1-1-r1' })
    await core.pass(1_000)
    expect(ids(bar)).toEqual(['pj_1-1-r1'])
  })
})

describe('the recorded answers of a device', () => {
  it('are not used for the device at its new address', () => {
    const old = core.printers.find('grill')
    if (!old) throw new Error('no grill')
    core.printers.saveCapability(old, KNOWS_ALL)
    core.queue.updatePrinter('grill', { host: '127.0.0.9' })
    core.printers.saveCapability(old, KNOWS_ALL)
    core.db.flush()
    expect(core.printers.find('grill')?.capability).toBeNull()
    const now = core.printers.find('grill')
    if (now) core.printers.saveCapability(now, KNOWS_ALL)
    core.db.flush()
    expect(core.printers.find('grill')?.capability).toEqual(KNOWS_ALL)
  })
})
