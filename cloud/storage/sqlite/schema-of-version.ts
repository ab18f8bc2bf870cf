// The schema that the migrations of a version make: what a database of that version must have, and nothing else.
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { SQLITE_WORDS } from '#cloud/storage/dialect-words.ts'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import type { RelaySchema } from '#cloud/storage/schema.ts'

/** A table, index, trigger or view as `sqlite_schema` has it. */
export interface SchemaEntry {
  type: string
  name: string
  table: string
  /** White space as one blank. Null: SQLite has made it by itself, such as the index of a primary key. */
  sql: string | null
}

/** @param version of 0 to `MIGRATIONS.length` */
export async function schemaOfVersion(version: number): Promise<SchemaEntry[]> {
  const db = new Database(':memory:')
  try {
    // A migration may recreate a table, which SQLite takes for deleting rows that others refer to.
    db.pragma('foreign_keys = OFF')
    const kysely = new Kysely<RelaySchema>({ dialect: new SqliteDialect({ database: db }) })
    for (const migration of MIGRATIONS.slice(0, version)) await migration.up(kysely, SQLITE_WORDS)
    return schemaIn(db)
  } finally {
    db.close()
  }
}

/** Without the tables that SQLite keeps for its planner. Runs nothing of what the file defines. */
export function schemaIn(db: Database.Database): SchemaEntry[] {
  const entries = db
    .prepare(`select type, name, tbl_name as "table", sql from sqlite_schema where name not like 'sqlite_stat%'`)
    .all() as SchemaEntry[]
  return entries.map((entry) => ({ ...entry, sql: entry.sql?.replaceAll(/\s+/g, ' ').trim() ?? null }))
}
