// Seventh schema of the relay: how the stations of a gateway can be served and how well it is, and which screens have shown an order. Columns are explained in ../schema.ts.

import { type Kysely, sql } from 'kysely'
import type { RelaySchema } from '#cloud/storage/schema.ts'

export async function up(db: Kysely<RelaySchema>): Promise<void> {
  await sql.raw(`alter table gateways add column stations text`).execute(db)
  await sql.raw(`alter table gateways add column health text`).execute(db)
  await sql.raw(`alter table printers add column stand_in text`).execute(db)
  await sql.raw(`alter table orders add column shown_on text`).execute(db)
}
