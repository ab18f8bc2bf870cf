// How long to wait before the next attempt to reach the relay: always with full jitter, as short as the kind of failure allows.
import { fullJitterMs } from '#shared/backoff.ts'

/** How an attempt ended. */
export type AttemptEnd =
  /** The relay had welcomed us: it was well a moment ago, most likely it restarts. */
  | 'lost'
  /** The host answers, the port does not: the program is down and will be back on this port. Costs nobody anything to try. */
  | 'refused'
  /** Anything else: no answer, no welcome, bad credentials, TLS. */
  | 'failed'

export interface AttemptHistory {
  /** Attempts since the relay's last welcome that came to nothing. */
  failures: number
  /** Since the relay's last welcome (or the start), in milliseconds. */
  awayMs: number
}

const FIRST_MS = 300
const MAX_MS = 60_000

/**
 * Longest wait for a refused port. A relay that restarts must be found again within a second; one that stays away for minutes is asked
 * every second or so; one that is gone for good, like any other failure.
 */
function refusedMaxMs(awayMs: number): number {
  if (awayMs < 30_000) return 500
  return awayMs < 600_000 ? 2_000 : MAX_MS
}

/** Milliseconds, uniform between zero and the bound. */
export function reconnectDelayMs(end: AttemptEnd, { failures, awayMs }: AttemptHistory, random: () => number): number {
  if (end === 'lost') return fullJitterMs(0, { firstMs: FIRST_MS, maxMs: MAX_MS, random })
  const maxMs = end === 'refused' ? refusedMaxMs(awayMs) : MAX_MS
  return fullJitterMs(failures, { firstMs: FIRST_MS, maxMs, random })
}
