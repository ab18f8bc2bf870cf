// Which numbers of a profile this relay calls and texts: by one rule when it is saved, and whenever it is used, as the operator may have narrowed the countries since.
import { numberToCall, numberToText } from '#cloud/texts/phone-number.ts'
import type { ReceptionistProfile } from './profile.ts'

/** As refusals name its fields. */
export type NumberField = 'profile.transfer.to' | 'profile.notifyTo'

/** Whether calls may be passed to it. */
export function isCallable(number: string, countries: readonly string[]): boolean {
  return !('refused' in numberToCall(number, countries))
}

/** @param countries codes such as `+1`: CLOUD_SMS_COUNTRIES. @returns the fields whose number gets no call, or no text message */
export function refusedNumbers(
  { transfer, notifyTo }: Pick<ReceptionistProfile, 'transfer' | 'notifyTo'>,
  countries: readonly string[],
): NumberField[] {
  return [
    ...(transfer !== null && !isCallable(transfer.to, countries) ? (['profile.transfer.to'] as const) : []),
    ...(notifyTo !== null && 'refused' in numberToText(notifyTo, countries) ? (['profile.notifyTo'] as const) : []),
  ]
}

/** The number that calls to `own` are passed to; null: none. Its own number would ring here again. @param own E.164; null: not known */
export function transferNumber({ transfer }: Pick<ReceptionistProfile, 'transfer'>, own: string | null): string | null {
  return transfer === null || transfer.to === own ? null : transfer.to
}

/** The same profile, without a transfer number that may not be called. */
export function withCallableTransfer(profile: ReceptionistProfile, countries: readonly string[]): ReceptionistProfile {
  const { transfer } = profile
  return transfer === null || isCallable(transfer.to, countries) ? profile : { ...profile, transfer: null }
}
