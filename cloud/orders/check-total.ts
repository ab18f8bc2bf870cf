// The sum rule: total = sum of price x qty, exactly, in cents. Modifiers carry no price and the tip is not part of it.
import { ServiceError } from '#shared/errors.ts'
import { type Cents, cents, fromCents, toCents } from '#shared/money.ts'

/** Adds up in cents. 200 lines of 999 at the largest price stay far below 2^53. */
export function sumOfItems(items: readonly { price: number; qty: number }[]): Cents {
  let sum = 0
  for (const item of items) sum += requireCents(item.price) * item.qty
  return cents(sum)
}

/** @returns the total in cents. @throws ServiceError order.total_mismatch (422) with expected and received */
export function checkTotal(order: { items: readonly { price: number; qty: number }[]; total: number }): Cents {
  const expected = sumOfItems(order.items)
  const received = requireCents(order.total)
  if (expected === received) return received
  throw new ServiceError('order.total_mismatch', {
    errors: [
      {
        field: 'total',
        message: `expected ${fromCents(expected)} (sum of price x qty, without modifiers and tip), received ${order.total}`,
      },
    ],
    extra: { expected: fromCents(expected), received: order.total },
  })
}

/** The schema has let only whole cents through. */
export function requireCents(dollars: number): Cents {
  const value = toCents(dollars)
  if (value === null) throw new Error('an amount passed the schema that is not whole cents')
  return value
}
