// The time zones and currencies that this browser has; the relay validates the choice. Pure.
import { isUsableCurrency } from '#shared/currency.ts'

interface Choice {
  value: string
  label: string
}

/** `America/New_York` as `America/New York`: people type a town with a space. @param present the value that is set: always in the list, also if the browser does not have it */
export function zoneChoices(present: string): Choice[] {
  const known = Intl.supportedValuesOf('timeZone')
  return sorted([...new Set(['UTC', present, ...known])]).map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }))
}

/** `EUR, Euro`: people type the code or the name. @param locale the language of the names */
export function currencyChoices(present: string, locale: string): Choice[] {
  const names = new Intl.DisplayNames([locale], { type: 'currency' })
  const known = Intl.supportedValuesOf('currency').filter(isUsableCurrency)
  return sorted([...new Set([present, ...known])]).map((value) => {
    const name = names.of(value)
    return { value, label: name === undefined || name === value ? value : `${value}, ${name}` }
  })
}

const sorted = (values: string[]): string[] => values.filter((value) => value !== '').sort()
