// A printer that cannot print gives its tickets to its backup: in order, named, once; and prints a slip about it when it is back.
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

  it('gives its tickets away in their order after 20 s without a byte, and new ones at once', async () => {
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

  it('does not keep them for longer because it takes its time to say how it is', async () => {
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

  it('prints one slip with what went elsewhere when it is back, none of the tickets, and the next one itself', async () => {
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

  it('says nothing about an absence in which nothing went elsewhere', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    await pass(60_000)
    grill.down = null
    await pass(60_000)
    expect(grill.sent).toEqual([])
  })

  it('waits longer for one that says why it cannot print', async () => {
    grill.down = BLOCKED
    await core.queue.start()
    core.accept('pj_1')
    await pass(44_000)
    expect(fry.sent).toEqual([])
    await pass(2_500)
    expect(ids(fry)).toEqual(['pj_1-1'])
  })

  it('gives up a ticket in which it stands still, empties its buffer, and marks it at the backup', async () => {
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

  it('lets a ticket that goes on after a short stop end where it is', async () => {
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

  it('goes on to the backup of its backup, and not round in a circle', async () => {
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

  it('passes over a backup that leaves tickets in doubt, also when all is well with it otherwise', async () => {
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

  it('does not give a paused printer anything, nor the tickets of a paused one away', async () => {
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

  it('remembers the absence and what went elsewhere after a crash, and says it once', async () => {
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

  it('takes a held ticket to the backup when it fires meanwhile', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    await core.held.start()
    core.accept('pj_1')
    core.accept('pj_2', { notBefore: core.clock.now() + 60_000 })
    await pass(61_000)
    expect(ids(fry)).toEqual(['pj_1-1', 'pj_2-1'])
  })

  it('calls off on paper where the ticket came out', async () => {
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
