// How fast an account may call, and how often an address may come with a wrong key. In memory: a restart begins with full buckets.
import type { FastifyReply } from 'fastify'
import type { Principal } from '#cloud/auth/api-keys.ts'
import { KeptPlans } from '#cloud/billing/kept-plans.ts'
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import type { Client } from '#cloud/limits/trusted-proxies.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'

const FAILED_KEYS: Rates = { steadyPerMinute: 60, burstPerMinute: 120 }
/** Of no account: each call brings its own. */
const OF_ACCOUNTS: Rates = { steadyPerMinute: 500, burstPerMinute: 1_000 }

export class RateLimits {
  readonly #clock: Clock
  readonly #accounts: KeyedBuckets
  readonly #networks: KeyedBuckets
  readonly #plans = new KeptPlans()

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
    this.#accounts = new KeyedBuckets({ clock, rates: OF_ACCOUNTS })
    this.#networks = new KeyedBuckets({ clock, rates: FAILED_KEYS })
  }

  /**
   * Counts one call of the key's account in its environment and says in the answer's headers what is left.
   * @throws ServiceError rate_limit.exceeded (429) with Retry-After
   */
  count(principal: Principal, reply: FastifyReply): void {
    const rates = this.#plans.of(principal)
    const taken = this.#accounts.take(`${principal.accountId}/${principal.environment}`, rates)
    reply
      .header('x-ratelimit-limit', String(rates.steadyPerMinute))
      .header('x-ratelimit-remaining', String(taken.remaining))
      .header('x-ratelimit-reset', String(Math.ceil((this.#clock.now() + taken.fullInMs) / 1_000)))
    if (!taken.ok) throw new ServiceError('rate_limit.exceeded', { retryAfterSeconds: taken.retryAfterSeconds })
  }

  /**
   * A key of this client was not known; it is never held against a trusted proxy itself. Only wrong keys are ever refused for it: behind a
   * proxy or in an office, strangers must not be able to shut others out.
   * @throws ServiceError rate_limit.exceeded (429) from the 61st within a minute on
   */
  countFailedKey({ countedAs }: Client): void {
    const taken = countedAs === null ? null : this.#networks.take(countedAs)
    if (taken === null || taken.ok) return
    throw new ServiceError('rate_limit.exceeded', {
      message:
        'Too many calls with a wrong API key from this address. Wait for Retry-After seconds and use a current key.',
      retryAfterSeconds: taken.retryAfterSeconds,
    })
  }
}
