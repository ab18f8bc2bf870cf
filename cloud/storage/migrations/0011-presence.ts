// Eleventh schema of the relay: who is unknown and who was revoked is found without reading all gateways.

import { type Kysely, sql } from 'kysely'
import type { RelaySchema } from '#cloud/storage/schema.ts'

export async function up(db: Kysely<RelaySchema>): Promise<void> {
  await sql
    .raw(`create index gateways_unknown on gateways (created_at) where presence = 'unknown' and simulated = 0`)
    .execute(db)
  await sql.raw(`create index gateways_revoked on gateways (revoked_at) where revoked_at is not null`).execute(db)
}
