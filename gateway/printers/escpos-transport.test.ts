// The transport against the virtual printer: each level of proof, learning, lingering, stopping.
import { afterEach, describe, expect, it } from 'vitest'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { KNOWS_ALL, PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
import { MUTE } from '#test/doubles/virtual-printer-status.ts'

let rig: PrinterRig
afterEach(() => rig.stop())

async function startRig(options: RigOptions = {}): Promise<PrinterRig> {
  rig = await new PrinterRig(options).start()
  return rig
}

const NOTHING: PrinterCapability = {
  dleEot: false,
  asb: false,
  gsParenH: false,
  gsI: false,
  gsR: false,
  learntAtMs: 0,
}

describe('the levels of proof', () => {
  const levels = [
    ['gs-paren-h', {}, 'confirmed'],
    ['gs-i', { gsParenH: false }, 'confirmed'],
    ['gs-r', { gsParenH: false, gsI: false }, 'confirmed'],
    ['gs-r', { gsParenH: false, gsI: false, dleEot: false }, 'confirmed'],
    ['gs-r', { gsParenH: false, gsI: false, asb: false }, 'confirmed'],
    ['dle-eot', { gsParenH: false, gsI: false, gsR: false, asb: false }, 'assumed'],
    ['none', MUTE, 'assumed'],
  ] as const

  it.each(levels)('%s: learnt from a new printer %o and used', async (method, model, confirmation) => {
    await startRig({ printer: { model }, capability: null })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method, confirmation })
    expect(await rig.send('B')).toMatchObject({ kind: 'printed', method, confirmation })
    await rig.printer.waitForTickets(2)
    expect(rig.complete()).toEqual(['A', 'B'])
    expect(rig.printer.unfinished).toBe('')
    expect(rig.transport.health.state).toBe('online')
  })

  it('learns what a new printer answers, once, and reports it', async () => {
    await startRig({ capability: null })
    await rig.send('A')
    await rig.send('B')
    expect(rig.learnt).toEqual([{ ...KNOWS_ALL, learntAtMs: expect.any(Number) }])
  })

  it('reports nothing of a printer that never answers', async () => {
    await startRig({ printer: { model: MUTE }, capability: null })
    await rig.send('A')
    expect(rig.learnt).toEqual([])
  })

  it('waits for the estimated time of the mechanism before it assumes', async () => {
    const known = { ...NOTHING, dleEot: true }
    await startRig({
      printer: { model: { ...MUTE, dleEot: true } },
      capability: known,
      timeouts: { cutMs: 120, learnMs: 1, learnAgainMs: 1 },
    })
    const startedAt = rig.clock.monotonicMs()
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'dle-eot' })
    expect(rig.clock.monotonicMs() - startedAt).toBeGreaterThanOrEqual(119)
  })

  it('finds out later that a printer proves its tickets after all', async () => {
    await startRig({ capability: { ...NOTHING, dleEot: true } })
    expect(await rig.send('A')).toMatchObject({ method: 'gs-paren-h' })
    expect(rig.learnt).toHaveLength(1)
  })

  it('gives back the instants of the first byte and of the proof', async () => {
    await startRig({ printer: { msPerLine: 5 } })
    const before = Date.now()
    const outcome = await rig.send('A')
    if (outcome.kind !== 'printed') throw new Error(outcome.kind)
    expect(outcome.firstByteAtMs).toBeGreaterThanOrEqual(before)
    expect(outcome.printedAtMs - outcome.firstByteAtMs).toBeGreaterThanOrEqual(25)
    expect(outcome.printedAtMs).toBeLessThanOrEqual(Date.now())
  })
})

describe('the connection', () => {
  it('stays for the next ticket and is closed when none comes', async () => {
    await startRig()
    await rig.send('A')
    await rig.send('B')
    expect(rig.printer.connections).toBe(1)
    const other = rig.printer.onConnection.next()
    rig.connect(addressOf(rig))
    await rig.send('C')
    expect(await other).toBe(2)
    expect(rig.complete()).toEqual(['A', 'B', 'C'])
  })

  it('made by prepare is used by the send right after', async () => {
    await startRig()
    expect(await rig.prepare()).toEqual({ kind: 'ready' })
    await rig.send('A')
    expect(rig.printer.connections).toBe(1)
  })

  it('prepare writes nothing but questions', async () => {
    await startRig({ capability: null })
    await rig.prepare()
    expect(rig.printer.receivedBytes).toBe(3)
    expect(rig.printer.unfinished).toBe('')
  })

  it('lets a kept connection that the printer has closed go, and opens another', async () => {
    await startRig({ timeouts: { lingerMs: 5_000 } })
    await rig.send('A')
    rig.printer.powerCycle()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  it('takes a large ticket through a small buffer and a slow mechanism', async () => {
    await startRig({
      printer: { bufferBytes: 512, msPerLine: 1 },
      timeouts: { confirmMs: 5_000, noProgressMs: 5_000 },
    })
    expect(await rig.send('LONG', 400)).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    expect(rig.complete(400)).toEqual(['LONG'])
  })

  it('keeps to the pace of a printer without flow control', async () => {
    await startRig({ profile: { paceBytesPerSec: 4_000 } })
    const startedAt = rig.clock.monotonicMs()
    expect(await rig.send('A', 50)).toMatchObject({ kind: 'printed' })
    // 50 lines of 10 or 11 bytes.
    expect(rig.clock.monotonicMs() - startedAt).toBeGreaterThan(100)
    expect(rig.complete(50)).toEqual(['A'])
  })
})

describe('a stop', () => {
  it('before the first byte sends nothing', async () => {
    await startRig()
    expect(await rig.send('A', 6, AbortSignal.abort())).toMatchObject({
      kind: 'not-sent',
      readiness: { reason: 'shutdown' },
    })
    expect(rig.printer.receivedBytes).toBe(0)
  })

  it('after the first byte still waits a little for the proof', async () => {
    await startRig({ printer: { msPerLine: 8 } })
    const stop = new AbortController()
    const outcome = rig.send('A', 6, stop.signal)
    await expect.poll(() => rig.printer.unfinished, { interval: 1 }).not.toBe('')
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'printed' })
  })

  it('ends the wait for a printer without paper, as uncertain', async () => {
    await startRig()
    rig.printer.paperOut(2)
    const stop = new AbortController()
    const outcome = rig.send('A', 6, stop.signal)
    await rig.health.next((health) => health.state === 'offline')
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'uncertain', reason: 'shutdown', answering: true })
    expect(rig.complete()).toEqual([])
  })

  it('closes in good order, so that another client gets the printer', async () => {
    await startRig({ timeouts: { lingerMs: 60_000 } })
    await rig.send('A')
    await rig.transport.close()
    rig.connect(addressOf(rig))
    expect(await rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.printer.connections).toBe(2)
  })
})

describe('speed', () => {
  it('200 tickets one after another on the kept connection, each proved by its id', async () => {
    await startRig({ timeouts: { lingerMs: 2_000, confirmMs: 5_000 } })
    const ms: number[] = []
    for (let i = 0; i < 200; i++) {
      const startedAt = rig.clock.monotonicMs()
      const outcome = await rig.send(`T${i}`)
      ms.push(rig.clock.monotonicMs() - startedAt)
      expect(outcome).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    }
    expect(rig.printer.connections).toBe(1)
    expect(rig.complete()).toEqual(Array.from({ length: 200 }, (_, i) => `T${i}`))
    ms.sort((a, b) => a - b)
    // Usually 1 ms; the bound only tells it from waiting for a timer at either end.
    expect(ms[100]).toBeLessThan(30)
  })
})

function addressOf({ printer }: PrinterRig): { host: string; port: number } {
  return printer.address
}
