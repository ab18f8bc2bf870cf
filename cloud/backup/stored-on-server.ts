// How much each account stores in a database on PostgreSQL. The server counts, and reads no texts: their sizes are in the heads of the rows.
import type { ServerSession } from '#cloud/storage/postgres/server-session.ts'
import { DAY_MS, SOURCES, type Source, StorageReport, type StoredByAccount, type Sums } from './storage-report.ts'

/** Most bytes first. Reads every row, which takes a minute for millions of orders; relays go on meanwhile. */
export async function storedOnServer(session: ServerSession, nowMs: number): Promise<StoredByAccount[]> {
  const pairs = async <V extends string>(column: string, table: string): Promise<[string, V][]> => {
    const { rows } = await session.query<{ id: string; value: V }>(`select id, ${column} as value from ${table}`)
    return rows.map(({ id, value }) => [id, value])
  }
  const report = new StorageReport({
    names: await pairs('name', 'accounts'),
    environments: await pairs<'sandbox' | 'live'>('environment', 'merchants'),
  })
  await session.query('set statement_timeout = 0')
  for (const source of SOURCES) {
    const { rows } = await session.query<Sums>(queryOf(source), [nowMs - DAY_MS])
    for (const sums of rows) report.add(source, sums)
  }
  return report.rows
}

function queryOf({ table, texts, atMs, joins = '', account = 't.account_id', merchant = 't.merchant_id' }: Source) {
  const bytes = texts.map((column) => `coalesce(octet_length(t.${column}), 0)`).join(' + ')
  const isOfDay = `t.${atMs} >= $1::bigint`
  return `select ${account} as account, ${merchant} as merchant, count(*) as rows, sum(${bytes}) as bytes,
      count(*) filter (where ${isOfDay}) as "rowsOfDay", coalesce(sum(${bytes}) filter (where ${isOfDay}), 0) as "bytesOfDay"
    from ${table} t ${joins} group by 1, 2`
}
