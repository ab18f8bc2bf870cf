// Identifying the device at an address, with the virtual printer on a real socket.
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { SHORT } from '#test/doubles/printer-rig.ts'
import { UnhurriedClock } from '#test/doubles/unhurried-clock.ts'
import { VirtualPrinter, type VirtualPrinterOptions } from '#test/doubles/virtual-printer.ts'
import { MUTE } from '#test/doubles/virtual-printer-status.ts'
import { type Identity, identifyPrinter } from './identify-printer.ts'
import { tcpChannelTo } from './tcp-channel.ts'

const clock = new UnhurriedClock()
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function startPrinter(options: VirtualPrinterOptions = {}): Promise<VirtualPrinter> {
  const printer = new VirtualPrinter({ ...options, clock })
  clock.start()
  await printer.start()
  cleanups.push(() => printer.stop())
  return printer
}

function identify(address: { host: string; port: number }): Promise<Identity> {
  return identifyPrinter({
    openChannel: tcpChannelTo(address),
    clock,
    random: Math.random,
    signal: new AbortController().signal,
    timeouts: SHORT,
  })
}

describe('the device at an address', () => {
  it('an Epson: maker and model, its answers, and a suggested profile', async () => {
    const printer = await startPrinter()
    expect(await identify(printer.address)).toMatchObject({
      kind: 'printer',
      language: 'escpos',
      maker: 'EPSON',
      model: 'TM-T88VI',
      capability: { gsParenH: true, dleEot: true, asb: true },
      level: { level: 'L3', method: 'gs-paren-h' },
      reasons: [],
      suggestion: { profileId: 'epson-thermal-180', by: 'model' },
    })
  })

  it.each([
    ['an Epson', {}],
    ['a mute one', { model: MUTE }],
    ['a clone', { model: { gsParenH: false, gsI: false } }],
  ])('nothing comes out of %s', async (_, options) => {
    const printer = await startPrinter(options)
    await identify(printer.address)
    expect(printer.unfinished).toBe('')
    expect(printer.tickets).toEqual([])
  })

  it('a clone with only GS r: its level, and no name', async () => {
    const printer = await startPrinter({ model: { gsParenH: false, gsI: false } })
    expect(await identify(printer.address)).toMatchObject({
      kind: 'printer',
      maker: null,
      model: null,
      level: { level: 'L2', method: 'gs-r' },
      suggestion: { profileId: 'generic-80', by: 'none' },
    })
  })

  it('one without paper reports that, and gets no query that it cannot answer', async () => {
    const printer = await startPrinter()
    printer.paperOut()
    expect(await identify(printer.address)).toMatchObject({
      kind: 'printer',
      level: null,
      reasons: ['media-empty'],
      hint: expect.stringContaining('Load a roll'),
    })
  })

  it('a mute one is silent, at the lowest level', async () => {
    const printer = await startPrinter({ model: MUTE })
    expect(await identify(printer.address)).toMatchObject({ kind: 'silent', level: { level: 'L0' } })
  })

  it('a Star answers in its own language', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        // ESC ACK SOH. The answer: 9 bytes, Ethernet form without data, no errors.
        if (bytes.includes(Buffer.from([0x1b, 0x06, 0x01])))
          socket.write(Uint8Array.of(0x23, 0x86, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => server.close())
    clock.start()
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const identity = await identify({ host: '127.0.0.1', port: address.port })
    expect(identity).toMatchObject({ kind: 'printer', language: 'star', capability: null })
  })

  it('none: reports that, and what to do', async () => {
    const printer = await startPrinter()
    await printer.refuse()
    expect(await identify(printer.address)).toMatchObject({
      kind: 'unreachable',
      reason: 'connecting-to-device',
      hint: expect.stringContaining('Check that it is on'),
    })
  })

  it('a name with the words of a banner is cut', async () => {
    const printer = await startPrinter({ model: { name: 'N'.repeat(80) } })
    expect(await identify(printer.address)).toMatchObject({ model: 'N'.repeat(40) })
  })
})
