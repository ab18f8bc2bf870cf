// The retry schedule of the specification: six attempts, never early, Retry-After within bounds.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts'

const SECONDS = [60, 300, 1_800, 7_200, 43_200]
const failed = (number: number, retryAfterMs: number | null = null) => ({ number, failedAtMs: 1_000, retryAfterMs })

describe('nextAttemptAt', () => {
  it('waits 1 min, 5 min, 30 min, 2 h, 12 h after the failures, then no more', () => {
    const delays = [1, 2, 3, 4, 5].map((n) => (nextAttemptAt(failed(n), SECONDS, () => 0) ?? 0) - 1_000)
    expect(delays).toEqual([60_000, 300_000, 1_800_000, 7_200_000, 43_200_000])
    expect(nextAttemptAt(failed(6), SECONDS, () => 0)).toBeNull()
  })

  it('is never early and at most 10 % late, whatever the chance', () => {
    assertProperty(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.double({ min: 0, max: 0.999999, noNaN: true }), (n, chance) => {
        const delayMs = (SECONDS[n - 1] ?? 0) * 1000
        const waitMs = (nextAttemptAt(failed(n), SECONDS, () => chance) ?? 0) - 1_000
        return waitMs >= delayMs && waitMs <= delayMs * 1.1
      }),
    )
  })

  it('honours Retry-After between once and twice the delay', () => {
    const wait = (retryAfterMs: number) => (nextAttemptAt(failed(1, retryAfterMs), SECONDS, () => 0) ?? 0) - 1_000
    expect(wait(1_000)).toBe(60_000)
    expect(wait(90_000)).toBe(90_000)
    expect(wait(86_400_000)).toBe(120_000)
  })

  it('gives one attempt only when there are no delays', () => {
    expect(nextAttemptAt(failed(1), [], () => 0)).toBeNull()
  })
})

describe('parseRetryAfter', () => {
  const nowMs = Date.UTC(2026, 10, 20, 18, 0, 0)
  it('reads seconds and dates', () => {
    expect(parseRetryAfter('120', nowMs)).toBe(120_000)
    expect(parseRetryAfter('Fri, 20 Nov 2026 18:01:00 GMT', nowMs)).toBe(60_000)
    expect(parseRetryAfter('Fri, 20 Nov 2026 17:00:00 GMT', nowMs)).toBe(0)
  })
  it('passes over anything else', () => {
    for (const text of ['', 'soon', '-5 seconds', '9'.repeat(40)]) expect(parseRetryAfter(text, nowMs), text).toBeNull()
  })
})
