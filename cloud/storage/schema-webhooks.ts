// Tables of events, endpoints and deliveries; conventions as in schema.ts.
import type { Generated } from 'kysely'
import type { AccountId, AttemptId, DeliveryId, EventId, MerchantKey, WebhookId } from '#shared/ids.ts'

export interface EventsTable {
  /** Rises in the order of commits and is never given twice, whatever is deleted: see event-position.ts. */
  position: Generated<number>
  /** Derived from its contents, so the same event recorded again has the same id; random for tests and before migration 9. */
  id: EventId
  account_id: AccountId
  merchant_id: MerchantKey
  environment: 'sandbox' | 'live'
  type: string
  /** The order or SKU that it is about; (subject_id, sequence) orders the events. */
  subject_id: string
  sequence: number
  /** The exact bytes that are signed and sent. */
  payload: string
  /** `account`: for the account alone (its orders). `merchant`: for every account that may act on the merchant (its SKUs). */
  audience: 'account' | 'merchant'
  /** 1: fired by hand in the sandbox, at one endpoint. */
  test: number
  created_at: number
}

/** One row. */
export interface EventStreamTable {
  /** The last position of an event that was forgotten for its age; 0 before the first. */
  forgotten: number
}

/** On PostgreSQL, one row for each merchant that has had an event. */
export interface EventPositionsTable extends EventStreamTable {
  merchant_id: MerchantKey
  /** The position given last. */
  newest: number
}

export interface WebhookEndpointsTable {
  id: WebhookId
  account_id: AccountId
  merchant_id: MerchantKey
  environment: 'sandbox' | 'live'
  /** `inspector`: a page of the dashboard is the receiver; `listener`: a program that has opened a stream. Neither is dialled. */
  kind: 'url' | 'inspector' | 'listener'
  /** `inspector:` or `listener:` of those kinds, which no relay of any release can dial. */
  url: string
  events: string
  description: string | null
  /** AES-256-GCM of the signing secret: base64 of nonce, tag and ciphertext. */
  secret_enc: string
  old_secret_enc: string | null
  old_secret_until: number | null
  /** When `secret_enc` took the place of the one before; null: it is the first, or was set by an older relay. */
  secret_since: number | null
  status: 'enabled' | 'disabled'
  failing_since: number | null
  /** Failed attempts since the last success. */
  failures: number
  disabled_reason: 'owner' | 'failing' | null
  last_delivery_at: number | null
  /** Of an inspector, what it answers: JSON of `InspectorAnswer`; null: 200 at once. */
  answer: string | null
  created_at: number
}

/** The further columns of an endpoint of the kind `listener`, whose row is in `webhook_endpoints`. */
export interface WebhookListenersTable {
  endpoint_id: WebhookId
  /** As in its row, to count the listeners of an account. */
  account_id: AccountId
  environment: 'sandbox' | 'live'
  /** The endpoint whose secret signs its events; null: its own, which is the account's listen secret. */
  like_id: WebhookId | null
  /** The open stream: a new id for each connection. Null: not connected. */
  stream_id: string | null
  /** The replica that has the stream; null: the relay is alone. */
  stream_by: string | null
  /** When the last stream began; null: there was none yet. */
  connected_at: number | null
  /** When it is deleted if no program is connected. */
  expires_at: number
  created_at: number
}

export interface DeliveriesTable {
  ordinal: Generated<number>
  id: DeliveryId
  event_id: EventId
  endpoint_id: WebhookId
  /** Copied from the event: first attempts go one at a time per endpoint and subject. */
  subject_id: string
  /** Copied from the event, for lists. */
  type: string
  state: 'pending' | 'retrying' | 'delivered' | 'failed'
  attempts: number
  next_at: number
  lease_until: number | null
  last_status: number | null
  last_error: string | null
  /** Attempts of `attempts` that were asked for by hand: they do not move the schedule. */
  manual_attempts: number
  /** An extra attempt is wanted, asked for at this time. */
  manual_at: number | null
  /** 1 once it is in `webhook_hours`: a claim that was given back does not count twice. */
  counted: number
  created_at: number
  settled_at: number | null
  /** The replica that has the lease; null: the relay is alone. */
  lease_by: string | null
}

export interface DeliveryAttemptsTable {
  id: AttemptId
  delivery_id: DeliveryId
  number: number
  trigger: 'schedule' | 'manual'
  at: number
  ms: number
  status: number | null
  error: string | null
  response: string | null
  /** JSON of the headers as an inspector received them; null: they went out over the network. */
  sent: string | null
}

/** First attempts sent in an hour: the plan's allowance delays what is over it, and usage adds them up. */
export interface WebhookHoursTable {
  account_id: AccountId
  environment: 'sandbox' | 'live'
  /** Epoch ms of the hour's beginning. */
  hour: number
  sent: number
}

/** Failed deliveries that are to be sent again, until the last of them is back on the schedule. */
export interface WebhookRecoveriesTable {
  ordinal: Generated<number>
  endpoint_id: WebhookId
  /** Delivery ids between these two; the first moves on with every piece. */
  after_id: string
  before_id: string
  created_at: number
}
