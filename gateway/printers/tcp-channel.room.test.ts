// A printer's TCP channel over a real socket: how it is reset.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import type { ByteChannel } from './byte-channel.ts'
import { openTcpChannel } from './tcp-channel.ts'

/** More than the printer's side takes without reading, and less than our side takes without waiting. */
const UNREAD = Buffer.alloc(1024 * 1024)

describe('a channel that is reset at the moment of its half-close', () => {
  let server: Server
  let channel: ByteChannel
  let printer: Socket

  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true, pauseOnConnect: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const met = once(server, 'connection') as Promise<[Socket]>
    const { port } = server.address() as AddressInfo
    const options = { timeoutMs: 1_000, clock: new ManualClock(), signal: new AbortController().signal }
    const opened = await openTcpChannel({ host: '127.0.0.1', port }, options)
    if ('failed' in opened) throw new Error(opened.code)
    channel = opened
    ;[printer] = await met
    printer.on('error', () => {})
  })

  afterEach(() => {
    printer.destroy()
    channel.destroy()
    server.close()
  })

  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise(setImmediate)
  }

  /** Half-closes with bytes in flight that the printer has not read, and requests a reset before that is done. */
  const resetWhileClosing = async (): Promise<void> => {
    channel.write(UNREAD)
    await until(() => channel.unsentBytes === 0)
    channel.halfClose()
    channel.destroy(true)
  }

  /** The bytes that the printer gets once it reads. */
  const heard = async (): Promise<string> => {
    await until(() => channel.end !== null)
    printer.resume()
    await Promise.race([once(printer, 'close').catch(() => {}), once(printer, 'end').catch(() => {})])
    return (printer.errored as NodeJS.ErrnoException | null)?.code ?? 'FIN'
  }

  it('drops what is in flight', async () => {
    await resetWhileClosing()
    expect(await heard()).toBe('ECONNRESET')
  })

  it('does so even if it is then closed again without a reset', async () => {
    await resetWhileClosing()
    channel.destroy()
    expect(await heard()).toBe('ECONNRESET')
  })

  it('counts as closed from then on', async () => {
    await resetWhileClosing()
    expect(channel.destroyed).toBe(true)
    expect(await heard()).toBe('ECONNRESET')
  })

  it('differs from one that is closed without a reset: everything arrives', async () => {
    channel.write(UNREAD)
    await until(() => channel.unsentBytes === 0)
    channel.halfClose()
    channel.destroy()
    expect(await heard()).toBe('FIN')
  })
})
