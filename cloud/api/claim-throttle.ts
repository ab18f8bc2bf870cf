// How often claims may be tried: each address, and wrong codes of everybody together. In memory: a restart begins anew.
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { networkOf } from './rate-limit.ts'
import { type Bucket, capacityOf, type Rates, take } from './token-bucket.ts'

/** A technician types a code twice, a box whose answer was lost repeats it a few times. */
const OF_ADDRESS: Rates = { steadyPerMinute: 10, burstPerMinute: 20 }
/** Many addresses together. Even at this rate all fifteen minutes of a code are one guess in a hundred thousand million. */
const WRONG_OF_ALL: Rates = { steadyPerMinute: 300, burstPerMinute: 600 }
const MOST_ADDRESSES = 10_000

export class ClaimThrottle {
  readonly #clock: Clock
  readonly #addresses = new Map<string, Bucket>()
  readonly #wrong: Bucket

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
    this.#wrong = { tokens: capacityOf(WRONG_OF_ALL), atMs: clock.monotonicMs() }
  }

  /** Counts an attempt of this address. @throws ServiceError rate_limit.exceeded (429) with Retry-After */
  admit(address: string): void {
    const nowMs = this.#clock.monotonicMs()
    const name = networkOf(address)
    const known = this.#addresses.get(name)
    if (known === undefined && this.#addresses.size >= MOST_ADDRESSES) this.#forgetOldest()
    const bucket = known ?? { tokens: capacityOf(OF_ADDRESS), atMs: nowMs }
    this.#addresses.set(name, bucket)
    refuseUnless(take(bucket, OF_ADDRESS, nowMs), 'Too many claims from this address.')
    // Looked at, not taken: only a wrong code takes one.
    refuseUnless(take({ ...this.#wrong }, WRONG_OF_ALL, nowMs), 'Too many wrong claim codes just now.')
  }

  /** The code was wrong. */
  wasWrong(): void {
    take(this.#wrong, WRONG_OF_ALL, this.#clock.monotonicMs())
  }

  #forgetOldest(): void {
    let left = MOST_ADDRESSES / 10
    for (const address of this.#addresses.keys()) {
      if (left-- <= 0) return
      this.#addresses.delete(address)
    }
  }
}

function refuseUnless({ ok, retryAfterSeconds }: { ok: boolean; retryAfterSeconds: number }, what: string): void {
  if (ok) return
  const message = `${what} Wait for Retry-After seconds.`
  throw new ServiceError('rate_limit.exceeded', { message, retryAfterSeconds })
}
