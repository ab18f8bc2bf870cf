// Money is integer cents inside and a JSON number of dollars with at most two decimals outside.

declare const brand: unique symbol
export type Cents = number & { readonly [brand]: 'cents' }

/** 99,999.99 dollars: the largest amount that the API takes in one field. */
export const MAX_CENTS = 9_999_999

/**
 * Dollars to cents, exactly, or null when the number has more than two decimals, is negative, not finite or too large.
 * `Math.round(n * 100) / 100 === n` holds for every cent amount up to 200,000.00 and refuses 12.345 and 0.1 + 0.2.
 */
export function toCents(dollars: number): Cents | null {
  const cents = Math.round(dollars * 100)
  if (!Number.isFinite(dollars) || dollars < 0 || Object.is(dollars, -0) || cents > MAX_CENTS) return null
  return cents / 100 === dollars ? (cents as Cents) : null
}

/** Cents to a JSON number of dollars. */
export function fromCents(cents: number): number {
  return cents / 100
}

/** Marks an integer from storage as cents. */
export function cents(value: number): Cents {
  return value as Cents
}
