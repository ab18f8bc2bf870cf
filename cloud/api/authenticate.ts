// The hook that runs before a body is read: key (401), room for the rate limit (429), scope (403); and the meter when it was answered.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '#cloud/auth/api-keys.ts'
import { requireCalls, requireScope } from '#cloud/auth/scopes.ts'
import type { UsageMeter } from '#cloud/billing/usage-meter.ts'
import type { SignedIn } from '#cloud/people/signed-in.ts'
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { Strangers } from './admit-strangers.ts'
import type { Access, App } from './app.ts'
import { PAGE_API } from './dashboard/page-refusal.ts'
import type { RateLimits } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** True once the meter has counted it. */
    isCounted: boolean
    /** True once the signature of a company was found right. */
    isVerified: boolean
  }
}

/** Accepts calls of the dashboard's page, and sets the person (`request.person`). @throws a refusal */
export type PageGuard = (request: FastifyRequest, reply: FastifyReply, strangers: Strangers) => Promise<void>

export interface AuthenticateDeps {
  apiKeys: ApiKeyStore
  clock: Clock
  /** Without them nothing is limited: only in tests of other things. */
  rateLimits?: RateLimits
  /** Without it nothing is counted: only in tests of other things. */
  meter?: Pick<UsageMeter, 'count'>
  /** Without it no route of the dashboard registers. */
  pageGuard?: PageGuard
  /** The person of the request's cookie; null: nobody has signed in. */
  personOf?: (request: FastifyRequest) => Promise<SignedIn | null>
}

/** Guards every route by its `config.access`. A route without one does not register. */
export function useAuthentication(app: App, deps: AuthenticateDeps, strangers: Strangers): void {
  app.decorateRequest('principal', null)
  app.decorateRequest('person', null)
  app.decorateRequest('browser', null)
  app.decorateRequest('isVerified', false)
  const guardPage: PageGuard = deps.pageGuard ?? (() => Promise.reject(new Error('nobody guards the dashboard')))
  app.addHook('onRoute', ({ method, url, config }) => {
    const access = config?.access
    if (access === undefined) throw new Error(`${String(method)} ${url} does not say who may call it`)
    if (isOfPage(access) && deps.pageGuard === undefined) throw new Error(`${url} is for people, whom nobody guards`)
    if (access === 'person' && !url.startsWith(PAGE_API))
      throw new Error(`${url}: cookies count below ${PAGE_API} alone`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access, alsoNeeds = [], sandboxOnly, unmetered } = request.routeOptions.config
    // Unknown paths are guarded before.
    if (access === undefined) return
    if (isOfPage(access)) return guardPage(request, reply, strangers)
    // After its body: the signature is over it.
    if (access === 'provider') return
    if (access === 'calls' && request.headers.authorization === undefined) {
      request.person = (await deps.personOf?.(request)) ?? null
      if (request.person !== null) return
    }
    if (access === 'public' || request.headers.authorization === undefined) await strangers.admit(request, reply)
    if (access === 'public') return
    const principal = await authenticate(deps, request.headers.authorization).catch(async (error: unknown) => {
      const refusal = countFailed(deps, request, error)
      if (refusal.code === 'rate_limit.exceeded') await strangers.beforeRefusal(request, reply)
      throw refusal
    })
    request.principal = principal
    if (unmetered === true) deps.rateLimits?.countUnmetered(principal)
    else await deps.rateLimits?.count(principal, reply)
    if (sandboxOnly === true && principal.environment !== 'sandbox') throw new ServiceError('request.not_found')
    if (access === 'any-key') return
    if (access === 'calls') return requireCalls(principal)
    for (const scope of [access, ...alsoNeeds]) requireScope(principal.scopes, scope)
    principal.wanted = access
  })
  app.addHook('preValidation', async (request, reply) => {
    const { access, isGenuine } = request.routeOptions.config
    if (access !== 'provider') return
    request.isVerified = isGenuine?.(request) === true
    if (request.isVerified) return
    await strangers.admit(request, reply)
    return reply.code(403).type('text/plain; charset=utf-8').send('The signature of this request is not right.')
  })
  if (deps.meter) useMeter(app, deps.meter)
}

/** Whether this refusal is one of a company's hook that was refused before its signature was looked at: such a call was not counted yet. */
export function isUncountedHook({ routeOptions, isVerified, isStrangers }: FastifyRequest, error: unknown): boolean {
  if (routeOptions.config?.access !== 'provider' || isVerified || isStrangers) return false
  return !(error instanceof ServiceError && error.status >= 500)
}

function isOfPage(access: Access): access is 'page' | 'person' {
  return access === 'page' || access === 'person'
}

/**
 * Counts each call once: when its answer is made, because fastify's `onResponse` is not called for a client that has disconnected by then,
 * and the work is done all the same. A call that was answered before its whole body came counts when the answer is sent.
 */
function useMeter(app: App, meter: Pick<UsageMeter, 'count'>): void {
  app.decorateRequest('isCounted', false)
  const count = (request: FastifyRequest, reply: FastifyReply): void => {
    if (request.principal === null || request.isCounted || request.routeOptions.config.unmetered === true) return
    request.isCounted = true
    meter.count({ ...request.principal, status: reply.statusCode })
  }
  // biome-ignore lint/complexity/useMaxParams: Fastify's own parameters
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.raw.complete) count(request, reply)
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    count(request, reply)
    done()
  })
}

/** A key that is not known counts against the address that it came from. @returns what to answer */
function countFailed(deps: AuthenticateDeps, { client }: FastifyRequest, error: unknown): ServiceError {
  if (!(error instanceof ServiceError)) throw error
  if (error.code !== 'auth.invalid_token') return error
  try {
    deps.rateLimits?.countFailedKey(client)
    return error
  } catch (refusal) {
    if (refusal instanceof ServiceError) return refusal
    throw refusal
  }
}
