// A read that the database refuses rejects for its caller only: a second one of the same call that nothing awaits would end the program.
import { expect, test } from 'vitest'
import { CatalogStore } from './catalog-store.ts'
import type { DirectConnection, RelayDatabase } from './database.ts'
import { DirectKysely } from './database.ts'
import { SQLITE_WORDS } from './dialect-words.ts'
import { sqliteDialect } from './sqlite/sqlite-connection.ts'
import { StorageRefusal } from './storage-refusal.ts'

test('the due work of the catalog runs one query after the other', async () => {
  let underWay = 0
  const connection: DirectConnection = {
    words: SQLITE_WORDS,
    isUnit: false,
    rows: async () => {
      expect(underWay++).toBe(0)
      await Promise.resolve()
      underWay--
      throw new StorageRefusal('away')
    },
  }
  // Never connected: its prepared queries go to the connection above.
  const read = new DirectKysely(connection, sqliteDialect({} as never, null))
  const catalog = new CatalogStore({ read } as unknown as RelayDatabase)
  await expect(catalog.due(0, 10)).rejects.toMatchObject({ reason: 'away' })
})
