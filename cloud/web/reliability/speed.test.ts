// The classes of the map: the target of two seconds ends the good ones.
import { expect, test } from 'vitest'
import { speedOf } from './speed.ts'

const figure = (count: number, p95Ms: number | null) => ({ count, p50Ms: null, p95Ms })

test('an hour is shown by its slow end, and with few orders by that alone', () => {
  const speeds = [900, 1_000, 1_001, 2_000, 2_001, 6_000, 6_001].map((ms) => speedOf(figure(20, ms)))
  expect(speeds).toEqual(['fast', 'fast', 'good', 'good', 'slow', 'slow', 'late'])
  expect([speedOf(figure(3, null)), speedOf(figure(0, null))]).toEqual(['few', null])
})
