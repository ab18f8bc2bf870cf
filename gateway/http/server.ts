// The gateway's own HTTP server: health and status for everybody, the technician's page and the kitchen's screens for signed-in users.
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyServerOptions, fastify } from 'fastify'
import type { PageCertificate } from '#gateway/certificate/page-certificate.ts'
import type { BoxAccess } from '#gateway/control/box-access.ts'
import type { Control } from '#gateway/control/control.ts'
import { ControlRefusal } from '#gateway/control/control-refusal.ts'
import { type HttpsAnswer, NO_HTTPS } from '#gateway/control/https-answer.ts'
import type { SessionStore } from '#gateway/storage/session-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { SignInThrottle } from '#shared/pages/sign-in-throttle.ts'
import { assetRoutes, type WebFiles, WebPages } from '#shared/pages/web-assets.ts'
import type { Service } from '#shared/service.ts'
import type { Signal } from '#shared/signal.ts'
import { CONNECTION_LIMITS, ConnectionCaps, type ConnectionLimits, lookEveryMs } from './connection-limits.ts'
import { HttpsListener } from './https-listener.ts'
import { type KitchenRoutesDeps, kitchenRoutes } from './kitchen-routes.ts'
import { LiveFeed } from './live-feed.ts'
import { operationRoutes } from './operation-routes.ts'
import { pageTopics } from './page-topics.ts'
import { refuse, refuseOperation } from './refusal.ts'
import { type GuardedRoute, guardRequests } from './request-guard.ts'
import { sessionRoutes } from './session-routes.ts'
import { Sessions } from './sessions.ts'
import { statusRoutes } from './status-routes.ts'
import type { StatusSource } from './status-view.ts'

export interface HttpServerOptions {
  host: string
  port: number
  source: StatusSource
  /** Names and addresses of this machine, in lower case, as a Host header may give them. */
  ourNames: () => ReadonlySet<string>
  clock: Clock
  control: Pick<Control, 'perform'>
  /** Users, their passwords, the set-up code, the box's settings. */
  access: BoxAccess
  sessions: SessionStore
  /** Each signals that the page's data may have changed. */
  changes: readonly Signal[]
  /** The built web pages. */
  files: WebFiles
  /** Without it there are no kitchen displays. */
  kitchen?: KitchenRoutesDeps
  /** Absent: http only, which then takes passwords from everywhere. */
  https?: HttpsOptions
  /** Default: CONNECTION_LIMITS. */
  limits?: ConnectionLimits
  log: Logger
}

export interface HttpsOptions {
  /** 0 takes any free one. */
  port: number
  certificate: PageCertificate
  /** Whether people may sign in by plain http too, from any machine. */
  allowsHttpSignIn: boolean
}

export class HttpServer implements Service {
  readonly #options: HttpServerOptions
  #app: FastifyInstance | null = null
  #live: LiveFeed | null = null
  #https: HttpsListener | null = null
  #routes: readonly GuardedRoute[] = []

  constructor(options: HttpServerOptions) {
    this.#options = options
  }

  /** https comes by `startHttps`, when nothing else has to be done first. @throws the listen error of http, such as EADDRINUSE */
  async start(): Promise<void> {
    if (this.#app) return
    const limits = this.#options.limits ?? CONNECTION_LIMITS
    const app = openApp(limits)
    const caps = new ConnectionCaps(limits, this.#options.clock)
    caps.watch(app.server)
    this.#https = this.#httpsListener(app, limits, caps)
    const live = this.#register(app, caps)
    try {
      await live.start()
      await app.listen({ host: this.#options.host, port: this.#options.port })
    } catch (error) {
      await live.stop()
      await app.close()
      throw error
    }
    this.#app = app
    this.#live = live
  }

  async stop(): Promise<void> {
    const app = this.#app
    const live = this.#live
    this.#app = null
    this.#live = null
    await live?.stop()
    await this.#https?.stop()
    await app?.close()
  }

  /** The port that it listens on; 0 while it does not. */
  get port(): number {
    const address = this.#app?.server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  /** Answers https too, or notes why not. Never rejects. */
  async startHttps(): Promise<void> {
    if (this.#app) await this.#https?.start()
  }

  /** Resolves when https answers, or when it is known that it does not. */
  httpsSettled(): Promise<void> {
    return this.#https?.settled ?? Promise.resolve()
  }

  get https(): HttpsAnswer {
    return this.#https?.view ?? NO_HTTPS
  }

  /** Its routes, and their access. */
  get routes(): readonly GuardedRoute[] {
    return this.#routes
  }

  #register(app: FastifyInstance, caps: ConnectionCaps): LiveFeed {
    const { source, control, access, clock, log, changes, kitchen, files, ourNames, https } = this.#options
    const time = { now: () => source.nowMs() }
    const sessions = new Sessions(this.#options.sessions, time)
    const live = new LiveFeed({
      ...{ clock, log, sessions, changes, nowMs: () => source.nowMs() },
      topics: (breathe) => pageTopics(control, breathe),
    })
    const sessionsEnded = (): void => live.recheck()
    this.#routes = guardRequests(app, {
      ...{ ourNames, sessions, hasUsers: () => access.users.count() > 0 },
      httpsRequired: https && !https.allowsHttpSignIn ? () => this.https : null,
      signedInFrom: (address) => caps.signedInFrom(address),
      displayOf: (token) => kitchen?.kitchen.displays.byToken(token) ?? null,
    })
    refuseTheRest(app, log)
    const throttle = new SignInThrottle(clock)
    sessionRoutes(app, {
      access,
      sessions,
      throttle,
      about: () => source,
      time,
      log,
      sessionsEnded,
    })
    operationRoutes(app, { control, sessionsEnded, access, throttle })
    live.routes(app)
    if (kitchen) kitchenRoutes(app, kitchen)
    statusRoutes(app, source, { atRoot: !webRoutes(app, files) })
    return live
  }

  /** The same routes: what a request must pass is the same by http and by https. */
  #httpsListener(app: FastifyInstance, limits: ConnectionLimits, caps: ConnectionCaps): HttpsListener | null {
    const { https, host, clock, log } = this.#options
    if (!https) return null
    return new HttpsListener({
      ...{ host, port: https.port, certificate: https.certificate, limits, caps, clock, log },
      prepare: (server) => {
        server.on('request', (request, reply) => app.routing(request, reply))
        server.on('clientError', refuseUnparsed)
      },
    })
  }
}

function openApp(limits: ConnectionLimits): FastifyInstance {
  const { headersMs, requestMs, idleMs } = limits
  const app = fastify({
    logger: false,
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: lookEveryMs(limits) },
    bodyLimit: 1_024,
    forceCloseConnections: true,
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      refuse(reply.code(400), 'invalid', 'This is not a path that can be read.')
    },
    clientErrorHandler: refuseUnparsed,
  })
  // JSON only: a form of another site can send plain text, but not this.
  app.removeContentTypeParser('text/plain')
  return app
}

/** Ends a connection whose request did not come or is not HTTP. Node has no parsed request here, so no handler of ours would run. */
const refuseUnparsed: NonNullable<FastifyServerOptions['clientErrorHandler']> = ({ code }, socket) => {
  // A browser opens connections ahead of need. It would take words on such a one for the answer to the request that it sends next.
  if (!socket.writable || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  // Browsers send a request again after 408, and after no other refusal.
  const [status, message] =
    code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'The request did not come to its end in time. Send it again.']
      : ['400 Bad Request', 'This is not a request that can be read.']
  const body = JSON.stringify({ code: 'invalid', message })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function refuseTheRest(app: FastifyInstance, log: Logger): void {
  app.setNotFoundHandler((request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.url.startsWith('/api/'))
      return refuse(reply.code(404), 'not-found', 'There is nothing at this path.')
    return refuse(reply.header('allow', 'GET, HEAD').code(405), 'method', 'This path can only be read.')
  })
  app.setErrorHandler((error: FastifyError | ControlRefusal, request, reply) => {
    if (error instanceof ControlRefusal) return refuseOperation(reply, error)
    const status = error.statusCode ?? 500
    if (status === 413)
      return refuse(reply.code(413), 'invalid', {
        message: 'The request is too large.',
        said: { key: 'request.too-large' },
      })
    if (status === 415) return refuse(reply.code(415), 'invalid', 'Send the body as application/json.')
    if (status < 500) return refuse(reply.code(status), 'invalid', 'This is not a request that can be read.')
    log.error({ err: error, path: request.routeOptions.url }, 'a request failed')
    return refuse(reply.code(500), 'internal', 'Something went wrong in the gateway. Its log says more.')
  })
}

// The box's two pages: the technician's and the kitchen display's. At any path below theirs, so that a reload works.
const ADMIN = 'admin.html'
const KITCHEN = 'kitchen.html'

/** @returns false when the pages were not built: then nothing is registered */
function webRoutes(app: FastifyInstance, files: WebFiles): boolean {
  if (files(ADMIN) === null || files(KITCHEN) === null) return false
  const config = { openTo: 'anyone' } as const
  const pages = new WebPages(files, (reply) => refuse(reply.code(404), 'not-found', 'There is nothing at this path.'))
  // A fragment, such as that of the set-up code, stays through a redirection.
  app.get('/', { config }, (_request, reply) => reply.redirect('/admin', 302))
  for (const path of ['/admin', '/admin/*']) app.get(path, { config: { openTo: 'sign-in' } }, pages.page(ADMIN))
  for (const path of ['/kitchen', '/kitchen/*']) app.get(path, { config }, pages.page(KITCHEN))
  app.get('/kitchen/api/*', { config }, (_request, reply) => pages.notThere(reply))
  assetRoutes(app, pages, { config })
  return true
}
