// The rule of limits: at most `burst` in any minute, `steady` a minute for ever.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { type Bucket, capacityOf, charge, type Rates, take } from './token-bucket.ts'

const SANDBOX: Rates = { steadyPerMinute: 500, burstPerMinute: 1_000 }
const full = (rates: Rates): Bucket => ({ tokens: capacityOf(rates), atMs: 0 })

/** Times at which calls were let through, of calls at these times. */
function admitted(rates: Rates, times: readonly number[]): number[] {
  const bucket = full(rates)
  return times.filter((at) => take(bucket, rates, at).ok)
}

test('a burst gets exactly burst - steady at once, and the next call a token later', () => {
  const bucket = full(SANDBOX)
  for (let i = 0; i < 500; i++) expect(take(bucket, SANDBOX, 0)).toMatchObject({ ok: true, remaining: 499 - i })
  expect(take(bucket, SANDBOX, 0)).toMatchObject({ ok: false, remaining: 0, retryAfterSeconds: 1 })
  expect(take(bucket, SANDBOX, 119).ok).toBe(false)
  expect(take(bucket, SANDBOX, 120).ok).toBe(true)
})

test('the steady rate continues for an hour without a refusal', () => {
  const times = Array.from({ length: 500 * 60 }, (_, i) => i * 120)
  expect(admitted(SANDBOX, times)).toHaveLength(times.length)
})

test('no minute ever has more than the burst, at any timing of calls', () => {
  assertProperty(
    fc.property(
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 0, max: 120 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 600 }),
      (steadyPerMinute, more, gaps) => {
        const rates = { steadyPerMinute, burstPerMinute: steadyPerMinute + Math.max(1, more) }
        let at = 0
        const passed = admitted(
          rates,
          gaps.map((gap) => (at += gap)),
        )
        for (const [i, start] of passed.entries()) {
          const inMinute = passed.slice(i).filter((time) => time < start + 60_000).length
          expect(inMinute).toBeLessThanOrEqual(rates.burstPerMinute)
        }
      },
    ),
  )
})

test('a client that waits for Retry-After is let through', () => {
  assertProperty(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 500 }), (steadyPerMinute, capacity) => {
      const rates = { steadyPerMinute, burstPerMinute: steadyPerMinute + capacity }
      const bucket = full(rates)
      for (let i = 0; i < capacity; i++) expect(take(bucket, rates, 7).ok).toBe(true)
      const refused = take(bucket, rates, 7)
      expect(refused.ok).toBe(false)
      expect(take(bucket, rates, 7 + refused.retryAfterSeconds * 1_000).ok).toBe(true)
    }),
  )
})

test('a plan without burst above its steady rate still lets calls through', () => {
  expect(
    take(full({ steadyPerMinute: 60, burstPerMinute: 60 }), { steadyPerMinute: 60, burstPerMinute: 60 }, 0).ok,
  ).toBe(true)
})

test('what costs more than there is makes a debt, and tokens that are given back never lift it above the burst', () => {
  const bucket = full(SANDBOX)
  expect(charge(bucket, SANDBOX, { nowMs: 0, cost: 510 })).toBe(1_200)
  expect(charge(bucket, SANDBOX, { nowMs: 0, cost: -20 })).toBe(0)
  expect(bucket.tokens).toBe(10)
  expect(charge(bucket, SANDBOX, { nowMs: 0, cost: -9_000 })).toBe(0)
  expect(bucket.tokens).toBe(capacityOf(SANDBOX))
})
