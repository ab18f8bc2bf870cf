// The relay's tables as Kysely sees them. Instants are epoch ms, money is integer cents, JSON is text, booleans are 0 or 1.
import type { ColumnType, Generated, Insertable } from 'kysely'
import type {
  AccountId,
  GatewayId,
  LocationId,
  MerchantKey,
  PosMessageId,
  PrintJobId,
  RefundId,
  ServiceOrderId,
} from '#shared/ids.ts'
import type { OrderStatus, PrintState } from '#shared/order.ts'
import type {
  AccountsTable,
  ApiKeysTable,
  AuditLogTable,
  GrantRequestsTable,
  InvoicesTable,
  LatencySlicesTable,
  MerchantGrantsTable,
  MerchantsTable,
  RateBucketsTable,
  UsageDaysTable,
} from './schema-accounts.ts'
import type { AlertRulesTable, AlertsTable } from './schema-alerts.ts'
import type { CatalogItemsTable, ChannelItemsTable, ChannelsTable } from './schema-catalog.ts'
import type { GatewaysTable, LocationsTable, PrintersTable } from './schema-gateways.ts'
import type { ClaimCodesTable, GatewayConfigsTable } from './schema-pairing.ts'
import type {
  DeviceSignInsTable,
  EmailCodesTable,
  LiveRequestsTable,
  LoginSessionsTable,
  MembershipsTable,
  NoticesTable,
  PasskeysTable,
  PlanRequestsTable,
  SignInTriesTable,
  SpentChallengesTable,
  UsersTable,
} from './schema-people.ts'
import type {
  AppointmentRequestsTable,
  CallInputsTable,
  CallsTable,
  CallTurnsTable,
  KnowledgeEntriesTable,
  PhoneNumbersTable,
  ReceptionistProfilesTable,
  VoicemailsTable,
} from './schema-receptionist.ts'
import type {
  BrokerAdmissionsTable,
  LeasesTable,
  MasterKeyTable,
  ReplicasTable,
  ShardsTable,
} from './schema-replicas.ts'
import type { SmsOptoutsTable, TextMessagesTable } from './schema-texts.ts'
import type {
  DeliveriesTable,
  DeliveryAttemptsTable,
  EventPositionsTable,
  EventStreamTable,
  EventsTable,
  WebhookEndpointsTable,
  WebhookHoursTable,
  WebhookListenersTable,
  WebhookRecoveriesTable,
} from './schema-webhooks.ts'

/**
 * Moments of the database itself. `copied`: this file was copied from a relay's, and no relay was started on it yet. `known`: the time that
 * its relay has lived through. `other`: one that the clock shows instead, and `otherFor`: for how many milliseconds of running. `moved`: it
 * was filled from a SQLite file then, and `movedHead`: what the newest position of an event was there.
 */
export interface MarksTable {
  name: 'copied' | 'known' | 'other' | 'otherFor' | 'moved' | 'movedHead'
  at: number
}

/** Starts of a relay on an earlier state of the database. */
export interface RestoresTable {
  at: number
  /** Empty: applies to all locations. Otherwise evidence from a gateway of this location, which no handed-back order has proved yet. */
  location_id: LocationId | ''
  /** What was recorded up to then is not forgotten: it is as old as that state, or older. */
  copied_at: number
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
  /** Later courses that were fired, JSON object course -> ms, or -> `{atMs, printJobId}` where a job prints it; null: none. */
  fired_courses: string | null
  printed_at: number | null
  ready_at: number | null
  completed_at: number | null
  voided_at: number | null
  void_reason: string | null
  /** What the order took from counted stock, JSON object umsId -> pieces; null when it took nothing. A void gives exactly this back. */
  stock_taken: string | null
  /** Kitchen screens that had shown it when it was ready, JSON array of `{name, atMs}`; null: none is known. */
  shown_on: string | null
  /**
   * Printers of courses that were fired, and those that printed a part of an order of which another part has no proof: JSON array of
   * `cameBy`. Null: none.
   */
  came_by: string | null
  /** When a gateway handed the order back that this database had forgotten; null: it was injected here. */
  handed_back_at: number | null
}

/** `source` for filters: written with the order on PostgreSQL only, SQLite takes it out of the body itself. */
export interface StoredOrdersTable extends OrdersTable {
  source: ColumnType<string, string | undefined, never>
  /** W3C `traceparent`, the parent of its spans; null: not traced. Written with the order only. */
  traceparent: ColumnType<string | null, string | undefined, never>
}

export interface RefundsTable {
  /** `rfd_...` */
  id: RefundId
  order_id: ServiceOrderId
  amount_cents: number
  reason: string | null
  created_at: number
  /** 1 for the order's first; rows of older releases have larger ones. */
  ordinal: number
}

/** Messages for an external point of sale, until it has accepted them. Those of one subject are sent in order. */
export interface PosOutboxTable {
  ordinal: Generated<number>
  id: PosMessageId
  merchant_id: MerchantKey
  order_id: ServiceOrderId
  kind: 'order' | 'void' | 'refund'
  /** JSON: the signed bytes of every attempt. */
  payload: string
  state: 'pending' | 'done' | 'failed'
  attempts: number
  next_at: number
  lease_until: number | null
  last_error: string | null
  created_at: number
  settled_at: number | null
  /** The replica that has the lease; null: the relay is alone. */
  lease_by: string | null
  /** The replica whose inject waits for the answer: only that one sends it until then. While it is set, the order's result may still change. */
  held_by: string | null
  held_until: number | null
}

/** The answer of a POST that had an Idempotency-Key, written in the transaction of its effect. */
export interface IdempotencyTable {
  account_id: AccountId
  environment: 'sandbox' | 'live'
  /** With its ids filled in. */
  path: string
  key: string
  body_hash: string
  status: number
  /** The body's very text; sealed (SecretBox) when `sealed` is 1, because it shows a secret. */
  response: string
  sealed: number
  created_at: number
  expires_at: number
}

/** Client order ids of orders that were deleted: no second order gets one of them. */
export interface SpentOrderIdsTable {
  account_id: AccountId
  merchant_id: MerchantKey
  client_order_id: string
  /** The order that had it. */
  order_id: ServiceOrderId
}

/** Where the export of deleted orders ends, for each month in which they were taken: anything after that in a file is invalid. */
export interface OrderExportsTable {
  /** `2026-11`, UTC. */
  month: string
  /** Number of the file, from 1. */
  part: number
  /** Of this file, proved on disk. */
  bytes: number
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
  /** Not handed to the gateway before this time (24 h before fireAt); 0: at once. */
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
  /** When the gateway answered the cancel, or no answer can come any more. Until then it is sent, also after the job's result. */
  cancel_answered_at: number | null
  /** JSON of the tickets' evidence in the gateway's result. */
  evidence: string | null
  kind: 'order' | 'board' | 'fire' | 'reprint' | 'note' | 'receipt' | 'label'
  /** The account and merchant; null for an order's own tickets, because the order has them. */
  account_id: AccountId | null
  merchant_id: MerchantKey | null
  created_at: number
}

/** Paper of the simulated kitchen: what a printer would have got. */
export interface SandboxTicketsTable {
  ticket_id: string
  print_job_id: PrintJobId
  merchant_id: MerchantKey
  account_id: AccountId
  printer_id: string
  printer_name: string
  kind: 'order' | 'void' | 'fire' | 'reprint' | 'note' | 'receipt' | 'label'
  /** Profile that it was rendered for: SVG and, where `text` is null, text are made from the bytes. */
  profile_id: string
  bytes: Uint8Array
  /** Its text, when some of it was drawn as pictures; null also for tickets of releases that did not store it. */
  text: string | null
  printed_at: number
}

/** Counters of the built-in register: posOrderId = business day and number. */
export interface RegisterCountersTable {
  merchant_id: MerchantKey
  business_day: string
  value: number
}

/** Columns K have a default in the database: an insert may leave them out. */
type Defaulted<T, K extends keyof T> = Omit<T, K> & { [C in K]: Generated<T[C]> }

export interface RelaySchema {
  replicas: Defaulted<ReplicasTable, 'shards_until'>
  shards: ShardsTable
  broker_admissions: BrokerAdmissionsTable
  leases: LeasesTable
  rate_buckets: RateBucketsTable
  master_key: MasterKeyTable
  accounts: Defaulted<AccountsTable, 'developers_see_customers' | 'live_listening'>
  api_keys: ApiKeysTable
  merchants: Defaulted<MerchantsTable, 'currency' | 'auto_silence' | 'pos' | 'notify_ready' | 'notify_language'>
  merchant_grants: MerchantGrantsTable
  grant_requests: GrantRequestsTable
  locations: Defaulted<LocationsTable, 'kitchen'>
  gateways: Defaulted<GatewaysTable, 'simulated' | 'caps'>
  claim_codes: ClaimCodesTable
  gateway_configs: GatewayConfigsTable
  printers: PrintersTable
  catalog_items: Defaulted<CatalogItemsTable, 'low_threshold' | 'sequence'>
  channels: ChannelsTable
  channel_items: ChannelItemsTable
  orders: StoredOrdersTable
  refunds: RefundsTable
  spent_order_ids: SpentOrderIdsTable
  order_exports: OrderExportsTable
  pos_outbox: PosOutboxTable
  idempotency: IdempotencyTable
  dispatches: Defaulted<DispatchesTable, 'kind'>
  sandbox_tickets: SandboxTicketsTable
  events: Defaulted<EventsTable, 'audience' | 'test'>
  event_stream: EventStreamTable
  event_positions: EventPositionsTable
  webhook_endpoints: Defaulted<WebhookEndpointsTable, 'failures' | 'kind'>
  webhook_listeners: WebhookListenersTable
  deliveries: Defaulted<DeliveriesTable, 'manual_attempts' | 'counted'>
  delivery_attempts: DeliveryAttemptsTable
  register_counters: RegisterCountersTable
  webhook_hours: WebhookHoursTable
  webhook_recoveries: WebhookRecoveriesTable
  usage_days: UsageDaysTable
  invoices: InvoicesTable
  audit_log: AuditLogTable
  latency_slices: LatencySlicesTable
  users: UsersTable
  memberships: MembershipsTable
  passkeys: PasskeysTable
  spent_challenges: SpentChallengesTable
  sign_in_tries: SignInTriesTable
  login_sessions: LoginSessionsTable
  email_codes: EmailCodesTable
  device_sign_ins: DeviceSignInsTable
  live_requests: LiveRequestsTable
  plan_requests: PlanRequestsTable
  alert_rules: AlertRulesTable
  alerts: AlertsTable
  notices: NoticesTable
  marks: MarksTable
  restores: RestoresTable
  phone_numbers: PhoneNumbersTable
  receptionist_profiles: ReceptionistProfilesTable
  knowledge_entries: KnowledgeEntriesTable
  calls: CallsTable
  call_turns: CallTurnsTable
  call_inputs: CallInputsTable
  voicemails: VoicemailsTable
  appointment_requests: AppointmentRequestsTable
  text_messages: TextMessagesTable
  sms_optouts: SmsOptoutsTable
}

/** A row as it is inserted: nullable columns and those with a default may be left out. */
export type NewRow<T extends keyof RelaySchema> = Insertable<RelaySchema[T]>
