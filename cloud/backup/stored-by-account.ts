// How much each account stores in a SQLite file of the relay. Reads every row, a piece at a time.
import type Database from 'better-sqlite3'
import { halfOfTheTime } from './half-of-the-time.ts'
import { DAY_MS, SOURCES, type Source, StorageReport, type StoredByAccount, type Sums } from './storage-report.ts'

/** Rows of one piece: some ten milliseconds. */
const PIECE_ROWS = 5_000

/**
 * Most bytes first. What is written meanwhile may be counted or not: each piece is read in its current state, so no snapshot keeps the log from
 * being reset, and half of the time is left to others.
 */
export function storedByAccount(db: Database.Database, nowMs: number): StoredByAccount[] {
  const all = (sql: string) => db.prepare(sql).raw().all()
  const report = new StorageReport({
    names: all('select id, name from accounts') as [string, string][],
    environments: all('select id, environment from merchants') as [string, 'sandbox' | 'live'][],
  })
  for (const source of SOURCES) for (const sums of sumsOf(db, source, nowMs - DAY_MS)) report.add(source, sums)
  return report.rows
}

/** The rows of one table by account and merchant; the same pair may come with each piece. */
function* sumsOf(db: Database.Database, source: Source, sinceMs: number): Generator<Sums> {
  const end = db.prepare(
    `select max(at) from (select rowid as at from ${source.table} where rowid > ? order by rowid limit ${PIECE_ROWS})`,
  )
  const piece = db.prepare(pieceQuery(source))
  const rest = halfOfTheTime()
  for (let from = Number.MIN_SAFE_INTEGER; ; ) {
    const to = end.pluck().get(from) as number | null
    if (to === null) return
    yield* piece.all({ from, to, sinceMs }) as Sums[]
    from = to
    rest()
  }
}

function pieceQuery({
  table,
  texts,
  atMs,
  joins = '',
  account = 't.account_id',
  merchant = 't.merchant_id',
}: Source): string {
  const bytes = texts.map((column) => `coalesce(octet_length(t.${column}), 0)`).join(' + ')
  return `select ${account} as account, ${merchant} as merchant, count(*) as rows, sum(${bytes}) as bytes,
      sum(t.${atMs} >= :sinceMs) as rowsOfDay, sum(iif(t.${atMs} >= :sinceMs, ${bytes}, 0)) as bytesOfDay
    from ${table} t ${joins} where t.rowid > :from and t.rowid <= :to group by 1, 2`
}
