// Fifteenth schema of the relay: what developers' tools need. Columns are explained in ../schema-people.ts.

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
])
