// Failures of printers in kitchens (cases 1 to 6), on a real socket: the outcome must be right, and so must the paper.
import { afterEach, describe, expect, it } from 'vitest'
import { BlackHole } from '#test/doubles/black-hole.ts'
import { KNOWS_ALL, PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
import { MUTE } from '#test/doubles/virtual-printer-status.ts'

let rig: PrinterRig
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  await rig.stop()
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function startRig(options: RigOptions = {}): Promise<PrinterRig> {
  rig = await new PrinterRig(options).start()
  return rig
}

const ONLY_DLE = { ...KNOWS_ALL, asb: false, gsParenH: false, gsI: false, gsR: false }
const DLE_MODEL = { ...MUTE, dleEot: true }

describe('1: the printer is off', () => {
  it('refused: nothing sent, announced only if it lasts, printed when it is back', async () => {
    await startRig()
    await rig.printer.refuse()
    const announced = rig.health.next()
    expect(await rig.send('A')).toMatchObject({
      kind: 'not-sent',
      readiness: { kind: 'offline', reason: 'connecting-to-device' },
    })
    expect(rig.healths).toEqual([])
    expect(await announced).toMatchObject({ state: 'offline', reasons: ['connecting-to-device'] })
    await rig.printer.listenAgain()
    expect(await rig.prepare()).toEqual({ kind: 'ready' })
    expect(rig.transport.health.state).toBe('online')
    expect(await rig.send('A')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A'])
  })

  it('a short absence is not announced', async () => {
    await startRig({ timeouts: { announceOfflineMs: 60_000 } })
    await rig.send('A')
    await rig.printer.refuse()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'not-sent' })
    await rig.printer.listenAgain()
    await rig.send('B')
    expect(rig.healths.map(({ state }) => state)).toEqual(['online'])
  })

  it('no answer to the connection: gives up after the timeout, and sooner while the printer is known to be offline', async () => {
    const hole = new BlackHole()
    cleanups.push(() => hole.stop())
    rig = new PrinterRig({ timeouts: { connectMs: 400, reconnectMs: 100 } })
    rig.connect(await hole.start())
    const found: string[] = []
    for (const name of ['unknown', 'away']) {
      const looked = rig.prepare().then((readiness) => {
        expect(readiness).toMatchObject({ kind: 'offline', reason: 'timed-out' })
        found.push(name)
      })
      // By the clock of the transport.
      await Promise.all([looked, rig.clock.sleep(380).then(() => found.push('380 ms'))])
    }
    expect(found).toEqual(['380 ms', 'unknown', 'away', '380 ms'])
  })
})

describe('2: another client uses the printer', () => {
  it('second client waits unread: busy, no ticket byte; printed when the other has gone', async () => {
    await startRig()
    const other = await rig.otherTill()
    expect(await rig.send('A')).toMatchObject({
      kind: 'not-sent',
      readiness: { kind: 'busy', reason: 'not-responding' },
    })
    other.end()
    await expect.poll(() => rig.send('A')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A'])
  })

  it.each(['rst', 'close'] as const)('second client is dropped (%s): busy, nothing sent', async (clients) => {
    await startRig({ printer: { clients } })
    const other = await rig.otherTill()
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { kind: 'busy', reason: 'busy' } })
    other.destroy()
    await expect.poll(() => rig.send('A')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A'])
  })
})

describe('3: trouble before the ticket', () => {
  it.each([
    [
      'paper out',
      'media-empty',
      (p: PrinterRig['printer']) => p.paperOut(),
      (p: PrinterRig['printer']) => p.loadPaper(),
    ],
    [
      'cover open',
      'cover-open',
      (p: PrinterRig['printer']) => p.openCover(),
      (p: PrinterRig['printer']) => p.closeCover(),
    ],
  ] as const)('%s: nothing sent, announced at once, printed afterwards', async (_, reason, spoil, mend) => {
    await startRig()
    spoil(rig.printer)
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { kind: 'blocked', reason } })
    expect(rig.transport.health).toMatchObject({ state: 'offline', reasons: [reason] })
    mend(rig.printer)
    expect(await rig.send('A')).toMatchObject({ kind: 'printed' })
    expect(rig.transport.health.state).toBe('online')
    expect(rig.complete()).toEqual(['A'])
  })

  it('a lasting outage caused by an empty roll is reported as such', async () => {
    await startRig()
    await rig.send('A')
    await rig.printer.refuse()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'not-sent' })
    rig.printer.paperOut()
    await rig.printer.listenAgain()
    await rig.prepare()
    expect(rig.transport.health.reasons).toEqual(['media-empty'])
  })

  it('paper nearly out: printed, and reported', async () => {
    await startRig()
    rig.printer.paperNearEnd()
    expect(await rig.send('A')).toMatchObject({ kind: 'printed' })
    expect(rig.transport.health).toMatchObject({ state: 'online', reasons: ['media-low'] })
    expect(await rig.prepare()).toEqual({ kind: 'ready' })
    expect(rig.transport.health.reasons).toEqual(['media-low'])
  })
})

describe('4: paper out in the middle of a ticket', () => {
  for (const [how, options] of [
    ['told by ASB', {}],
    ['found by asking', { printer: { model: { asb: false } }, capability: { ...KNOWS_ALL, asb: false } }],
  ] as const) {
    it.each([1, 2, 3, 4, 5, 6])(`${how}, after line %i: waits, continues after the reload, no reprint`, async (k) => {
      await startRig(options)
      rig.printer.paperOut(k)
      const outcome = rig.send('A')
      const health = await rig.health.next(({ state }) => state === 'offline')
      expect(health).toMatchObject({ reasons: ['media-empty'], hint: expect.stringContaining('Load a roll') })
      expect(rig.complete()).toEqual([])
      rig.printer.loadPaper()
      expect(await outcome).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
      expect(rig.complete()).toEqual(['A'])
      expect(rig.printer.connections).toBe(1)
      expect(rig.transport.health.state).toBe('online')
    })
  }

  it('stays pending far beyond the deadline of the proof', async () => {
    await startRig({ timeouts: { confirmMs: 60, confirmSlackMs: 0, blockedMs: 60_000 } })
    rig.printer.paperOut(2)
    let settled = false
    const outcome = rig.send('A').finally(() => {
      settled = true
    })
    await rig.health.next()
    await rig.clock.sleep(400)
    expect(settled).toBe(false)
    rig.printer.loadPaper()
    expect(await outcome).toMatchObject({ kind: 'printed' })
  })

  it('never reloaded: uncertain, and nothing is reported as printed', async () => {
    await startRig({ timeouts: { blockedMs: 120 } })
    rig.printer.paperOut(3)
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'media-empty', answering: true })
    expect(rig.complete()).toEqual([])
  })

  it('without an in-order answer (L1): waits as well, assumes only after the reload', async () => {
    await startRig({ printer: { model: DLE_MODEL, msPerLine: 5 }, capability: ONLY_DLE, timeouts: { cutMs: 100 } })
    rig.printer.paperOut(2)
    const outcome = rig.send('A')
    await rig.health.next(({ state }) => state === 'offline')
    expect(rig.complete()).toEqual([])
    rig.printer.loadPaper()
    expect(await outcome).toMatchObject({ kind: 'printed', confirmation: 'assumed', method: 'dle-eot' })
    expect(rig.complete()).toEqual(['A'])
  })
})

describe('5: cover and heat in the middle of a ticket', () => {
  it('cover opened and closed: continues', async () => {
    await startRig()
    rig.printer.openCover(3)
    const outcome = rig.send('A')
    expect(await rig.health.next(({ state }) => state === 'offline')).toMatchObject({ reasons: ['cover-open'] })
    rig.printer.closeCover()
    expect(await outcome).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A'])
  })

  it('hot head: continues automatically', async () => {
    await startRig()
    rig.printer.overheat(30, 3)
    expect(await rig.send('A')).toMatchObject({ kind: 'printed' })
    expect(rig.healths.map(({ reasons }) => reasons[0])).toContain('recoverable-error')
    expect(rig.complete()).toEqual(['A'])
  })
})

describe('6: the cutter jams', () => {
  it('recoverable: continues once the paper is pulled out, without a second copy', async () => {
    await startRig()
    rig.printer.jamCutter()
    const outcome = rig.send('A')
    expect(await rig.health.next(({ state }) => state === 'offline')).toMatchObject({ reasons: ['cutter-error'] })
    rig.printer.clearJam()
    expect(await outcome).toMatchObject({ kind: 'printed' })
    expect(rig.papers()).toHaveLength(1)
    expect(rig.complete()).toEqual(['A'])
  })

  it('unrecoverable: uncertain; after power off and on the reprint is complete and alone', async () => {
    await startRig({ timeouts: { blockedMs: 100 } })
    rig.printer.jamCutter('unrecoverable')
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'cutter-error' })
    expect(await rig.prepare()).toMatchObject({ kind: 'blocked', reason: 'cutter-error' })
    rig.printer.clearJam()
    rig.printer.powerCycle()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A', 'B'])
    expect(rig.papers()[0]).toContain('INCOMPLETE ABOVE')
  })

  it('noticed before a ticket: DLE ENQ makes the printer continue, and the rest of a broken ticket is dropped', async () => {
    await startRig({ timeouts: { blockedMs: 100, recoverEveryMs: 1 } })
    rig.printer.jamCutter()
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'cutter-error' })
    rig.printer.clearJam()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.papers().at(-1)).not.toContain('A line')
  })
})
