// Clearing a printer's buffer: true only when the printer itself confirms it, and then nothing of it prints.
import { afterEach, describe, expect, it } from 'vitest'
import { MARK, PrinterRig, type RigOptions, ticketDocument } from '#test/doubles/printer-rig.ts'

let rig: PrinterRig
afterEach(() => rig.stop())

async function startRig(options: RigOptions = {}): Promise<PrinterRig> {
  rig = await new PrinterRig({ ...options, profile: { clearsBuffer: true, ...options.profile } }).start()
  return rig
}

/** A ticket that stops in the middle without paper, and is aborted there. */
async function stopInTheMiddle(): Promise<void> {
  rig.printer.paperOut(2)
  const stop = new AbortController()
  const outcome = rig.send('A', 6, stop.signal)
  await rig.health.next(({ state }) => state === 'offline')
  stop.abort()
  expect(await outcome).toMatchObject({ kind: 'uncertain', answering: true })
}

describe('discard', () => {
  it('after an abort in the middle: the rest is never printed, and the next ticket is alone', async () => {
    await startRig()
    await stopInTheMiddle()
    expect(await rig.discard()).toBe(true)
    expect(rig.printer.connections, 'on the connection that was open').toBe(1)
    rig.printer.loadPaper()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['B'])
    expect(rig.papers()[0]).toBe('A line 1\nA line 2\n\n** INCOMPLETE ABOVE **')
  })

  it('after the connection has ended: on a new one', async () => {
    await startRig({ timeouts: { lingerMs: 1 } })
    await stopInTheMiddle()
    await rig.printer.onFin.next()
    expect(await rig.discard()).toBe(true)
    rig.printer.loadPaper()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['B'])
  })

  it('leaves the same queries working', async () => {
    await startRig({ printer: { model: { gsParenH: false } }, capability: null })
    expect(await rig.send('A')).toMatchObject({ method: 'gs-i' })
    await stopInTheMiddle()
    expect(await rig.discard()).toBe(true)
    rig.printer.loadPaper()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed', method: 'gs-i' })
  })

  it('sends nothing after the command before its answer', async () => {
    await startRig({ printer: { manners: { answerMs: 30 } } })
    await stopInTheMiddle()
    const before = rig.printer.receivedBytes
    const discarded = rig.discard()
    await expect.poll(() => rig.printer.receivedBytes, { interval: 1 }).toBeGreaterThan(before)
    await rig.clock.sleep(15)
    // DLE DC4 8 has ten bytes.
    expect(rig.printer.receivedBytes - before).toBe(10)
    expect(await discarded).toBe(true)
  })

  it('is not reported if the printer does not answer', async () => {
    await startRig({ printer: { model: { dleDc4: false } } })
    await stopInTheMiddle()
    expect(await rig.discard()).toBe(false)
  })

  it('is not tried if the profile does not have the command', async () => {
    await startRig({ profile: { clearsBuffer: false } })
    await stopInTheMiddle()
    const before = rig.printer.receivedBytes
    expect(await rig.discard()).toBe(false)
    expect(rig.printer.receivedBytes).toBe(before)
  })

  it('of a printer that reads nothing is false, within limited time', async () => {
    await startRig({ transport: { interrupted: true } })
    rig.printer.freeze()
    expect(await rig.discard()).toBe(false)
  })

  it('removes nothing of another till: without a broken ticket of ours in the printer, no command is sent', async () => {
    await startRig()
    await rig.send('A')
    const before = rig.printer.receivedBytes
    expect(await rig.discard()).toBe(true)
    expect(rig.printer.receivedBytes).toBe(before)
  })

  it('of one that is switched off is false', async () => {
    await startRig({ transport: { interrupted: true } })
    await rig.printer.refuse()
    expect(await rig.discard()).toBe(false)
  })
})

describe('a printer that stays stopped for too long', () => {
  it('is cleared before the attempt is given up: if it is fixed tomorrow, it prints no old half', async () => {
    await startRig({ timeouts: { blockedMs: 100 } })
    rig.printer.paperOut(2)
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'media-empty' })
    rig.printer.loadPaper()
    await expect.poll(() => rig.sendDocument(ticketDocument('A', 6, true))).toMatchObject({ kind: 'printed' })
    expect(rig.papers()).toEqual([
      'A line 1\nA line 2\n\n** INCOMPLETE ABOVE **',
      expect.stringMatching(new RegExp(`^${MARK}\nA line 1`)),
    ])
  })

  it('that ignores the command keeps its bytes: its half is printed, and the next copy is complete', async () => {
    await startRig({ timeouts: { blockedMs: 100 }, printer: { model: { dleDc4: false } } })
    rig.printer.paperOut(2)
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'media-empty' })
    rig.printer.loadPaper()
    await expect.poll(() => rig.sendDocument(ticketDocument('A', 6, true))).toMatchObject({ kind: 'printed' })
    expect(rig.papers().at(-1)).toMatch(new RegExp(`^${MARK}\nA line 1`))
  })
})

describe('the cutter of a printer that supports only DLE DC4 8', () => {
  it('works again after it was freed, and the rest of the broken ticket is gone', async () => {
    await startRig({ timeouts: { blockedMs: 100, recoverEveryMs: 5 }, printer: { model: { dleEnq: false } } })
    rig.printer.jamCutter()
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'cutter-error' })
    rig.printer.clearJam()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.papers().at(-1)).not.toContain('A line')
  })
})
