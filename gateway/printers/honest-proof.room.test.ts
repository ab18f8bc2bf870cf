// What proves a ticket and what does not, in close cases: a stop, paper that ends with the ticket, a first answer.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
import { MUTE } from '#test/doubles/virtual-printer-status.ts'
import { StarRig } from '#test/doubles/virtual-star-rig.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function startRig(options: RigOptions = {}): Promise<PrinterRig> {
  const rig = await new PrinterRig(options).start()
  cleanups.push(() => rig.stop())
  return rig
}

describe('a printer whose only evidence is its FIN', () => {
  it('does not delay a stop', async () => {
    const never = { finEvidenceMs: 600_000 }
    const rig = await startRig({
      printer: { model: MUTE, manners: { neverFin: true } },
      capability: null,
      timeouts: never,
    })
    const stop = new AbortController()
    const outcome = rig.send('A', 6, stop.signal)
    await rig.printer.waitForTickets(1)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'uncertain', reason: 'shutdown', answering: false })
  })
})

describe('a printer that has answered once, although only that it has no paper', () => {
  it('ESC/POS: needs an answer from then on', async () => {
    const rig = await startRig({ capability: null })
    rig.printer.parts.paper = 'out'
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { kind: 'blocked' } })
    expect(rig.learnt).toMatchObject([{ dleEot: true, asb: false, gsParenH: false, gsI: false, gsR: false }])
    rig.printer.manners.mute = true
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { reason: 'not-responding' } })
    rig.printer.manners.mute = false
    rig.printer.parts.paper = 'ok'
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    expect(rig.complete()).toEqual(['A'])
  })

  it('Star: needs an answer from then on', async () => {
    const rig = await new StarRig({ capability: null }).start()
    cleanups.push(() => rig.stop())
    rig.printer.change((parts) => {
      parts.paper = 'out'
    })
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { kind: 'blocked' } })
    expect(rig.learnt).toMatchObject([{ starStatus: true, starEtb: false, starPrintEnd: false }])
    rig.printer.manners.mute = true
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { reason: 'not-responding' } })
    expect(rig.papers()).toEqual([])
  })
})

describe('a printer that never answers', () => {
  it('ESC/POS: was off and accepts connections again: no longer offline, and nothing more is assumed', async () => {
    const rig = await startRig({ printer: { model: MUTE }, capability: null })
    await rig.printer.refuse()
    const offline = rig.health.next(({ state }) => state === 'offline')
    await rig.prepare()
    await offline
    await rig.printer.start(rig.printer.address.port)
    expect(await rig.prepare()).toEqual({ kind: 'ready' })
    expect(rig.transport.health).toMatchObject({ state: 'unknown', reasons: ['none'] })
    expect(rig.transport.health.lastContactMs).toBeUndefined()
  })
})

describe('a roll that ends with the ticket', () => {
  /** Answers the proof, and in the same segment reports that its paper is out. */
  async function printerAtTheEndOfItsRoll(): Promise<{ host: string; port: number }> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      let heard = Buffer.alloc(0)
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        heard = Buffer.concat([heard, chunk])
        if (heard.equals(Buffer.from([0x10, 0x04, 0x01]))) socket.write(Buffer.from([0x12]))
        const at = heard.indexOf(Buffer.from([0x1d, 0x28, 0x48, 0x06, 0x00, 0x30, 0x30]))
        if (at === -1 || heard.length < at + 11) return
        const proof = Buffer.concat([Buffer.from([0x37, 0x22]), heard.subarray(at + 7, at + 11), Buffer.from([0x00])])
        socket.write(Buffer.concat([proof, Buffer.from([0x18, 0x00, 0x0c, 0x0f])]))
        heard = Buffer.alloc(0)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { host: '127.0.0.1', port }
  }

  it('L3: its id came back first, so the ticket is printed, and the printer has no paper', async () => {
    const rig = new PrinterRig()
    cleanups.push(() => rig.stop())
    rig.connect(await printerAtTheEndOfItsRoll())
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    expect(rig.transport.health).toMatchObject({ state: 'offline', reasons: ['media-empty'] })
  })
})
