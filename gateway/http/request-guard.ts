// Checks before every route: the name of this machine, the origin of a write, the user.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpsAnswer } from '#gateway/control/https-answer.ts'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { SessionRecord } from '#gateway/storage/session-store.ts'
import { isHttps, storedTokenFrom } from '#shared/pages/cookies.ts'
import { pageHeaders } from '#shared/pages/page-headers.ts'
import { isThisMachine } from '#shared/this-machine.ts'
import { DISPLAY_COOKIE, SESSION_COOKIE } from './cookie-names.ts'
import { httpsUrl, plainHttpPage } from './plain-http-page.ts'
import { refuse } from './refusal.ts'
import type { Sessions } from './sessions.ts'

export interface RequestGuardOptions {
  /** Names and addresses of this machine, in lower case, as a Host header may give them. */
  ourNames: () => ReadonlySet<string>
  sessions: Sessions
  /** The kitchen screen that has this token. */
  displayOf: (token: string) => DisplayRecord | null
  hasUsers: () => boolean
  /** A request with a session or a display's token came from this address. */
  signedInFrom: (address: string | undefined) => void
  /** Secrets from other machines must come by this https; null: plain http takes them from everywhere. */
  httpsRequired: (() => HttpsAnswer) | null
}

export interface GuardedRoute {
  method: string
  url: string
  access: Access
}

/** Also refuses to register a route without declared access. @returns the registered routes */
export function guardRequests(app: FastifyInstance, options: RequestGuardOptions): readonly GuardedRoute[] {
  const routes: GuardedRoute[] = []
  app.decorateRequest('asker')
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.openTo === undefined) throw new Error(`the route ${url} does not say who may use it`)
    routes.push({ method: String(method), url, access: config.openTo })
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(pageHeaders(request))
    if (!isOurs(request.raw.rawHeaders, options.ourNames()))
      return refuse(
        reply.code(421),
        'host',
        'This machine does not go by that name. Use its address, its host name or localhost.',
      )
    if (request.is404) return
    if (isWrite(request) && !isOwnOrigin(request))
      return refuse(reply.code(403), 'origin', 'This request does not come from a page of this box.')
    const { httpsRequired } = options
    if (httpsRequired && cameUnencrypted(request) && needsPrivacy(accessOf(request)))
      return pointToHttps(request, reply, httpsRequired)
    request.asker = askerOf(request, options)
    if (request.asker.session || request.asker.display) options.signedInFrom(request.raw.socket.remoteAddress)
    return refuseStranger(request, reply, options)
  })
  return routes
}

function accessOf({ routeOptions }: FastifyRequest): Access {
  return routeOptions.config.openTo ?? 'technician'
}

/** By plain http from another machine: others on the network can read it. A request from this machine has crossed no network, or comes from a proxy with https. */
function cameUnencrypted(request: FastifyRequest): boolean {
  return !isHttps(request) && !isThisMachine(request.raw.socket.remoteAddress)
}

/** A person gets a page with the https address and an explanation of the browser's warning; a program gets text. */
function pointToHttps(request: FastifyRequest, reply: FastifyReply, https: () => HttpsAnswer): FastifyReply {
  const hostName = hostNameOf(request.headers.host) ?? 'localhost'
  const { 'accept-language': accepted } = request.headers
  if (request.method === 'GET' && !request.url.startsWith('/api/'))
    return reply
      .code(403)
      .type('text/html; charset=utf-8')
      .send(plainHttpPage({ https: https(), hostName, accepted }))
  const url = httpsUrl(hostName, https().port)
  return refuse(reply.code(403), 'https', `Others on this network can read plain http. Open ${url} instead.`)
}

function askerOf(request: FastifyRequest, { sessions, displayOf }: RequestGuardOptions): Asker {
  if (request.headers.cookie === undefined) return { session: null, display: null }
  const display = storedTokenFrom(request, DISPLAY_COOKIE)
  return {
    session: sessions.find(storedTokenFrom(request, SESSION_COOKIE)),
    display: display === null ? null : displayOf(display),
  }
}

function refuseStranger(
  request: FastifyRequest,
  reply: FastifyReply,
  { hasUsers, sessions }: RequestGuardOptions,
): FastifyReply | undefined {
  const { asker } = request
  switch (accessAnswer(accessOf(request), asker, hasUsers())) {
    case 'granted':
      if (asker.session) sessions.used(asker.session)
      return undefined
    case 'signed-out':
      return refuse(reply.code(401), 'signed-out', 'Sign in first.')
    case 'setup':
      return refuse(reply.code(401), 'setup', 'This box has no user yet: open its page and type in the set-up code.')
    case 'forbidden':
      return refuse(reply.code(403), 'forbidden', 'This needs a technician, or a person where a screen is signed in.')
  }
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/**
 * A browser sends the origin of every write, and no page can change that. The scheme may be https where the box gets http: a proxy in
 * front of it may use https with the browser. Not the other way round: a page that came by http may be an attacker's.
 */
function isOwnOrigin(request: FastifyRequest): boolean {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const [, scheme, host] = /^(https?):\/\/([^/]+)$/.exec(headers.origin ?? '') ?? []
  if (isHttps(request) && scheme !== 'https') return false
  return host !== undefined && host.toLowerCase() === headers.host?.toLowerCase()
}

// Only requests that name this machine are answered: a web page elsewhere cannot reach the box by pointing its own name at it (DNS rebinding).

/** The name in a Host header, in lower case and without port and brackets; null when it is not a host. */
export function hostNameOf(header: string | undefined): string | null {
  const match = /^(?:\[([0-9a-f:.%a-z]+)\]|([^\s:[\]/@]+))(?::\d{1,5})?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, '') ?? null
}

/** @param rawHeaders names and values alternating, as Node keeps them: a second Host header is always refused */
function isOurs(rawHeaders: readonly string[], ourNames: ReadonlySet<string>): boolean {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host')
  const name = hosts.length === 1 ? hostNameOf(hosts[0]) : null
  return name !== null && ourNames.has(name)
}

/**
 * `anyone`: not protected. `sign-in`: anyone, for routes where secrets are typed. `first-user`: only while there is no user. `manager`: any signed-in user; `technician`: technicians.
 * `display`: kitchen screens only.
 */
export type Access = 'anyone' | 'sign-in' | 'first-user' | 'manager' | 'technician' | 'display'

/** A request with the cookies of a session and of a screen is both. */
interface Asker {
  session: SessionRecord | null
  display: DisplayRecord | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route without it cannot be registered. */
    openTo?: Access
  }
  interface FastifyRequest {
    asker: Asker
  }
}

type AccessAnswer = 'granted' | 'signed-out' | 'setup' | 'forbidden'

/** Secrets, and what only a signed-in user may see, are never sent where others can read them. A screen's token opens the board only, and old tablets do not accept a certificate that the box made itself. */
function needsPrivacy(access: Access): boolean {
  return access !== 'anyone' && access !== 'display'
}

/** @param hasUsers false until the first user is made */
function accessAnswer(access: Access, { session, display }: Asker, hasUsers: boolean): AccessAnswer {
  switch (access) {
    case 'anyone':
    case 'sign-in':
    // Its own code refuses when there are users.
    case 'first-user':
      return 'granted'
    case 'display':
      return display ? 'granted' : 'signed-out'
    case 'technician':
      if (session?.role === 'manager') return 'forbidden'
      break
    case 'manager':
      break
  }
  if (session) return 'granted'
  // A screen is signed in, but not for this.
  if (display) return 'forbidden'
  return hasUsers ? 'signed-out' : 'setup'
}
