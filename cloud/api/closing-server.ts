// How the API's server ends: nothing new, what runs is finished, then whoever is still connected is cut off. In between the broker ends the
// gateways at /mqtt.
import type { IncomingMessage, Server } from 'node:http'
import type { Clock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import type { App } from './app.ts'

/** Requests that are still running this long after the stop are cut off: their clients retry. */
const FINISH_WITHIN_MS = 1_500

export class ClosingServer {
  readonly #app: App
  readonly #clock: Pick<Clock, 'sleep'>
  /** Also those in the middle of a TLS handshake, and those that speak WebSocket: Node's own list has neither, and its close waits for both. */
  readonly #sockets = new Set<IncomingMessage['socket']>()
  #running = 0
  readonly #idle = new Signal()
  #closed: Promise<void> | null = null

  /** Must be made before the server listens. */
  constructor(app: App, clock: Pick<Clock, 'sleep'>) {
    this.#app = app
    this.#clock = clock
    const server: Server = app.server
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.on('request', (_request, response) => {
      this.#running++
      response.once('close', () => {
        this.#running--
        if (this.#running === 0) this.#idle.notify()
      })
    })
  }

  /** Listens no more. Resolves when no request runs; those that run too long are cut off. WebSockets go on. */
  async finish(): Promise<void> {
    this.#closed ??= this.#app.close()
    // Looked at by `close`.
    this.#closed.catch(() => undefined)
    if (this.#running > 0) {
      const patience = new AbortController()
      const idle = this.#idle.next(undefined, patience.signal)
      await Promise.race([idle, this.#clock.sleep(FINISH_WITHIN_MS, patience.signal)])
      patience.abort()
      idle.catch(() => undefined)
    }
    this.#app.server.closeAllConnections()
  }

  /** Cuts off whoever is left. Resolves when the server has ended. */
  async close(): Promise<void> {
    await this.finish()
    for (const socket of this.#sockets) socket.destroy()
    await this.#closed
  }
}
