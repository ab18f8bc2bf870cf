// Twelfth schema of the relay: what it knows of having been restored from a copy, and what its gateways hand back. Columns are explained in ../schema.ts.

import { type Kysely, sql } from 'kysely'
import type { RelaySchema } from '#cloud/storage/schema.ts'

export async function up(db: Kysely<RelaySchema>): Promise<void> {
  await sql.raw(`create table marks (name text primary key, at bigint not null)`).execute(db)
  await sql
    .raw(
      `create table restores (at bigint not null, location_id text not null, copied_at bigint not null, primary key (at, location_id))`,
    )
    .execute(db)
  await sql.raw(`alter table gateways add column recall_after bigint`).execute(db)
  await sql.raw(`alter table gateways add column recall_to bigint`).execute(db)
  await sql.raw(`alter table gateways add column recall_since bigint`).execute(db)
  await sql.raw(`alter table orders add column handed_back_at bigint`).execute(db)
}
