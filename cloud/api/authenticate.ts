// The hook that runs before a body is read: key (401), room for the rate limit (429), scope (403).
import type { FastifyRequest } from 'fastify'
import { authenticate, type Principal } from '#cloud/auth/api-keys.ts'
import { requireScope } from '#cloud/auth/scopes.ts'
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { App } from './app.ts'

export interface AuthenticateDeps {
  apiKeys: ApiKeyStore
  clock: Clock
  /** Called between key and scope; throws rate_limit.exceeded. */
  rateLimit?: (principal: Principal, request: FastifyRequest) => void
}

/** Guards every route by its `config.access`. A route without one does not register. */
export function useAuthentication(app: App, deps: AuthenticateDeps): void {
  app.decorateRequest('principal', null)
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
  })
  app.addHook('onRequest', async (request) => {
    const { access, sandboxOnly } = request.routeOptions.config
    if (access === undefined || access === 'public') return
    const principal = await authenticate(deps, request.headers.authorization)
    deps.rateLimit?.(principal, request)
    if (sandboxOnly === true && principal.environment !== 'sandbox') throw new ServiceError('request.not_found')
    if (access !== 'any-key') requireScope(principal.scopes, access)
    request.principal = principal
  })
}
