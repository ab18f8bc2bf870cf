// A printer that cannot print gives its tickets to its backup printer: in order, marked, once. When it is ready again it prints a slip about them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE, type ScriptedTransport } from '#test/doubles/scripted-transport.ts'

const BAR = { ...GRILL, name: 'Bar', port: 9102, stations: ['bar'] }
const BLOCKED = { kind: 'blocked', reason: 'media-empty', detail: '' } as const
const ids = (transport: ScriptedTransport) => transport.sent.map(({ attemptId }) => attemptId.replace(/\.\d+$/, ''))
const isMarked = ({ text }: { text: string }): boolean => text.includes('POSSIBLE DUPLICATE')
const isBackup = ({ text }: { text: string }): boolean => text.includes('BACKUP FROM Grill')
const isSlip = ({ text }: { text: string }): boolean => text.includes('WENT ELSEWHERE')

describe('a printer with a backup', () => {
  let core: GatewayCore
  let grill: ScriptedTransport
  let fry: ScriptedTransport
  let bar: ScriptedTransport
  const use = (next: GatewayCore): void => {
    core = next
    ;[grill, fry, bar] = [core.transport('grill'), core.transport('fry'), core.transport('bar')]
  }
  const pass = (ms: number) => core.pass(ms)
  beforeEach(() => {
    use(new GatewayCore([GRILL, FRY, BAR]))
    core.set('grill', { backupPrinterId: 'fry' })
  })
  afterEach(async () => {
    expect(core.fatal).toEqual([])
    await core.stop()
  })

  it('gives its tickets away in order after 20 s without a connection, and new ones at once', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    for (const n of [1, 2, 3]) core.accept(`pj_${n}`)
    await pass(19_000)
    expect(fry.sent).toEqual([])
    await pass(2_000)
    expect(ids(fry)).toEqual(['pj_1-1', 'pj_2-1', 'pj_3-1'])
    core.accept('pj_4')
    await pass(0)
    expect(ids(fry)).toEqual(['pj_1-1', 'pj_2-1', 'pj_3-1', 'pj_4-1'])
    expect(fry.sent.every(isBackup)).toBe(true)
    expect(fry.sent.some(isMarked)).toBe(false)
    expect(await core.result('pj_1')).toMatchObject({ state: 'printed', tickets: [{ printerName: 'Fry' }] })
    expect(core.queue.printers()[0]).toMatchObject({ name: 'Grill', isAbsent: true, queued: 0 })
  })

  it('does not keep them longer because its status is slow', async () => {
    grill.down = OFFLINE
    grill.prepare = (signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(OFFLINE), { once: true }))
    await core.queue.start()
    core.accept('pj_1')
    await pass(19_000)
    expect(fry.sent).toEqual([])
    await pass(2_000)
    expect(ids(fry)).toEqual(['pj_1-1'])
  })

  it('prints one slip about the moved tickets when it is ready again, none of the tickets, and the next one itself', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    core.accept('pj_1')
    core.accept('pj_2')
    await pass(30_000)
    grill.down = null
    await pass(5_000)
    expect(grill.sent).toHaveLength(1)
    expect(grill.sent[0]?.text).toMatch(/2 TICKETS WENT ELSEWHERE[\s\S]*#O-pj_1[\s\S]*Fry[\s\S]*#O-pj_2/)
    core.accept('pj_3')
    await core.result('pj_3')
    await pass(60_000)
    expect(ids(grill).slice(1)).toEqual(['pj_3-1'])
    expect(ids(fry)).toEqual(['pj_1-1', 'pj_2-1'])
    expect(core.queue.printers()[0]?.isAbsent).toBe(false)
  })

  it('prints no slip if nothing was moved', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    await pass(60_000)
    grill.down = null
    await pass(60_000)
    expect(grill.sent).toEqual([])
  })

  it('waits longer for a printer that reports why it cannot print', async () => {
    grill.down = BLOCKED
    await core.queue.start()
    core.accept('pj_1')
    await pass(44_000)
    expect(fry.sent).toEqual([])
    await pass(2_500)
    expect(ids(fry)).toEqual(['pj_1-1'])
  })

  it('gives up a ticket in which it stopped, clears its buffer, and marks the ticket at the backup', async () => {
    grill.outcomes.push(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(grill.uncertain()))),
    )
    await core.queue.start()
    core.accept('pj_1')
    core.accept('pj_2')
    await grill.sends(1)
    grill.down = BLOCKED
    grill.show('offline')
    await pass(44_000)
    expect([grill.discarded, fry.sent.length]).toEqual([0, 0])
    await pass(2_500)
    expect(grill.discarded).toBe(1)
    expect(ids(fry)).toEqual(['pj_1-1', 'pj_2-1'])
    expect(fry.sent.map(isMarked)).toEqual([true, false])
    expect(fry.sent.every(isBackup)).toBe(true)
    grill.down = null
    await pass(5_000)
    expect(grill.sent.slice(1).map(isSlip)).toEqual([true])
    expect(grill.sent[1]?.text).toContain('(part may be here)')
  })

  it('completes a ticket that continues after a short stop', async () => {
    let goOn = (): void => {}
    grill.outcomes.push(() => new Promise((resolve) => (goOn = () => resolve(grill.printed()))))
    await core.queue.start()
    core.accept('pj_1')
    await grill.sends(1)
    grill.show('offline')
    await pass(40_000)
    grill.show('online')
    await pass(40_000)
    goOn()
    expect(await core.result('pj_1')).toMatchObject({ state: 'printed', tickets: [{ printerName: 'Grill' }] })
    expect(fry.sent).toEqual([])
  })

  it('keeps its tickets while the backup cannot print either', async () => {
    grill.down = OFFLINE
    fry.down = OFFLINE
    await core.queue.start()
    core.accept('pj_1')
    await pass(60_000)
    expect(core.queue.printers().map(({ queued, isAbsent }) => [queued, isAbsent])).toEqual([
      [1, false],
      [0, false],
      [0, false],
    ])
    grill.down = null
    await pass(1_000)
    expect(ids(grill)).toEqual(['pj_1-1'])
    expect(grill.sent.some(isBackup)).toBe(false)
  })

  it('uses the backup of its backup, and not round in a circle', async () => {
    core.set('fry', { backupPrinterId: 'bar' })
    core.set('bar', { backupPrinterId: 'grill' })
    grill.down = OFFLINE
    fry.down = OFFLINE
    await core.queue.start()
    core.accept('pj_0', {
      order: { items: [{ umsId: 'f', name: 'Fries', qty: 1, modifiers: [], station: 'fry' }] },
    })
    core.accept('pj_1')
    await pass(50_000)
    expect(ids(bar).sort()).toEqual(['pj_0-1', 'pj_1-1'])
    expect(bar.sent.map(isBackup).sort()).toEqual([false, true])
    bar.down = OFFLINE
    core.accept('pj_2')
    await pass(120_000)
    expect(core.states()['pj_2-1']).toBe('queued')
    grill.down = null
    await pass(10_000)
    expect(core.states()['pj_2-1']).toBe('printed')
    expect(grill.sent.filter((sent) => !isSlip(sent)).map(isBackup)).toEqual([false])
  })

  it('skips a backup that leaves tickets in doubt, even if it is otherwise ready', async () => {
    core.set('grill', { backupAfterMs: 5_000 })
    core.set('fry', { backupPrinterId: 'bar' })
    for (let attempt = 0; attempt < 3; attempt++) fry.outcomes.push(() => fry.uncertain(false))
    await core.queue.start()
    core.accept('pj_0', { order: { items: [{ umsId: 'f', name: 'Fries', qty: 1, modifiers: [], station: 'fry' }] } })
    await pass(60_000)
    expect(core.states()).toEqual({ 'pj_0-1': 'uncertain' })
    const seen = core.queue.printers().find(({ printerId }) => printerId === 'fry')
    expect(seen).toMatchObject({ name: 'Fry', state: 'online', isAbsent: false })
    grill.down = OFFLINE
    core.accept('pj_1')
    await pass(6_000)
    expect(ids(bar)).toEqual(['pj_1-1'])
    expect(ids(fry)).toEqual(['pj_0-1', 'pj_0-1', 'pj_0-1'])
  })

  it('gives nothing to a paused printer, and does not move the tickets of a paused one', async () => {
    core.set('fry', { paused: true })
    grill.down = OFFLINE
    await core.queue.start()
    core.accept('pj_1')
    await pass(60_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'queued' })
    core.queue.resume('fry')
    core.queue.pause('grill')
    await pass(60_000)
    expect([grill.sent, fry.sent]).toEqual([[], []])
    core.queue.resume('grill')
    await pass(1_000)
    expect(ids(fry)).toEqual(['pj_1-1'])
  })

  it('keeps the outage and the moved tickets over a crash, and prints the slip once', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    core.accept('pj_1')
    await pass(21_000)
    expect(ids(fry)).toEqual(['pj_1-1'])
    use(core.crash())
    grill.down = OFFLINE
    await core.queue.start()
    core.accept('pj_2')
    await pass(0)
    expect(ids(fry)).toEqual(['pj_2-1'])
    grill.down = null
    await pass(30_000)
    expect(grill.sent.map(isSlip)).toEqual([true])
    use(core.crash())
    await core.queue.start()
    await pass(60_000)
    expect(grill.sent).toEqual([])
  })

  it('moves a held ticket to the backup when it fires meanwhile', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    await core.held.start()
    core.accept('pj_1')
    core.accept('pj_2', { notBefore: core.clock.now() + 60_000 })
    await pass(61_000)
    expect(ids(fry)).toEqual(['pj_1-1', 'pj_2-1'])
  })

  it('prints the VOID slip where the ticket was printed', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    core.accept('pj_1')
    await pass(21_000)
    grill.down = null
    await pass(10_000)
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    await pass(0)
    expect(fry.sent.map(({ text }) => text.includes('VOID'))).toEqual([false, true])
  })
})
