// What may be chosen as time zone and as currency, as this browser knows them; the relay judges. Pure.
import { isUsableCurrency } from '#shared/currency.ts'

interface Choice {
  value: string
  label: string
}

/** `America/New_York` as `America/New York`: somebody types a town with a space. @param present what is set stays to be chosen, also where the browser does not know it */
export function zoneChoices(present: string): Choice[] {
  const known = Intl.supportedValuesOf('timeZone')
  return sorted([...new Set(['UTC', present, ...known])]).map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }))
}

/** `EUR, Euro`: somebody types the code or the name. @param locale in which they are named */
export function currencyChoices(present: string, locale: string): Choice[] {
  const names = new Intl.DisplayNames([locale], { type: 'currency' })
  const known = Intl.supportedValuesOf('currency').filter(isUsableCurrency)
  return sorted([...new Set([present, ...known])]).map((value) => {
    const name = names.of(value)
    return { value, label: name === undefined || name === value ? value : `${value}, ${name}` }
  })
}

const sorted = (values: string[]): string[] => values.filter((value) => value !== '').sort()
