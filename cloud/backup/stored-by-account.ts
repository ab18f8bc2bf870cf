// How much each account stores in a database of the relay: orders, and the bytes of its texts. Reads every row, a piece at a time.
import type Database from 'better-sqlite3'
import { halfOfTheTime } from './half-of-the-time.ts'

/** An account in one environment. Bytes are those of texts and tickets; indexes and what pages leave free come on top. */
export interface StoredByAccount {
  accountId: string
  /** Null: the account is gone. */
  name: string | null
  environment: 'sandbox' | 'live'
  orders: number
  bytes: number
  /** Of the last 24 hours. */
  ordersOfDay: number
  bytesOfDay: number
}

interface Source {
  table: 'orders' | 'dispatches' | 'events' | 'sandbox_tickets'
  /** Columns that hold text of the client or what is made of it. */
  texts: readonly string[]
  atMs: string
  /** Where a row does not say itself whose it is: the tables that do, and how they say it. */
  joins?: string
  account?: string
  merchant?: string
}

/** Sizes are in the heads of the rows: their texts are not read. */
const SOURCES: readonly Source[] = [
  { table: 'orders', texts: ['body', 'result', 'item_names', 'print_facts'], atMs: 'queued_at' },
  {
    table: 'dispatches',
    texts: ['doc', 'evidence'],
    atMs: 'created_at',
    joins: `join locations l on l.id = t.location_id join merchants m on m.id = l.merchant_id
      left join orders o on o.id = t.order_id`,
    account: 'coalesce(o.account_id, m.account_id)',
    merchant: 'm.id',
  },
  { table: 'events', texts: ['payload'], atMs: 'created_at' },
  { table: 'sandbox_tickets', texts: ['bytes'], atMs: 'printed_at' },
]

const DAY_MS = 86_400_000
/** Rows of one piece: some ten milliseconds. */
const PIECE_ROWS = 5_000

interface Sums {
  account: string
  merchant: string
  rows: number
  bytes: number
  rowsOfDay: number
  bytesOfDay: number
}

/**
 * Most bytes first. What is written meanwhile may be counted or not: each piece is read as it stands then, so no snapshot keeps the log from
 * beginning anew, and half of the time is left to others.
 */
export function storedByAccount(db: Database.Database, nowMs: number): StoredByAccount[] {
  const accounts = new Map<string, StoredByAccount>()
  const environments = environmentsOf(db)
  const names = new Map(db.prepare('select id, name from accounts').raw().all() as [string, string][])
  for (const source of SOURCES) {
    for (const sums of sumsOf(db, source, nowMs - DAY_MS)) {
      const { account: accountId, merchant } = sums
      const environment = environments.get(merchant) ?? 'sandbox'
      const key = `${accountId}/${environment}`
      const nothing = { orders: 0, bytes: 0, ordersOfDay: 0, bytesOfDay: 0 }
      const stored = accounts.get(key) ?? { accountId, name: names.get(accountId) ?? null, environment, ...nothing }
      accounts.set(key, stored)
      stored.bytes += sums.bytes
      stored.bytesOfDay += sums.bytesOfDay
      if (source.table !== 'orders') continue
      stored.orders += sums.rows
      stored.ordersOfDay += sums.rowsOfDay
    }
  }
  return [...accounts.values()].sort((a, b) => b.bytes - a.bytes)
}

function environmentsOf(db: Database.Database): Map<string, 'sandbox' | 'live'> {
  return new Map(db.prepare('select id, environment from merchants').raw().all() as [string, 'sandbox' | 'live'][])
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
