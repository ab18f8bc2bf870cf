// Eighth schema of the relay: how a gateway routes lines where its rules ask for more than the station, and by which printers an order came beside its proof. Columns are explained in ../schema.ts.

import { type Kysely, sql } from 'kysely'
import type { RelaySchema } from '#cloud/storage/schema.ts'

export async function up(db: Kysely<RelaySchema>): Promise<void> {
  await sql.raw(`alter table gateways add column routing text`).execute(db)
  await sql.raw(`alter table orders add column came_by text`).execute(db)
}
