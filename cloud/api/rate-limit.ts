// How fast an account may call, and how often an address may come with a wrong key. In memory, where the relay is alone: a restart begins with full buckets.
import type { FastifyReply } from 'fastify'
import type { Principal } from '#cloud/auth/api-keys.ts'
import { KeptPlans } from '#cloud/billing/kept-plans.ts'
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import { fullBucket, lease, unusedOf } from '#cloud/limits/leased-bucket.ts'
import { ALONE, type Fleet, LeasedBuckets, type LeasedBucketsOptions } from '#cloud/limits/leased-buckets.ts'
import { type Rates, shareOf, type Taken } from '#cloud/limits/token-bucket.ts'
import type { Client } from '#cloud/limits/trusted-proxies.ts'
import type { BucketKey, RateBucketStore } from '#cloud/storage/rate-bucket-store.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'

const FAILED_KEYS: Rates = { steadyPerMinute: 60, burstPerMinute: 120 }
/** Of an account at one relay: what its listeners open and answer. So much looking costs a relay less than a hundredth of its time. */
const UNMETERED: Rates = { steadyPerMinute: 1_200, burstPerMinute: 2_400 }

export interface RateLimitsDeps {
  clock: Clock
  /** Of this relay among those on one database, and their common buckets. Without them it is alone. */
  replica?: { readonly id: string | null; readonly fleet: Fleet }
  rateBuckets?: Pick<RateBucketStore, 'change' | 'look'>
}

export class RateLimits {
  readonly #clock: Clock
  readonly #fleet: Fleet
  readonly #rateBuckets: RateLimitsDeps['rateBuckets']
  readonly #accounts: LeasedBuckets
  readonly #networks: KeyedBuckets
  readonly #unmetered: KeyedBuckets
  readonly #plans = new KeptPlans()

  constructor({ clock, replica, rateBuckets }: RateLimitsDeps) {
    this.#clock = clock
    this.#fleet = replica?.fleet ?? ALONE
    this.#rateBuckets = rateBuckets
    const relay = replica?.id ?? ''
    this.#accounts = new LeasedBuckets({ clock, fleet: this.#fleet, lease: leaseOf(relay, rateBuckets) })
    this.#networks = new KeyedBuckets({ clock, rates: FAILED_KEYS })
    this.#unmetered = new KeyedBuckets({ clock, rates: UNMETERED })
  }

  /** Gives back what the relay has leased and not used. */
  stop(): Promise<void> {
    return this.#accounts.stop()
  }

  /**
   * Counts one call of the key's account in its environment and puts the rest into the answer's headers. Synchronous, unless other relays
   * count, too, and the database must be read.
   * @throws ServiceError rate_limit.exceeded (429) with Retry-After
   */
  count(principal: Principal, reply: FastifyReply): void | Promise<void> {
    const rates = this.#plans.of(principal)
    const taken = this.#accounts.take(`${principal.accountId}/${principal.environment}`, rates)
    if (taken instanceof Promise) return taken.then((now) => this.#tell(reply, rates, now))
    this.#tell(reply, rates, taken)
  }

  /**
   * Counts one call that is none of a plan's. It takes nothing from the budget of the account's other calls.
   * @throws ServiceError rate_limit.exceeded (429) with Retry-After
   */
  countUnmetered({ accountId, environment }: Principal): void {
    const { ok, retryAfterSeconds } = this.#unmetered.take(`${accountId}/${environment}`)
    if (!ok) throw new ServiceError('rate_limit.exceeded', { retryAfterSeconds })
  }

  /** Calls that the account may make at once now; null: none of them was counted yet, so all. Counts nothing. */
  async left({ accountId, environment, plan }: BucketKey & { plan: Rates }): Promise<number | null> {
    if (this.#fleet.relays <= 1 || this.#rateBuckets === undefined)
      return this.#accounts.left(`${accountId}/${environment}`, plan)
    const row = await this.#rateBuckets.look({ accountId, environment })
    return row && Math.floor(unusedOf(row.stored, plan, row.nowMs) + 1e-9)
  }

  #tell(reply: FastifyReply, rates: Rates, taken: Taken): void {
    reply
      .header('x-ratelimit-limit', String(rates.steadyPerMinute))
      .header('x-ratelimit-remaining', String(taken.remaining))
      .header('x-ratelimit-reset', String(Math.ceil((this.#clock.now() + taken.fullInMs) / 1_000)))
    if (!taken.ok) throw new ServiceError('rate_limit.exceeded', { retryAfterSeconds: taken.retryAfterSeconds })
  }

  /**
   * A key of this client was not known; it is never held against a trusted proxy itself. Only wrong keys are ever refused for it: behind a
   * proxy or in an office, strangers must not be able to shut others out.
   * Of several relays each counts its part.
   * @throws ServiceError rate_limit.exceeded (429) from the 61st within a minute on
   */
  countFailedKey({ countedAs }: Client): void {
    const taken = countedAs === null ? null : this.#networks.take(countedAs, shareOf(FAILED_KEYS, this.#fleet.relays))
    if (taken === null || taken.ok) return
    throw new ServiceError('rate_limit.exceeded', {
      message:
        'Too many calls with a wrong API key from this address. Wait for Retry-After seconds and use a current key.',
      retryAfterSeconds: taken.retryAfterSeconds,
    })
  }
}

function leaseOf(relay: string, rateBuckets: RateLimitsDeps['rateBuckets']): LeasedBucketsOptions['lease'] {
  return async (name, rates, ask) => {
    if (rateBuckets === undefined) throw new Error('a relay that is alone leases nothing')
    const [accountId, environment] = name.split('/') as [BucketKey['accountId'], BucketKey['environment']]
    return rateBuckets.change({ accountId, environment }, (stored, nowMs) => {
      const { bucket, leased } = lease(stored ?? fullBucket(rates, nowMs), rates, { ask: { ...ask, relay }, nowMs })
      return { bucket, result: leased }
    })
  }
}
