// An idle printer: its changes are noticed without a ticket, whether its connection is closed or kept open.
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
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

/** Longer than any test may take: nothing here waits for it. */
const FOR_EVER_MS = 3_600_000
const LOOKS = { lingerMs: 20, idleLookMs: 60, lookSoonMs: 30, lookAwayMs: 40, announceOfflineMs: 100 }

describe('a shared printer that is idle', () => {
  it('is checked, and its connection closed at once', async () => {
    await startRig({ timeouts: LOOKS })
    await rig.send('A')
    await expect.poll(() => rig.printer.connections).toBeGreaterThan(3)
    const gone = rig.printer.onFin.next()
    await rig.printer.onConnection.next()
    await gone
    expect(rig.healths.map(({ state }) => state)).toEqual(['online'])
    expect(rig.complete()).toEqual(['A'])
    expect(rig.printer.unfinished).toBe('')
  })

  it('and is switched off, is reported offline, and online again later', async () => {
    await startRig({ timeouts: LOOKS })
    await rig.send('A')
    const away = rig.health.next(({ state }) => state === 'offline')
    await rig.printer.refuse()
    expect(await away).toMatchObject({ reasons: ['connecting-to-device'] })
    const back = rig.health.next(({ state }) => state === 'online')
    await rig.printer.listenAgain()
    await back
  })

  it('and has its cover opened, is reported', async () => {
    await startRig({ timeouts: LOOKS })
    await rig.send('A')
    const stopped = rig.health.next(({ state }) => state === 'offline')
    rig.printer.openCover()
    expect((await stopped).reasons).toEqual(['cover-open'])
    const back = rig.health.next(({ state }) => state === 'online')
    rig.printer.closeCover()
    await back
  })

  it('and in use by another program for a moment, is no alarm', async () => {
    await startRig({ timeouts: { ...LOOKS, probeMs: 20, announceOfflineMs: 20, announceBusyMs: 60_000 } })
    await rig.send('A')
    const other = connect(rig.printer.address)
    cleanups.push(() => other.destroy())
    await rig.printer.onConnection.next()
    await rig.clock.sleep(150)
    other.destroy()
    await rig.printer.onFin.next()
    expect(rig.healths.map(({ state }) => state)).toEqual(['online'])
  })

  it('is not checked if it never answered: its silence would mean nothing', async () => {
    await startRig({ printer: { model: MUTE }, capability: null, timeouts: LOOKS })
    await rig.send('A')
    const before = rig.printer.connections
    await rig.clock.sleep(300)
    expect(rig.printer.connections).toBe(before)
  })

  it('that never answered before is probed, even if it answers slowly', async () => {
    const timeouts = { ...LOOKS, learnMs: 2_000 }
    await startRig({ printer: { manners: { answerMs: 600 } }, capability: null, timeouts })
    await rig.transport.prepare(new AbortController().signal)
    expect(rig.transport.health.state).toBe('online')
  })

  it('that never answered before is not waited for that long while a ticket waits', async () => {
    const timeouts = { ...LOOKS, learnMs: 2_000 }
    await startRig({ printer: { manners: { answerMs: 1_000 } }, capability: null, timeouts })
    await rig.transport.prepare(new AbortController().signal, 'waiting-ticket')
    expect(rig.transport.health.state).toBe('unknown')
  })

  it('gets its ticket at once, even during a check that gets no answer', async () => {
    await startRig({ timeouts: { ...LOOKS, probeMs: FOR_EVER_MS } })
    await rig.send('A')
    rig.printer.freeze()
    await rig.printer.onConnection.next()
    await rig.clock.sleep(20)
    const outcome = rig.send('B')
    rig.printer.thaw()
    expect(await outcome).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  it('is left alone after the end', async () => {
    await startRig({ timeouts: LOOKS })
    await rig.send('A')
    await rig.transport.close()
    const before = rig.printer.connections
    await rig.clock.sleep(200)
    expect(rig.printer.connections).toBe(before)
  })

  it('reports when it last answered', async () => {
    await startRig()
    expect(rig.transport.health.lastContactMs).toBeUndefined()
    const before = rig.clock.now()
    await rig.send('A')
    expect(rig.transport.health.lastContactMs).toBeGreaterThanOrEqual(before)
  })
})

describe('an exclusive printer', () => {
  const exclusive = { transport: { exclusive: true } }

  it('keeps its connection over all tickets, and is queried regularly so that it does not close it', async () => {
    await startRig({
      ...exclusive,
      printer: { manners: { rstAfterIdleMs: 150 } },
      timeouts: { ...LOOKS, heartbeatMs: 40 },
    })
    await rig.send('A')
    await rig.clock.sleep(500)
    await rig.send('B')
    expect(rig.printer.connections).toBe(1)
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  it('is queried sooner if the profile shows that it closes sooner', async () => {
    await startRig({
      ...exclusive,
      profile: { idleCloseMs: 150 },
      printer: { manners: { rstAfterIdleMs: 150 } },
      timeouts: { ...LOOKS, heartbeatMs: 60_000 },
    })
    await rig.send('A')
    await rig.clock.sleep(500)
    expect(rig.printer.connections).toBe(1)
  })

  it('whose connection is reset while idle gets another at once, without alarm', async () => {
    await startRig({ ...exclusive, timeouts: { lookSoonMs: 1, announceOfflineMs: 60_000 } })
    await rig.send('A')
    const again = rig.printer.onConnection.next()
    rig.printer.powerCycle()
    expect(await again).toBe(2)
    // A ticket that comes while it is still being opened would take yet another.
    await rig.clock.sleep(100)
    expect(await rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.printer.connections).toBe(2)
    expect(rig.healths.map(({ state }) => state)).toEqual(['online'])
  })

  it('reports at once that its cover was opened, before any ticket', async () => {
    await startRig({ ...exclusive })
    await rig.prepare()
    await expect.poll(() => rig.printer.receivedBytes).toBeGreaterThan(3)
    const stopped = rig.health.next(({ state }) => state === 'offline')
    rig.printer.openCover()
    expect((await stopped).reasons).toEqual(['cover-open'])
    const back = rig.health.next(({ state }) => state === 'online')
    rig.printer.closeCover()
    await back
    expect(rig.printer.connections).toBe(1)
  })

  it('that is switched off is reported offline, without a ticket and without a poll', async () => {
    await startRig({ ...exclusive, timeouts: { lookSoonMs: 20, lookAwayMs: 20 } })
    await rig.send('A')
    const away = rig.health.next(({ state }) => state === 'offline')
    await rig.printer.refuse()
    expect((await away).reasons).toEqual(['connecting-to-device'])
    const back = rig.health.next(({ state }) => state === 'online')
    await rig.printer.listenAgain()
    await back
    expect(await rig.send('B')).toMatchObject({ kind: 'printed' })
  })

  it('whose cable was pulled is detected by its heartbeat', async () => {
    await startRig({ ...exclusive, timeouts: { probeMs: 30, heartbeatMs: 40, lookSoonMs: 20, announceOfflineMs: 50 } })
    await rig.send('A')
    const away = rig.health.next(({ state }) => state === 'offline')
    rig.printer.freeze()
    expect((await away).reasons).toEqual(['not-responding'])
  })

  it('that closes each connection at once is not reconnected in a fast loop', async () => {
    await startRig({ ...exclusive, timeouts: { lookSoonMs: 80, lookAwayMs: 80 }, printer: { clients: 'close' } })
    const other = connect(rig.printer.address)
    cleanups.push(() => other.destroy())
    await rig.printer.onConnection.next()
    await rig.prepare()
    await rig.clock.sleep(400)
    expect(rig.printer.connections).toBeLessThan(10)
  })
})
