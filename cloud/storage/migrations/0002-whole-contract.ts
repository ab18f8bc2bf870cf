// Second schema of the relay: the rest of /v1, the sandbox and the money. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

const ORDERS = [
  {
    sqlite: `alter table orders add column source text generated always as (json_extract(body, '$.source')) virtual`,
    postgres: `alter table orders add column source text collate "C"`,
  },
  `alter table orders add column stock_taken text`,
  `create index orders_recent on orders (account_id, merchant_id, queued_at, id)`,
  `create index orders_by_status on orders (account_id, merchant_id, status, queued_at, id)`,
  `create index orders_by_source on orders (account_id, merchant_id, source, queued_at, id)`,
  `create table refunds (id text primary key, order_id text not null references orders(id), amount_cents bigint not null, reason text,
    created_at bigint not null)`,
  `create index refunds_order on refunds (order_id)`,
  `create table idempotency (account_id text not null, environment text not null, path text not null, key text not null, body_hash text not null,
    status integer not null, response text not null, sealed integer not null, created_at bigint not null, expires_at bigint not null,
    primary key (account_id, environment, path, key)) without rowid`,
  `create index idempotency_expired on idempotency (expires_at)`,
  `alter table dispatches add column kind text not null default 'order'`,
  `alter table dispatches add column account_id text`,
  `alter table dispatches add column merchant_id text`,
  `alter table dispatches add column cancel_answered_at bigint`,
  `update dispatches set cancel_answered_at = settled_at where cancel_requested_at is not null and settled_at is not null`,
  `drop index dispatches_cancel`,
  `create index dispatches_cancel on dispatches (gateway_id, seq) where cancel_requested_at is not null and cancel_answered_at is null`,
  `create index dispatches_reprints on dispatches (order_id) where kind = 'reprint'`,
  `create index dispatches_papers on dispatches (created_at) where kind <> 'order'`,
  `alter table gateways add column caps text not null default '[]'`,
  `alter table merchants add column pos text not null default 'register'`,
  `alter table merchants add column pos_config text`,
  `create table pos_outbox (ordinal integer primary key autoincrement, id text not null unique, merchant_id text not null, order_id text not null,
    kind text not null, payload text not null, state text not null, attempts integer not null, next_at bigint not null, lease_until bigint,
    last_error text, created_at bigint not null, settled_at bigint)`,
  `create index pos_outbox_due on pos_outbox (next_at) where state = 'pending'`,
  `create index pos_outbox_order on pos_outbox (order_id)`,
]

const CATALOG = [
  `alter table merchants add column auto_silence integer not null default 1`,
  `alter table catalog_items add column stock integer`,
  `alter table catalog_items add column low_threshold integer not null default 5`,
  `alter table catalog_items add column low_stock_at bigint`,
  `alter table catalog_items add column sequence integer not null default 0`,
  `alter table catalog_items add column direct_silenced_at bigint`,
  `alter table catalog_items add column direct_silenced_until bigint`,
  `alter table catalog_items add column direct_cause text`,
  `alter table catalog_items add column direct_reason text`,
  `update catalog_items set direct_silenced_at = silenced_at, direct_cause = 'call' where silenced_at is not null`,
  `create index catalog_items_until on catalog_items (direct_silenced_until) where direct_silenced_until is not null`,
  `create table channels (merchant_id text not null references merchants(id), channel_id text not null, platform text not null, name text not null,
    connector text not null, config text not null, status text not null, created_at bigint not null, primary key (merchant_id, channel_id)) without rowid`,
  `create table channel_items (merchant_id text not null, channel_id text not null, ums_id text not null, external_id text not null,
    silenced_at bigint, silenced_until bigint, cause text, reason text, sync_state text not null, revision integer not null,
    attempts integer not null, next_at bigint, lease_until bigint, last_error text, synced_at bigint,
    primary key (merchant_id, ums_id, channel_id), foreign key (merchant_id, channel_id) references channels(merchant_id, channel_id),
    foreign key (merchant_id, ums_id) references catalog_items(merchant_id, ums_id)) without rowid`,
  `create index channel_items_queue on channel_items (merchant_id, channel_id, next_at) where next_at is not null`,
  `create index channel_items_until on channel_items (silenced_until) where silenced_until is not null`,
  `create index channel_items_channel on channel_items (merchant_id, channel_id)`,
]

const WEBHOOKS = [
  `alter table events add column audience text not null default 'account'`,
  `alter table events add column test integer not null default 0`,
  `alter table webhook_endpoints add column failures integer not null default 0`,
  `alter table webhook_endpoints add column disabled_reason text`,
  `alter table deliveries add column manual_attempts integer not null default 0`,
  `alter table deliveries add column manual_at bigint`,
  `create index deliveries_manual on deliveries (endpoint_id, manual_at) where manual_at is not null`,
  `alter table deliveries add column type text not null default ''`,
  `alter table deliveries add column counted integer not null default 0`,
  {
    sqlite: `update deliveries set counted = attempts > 0, type = (select e.type from events e where e.id = event_id)`,
    postgres: null,
  },
  `drop index deliveries_endpoint`,
  `create index deliveries_list on deliveries (endpoint_id, state, type, id)`,
  `create index deliveries_event on deliveries (event_id)`,
  `create index events_own on events (merchant_id, account_id, type, id) where audience = 'account'`,
  `create index events_shared on events (merchant_id, type, id) where audience = 'merchant'`,
  `create table webhook_recoveries (ordinal integer primary key autoincrement, endpoint_id text not null references webhook_endpoints(id) on delete cascade,
    after_id text not null, before_id text not null, created_at bigint not null)`,
  `create index webhook_recoveries_endpoint on webhook_recoveries (endpoint_id)`,
  `create table webhook_hours (account_id text not null, environment text not null, hour bigint not null, sent integer not null,
    primary key (account_id, environment, hour)) without rowid`,
]

const ACCOUNTS = [
  `alter table accounts add column plan_overrides text`,
  `alter table api_keys add column replaced_by text`,
  `create index api_keys_account on api_keys (account_id)`,
  `create table merchant_grants (account_id text not null references accounts(id), merchant_id text not null references merchants(id),
    created_at bigint not null, primary key (account_id, merchant_id)) without rowid`,
  // A live merchant is one restaurant, whichever account names it; each sandbox account has its own M-TEST-001.
  `create unique index merchants_live on merchants (public_id) where environment = 'live'`,
  `create index merchant_grants_merchant on merchant_grants (merchant_id)`,
  `create table usage_days (account_id text not null, environment text not null, day text not null, key_id text not null, calls integer not null,
    primary key (account_id, environment, day, key_id)) without rowid`,
  `create table invoices (id text primary key, account_id text not null references accounts(id), month text not null, plan text not null,
    lines text not null, total_cents bigint, issued_at bigint not null, unique (account_id, month))`,
  `create table audit_log (ordinal integer primary key autoincrement, at bigint not null, actor text not null, account_id text, action text not null,
    subject text not null, before text, after text)`,
  `create index audit_log_account on audit_log (account_id, ordinal)`,
]

const SANDBOX = [
  `alter table locations add column kitchen text not null default 'gateway'`,
  `alter table gateways add column simulated integer not null default 0`,
  `create table sandbox_tickets (ticket_id text primary key, print_job_id text not null, merchant_id text not null, account_id text not null,
    printer_id text not null, printer_name text not null, kind text not null, profile_id text not null, bytes blob not null, printed_at bigint not null)`,
  `create index sandbox_tickets_job on sandbox_tickets (print_job_id)`,
  `create index sandbox_tickets_age on sandbox_tickets (printed_at)`,
]

export const up = runs([...ORDERS, ...CATALOG, ...WEBHOOKS, ...ACCOUNTS, ...SANDBOX])
