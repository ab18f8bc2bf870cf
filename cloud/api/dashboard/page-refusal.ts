// How the dashboard's own calls refuse: a code for the page, words for people, which shared/ui/api.ts reads.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asServiceError, BodyTooLarge } from '#cloud/api/error-reply.ts'
import { GrantLacksScope } from '#cloud/auth/authorize.ts'
import { ControlRefusal, REFUSAL_STATUS, type Said } from '#cloud/control/control-refusal.ts'
import { PeopleRefusal, type PeopleRefusalKind } from '#cloud/people/people-refusal.ts'
import type { FieldError, ServiceError } from '#shared/errors.ts'
import type { Logger } from '#shared/log.ts'

/** Everything below is for the page alone. */
export const PAGE_API = '/dashboard/api/'

/** By the route that was found: `/dashboard/%61pi/...` leads there too, and its text begins otherwise. Of what no route is for, by its text. */
export function isPageCall({ url, routeOptions }: Pick<FastifyRequest, 'url' | 'routeOptions'>): boolean {
  return (routeOptions.url ?? url).startsWith(PAGE_API)
}

/** What is refused before an operation is asked, each with its status. */
const STATUS = {
  'signed-out': 401,
  'wrong-password': 403,
  'wrong-code': 403,
  /** Another site sent it. */
  origin: 403,
  /** By http over a network: others could read it. */
  https: 403,
  throttled: 429,
  busy: 503,
} as const

export type PageRefusalCode = keyof typeof STATUS

export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly code: PageRefusalCode
  readonly said: Said | null
  readonly field: string | null
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: PageRefusalCode,
    message: string,
    more: { said?: Said; field?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.code = code
    this.said = more.said ?? null
    this.field = more.field ?? null
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  get status(): number {
    return STATUS[this.code]
  }
}

interface Told {
  status: number
  code: string
  message: string
  errors?: readonly FieldError[]
  said: Said | null
  field?: string | null
  retryAfterSeconds?: number | undefined
}

/** A busy answer has the time to try again. */
const BUSY_SECONDS = 5

/** Answers a call of the page with the refusal, and logs what is our fault. */
export function sendPageRefusal(deps: { log: Logger }, reply: FastifyReply, thrown: unknown): FastifyReply {
  const { request } = reply
  const { status, errors = [], field = null, retryAfterSeconds, ...told } = toldOf(deps, request, thrown)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  // One wrong field is what the whole refusal is about.
  const [first, second] = errors
  const about = field ?? (second === undefined ? (first?.field ?? null) : null)
  return reply
    .code(status)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(
      JSON.stringify({
        ...told,
        errors,
        field: about,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        requestId: request.id,
      }),
    )
}

function toldOf({ log }: { log: Logger }, request: FastifyRequest, thrown: unknown): Told {
  if (thrown instanceof PageRefusal) {
    const { status, code, message, said, field, retryAfterSeconds } = thrown
    return { status, code, message, said, field, retryAfterSeconds }
  }
  if (thrown instanceof ControlRefusal) {
    const { kind, message, errors, said } = thrown
    const again = kind === 'busy' ? { retryAfterSeconds: BUSY_SECONDS } : {}
    return { status: REFUSAL_STATUS[kind], code: kind, message, errors, said, ...again }
  }
  if (thrown instanceof PeopleRefusal) return toldOfPeople(thrown)
  const error = asServiceError(thrown, request)
  request.refusal = error.code
  if (error.code === 'internal.error')
    log.error({ err: error.cause, requestId: request.id, route: request.routeOptions?.url }, 'a request failed')
  const { status, errors, retryAfterSeconds } = error
  const code = error.code === 'internal.error' ? 'internal' : error.code
  return { status, code, ...wordsForPeople(error), ...(errors && { errors }), retryAfterSeconds }
}

/** Messages of the API are for developers: they mention its key and its fields. */
function wordsForPeople(error: ServiceError): Pick<Told, 'message' | 'said'> {
  if (error instanceof BodyTooLarge)
    return { message: error.message, said: { key: 'body.too-large', values: { limit: error.limit } } }
  if (error instanceof GrantLacksScope)
    return {
      message: `Your account may not do this at this restaurant: ${error.scope} was not approved. Ask its owner for it on the page of partners.`,
      said: { key: 'grant.lacks', values: { scope: error.scope } },
    }
  if (error.code === 'merchant.not_authorized')
    return {
      message: 'Your account may not act on this restaurant. Ask its owner for access on the page of partners.',
      said: { key: 'merchant.not-yours' },
    }
  if (error.code === 'merchant.not_found')
    return { message: 'There is no such restaurant.', said: { key: 'merchant.unknown' } }
  return { message: error.message, said: { key: error.code } }
}

const PEOPLE_STATUS: Readonly<Record<PeopleRefusalKind, number>> = {
  ...STATUS,
  invalid: REFUSAL_STATUS.invalid,
  'not-found': REFUSAL_STATUS['not-found'],
  refused: REFUSAL_STATUS.refused,
  elevate: REFUSAL_STATUS.elevate,
}

function toldOfPeople({ kind, key, values, message, field, retryAfterSeconds }: PeopleRefusal): Told {
  return {
    status: PEOPLE_STATUS[kind],
    code: kind,
    message,
    errors: field === null ? [] : [{ field, message }],
    said: { key, ...(values && { values }) },
    retryAfterSeconds,
  }
}
