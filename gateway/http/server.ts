// The gateway's own HTTP server: health, status and the page for people. It reads only; nothing can be changed through it.
import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import { ERROR_TABLE, type ErrorCode } from '#shared/errors.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { isOurs } from './host-guard.ts'
import { type KitchenRoutesDeps, kitchenRoutes } from './kitchen-routes.ts'
import { statusPage } from './page.ts'
import { SCRIPT, STYLE } from './page-assets.ts'
import { type StatusSource, statusBody } from './status-view.ts'

export interface HttpServerOptions {
  host: string
  port: number
  source: StatusSource
  /** Names and addresses of this machine, in lower case, as a Host header may give them. */
  ourNames: () => ReadonlySet<string>
  /** Without it there are no kitchen displays. */
  kitchen?: KitchenRoutesDeps
  log: Logger
}

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

export class HttpServer implements Service {
  readonly #options: HttpServerOptions
  #app: FastifyInstance | null = null

  constructor(options: HttpServerOptions) {
    this.#options = options
  }

  /** @throws the listen error, such as EADDRINUSE */
  async start(): Promise<void> {
    if (this.#app) return
    const app = fastify({
      logger: false,
      requestTimeout: 15_000,
      connectionTimeout: 20_000,
      bodyLimit: 1_024,
      forceCloseConnections: true,
      frameworkErrors: (_error, _request, reply) => {
        refuse(reply, 400, 'request.malformed', 'This is not a path that can be read.')
      },
      // Node has no parsed request here, so no handler of ours would run.
      clientErrorHandler: (_error, socket) => {
        const body = errorBody(400, 'request.malformed', 'This is not a request that can be read.')
        if (socket.writable)
          socket.end(
            `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
          )
        else socket.destroy()
      },
    })
    this.#guard(app)
    this.#routes(app)
    try {
      await app.listen({ host: this.#options.host, port: this.#options.port })
    } catch (error) {
      await app.close()
      throw error
    }
    this.#app = app
  }

  async stop(): Promise<void> {
    const app = this.#app
    this.#app = null
    await app?.close()
  }

  /** The port that it listens on; 0 while it does not. */
  get port(): number {
    const address = this.#app?.server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  #guard(app: FastifyInstance): void {
    const { ourNames, log } = this.#options
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(SECURITY_HEADERS)
      if (!isOurs(request.raw.rawHeaders, ourNames())) {
        const message = 'This machine does not go by that name. Use its address, its host name or localhost.'
        return refuse(reply, 421, 'request.invalid', message)
      }
      const isKitchen = request.method === 'POST' && request.url.startsWith('/kitchen/api/')
      if (request.method !== 'GET' && request.method !== 'HEAD' && !isKitchen) {
        reply.header('allow', 'GET, HEAD')
        return refuse(reply, 405, 'request.method_not_allowed')
      }
    })
    app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'request.not_found'))
    app.setErrorHandler((error: FastifyError, request, reply) => {
      if ((error.statusCode ?? 500) < 500)
        return refuse(reply, error.statusCode ?? 400, 'request.malformed', 'This is not a request that can be read.')
      log.error({ err: error, path: request.routeOptions.url }, 'a request failed')
      return refuse(reply, 500, 'internal.error', 'Something went wrong in the gateway. Its log says more.')
    })
  }

  #routes(app: FastifyInstance): void {
    const { source, kitchen } = this.#options
    if (kitchen) kitchenRoutes(app, kitchen)
    app.get('/healthz', async () => ({ status: 'ok' }))
    // The relay out of reach does not make it unready: it still prints.
    app.get('/readyz', async (_request, reply) => {
      const ready = source.isReady()
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', link: source.link().state })
    })
    app.get('/api/status', async () => statusBody(source))
    app.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(statusPage(source)))
    app.get('/app.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT))
    app.get('/app.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
  }
}

function refuse(
  reply: FastifyReply,
  status: number,
  code: ErrorCode,
  message: string = ERROR_TABLE[code][1],
): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(errorBody(status, code, message))
}

/** An error in the specification's shape. */
function errorBody(status: number, code: ErrorCode, message: string): string {
  return JSON.stringify({ code, message, status })
}
