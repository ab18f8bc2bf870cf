// The file of the request log: SQLite without waiting for the disk, because a lost line does no harm. It limits its own size.
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { AccountId, KeyId } from '#shared/ids.ts'

/** Rows that are kept at most, whatever their age: some 300 MB. */
const MOST_ROWS = 200_000
/** Deleted at once: a millisecond or two. More than are written at once, so that the file cannot grow for ever. */
const PIECE = 256

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

/** Whose rows. */
export interface RowsOf {
  account: AccountId
  environment: 'sandbox' | 'live'
}

export interface RequestFilter extends RowsOf {
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
  /** Ids from this one on. */
  since?: string | undefined
}

/** A row of a list; the body is read of one row alone. */
export type ListedRow = Omit<RequestRow, 'body'>

/** A piece of the rows that a question is about. */
export interface Piece<T> {
  found: T[]
  /** How many rows were looked at. */
  looked: number
  /** The id of the last of them, below which the next piece begins; null: there is no more. */
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

const LISTED = `id, at, account_id as account, environment, key_id as keyId, merchant_id as merchantId, method, route, path, status, ms, code,
  fields, ids, body_bytes as bodyBytes`

/** What each part of a filter means in SQL; without it, the part is a column's own value. */
const CONDITIONS = {
  status: '(status = @status or status / 100 = @status)',
  route: 'route = @route',
  code: 'code = @code',
  fields: 'fields = @fields',
  method: 'method = @method',
  pathStart: 'substr(path, 1, length(@pathStart)) = @pathStart',
  merchantId: 'merchant_id = @merchantId',
} as const

const INSERT = `insert into requests (id, at, account_id, environment, key_id, merchant_id, method, route, path, status, ms, code, fields, ids,
  body, body_bytes) values (@id, @at, @account, @environment, @keyId, @merchantId, @method, @route, @path, @status, @ms, @code, @fields, @ids,
  @body, @bodyBytes)`

export class RequestFile {
  readonly #db: Database.Database
  readonly #insert: Database.Statement
  /** Rows of each account in each environment, under `partOf`. */
  readonly #rows = new Map<string, number>()
  #allRows = 0

  readonly #mostRows: number

  /** Creates the file if it is missing; a damaged one is replaced. @throws errors of SQLite or the disk */
  constructor(file: string, mostRows = MOST_ROWS) {
    this.#mostRows = mostRows
    try {
      this.#db = opened(file)
    } catch (error) {
      if (!isDamage(error)) throw error
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
      this.#db = opened(file)
    }
    this.#insert = this.#db.prepare(INSERT)
    const parts = this.#db
      .prepare(
        'select account_id as account, environment, count(*) as rows from requests group by account_id, environment',
      )
      .all() as (RowsOf & { rows: number })[]
    for (const { rows, ...of } of parts) this.#count(of, rows)
  }

  /**
   * All of them in one transaction. When there are too many rows, the oldest of whoever has most of them are deleted: nobody can push out the
   * rows of others. @throws errors of SQLite or the disk
   */
  add(rows: readonly RequestRow[]): void {
    this.#db.transaction(() => {
      for (const row of rows) {
        this.#insert.run(row)
        this.#count(row, 1)
      }
      if (this.#allRows > this.#mostRows) this.#forgetOfLargest()
    })()
  }

  /** The next piece of what is older. @returns whether there may be more */
  deleteOlder(beforeMs: number): boolean {
    return this.#forget('at < @beforeMs order by at', { beforeMs }) === PIECE
  }

  /**
   * Reads the rows of a filter, newest first, piece by piece: each call looks at the next `most` rows of the account, whether they fit or not,
   * and returns those that fit, at most `limit`.
   */
  reading({
    ids,
    keyId,
    below = 'req_~',
    since = '',
    ...filter
  }: RequestFilter): (most: number, limit: number) => Piece<ListedRow> {
    const parts = (Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[]).filter((name) => filter[name] !== undefined)
    const named = ids?.map((_, i) => `id = @id${i} or instr(ids, ' ' || @id${i} || ' ') > 0`)
    const fits = [...parts.map((name) => CONDITIONS[name]), ...(named ? [`(${named.join(' or ')})`] : [])].join(' and ')
    const values = { ...filter, keyId, since, ...Object.fromEntries(ids?.map((id, i) => [`id${i}`, id]) ?? []) }
    const looks = this.#db.prepare(
      `select ordinal, id, ${fits || '1'} as fits from requests where account_id = @account and environment = @environment
        ${keyId === undefined ? '' : 'and key_id = @keyId'} and id < @below and id >= @since order by id desc limit @most`,
    )
    const read = this.#db.prepare(`select ${LISTED} from requests where ordinal = ?`)
    let from: string | null = below
    return (atMost, limit) => {
      const most = fits === '' ? Math.min(atMost, limit) : atMost
      const seen = looks.all({ ...values, below: from, most }) as { ordinal: number; id: string; fits: number | null }[]
      const found: ListedRow[] = []
      let last: string | null = null
      let looked = 0
      for (const { ordinal, id, fits: isFit } of seen) {
        if (found.length === limit) break
        looked += 1
        last = id
        if (isFit === 1) found.push(read.get(ordinal) as ListedRow)
      }
      from = looked < seen.length || seen.length === most ? last : null
      return { found, looked, below: from }
    }
  }

  find(account: AccountId, environment: 'sandbox' | 'live', id: string): RequestRow | null {
    const row = this.#db
      .prepare(`select ${LISTED}, body from requests where account_id = ? and environment = ? and id = ?`)
      .get(account, environment, id)
    return (row as RequestRow | undefined) ?? null
  }

  /** Reads refusals from this id on, newest first, piece by piece: equal ones of the next `most` as one group. */
  grouping({ account, environment }: RowsOf, since: string): (most: number) => Piece<RequestGroup> {
    const groups = this.#db.prepare(
      `select method, route, status, code, fields, count(*) as count, max(id) as newestId, max(at) as newestAt, min(at) as oldestAt, min(id) as lowest
        from (select method, route, status, code, fields, id, at from requests
          where status >= 400 and account_id = ? and environment = ? and id >= ? and id < ? order by id desc limit ?)
        group by method, route, status, code, fields`,
    )
    let from: string = 'req_~'
    return (most) => {
      const read = groups.all(account, environment, since, from, most) as (RequestGroup & { lowest: string })[]
      const looked = read.reduce((sum, group) => sum + group.count, 0)
      for (const { lowest } of read) if (lowest < from) from = lowest
      return { found: read.map(({ lowest: _, ...group }) => group), looked, below: looked === most ? from : null }
    }
  }

  close(): void {
    this.#db.close()
  }

  #forgetOfLargest(): void {
    let largest: string | null = null
    for (const [part, rows] of this.#rows) if (rows > (this.#rows.get(largest ?? '') ?? 0)) largest = part
    const [account, environment] = (largest ?? '/').split('/')
    this.#forget('account_id = @account and environment = @environment order by id', { account, environment })
  }

  /** @returns how many rows were deleted, at most a piece */
  #forget(which: string, values: object): number {
    const gone = this.#db
      .prepare(
        `delete from requests where ordinal in (select ordinal from requests where ${which} limit ${PIECE})
          returning account_id as account, environment`,
      )
      .all(values) as RowsOf[]
    for (const of of gone) this.#count(of, -1)
    return gone.length
  }

  #count(of: RowsOf, rows: number): void {
    const part = partOf(of)
    const left = (this.#rows.get(part) ?? 0) + rows
    this.#allRows += rows
    if (left > 0) this.#rows.set(part, left)
    else this.#rows.delete(part)
  }
}

/** Each environment has its own part: a sandbox key cannot push out what live keys called. */
const partOf = ({ account, environment }: RowsOf): string => `${account}/${environment}`

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
      create index if not exists requests_key on requests (account_id, environment, key_id, id, status, method);
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
