// Requests of one connection are worked on one after the other: the next one when the answer to the one before has gone out.
import type { IncomingMessage } from 'node:http'
import type { App } from './app.ts'

/** Clients that pipeline send a handful ahead. Node reads a thousand at once, whether or not their answers are ever read. */
const MOST_AHEAD = 4

type Socket = IncomingMessage['socket']

/** Call it before any other hook. A connection that sends more ahead is closed. */
export function useOneAtATime(app: App): void {
  /** What waits, for each connection that has a request in work. */
  const lines = new WeakMap<Socket, (() => void)[]>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    if (isClosing(socket)) return
    const line = lines.get(socket)
    if (line && line.length >= MOST_AHEAD) {
      lines.delete(socket)
      socket.destroy()
      return
    }
    const begin = (): void => {
      reply.raw.once('close', () => next(socket))
      done()
    }
    if (line) line.push(begin)
    else {
      lines.set(socket, [])
      begin()
    }
  })
  const next = (socket: Socket): void => {
    const begin = isClosing(socket) ? undefined : lines.get(socket)?.shift()
    if (begin) begin()
    else lines.delete(socket)
  }
}

/** After an answer that says so, what else came on the connection is not worked on (RFC 9112 §9.6): no answer to it would go out. */
const isClosing = (socket: Socket): boolean => socket.destroyed || socket.writableEnded
