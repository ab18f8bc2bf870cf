// Times stored as counts in classes: the median and the 90th percentile are in the class of the exact value, however they were added up.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import {
  addHistogram,
  bordersOf,
  classOf,
  count,
  type Histogram,
  histogramOf,
  histogramText,
  percentile,
} from './report-histogram.ts'

const times = fc.array(fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 86_400_000 })), {
  minLength: 1,
  maxLength: 300,
})

function exact(all: readonly number[], share: number): number {
  return [...all].sort((a, b) => a - b)[Math.max(0, Math.ceil(all.length * share) - 1)] ?? Number.NaN
}

function counted(all: readonly number[]): Histogram {
  const counts: Histogram = new Map()
  for (const ms of all) count(counts, ms)
  return counts
}

describe('a percentile of counted times', () => {
  it('lies in the class of the exact one', () => {
    assertProperty(
      fc.property(times, fc.constantFrom(0.5, 0.9), (all, share) => {
        const { fromMs, toMs } = bordersOf(classOf(exact(all, share)))
        const told = percentile(counted(all), share) ?? Number.NaN
        expect(told).toBeGreaterThanOrEqual(fromMs)
        expect(told).toBeLessThanOrEqual(toMs)
      }),
    )
  })

  it('is at most a twentieth off from half a second on', () => {
    assertProperty(
      fc.property(fc.array(fc.integer({ min: 500, max: 86_400_000 }), { minLength: 1 }), (all) => {
        const told = percentile(counted(all), 0.9) ?? Number.NaN
        expect(Math.abs(told - exact(all, 0.9))).toBeLessThanOrEqual(0.05 * exact(all, 0.9))
      }),
    )
  })

  it('is the same when hours are added up to days, and days are stored and read', () => {
    assertProperty(
      fc.property(times, times, (some, others) => {
        const sum = histogramOf(histogramText(counted(some)))
        addHistogram(sum, histogramOf(histogramText(counted(others))))
        expect(percentile(sum, 0.5)).toBe(percentile(counted([...some, ...others]), 0.5))
      }),
    )
  })

  it('is null if nothing was counted', () => {
    expect(percentile(new Map(), 0.5)).toBeNull()
  })
})

it('each time is in one class, also one of weeks', () => {
  assertProperty(
    fc.property(fc.integer({ min: 0, max: 7 * 86_400_000 }), (ms) => {
      const { fromMs, toMs } = bordersOf(classOf(ms))
      expect(ms === 0 || (fromMs < ms && ms <= toMs)).toBe(true)
    }),
  )
  expect(classOf(1e12)).toBe(classOf(7 * 86_400_000))
})

it.each(['', '{}', '[1]', '[1.5, 2]', '[-1, 2]', '[99999, 2]', '[3, -1]', 'null'])('ignores %j', (text) => {
  expect(histogramOf(text).size).toBe(0)
})
