// Tables of text messages (SMS) and of those who want none; conventions as in schema.ts. A `_mac` is the keyed hash of a number in E.164.
import type { AccountId, MerchantKey, TextId } from '#shared/ids.ts'

/** A text message that leaves, or has left. */
export interface TextMessagesTable {
  id: TextId
  account_id: AccountId
  merchant_id: MerchantKey
  kind: 'voicemail' | 'order-ready' | 'test'
  /** What it is about, such as the id of an order: there is one of a kind and subject. */
  subject_id: string
  to_enc: string
  to_mac: string
  text_enc: string
  /** As in `notices`. */
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'kept' | 'dropped'
  attempts: number
  next_at: number | null
  lease_until: number | null
  lease_by: string | null
  /** The provider's id of the message. */
  provider_id: string | null
  error: string | null
  expires_at: number
  settled_at: number | null
  /** The provider says that it arrived. */
  delivered_at: number | null
  created_at: number
}

/** A number that gets no text messages about orders of this merchant. */
export interface SmsOptoutsTable {
  merchant_id: MerchantKey
  to_mac: string
  /** The last four digits, for lists. */
  tail: string
  /** `word`: STOP was sent; `person`: somebody of the restaurant did it; `provider`: the provider refused to send. */
  source: 'word' | 'person' | 'provider'
  created_at: number
}
