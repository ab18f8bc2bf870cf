// 404 for unknown paths and 405 with Allow for known paths with another method; fastify answers both with 404.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '#shared/errors.ts'
import type { Strangers } from './admit-strangers.ts'
import type { App } from './app.ts'

/** Registers the handler; `refuse` answers in the API's form. The caller counts as a stranger: its key is not checked. Call before the routes. */
export function useUnknownPaths(
  app: App,
  strangers: Strangers,
  refuse: (request: FastifyRequest, reply: FastifyReply, error: ServiceError) => FastifyReply,
): void {
  const routes: { pattern: RegExp; methods: Set<string> }[] = []
  const byUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    let methods = byUrl.get(url)
    if (!methods) {
      methods = new Set()
      byUrl.set(url, methods)
      routes.push({ pattern: patternOf(url), methods })
    }
    for (const name of [method].flat()) methods.add(name)
  })
  const notAllowed = (reply: FastifyReply, methods: Iterable<string>): ServiceError => {
    reply.header('allow', [...methods].sort().join(', '))
    return new ServiceError('request.method_not_allowed')
  }
  app.addHook('onRequest', (request, reply, done) => {
    // A path that is spelled out is never a pattern's: GET /v1/order/inject does not ask for an order of that name.
    const methods = byUrl.get(pathOf(request))
    const isNotAllowed = methods !== undefined && !methods.has(request.method)
    if (!isNotAllowed && !request.is404) return done()
    strangers.admit(request, reply).then(() => done(isNotAllowed ? notAllowed(reply, methods) : undefined), done)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const allowed = new Set(routes.filter((r) => r.pattern.test(path)).flatMap((r) => [...r.methods]))
    const error = allowed.size === 0 ? new ServiceError('request.not_found') : notAllowed(reply, allowed)
    return refuse(request, reply, error)
  })
}

function pathOf({ url }: FastifyRequest): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** `/v1/order/:serviceOrderId` -> a pattern that matches its paths. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[^\w-]/g, '\\$&')))
  return new RegExp(`^${parts.join('/')}$`)
}
