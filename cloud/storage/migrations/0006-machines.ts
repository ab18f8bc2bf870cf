// Sixth schema of the relay: the machine on which a gateway was first seen, and its disk. Columns are explained in ../schema.ts.

import { type Kysely, sql } from 'kysely'
import type { RelaySchema } from '#cloud/storage/schema.ts'

export async function up(db: Kysely<RelaySchema>): Promise<void> {
  await sql.raw(`alter table gateways add column machine text`).execute(db)
  await sql.raw(`alter table gateways add column disk text`).execute(db)
}
