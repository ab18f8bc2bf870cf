// The sum rule: exact to the cent, against an oracle in big integers.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ServiceError } from '#shared/errors.ts'
import { assertProperty } from '#test/harness/property.ts'
import { checkTotal, sumOfItems } from './check-total.ts'

const amount = fc.integer({ min: 0, max: 9_999_999 })
const lines = fc.array(fc.record({ cents: amount, qty: fc.integer({ min: 1, max: 999 }) }), {
  minLength: 1,
  maxLength: 200,
})
const asItems = (drawn: { cents: number; qty: number }[]) =>
  drawn.map(({ cents, qty }) => ({ price: cents / 100, qty }))

test('the sum equals exact integer arithmetic for any order', () => {
  assertProperty(
    fc.property(lines, (drawn) => {
      const oracle = drawn.reduce((sum, line) => sum + BigInt(line.cents) * BigInt(line.qty), 0n)
      return BigInt(sumOfItems(asItems(drawn))) === oracle
    }),
    { numRuns: 2_000 },
  )
})

test('the exact total passes, and one that is a cent off does not', () => {
  const small = fc.array(
    fc.record({ cents: fc.integer({ min: 0, max: 5_000 }), qty: fc.integer({ min: 1, max: 9 }) }),
    {
      minLength: 1,
      maxLength: 20,
    },
  )
  assertProperty(
    fc.property(small, fc.constantFrom(-1, 0, 1), (drawn, off) => {
      const oracle = Number(drawn.reduce((sum, line) => sum + BigInt(line.cents) * BigInt(line.qty), 0n))
      fc.pre(oracle + off >= 0)
      const order = { items: asItems(drawn), total: (oracle + off) / 100 }
      if (off === 0) return checkTotal(order) === oracle
      try {
        checkTotal(order)
        return false
      } catch (error) {
        return error instanceof ServiceError && error.code === 'order.total_mismatch'
      }
    }),
    { numRuns: 2_000 },
  )
})

test('0.1 + 0.2 is 0.3 here', () => {
  expect(
    checkTotal({
      items: [
        { price: 0.1, qty: 1 },
        { price: 0.2, qty: 1 },
      ],
      total: 0.3,
    }),
  ).toBe(30)
})
