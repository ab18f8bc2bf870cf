// The fastest honest printer: answers every query at once and notes when the first byte of each ticket arrived and when it was confirmed.

import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { Signal } from '#shared/signal.ts'

export interface PrintedTicket {
  /** The token `B-...` that the load put into the order's note. */
  token: string
  firstByteAt: number
  confirmedAt: number
}

const QUERY = Buffer.from([0x1d, 0x28, 0x48, 0x06, 0x00, 0x30, 0x30])
const ASB_ON = Buffer.from([0x1d, 0x61, 0x0e])
const GS_I = Buffer.from([0x1d, 0x49])
const GS_R = Buffer.from([0x1d, 0x72])
const ONLINE_ASB = Buffer.from([0x10, 0x00, 0x00, 0x00])

export class BenchPrinter {
  readonly printed = new Signal<PrintedTicket>()
  #server: Server | null = null
  readonly #sockets = new Set<Socket>()

  async start(port = 0): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => this.#serve(socket))
    this.#server = server
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => {})
    let buffer = Buffer.alloc(0)
    let firstByteAt = 0
    socket.on('data', (chunk) => {
      if (isRealTime(chunk)) {
        // One answer for each question.
        socket.write(Buffer.alloc(chunk.length / 3, 0x12))
        return
      }
      if (buffer.length === 0) firstByteAt = performance.now()
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
      if (chunk.includes(ASB_ON)) socket.write(ONLINE_ASB)
      const at = buffer.indexOf(QUERY)
      if (at < 0 || buffer.length < at + QUERY.length + 4) return
      const id = buffer.subarray(at + QUERY.length, at + QUERY.length + 4)
      const confirmedAt = performance.now()
      socket.write(Buffer.concat([Buffer.from([0x37, 0x22]), id, Buffer.from([0])]))
      if (buffer.includes(GS_I, at)) socket.write(Buffer.from('_BENCH\0', 'latin1'))
      if (buffer.includes(GS_R, at)) socket.write(Buffer.from([0]))
      const token = /B-\d{6}/.exec(buffer.toString('latin1'))?.[0]
      buffer = Buffer.alloc(0)
      if (token) this.printed.notify({ token, firstByteAt, confirmedAt })
    })
  }
}

/** DLE EOT n, alone or repeated: a status question, not a ticket byte. */
function isRealTime(chunk: Buffer): boolean {
  return chunk.length % 3 === 0 && chunk[0] === 0x10 && chunk[1] === 0x04
}
