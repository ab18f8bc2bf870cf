// The relay's tables as Kysely sees them. Instants are epoch ms, money is integer cents, JSON is text, booleans are 0 or 1.
import type { Generated } from 'kysely'
import type {
  AccountId,
  AttemptId,
  DeliveryId,
  EventId,
  GatewayId,
  KeyId,
  LocationId,
  MerchantKey,
  PrintJobId,
  ServiceOrderId,
  WebhookId,
} from '#shared/ids.ts'
import type { OrderStatus, PrintState } from '#shared/order.ts'
import type { PrinterState } from '#shared/print-job.ts'

export interface AccountsTable {
  id: AccountId
  name: string
  plan: 'sandbox' | 'starter' | 'growth' | 'enterprise'
  live_approved_at: number | null
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
  /** JSON array of scope names. */
  scopes: string
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
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
  prep_minutes: number
  /** How far ahead fireAt may lie. */
  fire_at_horizon_ms: number
  created_at: number
}

export interface LocationsTable {
  id: LocationId
  merchant_id: MerchantKey
  name: string
  is_default: number
  created_at: number
}

export interface GatewaysTable {
  id: GatewayId
  location_id: LocationId
  name: string
  /** Hex SHA-256 of the 256-bit token. */
  token_hash: string
  shard: number
  /** Identity of the gateway's dedupe memory and how far it has acknowledged; `last_seq` is the highest number given out on this stream. */
  stream: string | null
  acked_seq: number
  last_seq: number
  session_epoch: number
  boot_id: string | null
  app_version: string | null
  presence: 'online' | 'offline' | 'unknown'
  last_seen_at: number | null
  revoked_at: number | null
  created_at: number
}

/** Printers as the gateway last reported them. */
export interface PrintersTable {
  gateway_id: GatewayId
  printer_id: string
  name: string
  stations: string
  is_default: number
  state: PrinterState
  /** JSON array of IPP printer-state-reasons. */
  reasons: string
  updated_at: number
}

export interface CatalogItemsTable {
  merchant_id: MerchantKey
  ums_id: string
  name: string
  kind: 'item' | 'modifier'
  price_cents: number | null
  prep_minutes: number | null
  station: string | null
  /** Set while the item cannot be ordered directly. */
  silenced_at: number | null
}

export interface OrdersTable {
  id: ServiceOrderId
  account_id: AccountId
  merchant_id: MerchantKey
  location_id: LocationId
  client_order_id: string
  body_hash: string
  /** The validated request, JSON. Customer data inside is scrubbed after its retention time. */
  body: string
  /** The result as it was first answered: a replay gives these very bytes. */
  result: string
  /** Item names at the time of the order, JSON object umsId -> name. */
  item_names: string
  status: OrderStatus
  sequence: number
  total_cents: number
  tip_cents: number
  refunded_cents: number
  pos_order_id: string | null
  print: number
  print_job_id: PrintJobId | null
  print_state: PrintState
  /** PrintFacts, JSON. */
  print_facts: string | null
  queued_at: number
  estimated_ready_at: number
  fire_at: number | null
  fired_at: number | null
  printed_at: number | null
  ready_at: number | null
  completed_at: number | null
  voided_at: number | null
  void_reason: string | null
}

/** Outbox to the kitchen: one row is one job of the gateway link. */
export interface DispatchesTable {
  /** Order of dispatch. */
  ordinal: Generated<number>
  /** `pj_...`: jobId on the link, printJobId in the API. */
  id: PrintJobId
  order_id: ServiceOrderId | null
  location_id: LocationId
  /** JSON of `jobDoc`. */
  doc: string
  bytes: number
  state: 'queued' | 'sent' | 'accepted' | 'printed' | 'failed' | 'uncertain' | 'cancelled' | 'expired'
  /** Not handed to the gateway before this time (24 h before fireAt). */
  available_at: number
  not_before: number | null
  expires_at: number | null
  /** Set at claim; (gateway_id, stream, seq) is unique. */
  gateway_id: GatewayId | null
  stream: string | null
  seq: number | null
  possible_duplicate: number
  claimed_at: number | null
  accepted_at: number | null
  settled_at: number | null
  cancel_requested_at: number | null
  /** JSON of the tickets' evidence in the gateway's result. */
  evidence: string | null
  created_at: number
}

export interface EventsTable {
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
  created_at: number
}

export interface WebhookEndpointsTable {
  id: WebhookId
  account_id: AccountId
  merchant_id: MerchantKey
  environment: 'sandbox' | 'live'
  url: string
  events: string
  description: string | null
  /** AES-256-GCM of the signing secret: base64 of nonce, tag and ciphertext. */
  secret_enc: string
  old_secret_enc: string | null
  old_secret_until: number | null
  status: 'enabled' | 'disabled'
  failing_since: number | null
  last_delivery_at: number | null
  created_at: number
}

export interface DeliveriesTable {
  ordinal: Generated<number>
  id: DeliveryId
  event_id: EventId
  endpoint_id: WebhookId
  /** Copied from the event: first attempts go one at a time per endpoint and subject. */
  subject_id: string
  state: 'pending' | 'retrying' | 'delivered' | 'failed'
  attempts: number
  next_at: number
  lease_until: number | null
  last_status: number | null
  last_error: string | null
  created_at: number
  settled_at: number | null
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
}

/** Counters of the built-in register: posOrderId = business day and number. */
export interface RegisterCountersTable {
  merchant_id: MerchantKey
  business_day: string
  value: number
}

export interface RelaySchema {
  accounts: AccountsTable
  api_keys: ApiKeysTable
  merchants: MerchantsTable
  locations: LocationsTable
  gateways: GatewaysTable
  printers: PrintersTable
  catalog_items: CatalogItemsTable
  orders: OrdersTable
  dispatches: DispatchesTable
  events: EventsTable
  webhook_endpoints: WebhookEndpointsTable
  deliveries: DeliveriesTable
  delivery_attempts: DeliveryAttemptsTable
  register_counters: RegisterCountersTable
}
