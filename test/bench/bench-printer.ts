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
const DLE_EOT = Buffer.from([0x10, 0x04])
const GS_I = Buffer.from([0x1d, 0x49])
const GS_R = Buffer.from([0x1d, 0x72])
const NOTHING: Buffer = Buffer.alloc(0)
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
    let buffer = NOTHING
    let firstByteAt = 0
    socket.on('data', (data) => {
      const { rest: chunk, questions } = withoutRealTime(buffer.length === 0 ? withoutNuls(data) : data)
      if (questions > 0) socket.write(Buffer.alloc(questions, 0x12))
      if (chunk.length === 0) return
      if (buffer.length === 0) firstByteAt = performance.now()
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
      if (chunk.includes(ASB_ON)) socket.write(ONLINE_ASB)
      // One that does not wait for the answer may have sent two tickets at once.
      for (let end = endOfTicket(buffer); end !== null; end = endOfTicket(buffer)) {
        const ticket = buffer.subarray(0, end)
        const confirmedAt = performance.now()
        socket.write(Buffer.concat([Buffer.from([0x37, 0x22]), ticket.subarray(-4), Buffer.from([0])]))
        if (buffer.includes(GS_I, end)) socket.write(Buffer.from('_BENCH\0', 'latin1'))
        if (buffer.includes(GS_R, end)) socket.write(Buffer.from([0]))
        const rest = buffer.subarray(end)
        buffer = tokenIn(rest) === null ? NOTHING : rest
        const token = tokenIn(ticket)
        if (token !== null) this.printed.notify({ token, firstByteAt, confirmedAt })
        firstByteAt = confirmedAt
      }
    })
  }
}

/** What stands before a ticket and only carries an acknowledgement is no part of it. */
function withoutNuls(chunk: Buffer): Buffer {
  const start = chunk.findIndex((byte) => byte !== 0)
  return start < 0 ? NOTHING : chunk.subarray(start)
}

/** Behind the first query and its id; null: it is not there yet. */
function endOfTicket(buffer: Buffer): number | null {
  const at = buffer.indexOf(QUERY)
  const end = at + QUERY.length + 4
  return at < 0 || buffer.length < end ? null : end
}

function tokenIn(bytes: Buffer): string | null {
  return /B-\d{6}/.exec(bytes.toString('latin1'))?.[0] ?? null
}

/** Takes out each DLE EOT n: a question about the status, also between the bytes of a ticket, and on a busy machine in one piece with them. */
function withoutRealTime(chunk: Buffer): { rest: Buffer; questions: number } {
  let rest = chunk
  let questions = 0
  for (let at = rest.indexOf(DLE_EOT); at >= 0 && at + 2 < rest.length; at = rest.indexOf(DLE_EOT)) {
    rest = Buffer.concat([rest.subarray(0, at), rest.subarray(at + 3)])
    questions++
  }
  return { rest, questions }
}
