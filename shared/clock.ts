// The only place that reads the time or sets a timer. Everything else gets a Clock, so tests can hold time still.

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number
export type Cancel = () => void

export interface Clock {
  /** Wall clock. May jump: use `monotonicMs` for durations and deadlines. */
  now(): EpochMs
  /** Milliseconds since an arbitrary start, with a fraction; never decreases. */
  monotonicMs(): number
  /** Calls `fn` once after `ms` (any length, also beyond setTimeout's 24.8 days). */
  after(ms: number, fn: () => void): Cancel
  /** Calls `fn` every `ms` until cancelled. */
  every(ms: number, fn: () => void): Cancel
  /** Resolves after `ms`, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

// setTimeout fires at once for anything above this.
const LONGEST_TIMEOUT_MS = 2_147_483_647

/** The part of the system's clock that the client of the API waits by: browsers load it, so it is small. Waits are below 24.8 days. */
export const systemTimers: Pick<Clock, 'monotonicMs' | 'after'> = {
  monotonicMs: () => performance.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(ms, fn) {
    let timer: NodeJS.Timeout
    const arm = (left: number): void => {
      timer =
        left > LONGEST_TIMEOUT_MS
          ? setTimeout(() => arm(left - LONGEST_TIMEOUT_MS), LONGEST_TIMEOUT_MS)
          : setTimeout(fn, Math.max(0, left))
    }
    arm(ms)
    return () => clearTimeout(timer)
  },
  every(ms, fn) {
    const timer = setInterval(fn, ms)
    return () => clearInterval(timer)
  },
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = (): void => {
        cancel()
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const cancel = systemClock.after(ms, done)
      signal?.addEventListener('abort', done, { once: true })
    })
  },
}

/** 9999-12-31T23:59:59.999Z: RFC 3339 has four digits for a year. */
const LATEST_MS = 253_402_300_799_999

/** The nearest instant from 1970 to 9999. */
export function withinTime(ms: EpochMs): EpochMs {
  return Math.min(Math.max(ms, 0), LATEST_MS)
}

/**
 * An instant in the form of the API: ISO 8601, UTC, milliseconds. One before 1970 or after 9999 becomes the nearest valid one: a stored
 * value must not break the answer around it.
 */
export function toIso(ms: EpochMs): string {
  return new Date(withinTime(ms)).toISOString()
}

/** As `toIso`; null stays null. */
export function isoOrNull(ms: EpochMs | null): string | null {
  return ms === null ? null : toIso(ms)
}

/** Epoch milliseconds of an RFC 3339 time, or null. The schema at the edge has already refused times without a zone. */
export function fromIso(text: string): EpochMs | null {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : ms
}

/** Epoch milliseconds of a time that may be absent and that a schema has checked. */
export function msOf(checked: string | undefined): EpochMs | undefined {
  return checked === undefined ? undefined : (fromIso(checked) ?? undefined)
}
