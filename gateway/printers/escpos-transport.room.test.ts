// The transport with the virtual printer: each level of proof, probing, keeping connections, stopping.
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

  it.each(levels)('%s: found by probing a new printer %o and used', async (method, model, confirmation) => {
    await startRig({ printer: { model }, capability: null })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method, confirmation })
    expect(await rig.send('B')).toMatchObject({ kind: 'printed', method, confirmation })
    await rig.printer.waitForTickets(2)
    expect(rig.complete()).toEqual(['A', 'B'])
    expect(rig.printer.unfinished).toBe('')
    expect(rig.transport.health.state).toBe('online')
  })

  it('stores the answers of a new printer, once, and reports them', async () => {
    await startRig({ capability: null })
    await rig.send('A')
    await rig.send('B')
    const learntAtMs = expect.any(Number)
    expect(rig.learnt).toEqual([
      { ...NOTHING, dleEot: true, learntAtMs },
      { ...KNOWS_ALL, learntAtMs },
    ])
  })

  it('reports nothing about a printer that never answers', async () => {
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

  it('finds out later that a printer can prove its tickets', async () => {
    await startRig({ capability: { ...NOTHING, dleEot: true } })
    expect(await rig.send('A')).toMatchObject({ method: 'gs-paren-h' })
    expect(rig.learnt).toHaveLength(1)
  })

  it('does not probe before every ticket: after some probes only rarely', async () => {
    await startRig({
      printer: { model: { ...MUTE, dleEot: true } },
      capability: { ...NOTHING, dleEot: true },
      timeouts: { learnMs: 5, learnAgainMs: 1_000, lookAgainEveryMs: 400, lingerMs: 1 },
    })
    for (const name of ['A', 'B', 'C']) await rig.send(name)
    rig.printer.model.gsR = true
    expect(await rig.send('D')).toMatchObject({ method: 'dle-eot' })
    await rig.clock.sleep(400)
    expect(await rig.send('E')).toMatchObject({ method: 'gs-r', confirmation: 'confirmed' })
  })

  it('returns the times of the first byte and of the proof', async () => {
    await startRig({ printer: { msPerLine: 5 } })
    const before = rig.clock.now()
    const outcome = await rig.send('A')
    if (outcome.kind !== 'printed') throw new Error(outcome.kind)
    expect(outcome.firstByteAtMs).toBeGreaterThanOrEqual(before)
    expect(outcome.printedAtMs - outcome.firstByteAtMs).toBeGreaterThanOrEqual(25)
    expect(outcome.printedAtMs).toBeLessThanOrEqual(rig.clock.now())
  })
})

describe('the connection', () => {
  it('is kept for the next ticket and closed if none comes', async () => {
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

  it('opened by prepare is used by the next send', async () => {
    await startRig()
    expect(await rig.prepare()).toEqual({ kind: 'ready' })
    await rig.send('A')
    expect(rig.printer.connections).toBe(1)
  })

  it('prepare sends only queries', async () => {
    await startRig({ capability: null })
    await rig.prepare()
    // DLE EOT 1, and all four because it might have been a greeting.
    expect(rig.printer.receivedBytes).toBe(15)
    expect(rig.printer.unfinished).toBe('')
  })

  it('closes a kept connection that the printer has closed, and opens another', async () => {
    await startRig({ timeouts: { lingerMs: 5_000 } })
    await rig.send('A')
    rig.printer.powerCycle()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  it('sends a large ticket through a small buffer and a slow mechanism', async () => {
    await startRig({
      printer: { bufferBytes: 512, msPerLine: 1 },
      timeouts: { confirmMs: 5_000, noProgressMs: 5_000 },
    })
    expect(await rig.send('LONG', 400)).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    expect(rig.complete(400)).toEqual(['LONG'])
  })

  it('sends more than every buffer holds, to a printer that stops reading for a while', async () => {
    await startRig({ timeouts: { lingerMs: 2_000, noProgressMs: 5_000, confirmMs: 5_000 } })
    await rig.prepare()
    rig.printer.freeze()
    let settled = false
    const outcome = rig.send('LONG', 600_000).finally(() => {
      settled = true
    })
    await rig.clock.sleep(200)
    expect(settled).toBe(false)
    rig.printer.thaw()
    const done = await outcome
    expect(done).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    if (done.kind === 'printed') expect((done.lastByteAtMs ?? 0) - done.firstByteAtMs).toBeGreaterThan(100)
    expect(rig.complete(600_000)).toEqual(['LONG'])
  })

  it('reports when it connected, and when the last byte was accepted', async () => {
    await startRig({ timeouts: { lingerMs: 5_000 } })
    const first = await rig.send('A')
    const second = await rig.send('B')
    if (first.kind !== 'printed' || second.kind !== 'printed') throw new Error('not printed')
    const { connectedAtMs = 0, firstByteAtMs, lastByteAtMs = 0, printedAtMs } = first
    const instants = [connectedAtMs, firstByteAtMs, lastByteAtMs, printedAtMs]
    expect(instants).toEqual([...instants].sort((a, b) => a - b))
    expect(second.connectedAtMs, 'the connection was kept').toBe(connectedAtMs)
    expect(second.firstByteAtMs).toBeGreaterThanOrEqual(printedAtMs)
  })

  it('does not report that the last byte was accepted if it was not', async () => {
    await startRig({ timeouts: { lingerMs: 2_000, noProgressMs: 100 } })
    await rig.prepare()
    rig.printer.freeze()
    const outcome = await rig.send('A', 600_000)
    expect(outcome).toMatchObject({ kind: 'uncertain', connectedAtMs: expect.any(Number) })
    expect(outcome).not.toHaveProperty('lastByteAtMs')
  })
})

describe('a printer without flow control', () => {
  // 40 lines of 10 or 11 bytes; the printer holds 120 bytes and prints a line in 5 ms, so about 2,000 bytes a second.
  const small = { bufferBytes: 120, flowControl: false, msPerLine: 5 }

  it('loses what it cannot store without pacing', async () => {
    await startRig({ printer: small, timeouts: { confirmMs: 100, confirmSlackMs: 0 } })
    await rig.send('A', 40)
    expect(rig.complete(40)).toEqual([])
  })

  it('gets the whole ticket at its pace', async () => {
    await startRig({ printer: small, profile: { paceBytesPerSec: 1_000 }, timeouts: { confirmMs: 5_000 } })
    const startedAt = rig.clock.monotonicMs()
    expect(await rig.send('A', 40)).toMatchObject({ kind: 'printed' })
    expect(rig.clock.monotonicMs() - startedAt).toBeGreaterThan(350)
    expect(rig.complete(40)).toEqual(['A'])
  })

  it('gets nothing more while it is stopped', async () => {
    await startRig({ printer: small, profile: { paceBytesPerSec: 1_000 }, timeouts: { confirmMs: 5_000 } })
    rig.printer.paperOut(5)
    const outcome = rig.send('A', 40)
    await rig.health.next(({ state }) => state === 'offline')
    const before = rig.printer.receivedBytes
    await rig.clock.sleep(300)
    // Status queries and one chunk in flight, instead of 300 bytes.
    expect(rig.printer.receivedBytes - before).toBeLessThan(200)
    rig.printer.loadPaper()
    expect(await outcome).toMatchObject({ kind: 'printed' })
    expect(rig.complete(40)).toEqual(['A'])
  })

  it('a stop in the middle of a paced ticket is respected', async () => {
    await startRig({ printer: small, profile: { paceBytesPerSec: 100 }, timeouts: { confirmMs: 5_000 } })
    const stop = new AbortController()
    const outcome = rig.send('A', 40, stop.signal)
    await expect.poll(() => rig.printer.unfinished, { interval: 1 }).not.toBe('')
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'uncertain', reason: 'shutdown' })
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

  it('after the first byte still waits shortly for the proof', async () => {
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

  it('closes properly, so that another client gets the printer', async () => {
    await startRig({ timeouts: { lingerMs: 60_000 } })
    await rig.send('A')
    await rig.transport.close()
    rig.connect(addressOf(rig))
    expect(await rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.printer.connections).toBe(2)
  })
})

describe('one ticket after another', () => {
  it('waits for no timer: the clock is stopped over 200 tickets on the kept connection, each proved by its id', async () => {
    await startRig({ timeouts: { lingerMs: 2_000, confirmMs: 5_000 } })
    await rig.send('T0')
    rig.clock.stop()
    for (let i = 1; i < 200; i++)
      expect(await rig.send(`T${i}`)).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    expect(rig.printer.connections).toBe(1)
    expect(rig.complete()).toEqual(Array.from({ length: 200 }, (_, i) => `T${i}`))
    rig.clock.start()
  })
})

function addressOf({ printer }: PrinterRig): { host: string; port: number } {
  return printer.address
}
