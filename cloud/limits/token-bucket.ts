// A token bucket: at most `burst` calls in any minute, `steady` a minute for ever. Pure: the caller brings the time.

/** Calls a minute. */
export interface Rates {
  steadyPerMinute: number
  burstPerMinute: number
}

/** What is left in a bucket, and when that was. A new one is full. */
export interface Bucket {
  tokens: number
  atMs: number
}

export interface Taken {
  ok: boolean
  /** Whole calls that may follow at once. */
  remaining: number
  /** When not ok: until the next call is let through, at least 1. */
  retryAfterSeconds: number
  /** Until the bucket is full again. */
  fullInMs: number
}

const MINUTE_MS = 60_000

/** Calls that may come at once. With the refill of a minute on top they are the burst. */
export function capacityOf({ steadyPerMinute, burstPerMinute }: Rates): number {
  return Math.max(1, burstPerMinute - steadyPerMinute)
}

/** What is in it now. */
export const tokensAt = ({ tokens, atMs }: Bucket, rates: Rates, nowMs: number): number =>
  Math.min(capacityOf(rates), tokens + Math.max(0, nowMs - atMs) * (rates.steadyPerMinute / MINUTE_MS))

/** The part of one relay where so many share a limit. */
export const shareOf = ({ steadyPerMinute, burstPerMinute }: Rates, relays: number): Rates => ({
  steadyPerMinute: steadyPerMinute / Math.max(1, relays),
  burstPerMinute: burstPerMinute / Math.max(1, relays),
})

/**
 * Takes one token if there is one; a refused call takes none. Changes `bucket`.
 * @param nowMs monotonic. @param rates may differ from the last call's: a change of plan counts at once
 */
export function take(bucket: Bucket, rates: Rates, nowMs: number): Taken {
  const capacity = capacityOf(rates)
  const perMs = rates.steadyPerMinute / MINUTE_MS
  bucket.tokens = tokensAt(bucket, rates, nowMs)
  bucket.atMs = nowMs
  // Adding many small parts leaves 0.9999999: that is a whole token.
  const ok = bucket.tokens >= 1 - 1e-9
  if (ok) bucket.tokens = Math.max(0, bucket.tokens - 1)
  return {
    ok,
    remaining: Math.floor(bucket.tokens + 1e-9),
    retryAfterSeconds: ok ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1_000)),
    fullInMs: (capacity - bucket.tokens) / perMs,
  }
}

/**
 * Takes `cost` tokens also where there are not so many: the bucket is in debt then. A cost below zero gives tokens back. Changes `bucket`.
 * @param nowMs monotonic. @returns milliseconds until there is no debt; 0 without one
 */
export function charge(bucket: Bucket, rates: Rates, { nowMs, cost }: { nowMs: number; cost: number }): number {
  const perMs = rates.steadyPerMinute / MINUTE_MS
  const refilled = bucket.tokens + Math.max(0, nowMs - bucket.atMs) * perMs
  bucket.tokens = Math.min(capacityOf(rates), Math.min(capacityOf(rates), refilled) - cost)
  bucket.atMs = nowMs
  return bucket.tokens >= 0 ? 0 : Math.ceil(-bucket.tokens / perMs)
}
