// Fifteenth schema of the relay: what developers' tools need: keys that a program asks for, endpoints that one listens for, and the words of tickets that were drawn. Columns are explained in ../schema.ts, ../schema-people.ts and ../schema-webhooks.ts.

import { runs } from './run-statements.ts'

export const keepsOlderPrograms = true

export const up = runs([
  `create table device_sign_ins (id text primary key, device_hash text not null, user_hash text not null, host text not null, app text not null, address text not null,
    counted_as text not null, environment text not null, scopes text not null, state text not null, account_id text, answered_by text, expires_at bigint not null,
    created_at bigint not null)`,
  `create unique index device_sign_ins_device on device_sign_ins (device_hash)`,
  `create unique index device_sign_ins_user on device_sign_ins (user_hash)`,
  `create index device_sign_ins_from on device_sign_ins (counted_as, expires_at)`,
  `create index device_sign_ins_expired on device_sign_ins (expires_at)`,
  `create table webhook_listeners (endpoint_id text primary key, account_id text not null, environment text not null, like_id text, stream_id text, stream_by text,
    connected_at bigint, expires_at bigint not null, created_at bigint not null)`,
  `create index webhook_listeners_account on webhook_listeners (account_id, environment)`,
  `create index webhook_listeners_expired on webhook_listeners (expires_at) where stream_id is null`,
  `alter table accounts add column live_listening integer not null default 0`,
  `alter table sandbox_tickets add column text text`,
])
