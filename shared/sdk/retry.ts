// Whether and when a failed attempt is repeated. Pure: the time and the random number are arguments.
import type { TicketrailError } from './error.ts'

/** Limit for one attempt, from the first byte sent to the last byte read. */
export const ATTEMPT_TIMEOUT_MS = 15_000
/** Limit for the whole call with its pauses: a relay that is restarted is back before. */
export const CALL_TIMEOUT_MS = 60_000

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000

/**
 * Whether another attempt can succeed: no response (0), the request timed out (408), too many requests (429), an internal error (500), or
 * an error of a proxy (502, 503, 504). A 503 `printer.offline` is stored and therefore final. The header `Should-Retry` overrides all of
 * this.
 */
export function isWorthRetrying({ status, code }: Pick<TicketrailError, 'status' | 'code'>, shouldRetry = ''): boolean {
  if (shouldRetry) return shouldRetry === 'true'
  return [0, 408, 429, 500, 502, 503, 504].includes(status) && code !== 'printer.offline'
}

/**
 * Milliseconds to wait after attempt number `attempt` (from 1): a random time up to 250, 500, 1,000 and so on to 8,000 ("full jitter"),
 * which spreads the retries of many clients, plus the seconds of `Retry-After`.
 * @param random uniform in [0, 1)
 */
export function pauseMs(attempt: number, retryAfter: number | undefined, random: () => number): number {
  return (retryAfter ?? 0) * 1000 + random() * Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)
}
