// Currencies of merchants: amounts are always hundredths of the unit inside, also where the currency itself has none.

/** Digits behind the point in ISO 4217, as ICU knows them: 2 of most, 0 of JPY and KRW, 3 of KWD. */
export function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** Whether a merchant can have it: amounts of three decimals are no whole hundredths. */
export function isUsableCurrency(currency: string): boolean {
  return Intl.supportedValuesOf('currency').includes(currency) && decimalsOf(currency) <= 2
}
