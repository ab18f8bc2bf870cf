// The file of the request log: SQLite without waiting for the disk, because a lost line does no harm. It limits its own size.
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { AccountId, KeyId } from '#shared/ids.ts'

/** Rows that are kept at most, whatever their age: some 300 MB. */
const ROWS_AT_MOST = 200_000
/** Rows that a query reads, the newest: a few milliseconds of the relay's time. */
const LOOKED_AT = 20_000
/** Of a question about what the index has not: each row is read as a whole. */
const LOOKED_AT_WHOLE = 4_000
/** Deleted at once: a millisecond or two. */
const PIECE = 2_000

export interface RequestRow {
  /** `req_...`; ids sort by time. */
  id: string
  /** Epoch ms. */
  at: number
  account: AccountId
  environment: 'sandbox' | 'live'
  keyId: KeyId
  /** As the request named it. */
  merchantId: string | null
  method: string
  /** `/v1/order/:serviceOrderId`; null: there is no such path. */
  route: string | null
  /** With its query. */
  path: string
  status: number
  /** From its arrival to the end of the answer. */
  ms: number
  code: string | null
  /** What was wrong, such as `items[0].qty`, at most five, with a comma between. */
  fields: string
  /** Ids that the request named, with a space around each. */
  ids: string
  /** The beginning of the body as JSON, without customers and secrets; null: it had none, or it was too long to be kept. */
  body: string | null
  /** Of the whole body, as it came. */
  bodyBytes: number
}

export interface RequestQuestion {
  account: AccountId
  environment: 'sandbox' | 'live'
  /** The status, or its first digit. */
  status?: number | undefined
  route?: string | undefined
  code?: string | undefined
  fields?: string | undefined
  /** Any of these: the request's own id, or one that it named. */
  ids?: readonly string[] | undefined
  keyId?: KeyId | undefined
  method?: string | undefined
  /** How the path begins. */
  pathStart?: string | undefined
  /** As requests named it. */
  merchantId?: string | undefined
  /** Ids below this one. */
  below?: string | undefined
  limit: number
}

export interface RequestPage {
  rows: RequestRow[]
  /** Where to go on; null: there is no more. */
  below: string | null
}

/** Equal errors: one route, status, code, and the same fields. */
export interface RequestGroup extends Pick<RequestRow, 'method' | 'route' | 'status' | 'code' | 'fields'> {
  count: number
  /** The newest of them. */
  newestId: string
  newestAt: number
  oldestAt: number
}

/** What is read of a row that may fit; the last three only where the question needs them. */
interface LookedAt extends Pick<RequestRow, 'id' | 'status' | 'route' | 'code' | 'fields' | 'ids' | 'keyId'> {
  ordinal: number
  method?: string
  path?: string
  merchantId?: string | null
}

const COLUMNS = `id, at, account_id as account, environment, key_id as keyId, merchant_id as merchantId, method, route, path, status, ms, code,
  fields, ids, body, body_bytes as bodyBytes`

const INSERT = `insert into requests (id, at, account_id, environment, key_id, merchant_id, method, route, path, status, ms, code, fields, ids,
  body, body_bytes) values (@id, @at, @account, @environment, @keyId, @merchantId, @method, @route, @path, @status, @ms, @code, @fields, @ids,
  @body, @bodyBytes)`

export class RequestFile {
  readonly #db: Database.Database
  readonly #insert: Database.Statement
  /** Of the oldest row that may be there. */
  #first = 0

  /** Creates the file if it is missing; a damaged one is replaced. @throws errors of SQLite or the disk */
  constructor(file: string) {
    try {
      this.#db = opened(file)
    } catch (error) {
      if (!isDamage(error)) throw error
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
      this.#db = opened(file)
    }
    this.#insert = this.#db.prepare(INSERT)
    const { first } = this.#db.prepare('select min(ordinal) as first from requests').get() as { first: number | null }
    this.#first = first ?? 0
  }

  /** All of them in one transaction, and the oldest are deleted when there are too many. @throws errors of SQLite or the disk */
  add(rows: readonly RequestRow[]): void {
    this.#db.transaction(() => {
      let last = 0
      for (const row of rows) last = Number(this.#insert.run(row).lastInsertRowid)
      const below = last - ROWS_AT_MOST
      if (below > this.#first) this.#forget('ordinal <= ?', Math.min(below, this.#first + PIECE))
    })()
  }

  /** The next piece of what is older. @returns whether there may be more */
  deleteOlder(beforeMs: number): boolean {
    return (
      this.#forget(
        `ordinal in (select ordinal from requests where at < ? order by ordinal limit ${PIECE})`,
        beforeMs,
      ) === PIECE
    )
  }

  /** Newest first, of those read. */
  list({
    account,
    environment,
    status,
    route,
    code,
    fields,
    ids,
    keyId,
    method,
    pathStart,
    merchantId,
    below = 'req_~',
    limit,
  }: RequestQuestion): RequestPage {
    const isWhole = method !== undefined || pathStart !== undefined || merchantId !== undefined
    const [more, most] = isWhole ? [', method, path, merchant_id as merchantId', LOOKED_AT_WHOLE] : ['', LOOKED_AT]
    const looked = this.#db
      .prepare(
        `select ordinal, id, status, route, code, fields, ids, key_id as keyId${more} from requests where account_id = ? and environment = ? and id < ?
          order by id desc limit ${most}`,
      )
      .all(account, environment, below) as LookedAt[]
    const found: { ordinal: number; id: string }[] = []
    for (const row of looked) {
      if (status !== undefined && row.status !== status && Math.floor(row.status / 100) !== status) continue
      if (route !== undefined && row.route !== route) continue
      if (code !== undefined && row.code !== code) continue
      if (fields !== undefined && row.fields !== fields) continue
      if (ids !== undefined && !ids.some((id) => row.id === id || row.ids.includes(` ${id} `))) continue
      if (keyId !== undefined && row.keyId !== keyId) continue
      if (method !== undefined && row.method !== method) continue
      if (pathStart !== undefined && row.path?.startsWith(pathStart) !== true) continue
      if (merchantId !== undefined && row.merchantId !== merchantId) continue
      found.push(row)
      if (found.length > limit) break
    }
    const isMore = found.length > limit
    const page = found.slice(0, limit)
    const read = this.#db.prepare(`select ${COLUMNS} from requests where ordinal = ?`)
    const rows = page.map(({ ordinal }) => read.get(ordinal) as RequestRow)
    // Where looking ended, and not only where something was found: the next page goes on from there.
    const ended = looked.length === most ? (looked.at(-1)?.id ?? null) : null
    return { rows, below: isMore ? (page.at(-1)?.id ?? null) : ended }
  }

  find(account: AccountId, environment: 'sandbox' | 'live', id: string): RequestRow | null {
    const row = this.#db
      .prepare(`select ${COLUMNS} from requests where account_id = ? and environment = ? and id = ?`)
      .get(account, environment, id)
    return (row as RequestRow | undefined) ?? null
  }

  /** Equal errors since then, the most frequent first. */
  groups(account: AccountId, environment: 'sandbox' | 'live', sinceId: string): RequestGroup[] {
    return this.#db
      .prepare(
        `select method, route, status, code, fields, count(*) as count, max(id) as newestId, max(at) as newestAt, min(at) as oldestAt
          from (select * from requests where status >= 400 and account_id = ? and environment = ? and id >= ? order by id desc limit ${LOOKED_AT})
          group by method, route, status, code, fields order by count desc, newestId desc limit 50`,
      )
      .all(account, environment, sinceId) as RequestGroup[]
  }

  close(): void {
    this.#db.close()
  }

  #forget(which: string, value: number): number {
    const { changes } = this.#db.prepare(`delete from requests where ${which}`).run(value)
    if (changes > 0) {
      const { first } = this.#db.prepare('select min(ordinal) as first from requests').get() as { first: number | null }
      this.#first = first ?? this.#first
    }
    return changes
  }
}

function opened(file: string): Database.Database {
  const db = new Database(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = OFF')
    db.pragma('trusted_schema = OFF')
    db.exec(`create table if not exists requests (ordinal integer primary key autoincrement, id text not null, at integer not null, account_id text not null,
      environment text not null, key_id text not null, merchant_id text, method text not null, route text, path text not null, status integer not null,
      ms real not null, code text, fields text not null, ids text not null, body text, body_bytes integer not null);
      create index if not exists requests_account on requests (account_id, environment, id, status, route, code, fields, ids, key_id);
      create index if not exists requests_errors on requests (account_id, environment, id) where status >= 400;
      create index if not exists requests_age on requests (at)`)
    // A table of an older release has other columns: it is replaced as a damaged file is.
    db.prepare(INSERT)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** The file is not a database of ours, or its pages do not match: after a power cut, because it is not synced. */
export function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' || code === 'SQLITE_ERROR'
}
