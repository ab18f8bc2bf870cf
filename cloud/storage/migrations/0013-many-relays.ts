// Thirteenth schema of the relay: several of them on one database, and the order of rows in columns of their own, because PostgreSQL has no row numbers. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

const onSqlite = (sqlite: string) => ({ sqlite, postgres: null })

/** What an index leaves in no order is read whole and sorted. SQLite's end with the row's own key without naming it. */
const ORDERED: readonly (readonly [string, string])[] = [
  ['deliveries_pending', `deliveries (endpoint_id, next_at, ordinal) where state = 'pending'`],
  ['deliveries_retrying', `deliveries (endpoint_id, next_at, ordinal) where state = 'retrying'`],
  ['deliveries_manual', `deliveries (endpoint_id, manual_at, ordinal) where manual_at is not null`],
  ['dispatches_queue', `dispatches (location_id, available_at, ordinal) where state = 'queued'`],
  ['pos_outbox_due', `pos_outbox (next_at, ordinal) where state = 'pending'`],
  ['channel_items_queue', `channel_items (merchant_id, channel_id, next_at, ums_id) where next_at is not null`],
]
const ordered = [
  ...ORDERED.flatMap(([name, on]) => [`drop index ${name}`, `create index ${name} on ${on}`]),
  `create index channel_items_leased on channel_items (lease_until) where lease_until is not null`,
]

/** Of the gateways of a shared broker, as docs/wire-protocol.md counts them. */
const SHARDS = 64
const shards = Array.from({ length: SHARDS }, (_, shard) => `(${shard}, 0, 0)`).join(', ')

export const up = runs([
  `alter table printers add column place integer not null default 0`,
  onSqlite(`update printers set place = rowid`),
  `alter table refunds add column ordinal integer not null default 0`,
  onSqlite(`update refunds set ordinal = rowid`),
  `create table replicas (id text primary key, version text not null, knows integer not null, started_at bigint not null, seen_at bigint not null, draining integer not null)`,
  `create table leases (name text primary key, holder text not null, until bigint not null)`,
  `alter table replicas add column shards_until bigint not null default 0`,
  `create table shards (shard integer primary key, owner text, term integer not null, until bigint not null)`,
  `insert into shards (shard, term, until) values ${shards}`,
  `create table broker_admissions (gateway_id text primary key, line text not null)`,
  `create table master_key (id integer primary key, check_value text not null)`,
  `create table rate_buckets (account_id text not null, environment text not null, millionths bigint not null, at_ms bigint not null, ahead text not null,
    primary key (account_id, environment))`,
  `alter table gateways add column relay_id text`,
  `alter table gateways add column boots text`,
  `create index gateways_relay on gateways (relay_id) where relay_id is not null`,
  `alter table orders add column traceparent text`,
  `create index orders_traced on orders (id) where traceparent is not null`,
  // For figures: an index that only a gateway touches that goes or comes.
  `create index gateways_offline on gateways (id) where presence = 'offline' and simulated = 0 and revoked_at is null`,
  `alter table deliveries add column lease_by text`,
  `alter table pos_outbox add column lease_by text`,
  `alter table channel_items add column lease_by text`,
  `alter table pos_outbox add column held_by text`,
  `alter table pos_outbox add column held_until bigint`,
  ...ordered.map((postgres) => ({ sqlite: null, postgres })),
])
