// 404 for unknown paths and 405 with Allow for known paths with another method; fastify answers both with 404.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '#shared/errors.ts'
import type { App } from './app.ts'

/** Registers the handler; `refuse` answers in the API's shape. Call before the routes. */
export function useUnknownPaths(
  app: App,
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
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = new Set(routes.filter((r) => r.pattern.test(path)).flatMap((r) => [...r.methods]))
    if (allowed.size === 0) return refuse(request, reply, new ServiceError('request.not_found'))
    reply.header('allow', [...allowed].sort().join(', '))
    return refuse(request, reply, new ServiceError('request.method_not_allowed'))
  })
}

/** `/v1/order/:serviceOrderId` -> a pattern that matches its paths. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[^\w-]/g, '\\$&')))
  return new RegExp(`^${parts.join('/')}$`)
}
