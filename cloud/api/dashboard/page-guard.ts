// Checks before every route of the dashboard's page: the origin of a change, the signed-in person, and their limit.
import type { FastifyRequest } from 'fastify'
import type { PageGuard } from '#cloud/api/authenticate.ts'
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import type { People } from '#cloud/people/people.ts'
import type { SignedIn } from '#cloud/people/signed-in.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { storedTokenFrom } from '#shared/pages/cookies.ts'
import { pageHeaders } from '#shared/pages/page-headers.ts'
import { type Browser, type BrowserDeps, browserOf, SESSION_COOKIE } from './browser.ts'
import { isPageCall, PageRefusal } from './page-refusal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person, on calls of the dashboard only. Never a `principal`: a call of the dashboard is not billed. */
    person: SignedIn | null
    /** How the browser came, on calls of the dashboard alone. */
    browser: Browser | null
  }
}

export interface PageGuardDeps extends BrowserDeps {
  people: Pick<People, 'signedIn'>
  clock: Pick<Clock, 'monotonicMs'>
  /** Addresses of the dashboard as a browser names them in `Origin`; known once the relay listens. */
  origins: () => readonly string[]
}

/** A page asks a handful of operations at once, and again with each tap: 60 at once, 20 a second. */
const OF_A_SESSION: Rates = { steadyPerMinute: 1_200, burstPerMinute: 1_260 }

/** A person without a session counts by their address; one with a session counts by it. */
export function pageGuard(deps: PageGuardDeps): PageGuard {
  const buckets = new KeyedBuckets({ clock: deps.clock, rates: OF_A_SESSION })
  return async (request, reply, strangers) => {
    const admit = (): Promise<void> => strangers.admit(request, reply)
    const browser = browserOf(request, deps)
    reply.headers(pageHeaders(browser))
    if (!isPageCall(request)) return admit()
    const refused = isChange(request) ? notOurs(request, deps) : null
    if (refused !== null) {
      await admit()
      throw refused
    }
    request.browser = browser
    request.person = await personOfCookie(browser, deps.people)
    if (request.person === null) await admit()
    else limit(buckets, request.person)
    if (request.routeOptions.config.access !== 'person' || request.person !== null) return
    if (browser.isPlain)
      throw new PageRefusal('https', 'Others on this network can read plain http. Open the dashboard by https.', {
        said: { key: 'session.plain' },
      })
    throw new PageRefusal('signed-out', 'Sign in first.', { said: { key: 'session.signed-out' } })
  }
}

/** The person of a request's cookie, for routes that a key may call too. Null: nobody has signed in. */
export function cookiePerson(deps: Pick<PageGuardDeps, 'people' | keyof BrowserDeps>) {
  return (request: FastifyRequest): Promise<SignedIn | null> => personOfCookie(browserOf(request, deps), deps.people)
}

/** The signed-in person. @throws Error on a route that does not require a person: a bug in the route */
export function personOf({ person }: FastifyRequest): SignedIn {
  if (person === null) throw new Error('this route is open to whoever has not signed in')
  return person
}

/** A cookie that came readable to others is not taken. */
async function personOfCookie(browser: Browser, people: PageGuardDeps['people']): Promise<SignedIn | null> {
  const token = browser.isPlain ? null : storedTokenFrom(browser, SESSION_COOKIE)
  return token === null ? null : people.signedIn(token)
}

function limit(buckets: KeyedBuckets, { sessionId }: SignedIn): void {
  const { ok, retryAfterSeconds } = buckets.take(sessionId)
  if (!ok)
    throw new PageRefusal('throttled', 'Too many requests of this browser. Wait a moment.', { retryAfterSeconds })
}

const isChange = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD'

/** A browser names the origin of every change, and no page can alter that; a form of another site can send no JSON. */
function notOurs({ headers, method }: FastifyRequest, { origins }: PageGuardDeps): Error | null {
  const site = headers['sec-fetch-site']
  const origin = headers.origin?.toLowerCase()
  const isOurs = (site === undefined || site === 'same-origin') && origin !== undefined && origins().includes(origin)
  if (!isOurs)
    return new PageRefusal(
      'origin',
      `This request does not come from a page of this relay, which is at ${origins().join(' or ')}.`,
    )
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
  return method === 'POST' && !isJson ? new ServiceError('request.unsupported_media_type') : null
}
