// What every request must pass before its route: the name of this machine, the origin of a write, who asks.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import { type Access, type Asker, accessAnswer } from './access.ts'
import { DISPLAY_COOKIE, SESSION_COOKIE, tokenFrom } from './cookies.ts'
import { isOurs } from './host-guard.ts'
import { refuse } from './refusal.ts'
import type { Sessions } from './sessions.ts'

export interface RequestGuardOptions {
  /** Names and addresses of this machine, in lower case, as a Host header may give them. */
  ourNames: () => ReadonlySet<string>
  sessions: Sessions
  /** The kitchen screen that has this token. */
  displayOf: (token: string) => DisplayRecord | null
  hasUsers: () => boolean
}

/** No cross-origin-opener-policy: browsers heed it on https only, and complain of it on the plain http that the box speaks. */
const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** Scripts, styles and everything else from this box alone; nothing inline, in no frame. The pages set styles by script, which it allows. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface GuardedRoute {
  method: string
  url: string
  access: Access
}

/** Also refuses to register a route that does not say who may use it. @returns the routes, as they are registered */
export function guardRequests(app: FastifyInstance, options: RequestGuardOptions): readonly GuardedRoute[] {
  const routes: GuardedRoute[] = []
  app.decorateRequest('asker')
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.openTo === undefined) throw new Error(`the route ${url} does not say who may use it`)
    routes.push({ method: String(method), url, access: config.openTo })
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...COMMON_HEADERS, 'content-security-policy': POLICY })
    if (!isOurs(request.raw.rawHeaders, options.ourNames()))
      return refuse(
        reply,
        421,
        'host',
        'This machine does not go by that name. Use its address, its host name or localhost.',
      )
    if (request.is404) return
    if (isWrite(request) && !isOwnOrigin(request))
      return refuse(reply, 403, 'origin', 'This request does not come from a page of this box.')
    request.asker = askerOf(request, options)
    return refuseStranger(request, reply, options)
  })
  return routes
}

function askerOf({ headers }: FastifyRequest, { sessions, displayOf }: RequestGuardOptions): Asker {
  if (headers.cookie === undefined) return { session: null, display: null }
  const token = tokenFrom(headers.cookie, DISPLAY_COOKIE)
  return {
    session: sessions.find(tokenFrom(headers.cookie, SESSION_COOKIE)),
    display: token === null ? null : displayOf(token),
  }
}

function refuseStranger(
  { routeOptions, asker }: FastifyRequest,
  reply: FastifyReply,
  { hasUsers, sessions }: RequestGuardOptions,
): FastifyReply | undefined {
  const access: Access = routeOptions.config.openTo ?? 'technician'
  switch (accessAnswer(access, asker, hasUsers())) {
    case 'granted':
      if (asker.session) sessions.used(asker.session)
      return undefined
    case 'signed-out':
      return refuse(reply, 401, 'signed-out', 'Sign in first.')
    case 'setup':
      return refuse(reply, 401, 'setup', 'This box has no user yet: open its page and type in the set-up code.')
    case 'forbidden':
      return refuse(reply, 403, 'forbidden', 'This needs a technician, or a person where a screen is signed in.')
  }
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/**
 * A browser names the origin of every write, and no page can change that. The scheme may differ: something in front of the box may
 * speak https with the browser.
 */
function isOwnOrigin({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const [, host] = /^https?:\/\/([^/]+)$/.exec(headers.origin ?? '') ?? []
  return host !== undefined && host.toLowerCase() === headers.host?.toLowerCase()
}
