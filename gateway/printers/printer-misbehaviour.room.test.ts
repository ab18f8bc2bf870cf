// Power failures (each byte of a ticket: every-byte.room.test.ts), hung printers, false answers and protocol violations (cases 7 to 10): the outcome must be right, and so must the paper.
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { KNOWS_ALL, PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
import { MUTE } from '#test/doubles/virtual-printer-status.ts'
import { resetSocket } from './reset-socket.ts'

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

/** Longer than any test may take: no test waits for it. */
const FOR_EVER_MS = 3_600_000
const L0 = { model: MUTE }
const ONLY_DLE = { ...KNOWS_ALL, asb: false, gsParenH: false, gsI: false, gsR: false }
const DLE_MODEL = { ...MUTE, dleEot: true }

describe('7: the power fails', () => {
  it('after the paper and before the proof: uncertain although it is printed', async () => {
    await startRig()
    rig.printer.resetBeforeAnswer()
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'connecting-to-device' })
    expect(rig.complete()).toEqual(['A'])
  })

  it('at the cut, ticket after ticket: given up after the third in a row, and counted again once it has proved one', async () => {
    await startRig()
    let cutsWithoutPower = 2
    rig.printer.onTicket.subscribe((ticket) => {
      if (ticket.text().includes('line 1') && cutsWithoutPower-- > 0) rig.printer.resetBeforeAnswer()
    })
    const dropped = { kind: 'uncertain', reason: 'connecting-to-device' }
    for (let n = 0; n < 2; n++) expect(await rig.send('A')).toMatchObject({ ...dropped, answering: true })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed' })
    cutsWithoutPower = 3
    for (let n = 0; n < 2; n++) expect(await rig.send('B')).toMatchObject({ ...dropped, answering: true })
    expect(await rig.send('B')).toMatchObject({ ...dropped, answering: false })
  })

  it('of the gateway in the middle of a ticket: the next process closes the paper first', async () => {
    await startRig()
    const dying = connect(rig.printer.address)
    dying.write('X line 1\nX li')
    await expect.poll(() => rig.printer.unfinished).toContain('X line 1')
    resetSocket(dying)
    const next = new PrinterRig({ transport: { interrupted: true } })
    next.connect(rig.printer.address)
    cleanups.push(() => next.stop())
    await expect.poll(() => next.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.papers()[0]).toBe('X line 1\n\n** INCOMPLETE ABOVE **')
    expect(rig.complete()).toEqual(['B'])
  })

  it('large ticket, reset in the middle of the body: counts what was written', async () => {
    await startRig({ printer: { bufferBytes: 1_000 } })
    rig.printer.resetAfterBytes(3_000)
    const outcome = await rig.send('A', 2_000)
    expect(outcome).toMatchObject({ kind: 'uncertain' })
    if (outcome.kind === 'uncertain') expect(outcome.bytesWritten).toBeGreaterThanOrEqual(1_024)
  })
})

describe('8: the printer hangs', () => {
  it('reads nothing from the start: busy, nothing sent', async () => {
    await startRig()
    rig.printer.freeze()
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { reason: 'not-responding' } })
    expect(rig.printer.unfinished).toBe('')
    rig.printer.thaw()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['B'])
  })

  it('stops reading after it was ready: uncertain', async () => {
    await startRig({ timeouts: { lingerMs: 2_000 } })
    await rig.prepare()
    rig.printer.freeze()
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'timed-out', answering: true })
  })

  it('stops reading in a ticket that fills every buffer: uncertain without progress', async () => {
    await startRig({ timeouts: { lingerMs: 2_000, noProgressMs: 150 } })
    await rig.prepare()
    rig.printer.freeze()
    expect(await rig.send('A', 600_000)).toMatchObject({ kind: 'uncertain', reason: 'timed-out' })
  })

  it('reads and no longer answers: busy, never "assumed"', async () => {
    await startRig()
    rig.printer.manners.mute = true
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { kind: 'busy' } })
    expect(rig.complete()).toEqual([])
  })

  it('a new printer that neither answers nor closes: uncertain', async () => {
    await startRig({ printer: { ...L0, manners: { neverFin: true } }, capability: null })
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'timed-out', answering: false })
  })
})

describe('9: false answers', () => {
  it('four zero bytes for ASB are never taken for an answer', async () => {
    await startRig({
      printer: { model: { gsParenH: false, gsI: false }, manners: { zeroAsb: true } },
      capability: null,
    })
    const outcome = await rig.send('A')
    expect(rig.learnt.at(-1)).toMatchObject({ asb: false, gsR: false })
    expect(outcome).toMatchObject({ kind: 'printed', confirmation: 'assumed' })
  })

  it('ids of others are ignored; the level moves to another in-order answer', async () => {
    await startRig({ printer: { manners: { foreignProcessId: true } } })
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'timed-out' })
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed', method: 'gs-i', confirmation: 'confirmed' })
    expect(rig.learnt).toMatchObject([{ gsParenH: false, gsI: true }])
  })

  it('a printer that stops proving is never trusted with less', async () => {
    await startRig()
    Object.assign(rig.printer.model, { gsParenH: false, gsI: false, gsR: false })
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', answering: true })
    // No copy after copy: without a chance of proof nothing is sent, and the printer counts as not responding.
    const offline = rig.health.next(({ state }) => state === 'offline')
    for (const name of ['B', 'C'])
      expect(await rig.send(name)).toMatchObject({ kind: 'not-sent', readiness: { reason: 'not-responding' } })
    expect((await offline).reasons).toEqual(['not-responding'])
    expect(rig.learnt).toEqual([])
    expect(rig.complete()).toEqual(['A'])
    rig.printer.model.gsR = true
    await expect.poll(() => rig.send('D')).toMatchObject({ kind: 'printed', method: 'gs-r' })
    expect(rig.transport.health.state).toBe('online')
  })

  it('another printer at the same address, with other abilities, is probed again', async () => {
    await startRig({ timeouts: { probeMs: 20 } })
    Object.assign(rig.printer.model, { ...MUTE, gsI: true })
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { reason: 'not-responding' } })
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed', method: 'gs-i' })
    expect(rig.learnt).toMatchObject([{ dleEot: false, gsParenH: false, gsI: true }])
  })

  it('a mute printer at the address of one that answered is never trusted, however often it is queried', async () => {
    await startRig({ timeouts: { probeMs: 20, learnMs: 30 } })
    Object.assign(rig.printer.model, MUTE)
    for (let i = 0; i < 6; i++)
      expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { reason: 'not-responding' } })
    expect(rig.complete()).toEqual([])
    expect(rig.learnt).toEqual([])
  })

  it('answers one query late: proved by other means, and an empty roll is still noticed', async () => {
    await startRig({ printer: { manners: { previousStatus: true } }, capability: null })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-i' })
    rig.printer.paperOut(2)
    const outcome = rig.send('B')
    await rig.health.next(({ state }) => state === 'offline')
    expect(rig.complete()).toEqual(['A'])
    rig.printer.loadPaper()
    expect(await outcome).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  for (const manners of [
    { greeting: 'Welcome_to the printer 0123\r\n' },
    { trailer: 'goodbye\r\n' },
    { splitReplies: true },
    { glueReplies: true },
  ]) {
    it.each([
      ['gs-paren-h', {}],
      ['gs-i', { gsParenH: false }],
      ['gs-r', { gsParenH: false, gsI: false }],
    ] as const)(`${JSON.stringify(manners)}: %s is still told from the rest`, async (method, model) => {
      await startRig({ printer: { model, manners }, capability: null })
      expect(await rig.send('A')).toMatchObject({ kind: 'printed', method })
      rig.printer.paperOut(2)
      const outcome = rig.send('B')
      await rig.printer.onOffline.next()
      expect(rig.complete()).toEqual(['A'])
      rig.printer.loadPaper()
      expect(await outcome).toMatchObject({ kind: 'printed', method })
      expect(rig.complete()).toEqual(['A', 'B'])
    })
  }
})

describe('9: letters of a greeting that look like an answer', () => {
  // R is "online" and r is "offline" among the answers to DLE EOT 1.
  it.each(['Ready\r\n', 'printer\r\n'])(
    '%j of a printer that answers nothing has no effect on what is stored',
    async (greeting) => {
      await startRig({ printer: { model: MUTE, manners: { greeting } }, capability: null })
      for (const name of ['A', 'B']) expect(await rig.send(name)).toMatchObject({ kind: 'printed', method: 'none' })
      await expect.poll(() => rig.complete()).toEqual(['A', 'B'])
      expect(rig.learnt).toEqual([])
    },
  )
})

describe('10: slow, small, non-standard', () => {
  it('without real-time status counts as online after any answer, not only after its first ticket', async () => {
    await startRig({ printer: { model: { ...MUTE, gsR: true } }, capability: null, timeouts: { confirmMs: 5_000 } })
    const online = rig.health.next(({ state }) => state === 'online')
    rig.printer.paperOut(2)
    const outcome = rig.send('A')
    await Promise.all([online, rig.printer.onOffline.next()])
    expect(rig.complete()).toEqual([])
    rig.printer.loadPaper()
    expect(await outcome).toMatchObject({ kind: 'printed', method: 'gs-r' })
  })

  it('answers each query late: probed completely, and proved', async () => {
    await startRig({
      printer: { manners: { answerMs: 60 } },
      capability: null,
      timeouts: { learnMs: 80, probeMs: 80, confirmMs: 2_000 },
    })
    for (const name of ['A', 'B']) {
      expect(await rig.send(name)).toMatchObject({ kind: 'printed', method: 'gs-paren-h', confirmation: 'confirmed' })
      await rig.clock.sleep(200)
    }
    expect(rig.learnt.at(-1)).toMatchObject({ dleEot: true, asb: true, gsParenH: true, gsI: true, gsR: true })
  })

  it('answers four queries one after the other, each late: not taken for silence', async () => {
    await startRig({
      printer: { model: DLE_MODEL, manners: { answerMs: 60 } },
      capability: ONLY_DLE,
      timeouts: { probeMs: 80, learnMs: 1, learnAgainMs: 1, pollMs: 100, finEvidenceMs: 2_000 },
    })
    expect(await rig.prepare()).toEqual({ kind: 'ready' })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'dle-eot', confirmation: 'assumed' })
  })

  it('answers only after the first probe has ended: the next probe waits longer', async () => {
    await startRig({
      printer: { manners: { answerMs: 60 } },
      capability: null,
      timeouts: { learnMs: 40, lingerMs: 1, finMs: 1_000, confirmMs: 2_000 },
    })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', confirmation: 'assumed' })
    expect(await rig.send('B')).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  it('only real-time status, and never closes: uncertain, and not probed for copy after copy', async () => {
    await startRig({
      printer: { model: DLE_MODEL, manners: { neverFin: true } },
      capability: ONLY_DLE,
      timeouts: { learnMs: 1, finEvidenceMs: 50 },
    })
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', answering: false })
  })

  it('status pushed after our FIN has no effect: the ticket is complete', async () => {
    await startRig({
      printer: { ...L0, bufferBytes: 4_096, msPerLine: 1, manners: { asbAfterFin: true } },
      capability: null,
    })
    expect(await rig.send('A', 100)).toMatchObject({ kind: 'printed', method: 'none' })
    await rig.printer.waitForTickets(1)
    expect(rig.complete(100)).toEqual(['A'])
  })

  it('RST right after our FIN: harmless when proved', async () => {
    await startRig({ printer: { manners: { rstAfterFin: true } }, timeouts: { lingerMs: 1 } })
    for (const name of ['A', 'B', 'C']) {
      await expect.poll(() => rig.send(name)).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    }
    expect(rig.complete()).toEqual(['A', 'B', 'C'])
  })

  it.each([
    ['none', L0, null],
    ['dle-eot', { model: DLE_MODEL }, ONLY_DLE],
  ] as const)(
    'RST right after our FIN: uncertain when that end is the evidence (%s)',
    async (_, printer, capability) => {
      await startRig({ printer: { ...printer, manners: { rstAfterFin: true } }, capability })
      expect(await rig.send('A')).toMatchObject({ kind: 'uncertain' })
    },
  )

  it('never closes its side: no ticket waits for that', async () => {
    await startRig({
      printer: { clients: 'many', manners: { neverFin: true } },
      timeouts: { lingerMs: 1, finMs: FOR_EVER_MS },
    })
    const closed = rig.printer.onFin.next()
    expect(await rig.send('A')).toMatchObject({ kind: 'printed' })
    await closed
    expect(await rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.printer.connections).toBe(2)
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  it('idle connections are reset: the next ticket is sent on a new one', async () => {
    await startRig({ printer: { manners: { rstAfterIdleMs: 20 } }, timeouts: { lingerMs: 5_000 } })
    await rig.send('A')
    const reset = rig.printer.onConnection.next()
    await rig.clock.sleep(60)
    expect(await rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(await reset).toBe(2)
    expect(rig.complete()).toEqual(['A', 'B'])
  })
})
