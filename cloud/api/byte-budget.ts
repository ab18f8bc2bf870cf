// How many bytes of request bodies an account may send: what it sends is stored for as long as orders are kept, on a disk that all share.
// In memory: a restart begins with full budgets.
import type { FastifyRequest } from 'fastify'
import type { Principal } from '#cloud/auth/api-keys.ts'
import { KeptPlans } from '#cloud/billing/kept-plans.ts'
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { App } from './app.ts'
import { type RepeatDeps, wasAnswered } from './idempotency.ts'

/** Of no account: each call brings its own. */
const OF_ACCOUNTS: Rates = { steadyPerMinute: 1_000_000, burstPerMinute: 11_000_000 }

export class ByteBudget {
  readonly #buckets: KeyedBuckets
  readonly #plans = new KeptPlans()
  readonly #lines: SampledLog

  constructor({ clock, log }: { clock: Clock; log: Logger }) {
    this.#buckets = new KeyedBuckets({ clock, rates: OF_ACCOUNTS })
    this.#lines = new SampledLog(log, clock, 1)
  }

  /**
   * Takes the bytes of one body from the budget of the key's account in its environment. The last body may go beyond it, so that one larger
   * than the whole budget still passes once it is full.
   * @returns seconds until the next body is let through when there is nothing left, and takes nothing then; null: taken
   */
  take(principal: Principal, bytes: number): number | null {
    const [name, rates] = this.#bucketOf(principal)
    const waitMs = this.#buckets.charge(name, 0, rates)
    if (waitMs > 0) return Math.ceil(waitMs / 1_000)
    this.#buckets.charge(name, bytes, rates)
    return null
  }

  /** The body was stored before. */
  giveBack(principal: Principal, bytes: number): void {
    const [name, rates] = this.#bucketOf(principal)
    this.#buckets.charge(name, -bytes, rates)
  }

  /** The message for the client; the operator's log has the account, once a minute. */
  refusal(principal: Principal, retryAfterSeconds: number): ServiceError {
    const { accountId, environment } = principal
    const { bodyBytesPerMinute, bodyBytesAtOnce } = this.#plans.of(principal)
    const detail = { accountId, environment, bodyBytesPerMinute, bodyBytesAtOnce }
    this.#lines.warn(
      `${accountId}/${environment}`,
      detail,
      'an account is refused: it sends more bytes than its budget',
    )
    const [atOnce, perMinute] = [bodyBytesAtOnce, bodyBytesPerMinute].map((bytes) => bytes.toLocaleString('en-US'))
    return new ServiceError('rate_limit.exceeded', {
      message: `Too many bytes of request bodies: this account may send ${atOnce} bytes at once and ${perMinute} bytes a minute in ${environment}. Wait for Retry-After seconds, then send fewer or shorter bodies; who needs more agrees a larger budget with the operator.`,
      retryAfterSeconds,
    })
  }

  #bucketOf(principal: Principal): [string, Rates] {
    const { bodyBytesPerMinute, bodyBytesAtOnce } = this.#plans.of(principal)
    const rates = { steadyPerMinute: bodyBytesPerMinute, burstPerMinute: bodyBytesPerMinute + bodyBytesAtOnce }
    return [`${principal.accountId}/${principal.environment}`, rates]
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** On a route that recognises repetitions itself, in addition to `Idempotency-Key`: such a call stores nothing. */
    isRepeat?: (request: FastifyRequest) => Promise<boolean>
  }
  interface FastifyRequest {
    /** What this request took from the budget of its account. */
    takenBytes: number
  }
}

export interface ByteBudgetDeps {
  /** Without them nothing is limited: only in tests of other things. */
  bytes?: { budget: ByteBudget } & RepeatDeps
}

/**
 * Counts the body of every call that passed its schema, refused ones too; one that was answered before is answered again whatever is left,
 * and costs nothing.
 */
export function useByteBudget(app: App, { bytes }: ByteBudgetDeps): void {
  app.decorateRequest('takenBytes', 0)
  if (bytes === undefined) return
  const { budget } = bytes
  app.addHook('preHandler', (request, _reply, done) => {
    const { principal, bodyBytes } = request
    if (principal === null || bodyBytes === 0) return done()
    const retryAfterSeconds = budget.take(principal, bodyBytes)
    if (retryAfterSeconds === null) {
      request.takenBytes = bodyBytes
      return done()
    }
    isRepeat(bytes, request).then(
      (repeats) => done(repeats ? undefined : budget.refusal(principal, retryAfterSeconds)),
      (error: Error) => done(error),
    )
  })
  // biome-ignore lint/complexity/useMaxParams: Fastify's own parameters
  app.addHook('onSend', (request, reply, payload, done) => {
    const { principal, takenBytes } = request
    if (principal !== null && takenBytes > 0 && reply.hasHeader('idempotent-replayed')) {
      request.takenBytes = 0
      budget.giveBack(principal, takenBytes)
    }
    done(null, payload)
  })
}

async function isRepeat(deps: RepeatDeps, request: FastifyRequest): Promise<boolean> {
  const { isRepeat: asksRoute } = request.routeOptions.config
  if (asksRoute) return asksRoute(request)
  return request.method === 'POST' && wasAnswered(deps, request)
}
