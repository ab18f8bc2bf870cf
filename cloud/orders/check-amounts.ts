// Amounts of a currency without decimals are whole.
import { decimalsOf } from '#shared/currency.ts'
import { type FieldError, ServiceError } from '#shared/errors.ts'

/**
 * @param amounts by the field that holds each
 * @throws ServiceError request.invalid (422) naming every amount that the currency does not have
 */
export function checkAmounts(currency: string, amounts: readonly (readonly [field: string, amount: number])[]): void {
  if (decimalsOf(currency) > 0) return
  const errors: FieldError[] = amounts.flatMap(([field, amount]) =>
    Number.isInteger(amount) ? [] : [{ field, message: `must be a whole amount: ${currency} has no decimals` }],
  )
  if (errors.length > 0) throw new ServiceError('request.invalid', { errors })
}
