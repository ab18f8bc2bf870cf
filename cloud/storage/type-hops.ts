// Which event types a part of a table contains, including types that this program only sends to endpoints that name them.
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './database.ts'

/**
 * A seek from each type to the next, by an index that begins with the columns of `where` followed by the type: as many seeks as there are
 * types.
 * @param where the table's filter
 */
export async function storedEventTypes(
  on: Db | Tx,
  table: 'events' | 'deliveries',
  where: RawBuilder<unknown>,
): Promise<string[]> {
  const from = sql.table(table)
  const { rows } = await sql<{ type: string }>`with recursive there (type) as (
      select (select type from ${from} where ${where} order by type limit 1)
      union all
      select (select type from ${from} where ${where} and type > there.type order by type limit 1) from there where there.type is not null
    ) select type from there where type is not null`.execute(on)
  return rows.map(({ type }) => type)
}
