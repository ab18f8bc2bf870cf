// The Star transport on a real socket: probing, proofs, how connections are kept, what is noticed between tickets.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { KNOWS_ALL } from '#test/doubles/printer-rig.ts'
import { MC_PRINT, MUTE_STAR, STATUS_ONLY } from '#test/doubles/virtual-star-printer.ts'
import { KNOWS_PRINT_END, KNOWS_STATUS, StarRig, type StarRigOptions } from '#test/doubles/virtual-star-rig.ts'

let rig: StarRig
afterEach(() => rig.stop())

async function startRig(options: StarRigOptions = {}): Promise<StarRig> {
  rig = await new StarRig(options).start()
  return rig
}

/** The capabilities after its first bytes. */
const VOICE = { starStatus: true, starEtb: false, starPrintEnd: false }

describe('the probe of a new Star printer', () => {
  it('ETB: found before the first ticket, and that ticket is proved', async () => {
    await startRig({ capability: null })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', confirmation: 'confirmed', method: 'star-etb' })
    expect(rig.learnt).toMatchObject([VOICE, { starStatus: true, starEtb: true, starPrintEnd: false }])
    expect(rig.papers()).toHaveLength(1)
    expect(rig.complete()).toEqual(['A'])
  })

  it('StarPRNT: the end of printing by our own id', async () => {
    await startRig({ capability: null, printer: { model: MC_PRINT }, profile: { language: 'starprnt' } })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', confirmation: 'confirmed', method: 'star-etb' })
    expect(rig.learnt).toMatchObject([VOICE, { starEtb: true, starPrintEnd: true }])
  })

  it('recorded answers of an ESC/POS printer under the same name do not apply', async () => {
    await startRig({ capability: KNOWS_ALL })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'star-etb' })
    expect(rig.learnt).toMatchObject([VOICE, { starEtb: true, gsParenH: false }])
  })

  it('status only: assumed after good status before and after', async () => {
    await startRig({ capability: null, printer: { model: STATUS_ONLY } })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', confirmation: 'assumed', method: 'dle-eot' })
    expect(rig.learnt).toMatchObject([VOICE])
  })

  it('mute: assumed after its FIN, and nothing is recorded', async () => {
    await startRig({ capability: null, printer: { model: MUTE_STAR } })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', confirmation: 'assumed', method: 'none' })
    expect(rig.learnt).toEqual([])
    expect(rig.complete()).toEqual(['A'])
  })

  it('silent on 9100, but port 9101 answers: proved by the counter there', async () => {
    await startRig({ capability: null, printer: { model: { status: false } } })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', confirmation: 'confirmed', method: 'star-etb' })
    rig.printer.change((parts) => {
      parts.paper = 'out'
    })
    await rig.clock.sleep(200)
    expect(await rig.send('B')).toMatchObject({
      kind: 'not-sent',
      readiness: { kind: 'blocked', reason: 'media-empty' },
    })
  })

  it('out of paper at first contact: only its answer is recorded, and nothing is sent', async () => {
    await startRig({ capability: null })
    rig.printer.change((parts) => {
      parts.paper = 'out'
    })
    expect(await rig.send('A')).toMatchObject({
      kind: 'not-sent',
      readiness: { kind: 'blocked', reason: 'media-empty' },
    })
    expect(rig.learnt).toMatchObject([VOICE])
    rig.printer.change((parts) => {
      parts.paper = 'ok'
    })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'star-etb' })
  })
})

describe('the counter that others use as well', () => {
  it('documents of others that end while ours waits for paper are no proof of ours', async () => {
    await startRig({ timeouts: { blockedMs: 300 } })
    rig.printer.change((parts) => {
      parts.paper = 'out'
    }, 3)
    const outcome = rig.send('A')
    await rig.health.next(({ state }) => state === 'offline')
    rig.printer.foreignEtb()
    rig.printer.foreignEtb()
    expect(await outcome).toMatchObject({ kind: 'uncertain', reason: 'media-empty' })
    expect(rig.complete()).toEqual([])
  })

  it('at every count a ticket is proved, also over the counter’s end', async () => {
    await startRig()
    for (let count = 0; count < 32; count++) {
      await rig.transport.close()
      rig.printer.etbCount = count
      rig.connect()
      expect(await rig.send(`T${count}`)).toMatchObject({ kind: 'printed', method: 'star-etb' })
    }
    expect(rig.complete()).toHaveLength(32)
  })

  it('what an uncertain attempt left in the printer does not prove the next ticket', async () => {
    await startRig({
      timeouts: { blockedMs: 60, confirmMs: 3_000, probeMs: 1_000 },
      printer: { model: { pushes: true }, msPerLine: 60, manners: { answerMs: 15 } },
    })
    rig.printer.change((parts) => {
      parts.paper = 'out'
    }, 3)
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain' })
    rig.printer.change((parts) => {
      parts.paper = 'ok'
    })
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed', method: 'star-etb' })
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  it('power off and on behind a print server that keeps the connection: uncertain', async () => {
    await startRig({ timeouts: { confirmMs: 200, confirmSlackMs: 0 }, printer: { model: { pushes: true } } })
    rig.printer.etbCount = 29
    rig.printer.change((parts) => {
      parts.coverOpen = true
    }, 3)
    const outcome = rig.send('A')
    await rig.health.next(({ state }) => state === 'offline')
    rig.printer.parts.coverOpen = false
    rig.printer.powerCycle('stays')
    rig.printer.foreignEtb()
    expect(await outcome).toMatchObject({ kind: 'uncertain' })
  })
})

describe('the connection', () => {
  it('is kept for the next ticket, and its timeline says since when', async () => {
    await startRig({ timeouts: { lingerMs: 60_000 } })
    const first = await rig.send('A')
    const second = await rig.send('B')
    expect(rig.printer.connections).toBe(1)
    if (first.kind !== 'printed' || second.kind !== 'printed') throw new Error('not printed')
    expect(second.connectedAtMs).toBe(first.connectedAtMs)
    expect(second.firstByteAtMs).toBeGreaterThanOrEqual(first.printedAtMs)
    expect(second.lastByteAtMs).toBeGreaterThanOrEqual(second.firstByteAtMs)
    expect(second.printedAtMs).toBeGreaterThanOrEqual(second.lastByteAtMs ?? Number.POSITIVE_INFINITY)
  })

  it('is closed soon, so that another program gets the printer', async () => {
    await startRig()
    await rig.send('A')
    const other = connect(rig.printer.address)
    await once(other, 'connect')
    other.write(Buffer.from([0x1b, 0x06, 0x01]))
    await once(other, 'data')
    other.destroy()
  })

  it('exclusive: stays open, and its loss is noticed without a ticket', async () => {
    await startRig({ transport: { exclusive: true }, timeouts: { announceOfflineMs: 1 } })
    await rig.send('A')
    await rig.clock.sleep(300)
    await rig.send('B')
    expect(rig.printer.connections).toBe(1)
    const announced = rig.health.next(({ state }) => state === 'offline')
    await rig.printer.refuse()
    expect(await announced).toMatchObject({ reasons: ['connecting-to-device'] })
  })

  it('a stop before the first byte sends nothing; after it, the proof gets a last chance', async () => {
    await startRig()
    expect(await rig.send('A', 6, AbortSignal.abort())).toMatchObject({ kind: 'not-sent' })
    rig.printer.change((parts) => {
      parts.coverOpen = true
    }, 2)
    const stop = new AbortController()
    const outcome = rig.send('B', 6, stop.signal)
    await rig.health.next(({ state }) => state === 'offline')
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'uncertain', reason: 'shutdown' })
  })

  it('nothing can be confirmed as discarded', async () => {
    await startRig()
    expect(await rig.discard()).toBe(false)
  })
})

describe('between tickets', () => {
  it('a printer that is switched off is noticed without a ticket, and so is its return', async () => {
    await startRig({ timeouts: { idleLookMs: 50, lookSoonMs: 20, lookAwayMs: 30, announceOfflineMs: 10 } })
    await rig.send('A')
    const offline = rig.health.next(({ state }) => state === 'offline')
    await rig.printer.refuse()
    expect(await offline).toMatchObject({ reasons: ['connecting-to-device'] })
    const online = rig.health.next(({ state }) => state === 'online')
    await rig.printer.listenAgain()
    await online
    expect(rig.papers()).toHaveLength(1)
  })

  it('an open cover is noticed, also on a connection that pushes its status', async () => {
    await startRig({ transport: { exclusive: true }, timeouts: { heartbeatMs: 40 } })
    await rig.send('A')
    await rig.clock.sleep(200)
    const offline = rig.health.next(({ state }) => state === 'offline')
    rig.printer.change((parts) => {
      parts.coverOpen = true
    })
    expect(await offline).toMatchObject({ reasons: ['cover-open'] })
    const online = rig.health.next(({ state }) => state === 'online')
    rig.printer.change((parts) => {
      parts.coverOpen = false
    })
    await online
    expect(await rig.send('B')).toMatchObject({ kind: 'printed', method: 'star-etb' })
    expect(rig.printer.connections).toBe(1)
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  it('exclusive, and silently hung: noticed by the heartbeat', async () => {
    await startRig({
      transport: { exclusive: true },
      timeouts: { heartbeatMs: 40, lookSoonMs: 20, lookAwayMs: 30, announceOfflineMs: 10, probeMs: 30 },
    })
    await rig.send('A')
    const offline = rig.health.next(({ state }) => state === 'offline')
    rig.printer.freeze()
    expect(await offline).toMatchObject({ reasons: ['not-responding'] })
  })
})

describe('recorded answers are kept', () => {
  it.each([
    ['ETB', {}],
    ['own id', { capability: KNOWS_PRINT_END, printer: { model: MC_PRINT } }],
    ['status only', { capability: KNOWS_STATUS, printer: { model: STATUS_ONLY } }],
  ] as const)('%s, and silent now: not responding, not a byte of the ticket', async (_, options) => {
    await startRig(options)
    rig.printer.manners.mute = true
    expect(await rig.send('A')).toMatchObject({
      kind: 'not-sent',
      readiness: { kind: 'busy', reason: 'not-responding' },
    })
    expect(rig.papers()).toEqual([])
    rig.printer.manners.mute = false
    await expect.poll(() => rig.send('A')).toMatchObject({ kind: 'printed' })
  })

  it('answers its status, but no ETB any more: no byte of the ticket is sent', async () => {
    await startRig()
    rig.printer.model.etb = false
    expect(await rig.send('A')).toMatchObject({
      kind: 'not-sent',
      readiness: { kind: 'busy', reason: 'not-responding' },
    })
    expect(rig.papers()).toEqual([])
  })
})
