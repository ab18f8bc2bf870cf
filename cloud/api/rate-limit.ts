// How fast an account may call, and how often an address may come with a wrong key. In memory: a restart begins with full buckets.
import type { FastifyReply } from 'fastify'
import type { Principal } from '#cloud/auth/api-keys.ts'
import { type AccountPlan, planOf } from '#cloud/billing/plans.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { type Bucket, capacityOf, type Rates, take } from './token-bucket.ts'

/** Above so many buckets, those that are full are forgotten: a new one is full too. */
const SWEEP_ABOVE = 10_000
const FAILED_KEYS: Rates = { steadyPerMinute: 60, burstPerMinute: 120 }

interface AccountBucket extends Bucket {
  rates: Rates
  plan: AccountPlan['plan']
  planOverrides: string | null
}

export class RateLimits {
  readonly #clock: Clock
  readonly #accounts = new Map<string, AccountBucket>()
  readonly #addresses = new Map<string, Bucket>()

  constructor(deps: { clock: Clock }) {
    this.#clock = deps.clock
  }

  /**
   * Counts one call of the key's account in its environment and says in the answer's headers what is left.
   * @throws ServiceError rate_limit.exceeded (429) with Retry-After
   */
  count(principal: Principal, reply: FastifyReply): void {
    const now = this.#clock.monotonicMs()
    const bucket = this.#bucketOf(principal, now)
    const taken = take(bucket, bucket.rates, now)
    reply
      .header('x-ratelimit-limit', String(bucket.rates.steadyPerMinute))
      .header('x-ratelimit-remaining', String(taken.remaining))
      .header('x-ratelimit-reset', String(Math.ceil((this.#clock.now() + taken.fullInMs) / 1_000)))
    if (!taken.ok) throw new ServiceError('rate_limit.exceeded', { retryAfterSeconds: taken.retryAfterSeconds })
  }

  /**
   * A key from this address was not known. Only wrong keys are ever refused for it: behind a proxy or in an office, strangers must not be
   * able to shut others out.
   * @throws ServiceError rate_limit.exceeded (429) from the 61st within a minute on
   */
  countFailedKey(address: string): void {
    const now = this.#clock.monotonicMs()
    const name = networkOf(address)
    let bucket = this.#addresses.get(name)
    if (bucket === undefined) {
      if (this.#addresses.size >= SWEEP_ABOVE) forgetOldest(this.#addresses)
      bucket = { tokens: capacityOf(FAILED_KEYS), atMs: now }
      this.#addresses.set(name, bucket)
    }
    const taken = take(bucket, FAILED_KEYS, now)
    if (taken.ok) return
    throw new ServiceError('rate_limit.exceeded', {
      message:
        'Too many calls with a wrong API key from this address. Wait for Retry-After seconds and use a current key.',
      retryAfterSeconds: taken.retryAfterSeconds,
    })
  }

  #bucketOf(principal: Principal, nowMs: number): AccountBucket {
    const { accountId, environment, plan, planOverrides } = principal
    const name = `${accountId}/${environment}`
    const known = this.#accounts.get(name)
    if (known?.plan === plan && known.planOverrides === planOverrides) return known
    const rates = planOf({ plan, plan_overrides: planOverrides }, environment)
    const bucket = {
      plan,
      planOverrides,
      rates,
      tokens: known?.tokens ?? capacityOf(rates),
      atMs: known?.atMs ?? nowMs,
    }
    if (this.#accounts.size >= SWEEP_ABOVE) this.#forgetFull(nowMs)
    this.#accounts.set(name, bucket)
    return bucket
  }

  #forgetFull(nowMs: number): void {
    for (const [name, bucket] of this.#accounts) {
      const refilled = bucket.tokens + ((nowMs - bucket.atMs) * bucket.rates.steadyPerMinute) / 60_000
      if (refilled >= capacityOf(bucket.rates)) this.#accounts.delete(name)
    }
  }
}

/** A tenth of them at once, so that it is not done for every stranger. */
function forgetOldest(buckets: Map<string, Bucket>): void {
  let left = SWEEP_ABOVE / 10
  for (const name of buckets.keys()) {
    if (left-- <= 0) return
    buckets.delete(name)
  }
}

/** One customer has a whole /64 of IPv6. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const last = tail.split(':').filter((group) => group !== '')
  const zeros = address.includes('::') ? Array.from({ length: 8 - groups.length - last.length }, () => '0') : []
  return [...groups, ...zeros, ...last].slice(0, 4).join(':')
}
