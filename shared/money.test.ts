// Money: exactness of the cent rule.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { fromCents, MAX_CENTS, toCents } from './money.ts'

describe('toCents', () => {
  it('takes every cent amount that the API allows and gives it back unchanged', () => {
    for (let c = 0; c <= MAX_CENTS; c += 99_991) expect(toCents(fromCents(c))).toBe(c)
  })

  it('agrees with the decimal text of any amount', () => {
    assertProperty(
      fc.property(fc.integer({ min: 0, max: MAX_CENTS }), (c) => {
        expect(toCents(Number(`${Math.floor(c / 100)}.${String(c % 100).padStart(2, '0')}`))).toBe(c)
      }),
    )
  })

  it.each([12.345, 0.1 + 0.2, -1, -0, Number.NaN, Number.POSITIVE_INFINITY, 10_000_000, 1e-7])('refuses %s', (n) => {
    expect(toCents(n)).toBeNull()
  })
})
