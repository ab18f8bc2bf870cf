// What an address may have without a valid key: so many calls, so many bytes of answers, so many questions of monitors. In memory.
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import type { Client } from '#cloud/limits/trusted-proxies.ts'
import type { Clock } from '#shared/clock.ts'

/** Of each so many at once, and as many a minute. An office of developers behind one address reads documents for a day with these. */
const CALLS = both(600)
/** Twenty a second: monitors and balancers ask once or twice. */
const PROBES = both(1_200)
/** Forty times the largest document for tools that take it uncompressed; four hundred times for browsers. */
const KILOBYTES = both(16_000)
/** After this many refusals further ones are delayed. */
const PROMPT_REFUSALS = both(60)

export class StrangerBudget {
  readonly #calls: KeyedBuckets
  readonly #probes: KeyedBuckets
  readonly #kilobytes: KeyedBuckets
  readonly #promptRefusals: KeyedBuckets

  constructor({ clock }: { clock: Pick<Clock, 'monotonicMs'> }) {
    this.#calls = new KeyedBuckets({ clock, rates: CALLS })
    this.#probes = new KeyedBuckets({ clock, rates: PROBES })
    this.#kilobytes = new KeyedBuckets({ clock, rates: KILOBYTES })
    this.#promptRefusals = new KeyedBuckets({ clock, rates: PROMPT_REFUSALS })
  }

  /** Takes a call. @returns seconds to wait, null when it is let through; of a trusted proxy itself each is */
  take({ countedAs }: Client, what: 'call' | 'probe'): number | null {
    if (countedAs === null) return null
    if (what === 'probe') return waitOf(this.#probes.take(countedAs))
    // An answer is counted when it is made, so the one before may have left a debt.
    return waitOf(this.#kilobytes.look(countedAs)) ?? waitOf(this.#calls.take(countedAs))
  }

  answered({ countedAs }: Client, bytes: number): void {
    if (countedAs !== null) this.#kilobytes.charge(countedAs, bytes / 1_000)
  }

  /** Whether one more refusal may be sent at once. */
  mayRefuseAtOnce({ countedAs }: Client): boolean {
    return countedAs === null || this.#promptRefusals.take(countedAs).ok
  }
}

function waitOf({ ok, retryAfterSeconds }: { ok: boolean; retryAfterSeconds: number }): number | null {
  return ok ? null : retryAfterSeconds
}

function both(atOnceAndAMinute: number): Rates {
  return { steadyPerMinute: atOnceAndAMinute, burstPerMinute: 2 * atOnceAndAMinute }
}
