// The hook that runs before a body is read: key (401), room for the rate limit (429), scope (403); and the meter when it was answered.
import { authenticate, type Principal } from '#cloud/auth/api-keys.ts'
import { requireScope } from '#cloud/auth/scopes.ts'
import type { UsageMeter } from '#cloud/billing/usage-meter.ts'
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { App } from './app.ts'
import type { RateLimits } from './rate-limit.ts'

export interface AuthenticateDeps {
  apiKeys: ApiKeyStore
  clock: Clock
  /** Without them nothing is limited: only in tests of other things. */
  rateLimits?: RateLimits
  /** Without it nothing is counted: only in tests of other things. */
  meter?: Pick<UsageMeter, 'count'>
}

/** Guards every route by its `config.access`. A route without one does not register. */
export function useAuthentication(app: App, deps: AuthenticateDeps): void {
  app.decorateRequest('principal', null)
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access, sandboxOnly } = request.routeOptions.config
    if (access === undefined || access === 'public') return
    const principal = await authenticateFrom(deps, request)
    request.principal = principal
    deps.rateLimits?.count(principal, reply)
    if (sandboxOnly === true && principal.environment !== 'sandbox') throw new ServiceError('request.not_found')
    if (access !== 'any-key') requireScope(principal.scopes, access)
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.principal !== null) deps.meter?.count({ ...request.principal, status: reply.statusCode })
    done()
  })
}

/** The caller. A key that is not known counts against the address that it came from. */
async function authenticateFrom(
  deps: AuthenticateDeps,
  request: { headers: { authorization?: string | undefined }; ip: string },
): Promise<Principal> {
  try {
    return await authenticate(deps, request.headers.authorization)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'auth.invalid_token')
      deps.rateLimits?.countFailedKey(request.ip)
    throw error
  }
}
