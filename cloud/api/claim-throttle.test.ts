// How often claims may be tried: by address and by network of IPv6. Wrong codes of all addresses together raise an alarm and block nobody.
import { beforeEach, describe, expect, it } from 'vitest'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { ServiceError } from '#shared/errors.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { ClaimThrottle } from './claim-routes.ts'

let clock: ManualClock
let throttle: ClaimThrottle
let alarms: object[]
beforeEach(() => {
  clock = new ManualClock()
  alarms = []
  const log = { info: () => {}, error: () => {}, warn: (detail: object) => alarms.push(detail) }
  throttle = new ClaimThrottle({ clock, proxies: new TrustedProxies(['10.255.0.0/16']), log: log as never })
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
  it('slows an address down with a delay, and no other', async () => {
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

  it('never slows a trusted proxy itself down: it relays many clients', () => {
    for (let n = 0; n < 100; n++) expect(tried('10.255.0.1')).toBeNull()
  })

  it('closes pairing for no one when wrong codes come from everywhere, and warns the operator once a minute', async () => {
    for (let minute = 0; minute < 2; minute++) {
      for (let n = 0; n < 1_000; n++) {
        expect(tried(`10.${minute}.${n >> 8}.${n & 255}`)).toBeNull()
        throttle.wasWrong()
      }
      expect(tried(`198.51.100.${minute}`)).toBeNull()
      await clock.advance(60_000)
    }
    const leftOut = expect.objectContaining({ leftOut: 969 })
    expect(alarms).toEqual([{ aMinute: 30 }, leftOut, { aMinute: 30 }, leftOut])
  })

  it('logs nothing for a few wrong codes', async () => {
    for (let n = 0; n < 10; n++) {
      for (let wrong = 0; wrong < 10; wrong++) throttle.wasWrong()
      await clock.advance(60_000)
    }
    expect(alarms).toEqual([])
  })

  it('does not count right codes', () => {
    for (let n = 0; n < 1_000; n++) expect(tried(`10.1.${n >> 8}.${n & 255}`)).toBeNull()
  })

  it('counts a part of them where several relays do', () => {
    const fleet = { relays: 1, isKnownToAll: true }
    const log = { info: () => {}, error: () => {}, warn: () => {} }
    throttle = new ClaimThrottle({ clock, proxies: new TrustedProxies([]), log: log as never, replica: { fleet } })
    fleet.relays = 2
    for (let n = 0; n < 5; n++) expect(tried('203.0.113.5')).toBeNull()
    expect(tried('203.0.113.5')).not.toBeNull()
  })
})
