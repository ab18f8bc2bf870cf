// How long to wait before the next attempt to reach the relay: always with full jitter, as short as the kind of failure allows.
import { fullJitterMs } from '#shared/backoff.ts'

/** How an attempt ended. */
export type AttemptEnd =
  /** The relay had welcomed us: it was well a moment ago, most likely it restarts. */
  | 'lost'
  /** The host answers, the port does not: the program is down and will be back on this port. An attempt is cheap. */
  | 'refused'
  /** Anything else: no answer, no welcome, bad credentials, TLS. */
  | 'failed'

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

/** The attempts since the relay's last welcome. */
export class ReconnectDelays {
  readonly #random: () => number
  #failures = 0
  /** Counted apart: a port that was refused for a second must not make what fails next wait for a minute. */
  #refusals = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** Attempts that came to nothing. */
  get inVain(): number {
    return this.#failures + this.#refusals
  }

  welcomed(): void {
    this.#failures = 0
    this.#refusals = 0
  }

  /**
   * An attempt has ended.
   * @param awayMs since the relay's last welcome (or the start)
   * @returns milliseconds until the next one, uniform between zero and the bound
   */
  afterMs(end: AttemptEnd, awayMs: number): number {
    const random = this.#random
    if (end === 'lost') return fullJitterMs(0, { firstMs: FIRST_MS, maxMs: MAX_MS, random })
    const isRefused = end === 'refused'
    const before = isRefused ? this.#refusals++ : this.#failures++
    return fullJitterMs(before, { firstMs: FIRST_MS, maxMs: isRefused ? refusedMaxMs(awayMs) : MAX_MS, random })
  }
}

/** Longer than the relay's `wait` by up to this share, so that gateways with the same time do not come together. */
const TOLD_SPREAD = 0.1

/** Milliseconds until the next hello of a gateway that got `wait` for `forMs`: never less. */
export function toldDelayMs(forMs: number, random: () => number): number {
  return forMs * (1 + TOLD_SPREAD * random())
}
