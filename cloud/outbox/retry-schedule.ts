// When a failed delivery is tried again: the first attempt and one more after each delay, then it has failed for good.
import { fromIso } from '#shared/clock.ts'

const JITTER = 0.1

export interface FailedAttempt {
  /** 1 for the first attempt. */
  number: number
  /** When it had failed, epoch ms. */
  failedAtMs: number
  /** What the receiver asked for with Retry-After, in milliseconds; null when it asked for nothing. */
  retryAfterMs: number | null
}

/**
 * Time of the next attempt, or null when that was the last. Never earlier than the delay and at most 10 % later, so that
 * deliveries that failed together do not return together. Retry-After may stretch the delay to twice its length, never shorten it.
 * @param retrySeconds delays; the specification's are 60, 300, 1,800, 7,200 and 43,200 (Events, retry rule 2)
 * @param random uniform in [0, 1)
 */
export function nextAttemptAt(
  failed: FailedAttempt,
  retrySeconds: readonly number[],
  random: () => number,
): number | null {
  const delaySeconds = retrySeconds[failed.number - 1]
  if (delaySeconds === undefined) return null
  const delayMs = delaySeconds * 1000
  const askedMs = Math.min(Math.max(failed.retryAfterMs ?? 0, delayMs), 2 * delayMs)
  return failed.failedAtMs + Math.ceil(askedMs + delayMs * JITTER * random())
}

/** Milliseconds that a Retry-After header asks for: whole seconds, or an HTTP date. Null for anything else. */
export function parseRetryAfter(header: string, nowMs: number): number | null {
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000
  const atMs = fromIso(header)
  return atMs === null ? null : Math.max(0, atMs - nowMs)
}
