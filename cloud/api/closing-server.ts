// How the API's server stops: each answer closes its connection, then no new ones are accepted, running calls are finished, and remaining
// connections are closed. In between the broker ends the gateways at /mqtt.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Clock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import type { App } from './app.ts'

/** Requests that are still running this long after the stop are cut off: their clients retry. */
const FINISH_WITHIN_MS = 1_500

export class ClosingServer {
  readonly #app: App
  readonly #clock: Pick<Clock, 'sleep'>
  /** Also those in a TLS handshake, and WebSockets: Node's own list has neither, and its close waits for both. */
  readonly #sockets = new Set<IncomingMessage['socket']>()
  readonly #running = new Set<ServerResponse>()
  #isLeaving = false
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
    // Before the application, which may answer in the same turn.
    server.prependListener('request', (_request, response) => {
      this.#running.add(response)
      if (this.#isLeaving) response.shouldKeepAlive = false
      response.once('close', () => {
        this.#running.delete(response)
        if (this.#running.size === 0) this.#idle.notify()
      })
    })
  }

  /** From now on each answer has `connection: close`, also those of running requests: their clients reconnect elsewhere. */
  leave(): void {
    this.#isLeaving = true
    for (const response of this.#running) response.shouldKeepAlive = false
  }

  /** Listens no more. Resolves when no request runs; those that run too long are cut off. WebSockets go on. */
  async finish(): Promise<void> {
    this.#closed ??= this.#app.close()
    // Read by `close`.
    this.#closed.catch(() => undefined)
    if (this.#running.size > 0) {
      const patience = new AbortController()
      const idle = this.#idle.next(undefined, patience.signal)
      await Promise.race([idle, this.#clock.sleep(FINISH_WITHIN_MS, patience.signal)])
      patience.abort()
      idle.catch(() => undefined)
    }
    this.#app.server.closeAllConnections()
  }

  /** Closes the remaining connections. Resolves when the server has ended. */
  async close(): Promise<void> {
    await this.finish()
    for (const socket of this.#sockets) socket.destroy()
    await this.#closed
  }
}
