// Waiting times between attempts: doubling with full jitter, so that many clients never return together.

export interface BackoffOptions {
  /** Upper bound of the first wait, in milliseconds. */
  firstMs: number
  /** No wait is longer than this. */
  maxMs: number
  /** Uniform in [0, 1); Math.random in programs, a seeded one in tests. */
  random: () => number
}

/** Wait before attempt `attempt` (0 = first retry): uniform in [0, min(maxMs, firstMs * 2^attempt)). */
export function fullJitterMs(attempt: number, { firstMs, maxMs, random }: BackoffOptions): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30)) * random()
}
