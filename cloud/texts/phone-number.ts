// Telephone numbers as people type them, and which of them a text message may go to. Pure.
import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max'

export type RefusedNumber = 'not_a_number' | 'country' | 'number_type'
export type AllowedNumber = { e164: string } | { refused: RefusedNumber }

/** Whom a call may be passed to. Premium and shared-cost numbers pay whoever owns them for each minute of ours. */
const CALLED: readonly NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP', 'TOLL_FREE']
/** What a message can arrive at, at the price of a message. Others are premium, shared-cost, toll-free or pagers. */
const TEXTED: readonly NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP']

/** Of those that share +1: the islands of the Caribbean do too, cost many times as much, and are where pumped messages go. */
const NORTH_AMERICA: readonly string[] = ['US', 'CA', 'PR', 'VI', 'GU', 'AS', 'MP']

/**
 * @param text with the country, such as +1 212 555 0123, or as it is dialled within the first country of the list
 * @param countries codes such as `+1`; the first is that of numbers without one
 * @returns E.164, or why no message goes there
 */
export function numberToText(text: string, countries: readonly string[]): AllowedNumber {
  return allowed(text, { countries, types: TEXTED })
}

/** As `numberToText`, of one that calls are passed to. */
export function numberToCall(text: string, countries: readonly string[]): AllowedNumber {
  return allowed(text, { countries, types: CALLED })
}

function allowed(
  text: string,
  { countries, types }: { countries: readonly string[]; types: readonly NumberType[] },
): AllowedNumber {
  const [home = '+1'] = countries
  const number = parsePhoneNumberFromString(text.trim(), { defaultCallingCode: home.slice(1), extract: false })
  // A short number is none of any country.
  if (number === undefined || number.ext !== undefined) return { refused: 'not_a_number' }
  const code = `+${number.countryCallingCode}`
  if (!countries.includes(code)) return { refused: 'country' }
  if (!number.isValid()) return { refused: 'not_a_number' }
  if (code === '+1' && !NORTH_AMERICA.includes(number.country ?? '')) return { refused: 'country' }
  return types.includes(number.getType()) ? { e164: number.number } : { refused: 'number_type' }
}

/** For whom customers are hidden from: `+12125550142` as `+*********42`. */
export function maskedNumber(e164: string | null): string | null {
  return e164 === null ? null : `+${'*'.repeat(Math.max(0, e164.length - 3))}${e164.slice(-2)}`
}

/** For lists: the last four digits. */
export function tailOf(e164: string): string {
  return e164.replace(/\D/g, '').slice(-4)
}
