// The sum that `orders.inject` takes as `total`.
import type { LineItem } from './api.ts'

/**
 * The sum of `price` x `qty`, exact to the cent: modifiers add nothing, the tip is not part of it, no tax is added.
 * @throws RangeError for a price with more than two decimals or a qty that is not whole: the relay refuses such a line
 */
export function orderTotal(lines: readonly Pick<LineItem, 'price' | 'qty'>[]): number {
  const cents = lines.map(({ price, qty }, index) => {
    const each = Math.round(price * 100)
    // The nearest number with two decimals is itself, for every amount that the relay takes.
    if (each / 100 !== price) throw new RangeError(`items[${index}].price is ${price}: give at most two decimals`)
    if (!Number.isInteger(qty)) throw new RangeError(`items[${index}].qty is ${qty}: give a whole number`)
    return each * qty
  })
  return cents.reduce((sum, one) => sum + one, 0) / 100
}
