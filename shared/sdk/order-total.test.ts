// The client computes the same total as the relay.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { orderTotal } from './order-total.ts'

describe('the total of an order', () => {
  it('is the sum of price x qty, exact to the cent', () => {
    expect(
      orderTotal([
        { price: 12.5, qty: 2 },
        { price: 7.95, qty: 1 },
      ]),
    ).toBe(32.95)
    // Multiplied as floating point numbers, 0.1 x 3 and 1.1 x 3 are not exact.
    expect(
      orderTotal([
        { price: 0.1, qty: 3 },
        { price: 1.1, qty: 3 },
      ]),
    ).toBe(3.6)
    expect(orderTotal([])).toBe(0)
  })

  it('is exact for every line that the relay accepts', () => {
    const line = fc.record({ cents: fc.integer({ min: 0, max: 999_999_999 }), qty: fc.integer({ min: 1, max: 999 }) })
    assertProperty(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const cents = lines.reduce((sum, { cents, qty }) => sum + BigInt(cents) * BigInt(qty), 0n)
        const total = orderTotal(lines.map(({ cents, qty }) => ({ price: cents / 100, qty })))
        expect(BigInt(Math.round(total * 100))).toBe(cents)
      }),
    )
  })

  it.each([
    [{ price: 12.345, qty: 1 }, 'items[1].price is 12.345'],
    [{ price: 0.1 + 0.2, qty: 1 }, 'items[1].price'],
    [{ price: Number.NaN, qty: 1 }, 'items[1].price'],
    [{ price: 1, qty: 1.5 }, 'items[1].qty is 1.5'],
  ])('is refused for %o, naming the line', (line, message) => {
    expect(() => orderTotal([{ price: 1, qty: 1 }, line])).toThrow(message)
  })
})
