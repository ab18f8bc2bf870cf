// How a migration runs its statements: they are written in SQLite's words, and once more where PostgreSQL's cannot be made from those.
import { type Kysely, sql } from 'kysely'
import type { DialectWords } from '#cloud/storage/dialect-words.ts'
import type { RelaySchema } from '#cloud/storage/schema.ts'

/** `null`: this engine needs none. A database on PostgreSQL is never older than its engine: what moves old rows is SQLite's alone. */
export type Statement = string | Readonly<Record<DialectWords['engine'], string | null>>

export type Up = (db: Kysely<RelaySchema>, words: DialectWords) => Promise<void>

/** Runs them in this order. */
export function runs(statements: readonly Statement[]): Up {
  return async (db, words) => {
    for (const statement of statements) {
      const text = typeof statement === 'string' ? words.ddl(statement) : statement[words.engine]
      if (text !== null) await sql.raw(text).execute(db)
    }
  }
}
