// What one address may hold of the server: so many connections at once, and so long for a request. A device of a guest must not take the page from the kitchen.
import type { FastifyInstance } from 'fastify'

export interface ConnectionLimits {
  /** From all addresses together. */
  most: number
  /** From one address; displays behind another router share one. */
  mostPerAddress: number
  /** Until the headers are here. */
  headersMs: number
  /** Until the whole request is here. */
  requestMs: number
  /** Without a byte in either direction. */
  idleMs: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  most: 512,
  mostPerAddress: 64,
  headersMs: 10_000,
  requestMs: 15_000,
  idleMs: 20_000,
}

/** This machine itself, or a proxy on it, speaks for many. */
const OWN = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Drops connections beyond the limits as they come. */
export function limitConnections(server: FastifyInstance['server'], { most, mostPerAddress }: ConnectionLimits): void {
  const counts = new Map<string, number>()
  server.maxConnections = most
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (OWN.has(address)) return
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    })
    if (count > mostPerAddress) socket.destroy()
  })
}
