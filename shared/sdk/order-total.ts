// Computes the `total` for `orders.inject`.
import type { LineItem } from './api.ts'

/**
 * The `total` of an order: the sum of `price` x `qty`, exact to the cent. Modifiers add nothing, and tip and taxes are not included.
 * @param lines the `items` of the order; prices in currency units, such as 12.5
 * @throws RangeError for a price with more than two decimals or a quantity that is not an integer
 */
export function orderTotal(lines: readonly Pick<LineItem, 'price' | 'qty'>[]): number {
  const cents = lines.map(({ price, qty }, index) => {
    const each = Math.round(price * 100)
    // Holds for every amount with at most two decimals that the relay accepts.
    if (each / 100 !== price) throw new RangeError(`items[${index}].price is ${price}: give at most two decimals`)
    if (!Number.isInteger(qty)) throw new RangeError(`items[${index}].qty is ${qty}: give a whole number`)
    return each * qty
  })
  return cents.reduce((sum, one) => sum + one, 0) / 100
}
