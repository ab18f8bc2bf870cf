// Fourth schema of the relay: claim codes, gateways' credentials and configuration, and what kitchens tell about orders. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

const PAIRING: readonly string[] = [
  `create table claim_codes (code_hash text primary key, location_id text not null references locations(id), gateway_name text not null,
    made_by text not null, created_at bigint not null, expires_at bigint not null, claimed_at bigint, attempt_hash text, gateway_id text) without rowid`,
  `create index claim_codes_expiry on claim_codes (expires_at)`,
  `alter table gateways add column next_token_hash text`,
  `alter table gateways add column next_token_at bigint`,
  `alter table gateways add column rotation_asked_at bigint`,
  `alter table gateways add column rotated_at bigint`,
  `create index gateways_rotation on gateways (id) where rotation_asked_at is not null`,
  `alter table gateways add column clock_offset_ms bigint`,
  `alter table gateways add column queue text`,
  `alter table gateways add column hardware text`,
  `create table gateway_configs (gateway_id text primary key references gateways(id), ver integer not null, doc text not null, sha256 text not null,
    updated_at bigint not null, updated_by text not null, answered_ver integer, answer text, answered_at bigint) without rowid`,
  `create index gateway_configs_open on gateway_configs (gateway_id) where answered_ver is null or answered_ver <> ver`,
]

const STATEMENTS: readonly string[] = [...PAIRING]

export const up = runs(STATEMENTS)
