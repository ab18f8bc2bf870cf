// GET /metrics on a port of its own, for Prometheus. It has no key: the listening address decides who can reach it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

/** Scrapes have only short requests. */
const HEADER_BYTES = 8_192
const REQUEST_WITHIN_MS = 5_000
const MOST_CONNECTIONS = 32

export interface MetricsServerDeps {
  registry: Pick<Registry, 'metrics' | 'contentType'>
  host: string
  /** 0 = any free one. */
  port: number
  log: Logger
}

export class MetricsServer implements Service {
  readonly #deps: MetricsServerDeps
  #server: Server | null = null

  constructor(deps: MetricsServerDeps) {
    this.#deps = deps
  }

  /** Known after start. */
  get port(): number {
    return (this.#server?.address() as AddressInfo | null)?.port ?? 0
  }

  /** @throws Error with code EADDRINUSE when the port is taken */
  async start(): Promise<void> {
    if (this.#server) return
    const options = {
      maxHeaderSize: HEADER_BYTES,
      requestTimeout: REQUEST_WITHIN_MS,
      headersTimeout: REQUEST_WITHIN_MS,
      connectionsCheckingInterval: 1_000,
    }
    const server = createServer(options, (request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'metrics could not be served')
        response.destroy()
      })
    })
    server.maxConnections = MOST_CONNECTIONS
    const { host, port, log } = this.#deps
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, () => {
        server.off('error', reject)
        resolve()
      })
    })
    server.on('error', (error) => log.error({ err: error }, 'the port of the metrics fails'))
    this.#server = server
    log.info({ host, port: this.port }, 'metrics are served at /metrics')
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (!server) return
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?', 1)
    const status = path !== '/metrics' ? 404 : request.method === 'GET' || request.method === 'HEAD' ? 200 : 405
    if (status !== 200) {
      const allow = status === 405 ? { allow: 'GET, HEAD' } : {}
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...allow }).end()
      return
    }
    const { registry } = this.#deps
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : text)
  }
}
