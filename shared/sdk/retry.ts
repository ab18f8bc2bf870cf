// Whether and when a failed try is made again. Pure: the time and the chance are given.
import type { TicketrailError } from './error.ts'

/** Tries of one call, the first counted. */
export const MAX_TRIES = 4
/** One try may take so long, from the first byte sent to the last one read. */
export const TRY_TIMEOUT_MS = 15_000
/** The whole call with its pauses. */
export const CALL_TIMEOUT_MS = 60_000

const FIRST_PAUSE_MS = 250

/**
 * A try can succeed later: there was no answer (0), it did not arrive in time (408), too many calls (429), a fault (500), or a proxy had no
 * answer of the relay (502, 503, 504). A 503 `printer.offline` is stored and not tried again. What the relay says in `Should-Retry` counts
 * before all of it.
 */
export function isWorthRetrying({ status, code }: Pick<TicketrailError, 'status' | 'code'>, shouldRetry = ''): boolean {
  if (shouldRetry) return shouldRetry === 'true'
  return [0, 408, 429, 500, 502, 503, 504].includes(status) && code !== 'printer.offline'
}

/**
 * Milliseconds to wait after the try with this number, from 1: any time up to 250, 500, 1,000 ("full jitter"), so that many clients do not
 * come back at once; never before the seconds that the relay has named.
 * @param random uniform in [0, 1)
 */
export function pauseMs(tries: number, retryAfter: number | undefined, random: () => number): number {
  return (retryAfter ?? 0) * 1000 + random() * FIRST_PAUSE_MS * 2 ** (tries - 1)
}
