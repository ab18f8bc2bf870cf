// A bucket for each name: names do not touch each other, the map has an end, and looking takes nothing.
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { assertProperty } from '#test/harness/property.ts'
import { KeyedBuckets } from './keyed-buckets.ts'

const RATES = { steadyPerMinute: 60, burstPerMinute: 63 }

let clock: ManualClock
let buckets: KeyedBuckets
beforeEach(() => {
  clock = new ManualClock()
  buckets = new KeyedBuckets({ clock, rates: RATES, most: 3 })
})

/** How many calls of this name are let through until one is not. */
function through(name: string): number {
  for (let calls = 0; ; calls++) if (!buckets.take(name).ok) return calls
}

describe('token buckets by name', () => {
  it('keep a bucket for each name, and return when the next call is allowed', async () => {
    expect([through('gw_a'), through('gw_b')]).toEqual([3, 3])
    const { ok, retryAfterSeconds } = buckets.take('gw_a')
    expect([ok, retryAfterSeconds]).toEqual([false, 1])
    await clock.advance(1_000)
    expect([through('gw_a'), through('gw_b')]).toEqual([1, 1])
  })

  it('forget the name that was longest unused, never one that is in use', () => {
    for (const name of ['a', 'b', 'c']) through(name)
    buckets.take('a')
    through('d')
    expect(buckets.size).toBe(3)
    expect([buckets.look('a').ok, buckets.look('c').ok, buckets.look('d').ok]).toEqual([false, false, false])
    expect(buckets.look('b').ok).toBe(true)
  })

  it('are only read: nothing is taken, nothing is stored', () => {
    for (let n = 0; n < 10; n++) expect(buckets.look('a')).toMatchObject({ ok: true, remaining: 2 })
    expect(buckets.size).toBe(0)
    through('a')
    expect(buckets.look('a')).toMatchObject({ ok: false, retryAfterSeconds: 1 })
  })

  it('take the rates of the call, where names have their own', () => {
    for (let n = 0; n < 10; n++) expect(buckets.take('big', { steadyPerMinute: 1, burstPerMinute: 11 }).ok).toBe(true)
    expect(buckets.take('big', { steadyPerMinute: 1, burstPerMinute: 11 }).ok).toBe(false)
  })

  it('go into debt by the rates of the call too', () => {
    const own = { steadyPerMinute: 60, burstPerMinute: 70 }
    expect([buckets.charge('big', 10, own), buckets.charge('big', 5, own)]).toEqual([0, 5_000])
    expect([buckets.charge('big', -5, own), buckets.charge('big', 0, own)]).toEqual([0, 0])
  })

  it('never hold more names than the limit, and give each only its own bucket', () => {
    assertProperty(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 60 }), (calls) => {
        const three = new KeyedBuckets({ clock: new ManualClock(), rates: RATES, most: 3 })
        const passed = [0, 0, 0]
        for (const name of calls) if (three.take(String(name)).ok) passed[name] = (passed[name] ?? 0) + 1
        const asked = [0, 1, 2].map((name) => calls.filter((call) => call === name).length)
        expect(passed).toEqual(asked.map((count) => Math.min(count, 3)))
        expect(three.size).toBeLessThanOrEqual(3)
      }),
    )
  })
})
