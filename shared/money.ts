// Money is integer cents inside, hundredths of the merchant's currency, and a JSON number with at most two decimals outside.

declare const brand: unique symbol
export type Cents = number & { readonly [brand]: 'cents' }

/** 9,999,999.99: the largest amount that the API takes in one field; currencies with small units need it. */
export const MAX_CENTS = 999_999_999

/**
 * An amount to cents, exactly, or null when the number has more than two decimals, is negative, not finite or too large.
 * `Math.round(n * 100) / 100 === n` holds for every cent amount up to 10,000,000.00 and refuses 12.345 and 0.1 + 0.2.
 */
export function toCents(amount: number): Cents | null {
  const cents = Math.round(amount * 100)
  if (!Number.isFinite(amount) || amount < 0 || Object.is(amount, -0) || cents > MAX_CENTS) return null
  return cents / 100 === amount ? (cents as Cents) : null
}

/** Cents to the JSON number. */
export function fromCents(cents: number): number {
  return cents / 100
}

/** Marks an integer from storage as cents. */
export function cents(value: number): Cents {
  return value as Cents
}
