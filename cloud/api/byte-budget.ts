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
import type { TakeBody } from './json-body.ts'

/** Of no account: each call brings its own. */
const OF_ACCOUNTS: Rates = { steadyPerMinute: 1_000_000, burstPerMinute: 11_000_000 }

/** What an account without a budget left may have read, to see whether a body was taken before. Beyond it bodies are refused unread. */
const LOOKED_AT: Rates = { steadyPerMinute: 10_000_000, burstPerMinute: 20_000_000 }

export class ByteBudget {
  readonly #buckets: KeyedBuckets
  readonly #looks: KeyedBuckets
  readonly #plans = new KeptPlans()
  readonly #lines: SampledLog

  constructor({ clock, log }: { clock: Clock; log: Logger }) {
    this.#buckets = new KeyedBuckets({ clock, rates: OF_ACCOUNTS })
    this.#looks = new KeyedBuckets({ clock, rates: LOOKED_AT })
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

  /** Whether a body of an account without a budget left may be read, to see whether it was taken before. */
  mayLook({ accountId, environment }: Principal, bytes: number): boolean {
    const name = `${accountId}/${environment}`
    if (this.#looks.charge(name, 0) > 0) return false
    this.#looks.charge(name, bytes)
    return true
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
    /** Seconds until a body of its account is let through, if this one is none that was taken before; 0: it is let through. */
    owesSeconds: number
  }
}

export interface ByteBudgetDeps {
  /** Without them nothing is limited: only in tests of other things. */
  bytes?: { budget: ByteBudget } & RepeatDeps
}

/**
 * Counts the body of every call with a key as it comes, before it is read: reading one costs something also when it is refused. One that was
 * answered before is answered again whatever is left, and costs nothing. @returns what takes the bytes of a body
 */
export function useByteBudget(app: App, { bytes }: ByteBudgetDeps): TakeBody {
  app.decorateRequest('takenBytes', 0)
  app.decorateRequest('owesSeconds', 0)
  if (bytes === undefined) return () => undefined
  const { budget } = bytes
  app.addHook('preHandler', async (request) => {
    const { principal, owesSeconds, routeOptions } = request
    if (principal === null || owesSeconds === 0 || (await routeOptions.config.isRepeat?.(request)) === true) return
    throw budget.refusal(principal, owesSeconds)
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
  return (request) => {
    const { principal, bodyBytes, routeOptions } = request
    if (principal === null) return undefined
    const retryAfterSeconds = budget.take(principal, bodyBytes)
    if (retryAfterSeconds === null) {
      request.takenBytes = bodyBytes
      return undefined
    }
    if (routeOptions.config.isRepeat === undefined) {
      return repeats(bytes, request).then((isRepeat) => {
        if (!isRepeat) throw budget.refusal(principal, retryAfterSeconds)
      })
    }
    // Only what is in the body says whether it was taken before.
    if (!budget.mayLook(principal, bodyBytes)) return Promise.reject(budget.refusal(principal, retryAfterSeconds))
    request.owesSeconds = retryAfterSeconds
    return undefined
  }
}

const repeats = async (deps: RepeatDeps, request: FastifyRequest): Promise<boolean> =>
  request.method === 'POST' && (await wasAnswered(deps, request))
