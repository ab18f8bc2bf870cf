// Writes a text message into the outbox, in the transaction of the event that it reports. One that may not leave is written too, with the reason: it is shown.
import type { Tx } from '#cloud/storage/database.ts'
import type { TextMessagesTable } from '#cloud/storage/schema-texts.ts'
import { insertText, type NewText, type TextStore } from '#cloud/storage/text-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import { type AccountId, type MerchantKey, newId } from '#shared/ids.ts'
import { numberToText } from './phone-number.ts'

export interface TextsDeps {
  texts: TextStore
  secretBox: SecretBox
  clock: Clock
  /** Codes such as `+1`: CLOUD_SMS_COUNTRIES. */
  countries: readonly string[]
}

export interface TextTo {
  merchant: { key: MerchantKey; accountId: AccountId; environment: 'sandbox' | 'live' }
  kind: TextMessagesTable['kind']
  /** There is one message of a kind and subject, whatever happens. */
  subjectId: string
  /** The telephone number as somebody typed it. */
  to: string
  text: string
  /** Epoch ms: it is not sent after that. */
  expiresAtMs: number
}

/** Why a message was not sent, of those that were not even tried. */
export type TextRefusal =
  | 'not_a_number'
  | 'country'
  | 'number_type'
  | 'opted_out'
  | 'merchant_limit'
  | 'number_limit'
  | 'too_late'

const DAY_MS = 86_400_000
/** A day, of a merchant. */
export const MERCHANT_TEXTS = 500
/** A day, of a kind to one number. Voicemails go to the restaurant's own. */
export const NUMBER_TEXTS: Record<TextMessagesTable['kind'], number> = { 'order-ready': 5, voicemail: 50, test: 5 }

/** As it is compared everywhere. @param e164 with its `+` */
export function numberMac(secretBox: SecretBox, e164: string): string {
  return secretBox.mac('telephone number', e164)
}

/**
 * The caller fires `texts.changed` after the commit: otherwise the message is sent up to two seconds later.
 * @returns false: there is one of this kind and subject
 */
export async function writeText(tx: Tx, deps: TextsDeps, to: TextTo): Promise<boolean> {
  const { secretBox, clock, countries } = deps
  const number = numberToText(to.to, countries)
  const e164 = 'e164' in number ? number.e164 : to.to
  const toMac = numberMac(secretBox, e164)
  const refusal = 'refused' in number ? number.refused : await refusalOf(tx, deps, { ...to, toMac })
  const nowMs = clock.now()
  return insertText(tx, {
    id: newId('txt', nowMs),
    account_id: to.merchant.accountId,
    merchant_id: to.merchant.key,
    kind: to.kind,
    subject_id: to.subjectId,
    to_enc: secretBox.seal(e164),
    to_mac: toMac,
    text_enc: secretBox.seal(to.text),
    expires_at: to.expiresAtMs,
    created_at: nowMs,
    end: endOf(refusal, to.merchant),
  })
}

function endOf(refusal: TextRefusal | null, { environment }: TextTo['merchant']): NewText['end'] {
  if (refusal !== null) return { state: 'dropped', error: refusal }
  // Orders of a test merchant are no orders of people.
  return environment === 'sandbox' ? { state: 'kept', error: null } : null
}

async function refusalOf(
  tx: Tx,
  { texts, clock }: TextsDeps,
  { merchant, kind, toMac, expiresAtMs }: TextTo & { toMac: string },
): Promise<TextRefusal | null> {
  const nowMs = clock.now()
  if (expiresAtMs <= nowMs) return 'too_late'
  if (await texts.isOptedOut(merchant.key, toMac, tx)) return 'opted_out'
  const most = { ofMerchant: MERCHANT_TEXTS, toNumber: NUMBER_TEXTS[kind] }
  const sinceMs = nowMs - DAY_MS
  const written = await texts.written(tx, { merchantKey: merchant.key, kind, toMac, sinceMs, most })
  if (written.toNumber >= most.toNumber) return 'number_limit'
  return written.ofMerchant >= most.ofMerchant ? 'merchant_limit' : null
}
