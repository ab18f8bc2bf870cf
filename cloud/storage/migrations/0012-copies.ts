// Twelfth schema of the relay: what it knows of having been restored from a copy, and what its gateways hand back. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

export const up = runs([
  `create table marks (name text primary key, at bigint not null)`,
  `create table restores (at bigint not null, location_id text not null, copied_at bigint not null, primary key (at, location_id))`,
  `alter table gateways add column recall_after bigint`,
  `alter table gateways add column recall_to bigint`,
  `alter table gateways add column recall_since bigint`,
  `alter table orders add column handed_back_at bigint`,
])
