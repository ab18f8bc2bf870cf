// Printers that hold an answer back until the one before it is acknowledged: the gateway sends a byte that carries the acknowledgement, so no ticket waits for it.
import { afterEach, describe, expect, it } from 'vitest'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { KNOWS_ALL, PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
import type { PrinterModel } from '#test/doubles/virtual-printer-status.ts'
import { MC_PRINT } from '#test/doubles/virtual-star-printer.ts'
import { KNOWS_ETB, KNOWS_PRINT_END, StarRig, type StarRigOptions } from '#test/doubles/virtual-star-rig.ts'

/** No automatic status query frees a held answer. */
const NO_POLLS = { pollMs: 600_000 }

let rig: PrinterRig | StarRig
afterEach(() => rig.stop())

async function startRig({ printer, ...options }: RigOptions = {}): Promise<PrinterRig> {
  const manners = { holdsAnswers: true, ...printer?.manners }
  const started = await new PrinterRig({ ...options, printer: { ...printer, manners }, timeouts: NO_POLLS }).start()
  rig = started
  return started
}

async function startStar({ printer, ...options }: StarRigOptions = {}): Promise<StarRig> {
  const manners = { holdsAnswers: true, ...printer?.manners }
  const started = await new StarRig({ ...options, printer: { ...printer, manners }, timeouts: NO_POLLS }).start()
  rig = started
  return started
}

const PROOFS: readonly [method: string, model: Partial<PrinterModel>, knows: PrinterCapability][] = [
  ['gs-paren-h', {}, KNOWS_ALL],
  ['gs-i', { gsParenH: false }, { ...KNOWS_ALL, gsParenH: false }],
  ['gs-r', { gsParenH: false, gsI: false }, { ...KNOWS_ALL, gsParenH: false, gsI: false }],
]

describe('a printer that holds its second answer until it is sent something', () => {
  it.each(PROOFS)(
    'proves its tickets by %s, on a fresh and on a kept connection',
    async (method, model, capability) => {
      const { printer, send } = wired(await startRig({ capability, printer: { model } }))
      expect(await send('A')).toMatchObject({ kind: 'printed', confirmation: 'confirmed', method })
      expect(await send('B')).toMatchObject({ kind: 'printed', confirmation: 'confirmed', method })
      expect(printer.connections).toBe(1)
      expect(rig.complete()).toEqual(['A', 'B'])
    },
  )

  it('proves its tickets with each answer in pieces of one byte', async () => {
    const { send } = wired(await startRig({ printer: { manners: { splitReplies: true } } }))
    expect(await send('A')).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    expect(await send('B')).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
  })

  it('is probed completely when it is new', async () => {
    const { send } = wired(await startRig({ capability: null }))
    expect(await send('A')).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    expect(rig.learnt.at(-1)).toMatchObject({ dleEot: true, asb: true, gsParenH: true, gsI: true, gsR: true })
  })

  it('gets nothing between its answers while its buffers are being cleared', async () => {
    const { printer, send } = wired(await startRig({ profile: { clearsBuffer: true } }))
    printer.paperOut(2)
    const stop = new AbortController()
    const outcome = send('A', 6, stop.signal)
    await rig.health.next(({ state }) => state === 'offline')
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'uncertain', reason: 'shutdown' })
    const before = printer.receivedBytes
    expect(await rig.discard()).toBe(true)
    // DLE DC4 8 alone.
    expect(printer.receivedBytes - before).toBe(10)
  })

  it('prints nothing of that byte, and no ticket is affected', async () => {
    const { printer, send } = wired(await startRig())
    for (const name of ['A', 'B', 'C']) await send(name)
    expect(rig.papers()).toHaveLength(3)
    for (const [at, name] of ['A', 'B', 'C'].entries()) {
      expect(rig.papers()[at]).toMatch(new RegExp(`^${name} line 1\n`))
    }
    expect(printer.unfinished).toBe('')
  })

  it.each([
    ['ETB', KNOWS_ETB, {}],
    ['ESC GS ETX', KNOWS_PRINT_END, MC_PRINT],
  ])('Star: proves its tickets by %s', async (_, capability, model) => {
    const { send } = wired(await startStar({ capability, printer: { model } }))
    expect(await send('A')).toMatchObject({ kind: 'printed', method: 'star-etb' })
    expect(await send('B')).toMatchObject({ kind: 'printed', method: 'star-etb' })
    expect(rig.complete()).toEqual(['A', 'B'])
  })
})

describe('a printer that sends much during a ticket', () => {
  it('gets only a few bytes in return', async () => {
    const { printer, send } = wired(await startRig({ printer: { msPerLine: 10, manners: { holdsAnswers: false } } }))
    const outcome = send('A', 20)
    await printer.onConnection.next()
    for (let i = 0; i < 50; i++) {
      printer.paperNearEnd()
      await rig.clock.sleep(1)
      printer.loadPaper()
    }
    expect(await outcome).toMatchObject({ kind: 'printed' })
    expect(printer.receivedBytes).toBeLessThan(500)
  })
})

function wired<R extends PrinterRig | StarRig>(started: R): { printer: R['printer']; send: R['send'] } {
  return { printer: started.printer, send: started.send.bind(started) }
}
