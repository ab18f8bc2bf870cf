// The relay's time at a gateway: NTP's offset on the monotonic clock, so a jump of the wall clock changes nothing.
import type { Clock, EpochMs } from './clock.ts'

/** Four instants of one exchange. t0 and t3 are the gateway's `monotonicMs()`, t1 and t2 the relay's epoch ms. */
export interface TimeSample {
  /** Hello sent. */
  t0: number
  /** Hello received. */
  t1: EpochMs
  /** Welcome sent. */
  t2: EpochMs
  /** Welcome received. */
  t3: number
}

/** A kept sample is trusted a little less with time: 100 ppm is more than any quartz drifts. */
const DRIFT = 100e-6

export class RelayTime {
  readonly #clock: Clock
  /** Relay time minus monotonic time. */
  #base: number
  /** Half of the sample's round trip; null without an answer of the relay. */
  #errorMs: number | null = null
  #observedAt = 0

  /**
   * @param lastKnownMs relay time saved by an earlier run, 0 if none. A board without a battery-backed clock starts in the past:
   * without an answer of the relay, time continues from there if the wall clock is behind it.
   */
  constructor(clock: Clock, lastKnownMs: EpochMs) {
    this.#clock = clock
    this.#base = Math.max(clock.now(), lastKnownMs) - clock.monotonicMs()
  }

  /** Epoch milliseconds, whole, on the relay's clock as well as it is known. */
  now(): EpochMs {
    return Math.round(this.#base + this.#clock.monotonicMs())
  }

  /** Relay time minus this machine's wall clock; null without an answer of the relay. */
  offsetMs(): number | null {
    return this.#errorMs === null ? null : Math.round(this.now() - this.#clock.now())
  }

  /**
   * Takes an exchange into account. A worse sample (longer round trip) that agrees with the kept one within their errors changes
   * nothing; one that contradicts it wins, because then the relay's clock was set.
   */
  observe({ t0, t1, t2, t3 }: TimeSample): void {
    const errorMs = (t3 - t0 - (t2 - t1)) / 2
    if (![t0, t1, t2, t3].every(Number.isFinite) || errorMs < 0) return
    const base = (t1 - t0 + (t2 - t3)) / 2
    if (this.#errorMs !== null) {
      const kept = this.#errorMs + (t3 - this.#observedAt) * DRIFT
      if (errorMs > kept && Math.abs(base - this.#base) <= errorMs + kept + 1) return
    }
    this.#base = base
    this.#errorMs = errorMs
    this.#observedAt = t3
  }
}
