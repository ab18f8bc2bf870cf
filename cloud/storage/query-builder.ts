// Compiles queries without a connection, so that `prepared` queries can be constants and need no database to be built.
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { RelaySchema } from './schema.ts'

/** Only for building queries: executing one on it gives nothing. */
export const queryBuilder = new Kysely<RelaySchema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
