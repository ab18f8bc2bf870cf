// The device file as a channel, over a pseudo terminal: bytes, back-pressure, the end, the cable.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Signal } from '#shared/signal.ts'
import { UnhurriedClock } from '#test/doubles/unhurried-clock.ts'
import { UsbCable } from '#test/doubles/virtual-usb-cable.ts'
import type { ByteChannel } from './byte-channel.ts'
import { isDevice, openUsbChannel, usbDeviceFiles } from './usb-channel.ts'

const clock = new UnhurriedClock()
const never = new AbortController().signal
let server: Server
let cable: UsbCable
let printer: Socket
let received: Buffer[]
const onBytes = new Signal()
let channel: ByteChannel | null

beforeEach(async () => {
  clock.start()
  received = []
  channel = null
  server = createServer((socket) => {
    printer = socket
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received.push(chunk)
      onBytes.notify()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  cable = new UsbCable({ host: '127.0.0.1', port: address.port })
  await cable.start()
})

afterEach(async () => {
  channel?.destroy()
  await cable.stop()
  printer.destroy()
  await new Promise((resolve) => server.close(resolve))
  clock.stop()
})

async function open(path = cable.path): Promise<ByteChannel> {
  const opened = await openUsbChannel(path, { timeoutMs: 1_000, clock, signal: never })
  if ('failed' in opened) throw new Error(opened.code)
  channel = opened
  return opened
}

async function ended(of: ByteChannel): Promise<void> {
  while (of.end === null) await of.activity.next()
}

const failure = (path: string, signal = never) => openUsbChannel(path, { timeoutMs: 1_000, clock, signal })

describe('opening', () => {
  it('an address that begins with / is a device', () => {
    expect([isDevice('/dev/usb/lp0'), isDevice('192.168.1.5'), isDevice('fe80::1')]).toEqual([true, false, false])
  })

  it('fails if nothing is plugged in, for a plain file, and after a stop', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ticketrail-file-'))
    await writeFile(join(folder, 'ticket'), '')
    expect(await failure(join(folder, 'lp0'))).toEqual({ failed: true, code: 'ENOENT' })
    expect(await failure(join(folder, 'ticket'))).toEqual({ failed: true, code: 'ENOTTY' })
    expect(await failure(cable.path, AbortSignal.abort())).toEqual({ failed: true, code: 'ABORT_ERR' })
    await rm(folder, { recursive: true })
  })
})

describe('bytes', () => {
  it('are sent and received unchanged, also control bytes', async () => {
    const device = await open()
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const heard: Uint8Array[] = []
    device.onData((chunk) => heard.push(chunk))
    device.write(all)
    while (Buffer.concat(received).length < 256) await onBytes.next()
    expect(Buffer.concat(received)).toEqual(all)
    printer.write(all)
    await expect.poll(() => Buffer.concat(heard).length).toBe(256)
    expect(Buffer.concat(heard)).toEqual(all)
  })

  it('beyond what the device accepts wait, and nothing is lost when it accepts more', async () => {
    const device = await open()
    printer.pause()
    const much = Buffer.alloc(3_000_000, 'ticket ')
    expect(device.write(much)).toBe(false)
    const before = device.unsentBytes
    await clock.sleep(200)
    expect(device.unsentBytes).toBeGreaterThan(0)
    expect(device.unsentBytes).toBeLessThanOrEqual(before)
    printer.resume()
    while (device.unsentBytes > 0) await device.activity.next()
    while (Buffer.concat(received).length < much.length) await onBytes.next()
    expect(Buffer.concat(received).equals(much)).toBe(true)
  })
})

describe('the end', () => {
  it('half-close: one NUL after everything was accepted', async () => {
    const device = await open()
    device.write(Buffer.from('ticket'))
    device.halfClose()
    await ended(device)
    expect([device.end, device.endCode, device.halfClosed]).toEqual(['fin', 'FIN', true])
    while (Buffer.concat(received).length < 7) await onBytes.next()
    expect(Buffer.concat(received).toString('latin1')).toBe('ticket\0')
  })

  it('half-close does not end while the device accepts nothing', async () => {
    const device = await open()
    printer.pause()
    device.write(Buffer.alloc(3_000_000))
    device.halfClose()
    await clock.sleep(200)
    expect(device.end).toBe(null)
  })

  it('the cable is pulled: broken, even if nothing is being written', async () => {
    const device = await open()
    device.onData(() => {})
    await cable.unplug()
    await ended(device)
    expect(device.end).toBe('broken')
  })

  it('the cable is pulled in the middle of a ticket', async () => {
    const device = await open()
    printer.pause()
    device.write(Buffer.alloc(3_000_000))
    await cable.unplug()
    await ended(device)
    expect(device.end).toBe('broken')
    expect(device.unsentBytes).toBeGreaterThan(0)
  })

  it('comes back with the cable', async () => {
    const first = await open()
    await cable.unplug()
    first.destroy()
    expect(await failure(cable.path)).toEqual({ failed: true, code: 'ENOENT' })
    await cable.plugIn()
    const device = await open()
    device.write(Buffer.from('again'))
    while (!Buffer.concat(received).includes('again')) await onBytes.next()
  })
})

describe('the printers at the cables of this machine', () => {
  it('are the device files of usblp, and none without the folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dev-usb-'))
    for (const name of ['lp1', 'lp0', 'hiddev0']) await writeFile(join(folder, name), '')
    expect(usbDeviceFiles(folder)).toEqual(['/dev/usb/lp0', '/dev/usb/lp1'])
    await rm(folder, { recursive: true })
    expect(usbDeviceFiles(folder)).toEqual([])
  })
})
