// Third schema of the relay: what routing rules of a kitchen go by. Columns are explained in ../schema.ts.

import { type Kysely, sql } from 'kysely'
import type { RelaySchema } from '#cloud/storage/schema.ts'

export async function up(db: Kysely<RelaySchema>): Promise<void> {
  await sql.raw('alter table catalog_items add column category text').execute(db)
}
