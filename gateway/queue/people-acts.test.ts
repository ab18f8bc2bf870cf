// Actions of people at the gateway: pause, move, cancel, reprint, and change printers while the others print.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE, type ScriptedTransport } from '#test/doubles/scripted-transport.ts'

const ids = (transport: ScriptedTransport) => transport.sent.map(({ attemptId }) => attemptId.replace(/\.\d+$/, ''))
const isMarked = ({ text }: { text: string }): boolean => text.includes('POSSIBLE DUPLICATE')
const both = ['grill', 'fry'].map((station) => ({ umsId: station, name: station, qty: 1, modifiers: [], station }))

const SLIP = { kind: 'slip', timeZone: 'UTC', title: 'T' } as const

let core: GatewayCore
let grill: ScriptedTransport
let fry: ScriptedTransport
const use = (next: GatewayCore): void => {
  core = next
  ;[grill, fry] = [core.transport('grill'), core.transport('fry')]
}
beforeEach(() => use(new GatewayCore([GRILL, FRY])))
afterEach(async () => {
  expect(core.fatal).toEqual([])
  await core.stop()
})

describe('PrintQueue.pause', () => {
  it('completes the ticket in flight, takes no other until resume, and survives a crash', async () => {
    let end = (): void => {}
    grill.outcomes.push(() => new Promise((resolve) => (end = () => resolve(grill.printed()))))
    await core.queue.start()
    core.accept('pj_1')
    core.accept('pj_2')
    await grill.sends(1)
    expect(core.queue.pause('grill').ok).toBe(true)
    end()
    await core.result('pj_1')
    await core.pass(2_000)
    use(core.crash())
    await core.queue.start()
    core.accept('pj_3', { order: { items: both } })
    await core.pass(90_000)
    expect([grill.sent, ids(fry)]).toEqual([[], ['pj_3-2']])
    expect(core.queue.printers()[0]).toMatchObject({ isPaused: true, queued: 2, state: 'online' })
    core.queue.resume('grill')
    await core.pass(1_000)
    expect(ids(grill)).toEqual(['pj_2-1', 'pj_3-1'])
    expect(grill.sent.some(isMarked)).toBe(false)
  })

  it('stops an idle printer too', async () => {
    await core.queue.start()
    await core.pass(1_000)
    core.queue.pause('grill')
    core.accept('pj_1')
    await core.pass(1_000)
    expect(grill.sent).toEqual([])
    core.queue.resume('grill')
    expect((await core.result('pj_1')).state).toBe('printed')
  })
})

describe('PrintQueue.moveAll', () => {
  it('moves what waits in order, and gives up a ticket in which the printer has stopped', async () => {
    grill.outcomes.push(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(grill.uncertain()))),
    )
    await core.queue.start()
    for (const n of [1, 2]) core.accept(`pj_${n}`)
    await grill.sends(1)
    grill.down = OFFLINE
    grill.show('offline')
    expect(await core.queue.moveAll('grill', 'fry')).toBe(2)
    await core.pass(2_000)
    expect(ids(fry)).toEqual(['pj_1-1', 'pj_2-1'])
    expect(fry.sent.map(isMarked)).toEqual([true, false])
    expect(fry.sent.every(({ text }) => text.includes('BACKUP FROM Grill'))).toBe(true)
    expect(grill.discarded, 'asked to forget the rest of it').toBe(1)
  })

  it('leaves the ticket in progress at its printer', async () => {
    let end = (): void => {}
    grill.outcomes.push(() => new Promise((resolve) => (end = () => resolve(grill.printed()))))
    await core.queue.start()
    for (const n of [1, 2]) core.accept(`pj_${n}`)
    await grill.sends(1)
    expect(await core.queue.moveAll('grill', 'fry')).toBe(1)
    end()
    expect(await core.result('pj_1')).toMatchObject({ tickets: [{ printerName: 'Grill', possibleDuplicate: false }] })
  })
})

describe('PrintQueue.moveTicket', () => {
  it('moves one waiting ticket and leaves the others', async () => {
    for (const n of [1, 2]) core.accept(`pj_${n}`)
    expect(await core.queue.moveTicket('pj_2-1', 'fry')).toEqual({ ok: true, ticketId: 'pj_2-1' })
    await core.queue.start()
    await core.result('pj_1')
    await core.result('pj_2')
    expect([ids(grill), ids(fry)]).toEqual([['pj_1-1'], ['pj_2-1']])
    expect(await core.queue.moveTicket('pj_2-1', 'grill')).toEqual({ ok: false, reason: 'settled' })
  })

  it('gives up the one in which the printer has stopped, and marks it', async () => {
    grill.outcomes.push(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(grill.uncertain()))),
    )
    await core.queue.start()
    core.accept('pj_1')
    await grill.sends(1)
    expect(await core.queue.moveTicket('pj_1-1', 'fry'), 'it prints').toEqual({ ok: false, reason: 'printing' })
    grill.down = OFFLINE
    grill.show('offline')
    expect(await core.queue.moveTicket('pj_1-1', 'fry')).toEqual({ ok: true, ticketId: 'pj_1-1' })
    await core.pass(2_000)
    expect(ids(fry)).toEqual(['pj_1-1'])
    expect(fry.sent.map(isMarked)).toEqual([true])
  })

  it('reports what cannot be moved, and if there is no other printer', async () => {
    core.accept('pj_1')
    const test = core.queue.printLocal('grill', { kind: 'drawer', queuedAtMs: 0, timeZone: 'UTC' })
    expect(await core.queue.moveTicket(test, 'fry')).toEqual({ ok: false, reason: 'own-document' })
    expect(await core.queue.moveTicket('pj_1-1', 'nowhere')).toEqual({ ok: false, reason: 'unknown-printer' })
    expect(await core.queue.moveTicket('nothing', 'fry')).toEqual({ ok: false, reason: 'unknown-ticket' })
  })

  it('does not give up a stopped ticket for a move that is refused', async () => {
    let aborted = 0
    grill.outcomes.push((signal) => new Promise(() => signal.addEventListener('abort', () => aborted++)))
    await core.queue.start()
    const slip = core.queue.printLocal('grill', { ...SLIP, lines: [], queuedAtMs: core.clock.now() })
    await grill.sends(1)
    grill.down = OFFLINE
    grill.show('offline')
    expect(await core.queue.moveTicket(slip, 'fry')).toEqual({ ok: false, reason: 'own-document' })
    expect(aborted).toBe(0)
  })
})

describe('PrintQueue.cancelTicket', () => {
  it('cancels one waiting ticket and leaves the others of its order', async () => {
    core.accept('pj_1', { order: { items: both } })
    expect(core.queue.cancelTicket('pj_1-1')).toEqual({ ok: true, ticketId: 'pj_1-1' })
    expect(core.queue.cancelTicket('pj_1-1')).toEqual({ ok: false, reason: 'settled' })
    expect(core.queue.cancelTicket('nothing')).toEqual({ ok: false, reason: 'unknown-ticket' })
    await core.queue.start()
    expect(await core.result('pj_1')).toMatchObject({
      state: 'printed',
      tickets: [{ state: 'cancelled', reason: 'cancelled-here' }, { state: 'printed' }],
    })
  })

  it('does not cancel a ticket in progress', async () => {
    grill.outcomes.push(() => new Promise(() => {}))
    await core.queue.start()
    core.accept('pj_1')
    await grill.sends(1)
    expect(core.queue.cancelTicket('pj_1-1')).toEqual({ ok: false, reason: 'printing' })
  })
})

describe('PrintQueue.reprint', () => {
  it('prints once more, marked, here or elsewhere, and reports nothing', async () => {
    await core.queue.start()
    core.accept('pj_1')
    await core.result('pj_1')
    core.reports.acknowledge(['pj_1'])
    expect(core.queue.reprint('pj_1-1')).toEqual({ ok: true, ticketId: 'pj_1-1-r1' })
    expect(core.queue.reprint('pj_1-1-r1', 'fry')).toEqual({ ok: true, ticketId: 'pj_1-1-r2' })
    expect(core.queue.reprint('pj_1-1', 'nowhere')).toEqual({ ok: false, reason: 'unknown-printer' })
    await core.pass(1_000)
    expect([grill.sent[1]?.text, fry.sent[0]?.text].every((text) => text?.includes('REPRINT'))).toBe(true)
    expect(core.reports.open(9)).toEqual([])
    core.accept('pj_2')
    await core.result('pj_2')
  })

  it('is refused for a cancelled order', async () => {
    core.accept('pj_1')
    core.intake.cancel('pj_1')
    expect(core.queue.reprint('pj_1-1')).toEqual({ ok: false, reason: 'cancelled' })
  })

  it('of an order that is voided afterwards is voided too', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    core.accept('pj_1')
    core.queue.reprint('pj_1-1', 'fry')
    await core.pass(1_000)
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    await core.pass(1_000)
    expect(fry.sent.map(({ text }) => text.includes('VOID'))).toEqual([false, true])
    expect((await core.result('pj_1')).state).toBe('cancelled')
  })
})

describe("the gateway's own documents", () => {
  it('print before what waits and are never reported', async () => {
    core.accept('pj_1')
    const common = { queuedAtMs: core.clock.now(), timeZone: 'UTC' }
    const ticketId = core.queue.printLocal('grill', { kind: 'slip', ...common, title: 'HELLO', lines: ['one'] })
    await core.queue.start()
    await core.result('pj_1')
    expect(ids(grill)).toEqual([ticketId, 'pj_1-1'])
    expect(grill.sent[0]?.text).toContain('HELLO')
    expect(core.reports.open(9).map(({ jobId }) => jobId)).toEqual(['pj_1'])
    expect(core.history.ticket(ticketId)?.ticket).toMatchObject({ state: 'printed', kind: 'slip' })
  })
})

describe('a document that a person waits for', () => {
  const test = () =>
    core.queue.printLocal('grill', {
      kind: 'test',
      queuedAtMs: core.clock.now(),
      timeZone: 'UTC',
      code: '1234',
      facts: [],
    })

  it('is dropped if its printer does not become ready soon', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    await core.held.start()
    const ticketId = test()
    await core.pass(301_000)
    expect(core.states()[ticketId]).toBe('cancelled')
    grill.down = null
    await core.pass(2_000)
    expect(grill.sent).toEqual([])
  })

  it('is tried once: doubt and power failures do not repeat it', async () => {
    grill.outcomes.push(
      () => grill.uncertain(),
      () => new Promise(() => {}),
    )
    await core.queue.start()
    const doubtful = test()
    await core.pass(2_000)
    const interrupted = test()
    await grill.sends(2)
    use(core.crash())
    await core.queue.start()
    await core.pass(2_000)
    expect(core.states()).toEqual({ [doubtful]: 'uncertain', [interrupted]: 'uncertain' })
    expect(grill.sent).toEqual([])
  })
})

describe('printers that change at run time', () => {
  const added = {
    ...GRILL,
    name: 'Bar',
    profileId: 'generic-80',
    stations: ['bar'],
    settings: DEFAULT_PRINTER_SETTINGS,
  }

  it('are added, print at once, and are removed if nothing waits for them', async () => {
    await core.queue.start()
    expect(core.queue.addPrinter(added)).toMatchObject({ ok: true, printer: { printerId: 'bar', isDefault: false } })
    expect(core.queue.addPrinter(added)).toEqual({ ok: false, reason: 'name-taken' })
    core.transport('bar').down = OFFLINE
    const items = [{ umsId: 'b', name: 'Beer', qty: 1, modifiers: [], station: 'bar' }]
    core.accept('pj_1', { order: { items } })
    await core.pass(1_000)
    expect(core.queue.removePrinter('bar')).toEqual({ ok: false, reason: 'tickets-wait' })
    expect(await core.queue.moveAll('bar', 'fry')).toBe(1)
    expect(core.queue.removePrinter('bar').ok).toBe(true)
    await core.pass(1_000)
    expect(core.queue.printers().map(({ name }) => name)).toEqual(['Grill', 'Fry'])
    expect(fry.sent[0]?.text).toContain('BACKUP FROM Bar')
  })

  it('get a new connection at a new address after the ticket in flight, without effect on the others', async () => {
    let end = (): void => {}
    grill.outcomes.push(() => new Promise((resolve) => (end = () => resolve(grill.printed()))))
    await core.queue.start()
    core.accept('pj_1')
    core.accept('pj_2')
    await grill.sends(1)
    expect(core.queue.updatePrinter('grill', { host: '127.0.0.9' }).ok).toBe(true)
    await core.pass(1_000)
    expect(grill.closed).toBe(false)
    const old = grill
    core.transports.delete('grill')
    end()
    await core.result('pj_2')
    expect([old.closed, fry.closed]).toEqual([true, false])
    expect([ids(old), ids(core.transport('grill'))]).toEqual([['pj_1-1'], ['pj_2-1']])
    expect(core.transport('grill').sent.some(isMarked)).toBe(false)
  })

  it('give up a ticket in which the old device has stopped', async () => {
    grill.outcomes.push(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(grill.uncertain()))),
    )
    await core.queue.start()
    core.accept('pj_1')
    await grill.sends(1)
    grill.show('offline')
    core.queue.updatePrinter('grill', { host: '127.0.0.9' })
    core.transports.delete('grill')
    await core.pass(3_000)
    expect(core.transport('grill').sent.map(isMarked)).toEqual([true])
  })

  it('refuse invalid changes', () => {
    expect(core.queue.updatePrinter('grill', { settings: { backupPrinterId: 'grill' } })).toEqual({
      ok: false,
      reason: 'backup-is-itself',
    })
    expect(core.queue.updatePrinter('grill', { settings: { backupPrinterId: 'no' } })).toEqual({
      ok: false,
      reason: 'unknown-backup',
    })
    expect(core.queue.updatePrinter('grill', { name: 'Fry' })).toEqual({ ok: false, reason: 'name-taken' })
    expect(core.queue.updatePrinter('no', {})).toEqual({ ok: false, reason: 'unknown-printer' })
  })

  it('keep the technician’s settings when the same configuration is applied at the next start', () => {
    core.queue.updatePrinter('grill', { host: '127.0.0.9' })
    core.printers.apply([GRILL, FRY], 1)
    expect(core.printers.find('grill')?.host).toBe('127.0.0.9')
    core.printers.apply([{ ...GRILL, port: 9_105 }, FRY], 1)
    expect(core.printers.find('grill')).toMatchObject({ host: GRILL.host, port: 9_105 })
  })
})

describe('HistoryStore.ticket', () => {
  it('has every attempt and the timeline in milliseconds', async () => {
    grill.outcomes.push(async () => {
      await core.clock.sleep(40)
      return grill.uncertain()
    })
    await core.queue.start()
    core.accept('pj_1')
    const startMs = core.clock.now()
    await grill.sends(1)
    await core.clock.advance(40)
    await core.pass(1_000)
    await core.result('pj_1')
    const known = core.history.ticket('pj_1-1')
    expect(known?.attempts).toMatchObject([
      { attempt: 1, printerName: 'Grill', startedAtMs: startMs, outcome: 'retry', reason: 'timed-out', method: null },
      { attempt: 2, outcome: 'printed', method: 'gs-paren-h' },
    ])
    expect(known?.timeline.map(({ step }) => step)).toEqual([
      'received',
      'accepted',
      'started',
      'first-byte',
      'doubt',
      'started',
      'connected',
      'first-byte',
      'last-byte',
      'confirmed',
    ])
    expect(known?.timeline[4]).toMatchObject({ sinceMs: 40, by: 'timed-out', attempt: 1 })
    expect(core.history.ticket('none')).toBeNull()
  })
})
