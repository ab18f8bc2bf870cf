// Builds the HTTP application: limits, hooks in the order of the checks, and one error shape. Routes are registered by the caller.
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { ServedCertificate } from '#cloud/certificate/served-certificate.ts'
import { type Client, TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import type { AnsweredRequest } from '#cloud/requests/request-log.ts'
import type { Clock } from '#shared/clock.ts'
import { ConnectionPlaces } from '#shared/connection-places.ts'
import { type ErrorCode, ServiceError } from '#shared/errors.ts'
import { newId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { networkOf } from '#shared/network-of.ts'
import { admitStrangers, type Strangers, type StrangersDeps } from './admit-strangers.ts'
import { type App, principalOf, type ZodTypeProvider } from './app.ts'
import { type AuthenticateDeps, isUncountedHook, useAuthentication } from './authenticate.ts'
import { type ByteBudgetDeps, useByteBudget } from './byte-budget.ts'
import { type BrowserDeps, browserOf } from './dashboard/browser.ts'
import { isPageCall, sendPageRefusal } from './dashboard/page-refusal.ts'
import { sendError } from './error-reply.ts'
import { useStrictJson } from './json-body.ts'
import { RequestQueues } from './one-at-a-time.ts'
import { RefusedBodies } from './refused-bodies.ts'
import { answerClientErrors, asksForBroker, hasOneHost } from './socket-errors.ts'
import { useUnknownPaths } from './unknown-paths.ts'
import { serializerCompiler, validatorCompiler } from './zod-schema.ts'

export interface HttpLimits {
  bodyBytes: number
  headerBytes: number
  /** The whole request must have arrived by then. */
  requestTimeoutMs: number
  /** How often that is checked; Node's own 30 s would make it 45. */
  checkTimeoutsMs: number
  /** A connection on which nothing moves is closed. */
  connectionTimeoutMs: number
  keepAliveTimeoutMs: number
  /** A connection whose client has not read an answer by then is closed. */
  answerTimeoutMs: number
  maxConnections: number
  /** Of one address (of IPv6: of one /64); trusted proxies are not limited. */
  maxConnectionsOfAddress: number
}

const HTTP_LIMITS: HttpLimits = {
  bodyBytes: 262_144,
  headerBytes: 16_384,
  requestTimeoutMs: 15_000,
  checkTimeoutsMs: 1_000,
  connectionTimeoutMs: 30_000,
  keepAliveTimeoutMs: 20_000,
  answerTimeoutMs: 60_000,
  maxConnections: 4_096,
  maxConnectionsOfAddress: 256,
}

export interface Answered {
  /** `POST /v1/order/inject`, with the names of its parameters; null: there is no such route. */
  route: string | null
  status: number
  refusal: ErrorCode | null
  /** From its arrival to the end of the answer, in milliseconds. */
  ms: number
}

export interface ServerDeps extends AuthenticateDeps, StrangersDeps, ByteBudgetDeps {
  log: Logger
  /** The relay's address as clients see it, without a slash at the end; known once it listens. */
  docBase: () => string
  /** True from the moment the relay is stopping: new requests get 503 service.unavailable. */
  stopping: () => boolean
  limits?: Partial<HttpLimits>
  /** Called with each answer to a request that came to a hook. For metrics: it must not throw. */
  answered?: ((answer: Answered) => void) | undefined
  /** Called with each answer to a request with a key, for the log of its account. It must not throw. */
  requests?: ((request: AnsweredRequest) => void) | undefined
  /** https with this certificate; absent or null: http. */
  certificate?: ServedCertificate | null
  /** Proxies whose X-Forwarded-For is used; none if absent. */
  proxies?: TrustedProxies
}

/**
 * The application without routes. Order of the checks: requests sent ahead, URL (400), stopping (503), host and expectation (400), path and
 * method (404, 405), key (401), rate (429), scope (403), body (413, 415), bytes (429), JSON (400), schema (422); merchant (404, 403) and business
 * rules are the handlers'. A call that is refused before the key counts as a stranger's, which gets 429 instead when there were too many.
 */
export function buildServer(deps: ServerDeps): App {
  const limits = { ...HTTP_LIMITS, ...deps.limits }
  const proxies = deps.proxies ?? new TrustedProxies([])
  const clientOf = ({ socket, headers }: IncomingMessage): Client =>
    proxies.clientOf(socket.remoteAddress, headers['x-forwarded-for'])
  const places = connectionCaps(limits, deps.proxies)
  const refuseWith = refusals(deps)
  const queues = new RequestQueues()
  const bodies = new RefusedBodies({
    clock: deps.clock,
    clientOf,
    withinMs: limits.requestTimeoutMs / 3,
    afterArrivalMs: (limits.requestTimeoutMs * 2) / 3,
  })
  const app = fastify({
    // Requests are logged by us: fastify's own lines would carry addresses and cost more than the request.
    logger: false,
    genReqId: () => newId('req', deps.clock.now()),
    requestIdHeader: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: limits.connectionTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    ...httpOrHttps(deps.certificate ?? null, {
      maxHeaderSize: limits.headerBytes,
      requireHostHeader: false,
      noDelay: true,
      connectionsCheckingInterval: limits.checkTimeoutsMs,
      shouldUpgradeCallback: (request) => {
        if (app.server.listenerCount('upgrade') === 0 || !asksForBroker(request) || !hasOneHost(request)) return false
        if (queues.isBusy(request.socket)) return false
        places.leave(request.socket)
        return true
      },
    }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 128, ignoreTrailingSlash: false },
    exposeHeadRoutes: false,
    // An invalid URL, or an id in it that is too long. No hook sees these.
    frameworkErrors: (error, bare, bareReply) => {
      const request = Object.assign(bare, { client: clientOf(bare.raw) })
      const reply = sayStrictTransport(request, bareReply.header('connection', 'close'), { ...deps, proxies }) as never
      const arrivedMs = deps.clock.monotonicMs()
      const refuse = (refusal: unknown) =>
        bodies.beforeClose(bare.raw, arrivedMs, () => refuseWith(request, reply, refusal))
      strangers.admit(request, reply).then(() => refuse(error), refuse)
    },
    clientErrorHandler: answerClientErrors(deps, queues),
  }).withTypeProvider<ZodTypeProvider>() as App
  if (deps.certificate) useNewCertificates(app, deps.certificate)
  queues.watch(app.server)
  places.watch(app.server)
  closeUnread(app, { clock: deps.clock, withinMs: limits.answerTimeoutMs })
  // Node exchanges the two when the headers' timeout is the longer one, and its default is 60 s: a body could stall for a minute.
  app.server.headersTimeout = limits.requestTimeoutMs
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  useStrictJson(app, useByteBudget(app, deps))
  useArrival(app, { ...deps, proxies }, clientOf)
  const strangers = admitStrangers(app, deps, (request) => places.makeWay(request))
  refuseErrors(app, strangers, refuseWith)
  refuseHostsAndExpectations(app, strangers)
  useUnknownPaths(app, strangers, refuseWith)
  bodies.watch(app)
  useAuthentication(app, deps, strangers)
  useOptionalBodies(app)
  return app
}

/** The page of the dashboard reads another shape than clients of the API. */
function refusals(deps: ServerDeps) {
  return (request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply =>
    isPageCall(request) ? sendPageRefusal(deps, reply, error) : sendError(deps, reply, error)
}

/** What is thrown is answered; a company's hook that nobody has counted yet counts first. */
function refuseErrors(app: App, strangers: Strangers, refuseWith: ReturnType<typeof refusals>): void {
  app.setErrorHandler((error, request, reply) => {
    const refuse = (refusal: unknown) => refuseWith(request, reply, refusal)
    return isUncountedHook(request, error)
      ? strangers.admit(request, reply).then(() => refuse(error), refuse)
      : refuse(error)
  })
}

/** A POST that may come without a body gets an empty object, which its schema then sees. */
function useOptionalBodies(app: App): void {
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.bodyOptional === true) request.body ??= {}
    done()
  })
}

/** The first hook of every request that is worked on, also of unknown paths. */
function useArrival(
  app: App,
  deps: ServerDeps & { proxies: TrustedProxies },
  clientOf: (request: IncomingMessage) => Client,
): void {
  app.decorateRequest('client', {
    getter() {
      return clientOf(this.raw)
    },
  })
  app.decorateRequest('arrivedMs', 0)
  app.decorateRequest('refusal', null)
  app.decorateRequest('refusedFields', null)
  app.addHook('onRequest', (request, reply, done) => {
    request.arrivedMs = deps.clock.monotonicMs()
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    sayStrictTransport(request, reply, deps)
    if (deps.stopping() && !request.url.startsWith('/healthz') && !request.url.startsWith('/readyz')) {
      reply.header('connection', 'close')
      return done(new ServiceError('service.unavailable', { retryAfterSeconds: 1 }))
    }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    deps.log.debug(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
      },
      'answered',
    )
    if (request.routeOptions.config?.isFeed === true) return done()
    deps.answered?.({
      route: request.routeOptions.url === undefined ? null : `${request.method} ${request.routeOptions.url}`,
      status: reply.statusCode,
      refusal: request.refusal,
      ms: reply.elapsedTime,
    })
    // A listener's answers would fill the log of its account, and contain nothing that the log of deliveries does not.
    if (request.routeOptions.config?.unmetered === true && request.refusal === null) return done()
    if (deps.requests !== undefined && request.principal !== null) deps.requests(answeredRequest(request, reply))
    done()
  })
}

function answeredRequest(request: FastifyRequest, reply: FastifyReply): AnsweredRequest {
  const { accountId: account, environment, keyId } = principalOf(request)
  const { id, method, url: path, refusal: code, refusedFields, params, query, body, bodyBytes } = request
  return {
    ...{ id, account, environment, keyId, method, path, code, params, query, body, bodyBytes },
    fields: refusedFields ?? [],
    ...{ route: request.routeOptions.url ?? null, status: reply.statusCode, ms: reply.elapsedTime },
  }
}

/** A request without a Host, with two, or with an `Expect` that cannot be met counts as a stranger's: its key is not checked. */
function refuseHostsAndExpectations(app: App, strangers: Strangers): void {
  const unmet = new WeakSet<IncomingMessage>()
  // Node's own answer would be an empty 417, outside of all limits.
  app.server.on('checkExpectation', (request, response) => {
    unmet.add(request)
    app.server.emit('request', request, response)
  })
  app.addHook('onRequest', (request, reply, done) => {
    const isOneHost = hasOneHost(request.raw)
    if (isOneHost && !unmet.has(request.raw)) return done()
    // What follows on this connection may be for another host.
    reply.header('connection', 'close')
    const message = isOneHost ? 'The Expect header cannot be met.' : 'Send exactly one Host header.'
    strangers.admit(request, reply).then(() => done(new ServiceError('request.malformed', { message })), done)
  })
}

/** Node's own two minutes would hold a connection on which nothing comes far longer than http does. */
const HANDSHAKE_WITHIN_MS = 10_000

/** Fastify's server options. Its types have only one of the two; both support HTTP/1.1 with the same options. */
function httpOrHttps(certificate: ServedCertificate | null, options: ServerOptions): { http: ServerOptions } {
  if (certificate === null) return { http: options }
  const https = { ...options, ...certificate.options, handshakeTimeout: HANDSHAKE_WITHIN_MS }
  return { https } as object as { http: ServerOptions }
}

/** Open connections keep the certificate that they began with. */
function useNewCertificates(app: App, certificate: ServedCertificate): void {
  const server = app.server as object as { setSecureContext(options: ServedCertificate['options']): void }
  const unsubscribe = certificate.changed.subscribe(() => server.setSecureContext(certificate.options))
  app.addHook('onClose', async () => unsubscribe())
}

/**
 * How many connections the API holds, in all and of one address; /mqtt is counted by the broker from its upgrade on. Only the socket is known
 * when a connection comes; the client behind a proxy is in its requests. So a trusted proxy may hold all places, and the caps behind it must
 * be set in the proxy.
 */
function connectionCaps(
  { maxConnections, maxConnectionsOfAddress: most }: HttpLimits,
  proxies: TrustedProxies | undefined,
): ConnectionPlaces {
  return new ConnectionPlaces({
    most: maxConnections,
    sharesOf: (address) => (proxies?.has(address) === true ? [] : [{ name: networkOf(address), most }]),
  })
}

/** Other hosts below this name may have no https yet: operators with https everywhere add `includeSubDomains` at the proxy. */
const A_YEAR = 'max-age=31536000'

/** On a developer's machine other programs answer at other ports of this name, by plain http; the header would hold for all of them. */
const OF_THIS_MACHINE = /^(?:[^:]+\.)?localhost(?::\d+)?$/i

/**
 * Makes browsers use only https from then on (RFC 6797): adds the header to answers that the client got by https, from the relay itself or from
 * a trusted proxy. Over plain http anybody on the network could send it, so browsers ignore it there; for an address without a name they
 * ignore it too.
 * @returns the same reply
 */
function sayStrictTransport(request: FastifyRequest, reply: FastifyReply, deps: BrowserDeps): FastifyReply {
  const { headers, protocol } = browserOf(request, deps)
  const isTold = protocol === 'https' && !OF_THIS_MACHINE.test(headers.host ?? '')
  return isTold ? reply.header('strict-transport-security', A_YEAR) : reply
}

const UNREAD_CHECK_EVERY_MS = 5_000

/**
 * An answer that has begun must be sent within this time (and one more check), or its connection is closed: one that is read slowly would be
 * kept for as long as its client likes.
 */
function closeUnread(app: App, { clock, withinMs }: { clock: Clock; withinMs: number }): void {
  /** When each was first seen to have begun; null until then. */
  const open = new Map<ServerResponse, number | null>()
  app.server.prependListener('request', (_request, response) => {
    open.set(response, null)
    response.once('close', () => open.delete(response))
  })
  const cancel = clock.every(UNREAD_CHECK_EVERY_MS, () => {
    const nowMs = clock.monotonicMs()
    for (const [response, begunMs] of open) {
      if (!response.headersSent) continue
      if (begunMs === null) open.set(response, nowMs)
      else if (nowMs - begunMs >= withinMs) response.socket?.destroy()
    }
  })
  // Events of a feed may stay unread for hours: the feed's owner disconnects it (shared/pages/event-stream.ts).
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.isFeed === true) open.delete(reply.raw)
    done()
  })
  app.addHook('onClose', async () => cancel())
}
