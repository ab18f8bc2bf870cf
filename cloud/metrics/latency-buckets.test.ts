// Durations in buckets: a percentile is never wrong by more than one bucket.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  BOUNDS_MS,
  bucketOf,
  NO_COUNTS,
  percentileOf,
  shareWithin,
  sumOf,
  totalOf,
  withOne,
} from './latency-buckets.ts'

const counted = (all: readonly number[]) =>
  all.reduce<readonly number[]>((counts, ms) => withOne(counts, ms), NO_COUNTS)
/** Of nearest rank. */
const exact = (all: readonly number[], share: number) =>
  all.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * all.length)) - 1] ?? Number.NaN

const durations = fc.array(fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(...BOUNDS_MS, 0)), {
  minLength: 1,
  maxLength: 300,
})

test('there are 24 buckets, and the targets end one', () => {
  expect(NO_COUNTS).toHaveLength(24)
  expect([bucketOf(200), bucketOf(201)]).toEqual([BOUNDS_MS.indexOf(200), BOUNDS_MS.indexOf(200) + 1])
})

test('each percentile lies in the bucket of the exact one', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1), (all, share) => {
      const told = percentileOf(counted(all), share) ?? Number.NaN
      const wanted = bucketOf(exact(all, share))
      // Beyond the last bound nothing is known but that.
      expect(bucketOf(told)).toBe(Math.min(wanted, BOUNDS_MS.length - 1))
    }),
  )
})

test('a share within a target is exact', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(...BOUNDS_MS), (all, bound) => {
      expect(shareWithin(counted(all), bound)).toBe(all.filter((ms) => ms <= bound).length / all.length)
    }),
  )
})

test('slices that are added up equal the figures of all together', () => {
  fc.assert(
    fc.property(durations, durations, (some, others) => {
      expect(sumOf([counted(some), counted(others)])).toEqual(counted([...some, ...others]))
    }),
  )
})

test('of nothing have no figure', () => {
  expect([percentileOf(NO_COUNTS, 0.5), shareWithin(NO_COUNTS, 200), totalOf(NO_COUNTS)]).toEqual([null, null, 0])
})
