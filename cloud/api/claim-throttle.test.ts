// How often claims may be tried: by address, by network of IPv6, and wrong codes of everybody together.
import { beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '#shared/errors.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { ClaimThrottle } from './claim-throttle.ts'

let clock: ManualClock
let throttle: ClaimThrottle
beforeEach(() => {
  clock = new ManualClock()
  throttle = new ClaimThrottle({ clock })
})

/** Seconds to wait, or null when it was let through. */
function tried(address: string): number | null {
  try {
    throttle.admit(address)
    return null
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limit.exceeded') throw error
    return error.retryAfterSeconds ?? 0
  }
}

/** Attempts of this address until it must wait. */
function untilSlowed(address: string): number {
  for (let attempts = 0; ; attempts++) if (tried(address) !== null) return attempts
}

describe('the throttle of claims', () => {
  it('slows an address down, tells it how long, and nobody else', async () => {
    expect(untilSlowed('203.0.113.1')).toBe(10)
    const waitSeconds = tried('203.0.113.1') ?? 0
    expect(waitSeconds).toBeGreaterThan(0)
    expect(tried('203.0.113.2')).toBeNull()
    await clock.advance(waitSeconds * 1_000)
    expect(tried('203.0.113.1')).toBeNull()
  })

  it('takes a network of IPv6 for one address', () => {
    untilSlowed('2001:db8:1:2::1')
    expect(tried('2001:db8:1:2:ffff::9')).not.toBeNull()
    expect(tried('2001:db8:1:3::1')).toBeNull()
  })

  it('slows everybody down when wrong codes come from everywhere, and lets them in again', async () => {
    for (let n = 0; n < 300; n++) {
      expect(tried(`10.0.${n >> 8}.${n & 255}`)).toBeNull()
      throttle.wasWrong()
    }
    const waitSeconds = tried('198.51.100.1') ?? 0
    expect(waitSeconds).toBeGreaterThan(0)
    await clock.advance(waitSeconds * 1_000)
    expect(tried('198.51.100.2')).toBeNull()
  })

  it('does not hold right codes against anybody', () => {
    for (let n = 0; n < 1_000; n++) expect(tried(`10.1.${n >> 8}.${n & 255}`)).toBeNull()
  })
})
