// A printer that is set up by a host name: it is identified by the hardware address of the device that the name resolves to, each time again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '#shared/log.ts'
import { UNKNOWN_DEVICE } from '#shared/printer-identity.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { UnhurriedClock } from '#test/doubles/unhurried-clock.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { printerTransport } from './printer-transport.ts'
import type { PrinterTransport } from './printers/transport.ts'
import type { PrinterRecord, PrinterStore } from './storage/printer-store.ts'

const MAC = '64:eb:8c:01:02:03'
const STRANGER_MAC = 'aa:aa:aa:00:00:01'
const NAMELESS = { gsI: false, serial: null }

let dir: string
let device: VirtualPrinter
let open: PrinterTransport[]
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'place-'))
  open = []
  device = new VirtualPrinter({ model: NAMELESS })
  await device.start()
})
afterEach(async () => {
  for (const transport of open) await transport.close()
  await device.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** The kernel has this hardware address for the device; null: none. */
function kernelKnows(mac: string | null): void {
  const line = mac === null ? '' : `127.0.0.1 0x1 0x2 ${mac} * lo\n`
  writeFileSync(join(dir, 'arp'), `IP address HW type Flags HW address Mask Device\n${line}`)
}

function transportTo(host: string, mac: string | null): PrinterTransport {
  const printer: PrinterRecord = {
    ...{ printerId: 'grill', name: 'Grill', host, port: device.address.port, profileId: 'generic-80' },
    ...{ stations: [], isDefault: true, capability: null, device: UNKNOWN_DEVICE },
    settings: { ...DEFAULT_PRINTER_SETTINGS, mac },
  }
  const transport = printerTransport(printer, false, {
    printers: { find: () => printer, saveAnswers: () => {} } as unknown as PrinterStore,
    ...{ addresses: { allows: () => true }, arpFile: join(dir, 'arp'), clock: new UnhurriedClock(), random: () => 0.5 },
    log: createLogger('test', 'silent', { destination: { write: () => {} } }),
  })
  open.push(transport)
  return transport
}

const { signal } = new AbortController()

describe('a printer that is set up by a name', () => {
  it('records where it was found, and with which hardware address', async () => {
    kernelKnows(MAC)
    const transport = transportTo('localhost', null)
    expect(transport.place).toBeNull()
    expect(await transport.prepare(signal)).toMatchObject({ kind: 'ready' })
    expect(transport.place).toEqual({ address: '127.0.0.1', mac: MAC })
  })

  it.each([
    ['another hardware address', STRANGER_MAC],
    ['no hardware address that the kernel knows', null],
  ])('is not the device with %s that its name leads to', async (_, mac) => {
    kernelKnows(mac)
    const transport = transportTo('localhost', MAC)
    expect(await transport.prepare(signal)).toMatchObject({ reason: 'another-printer' })
    expect(transport.stranger).toMatchObject({ mac })
    kernelKnows(MAC)
    expect(await transport.prepare(signal)).toMatchObject({ kind: 'ready' })
  })
})

describe('a printer that is set up by its IP address', () => {
  it('is the same where the kernel has no hardware address any more and nothing else distinguishes it', async () => {
    kernelKnows(null)
    expect(await transportTo('127.0.0.1', MAC).prepare(signal)).toMatchObject({ kind: 'ready' })
  })
})
