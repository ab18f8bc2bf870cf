// Tables of accounts, keys, merchants and money; conventions as in schema.ts.
import type { Generated } from 'kysely'
import type { AccountId, InvoiceId, KeyId, LocationId, MerchantKey, UserId } from '#shared/ids.ts'

export interface AccountsTable {
  id: AccountId
  name: string
  plan: 'sandbox' | 'starter' | 'growth' | 'enterprise'
  live_approved_at: number | null
  /** JSON: what a contract changes of the plan (cloud/billing/plans.ts); null for none. */
  plan_overrides: string | null
  /** 1: developers see customers of live restaurants. */
  developers_see_customers: number
  /** 1: programs of developers may listen to events of live restaurants. */
  live_listening: number
  created_at: number
}

export interface ApiKeysTable {
  id: KeyId
  account_id: AccountId
  environment: 'sandbox' | 'live'
  /** Hex SHA-256 of the whole key. The key itself is stored nowhere. */
  hash: string
  /** Last four characters, for people. */
  hint: string
  /** The name, for people; null: none. */
  name: string | null
  /** JSON array of scope names. */
  scopes: string
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  /** The key that took this one's place at a rotation; this one then ends at `expires_at`. */
  replaced_by: KeyId | null
  created_at: number
}

export interface MerchantsTable {
  id: MerchantKey
  account_id: AccountId
  /** `M-TEST-...` or `M-PROD-...`; unique within the account. */
  public_id: string
  environment: 'sandbox' | 'live'
  name: string
  time_zone: string
  /** ISO 4217, of at most two decimals. */
  currency: string
  prep_minutes: number
  /** How far ahead fireAt may lie. */
  fire_at_horizon_ms: number
  /** 1: stock at 0 silences the item everywhere, stock above 0 restores what that silenced. */
  auto_silence: number
  pos: 'register' | 'http'
  /** JSON of the adapter; secrets inside are sealed. Null for the register. */
  pos_config: string | null
  /** How a customer hears that the order is ready. */
  notify_ready: 'off' | 'sms' | 'mail' | 'both'
  /** Of messages to customers. */
  notify_language: 'en' | 'es' | 'zh-Hans'
  created_at: number
}

/** Accounts that may act on a live merchant of another account. The owner needs no row. */
export interface MerchantGrantsTable {
  account_id: AccountId
  merchant_id: MerchantKey
  created_at: number
  /** JSON array of scope names; null: every scope that the key has. */
  scopes: Generated<string | null>
}

/** An account's request to the owner of a live merchant for a grant. */
export interface GrantRequestsTable {
  account_id: AccountId
  merchant_id: MerchantKey
  /** Of the merchant, which has this one owner always. */
  owner_id: AccountId
  /** JSON array of scope names. */
  scopes: string
  text: string
  /** Null: the operator's line. */
  asked_by: UserId | null
  asked_at: number
  answered_at: number | null
  answer: 'approved' | 'declined' | null
}

/** Metered calls. */
export interface UsageDaysTable {
  account_id: AccountId
  environment: 'sandbox' | 'live'
  /** `2026-11-20`, UTC. */
  day: string
  key_id: KeyId
  calls: number
}

/** Issued invoices; the current month's draft is counted when it is asked for. */
export interface InvoicesTable {
  /** `inv_...` */
  id: InvoiceId
  account_id: AccountId
  /** `2026-11` */
  month: string
  plan: string
  /** JSON of `invoiceLine[]`. */
  lines: string
  /** Null while a price is by contract. */
  total_cents: number | null
  issued_at: number
}

/** What is left of an account's calls, where several relays count them together. */
export interface RateBucketsTable {
  account_id: AccountId
  environment: 'sandbox' | 'live'
  /** Of a call: 1,000,000 are one. */
  millionths: number
  /** On the database's clock. */
  at_ms: number
  /** JSON: what each relay has leased and not used yet. */
  ahead: string
}

/** How long orders and webhooks of a location took, in buckets: cloud/metrics/fill-slices.ts makes them. */
export interface LatencySlicesTable {
  location_id: LocationId
  /** How long the slice is. */
  minutes: 5 | 60
  /** Epoch ms of its beginning. */
  slot: number
  stage: 'paper' | 'handOver' | 'firstByte' | 'proof' | 'webhook'
  /** JSON array: how many fell into each bucket of cloud/metrics/latency-buckets.ts. */
  counts: string
}

export interface AuditLogTable {
  ordinal: Generated<number>
  at: number
  /** `cli`, or a key's or user's id. */
  actor: string
  account_id: AccountId | null
  /** Such as `key.revoke`. */
  action: string
  subject: string
  /** JSON, without secrets. */
  before: string | null
  after: string | null
  /** The door: `cli`, `dashboard`, `api`; null: before migration 14, or the relay itself. */
  via: Generated<string | null>
  /** Where the request of a person came from. */
  address: Generated<string | null>
}
