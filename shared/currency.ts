// Currencies of merchants: amounts are always hundredths of the unit inside, also where the currency itself has none.

/** Creating a formatter takes 0.1 ms, and each order needs the result. */
const DECIMALS = new Map<string, number>()

/** Decimal digits by ISO 4217, from ICU: 2 for most, 0 for JPY and KRW, 3 for KWD. `currency` is one of a merchant. */
export function decimalsOf(currency: string): number {
  let decimals = DECIMALS.get(currency)
  if (decimals === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    decimals = format.resolvedOptions().maximumFractionDigits ?? 2
    DECIMALS.set(currency, decimals)
  }
  return decimals
}

/** Whether a merchant can have it: amounts of three decimals are no whole hundredths. */
export function isUsableCurrency(currency: string): boolean {
  return Intl.supportedValuesOf('currency').includes(currency) && decimalsOf(currency) <= 2
}
