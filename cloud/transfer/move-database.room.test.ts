// A SQLite file is moved to a real server: every row of every table, all or nothing, and what is refused by name.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SQLITE_WORDS } from '#cloud/storage/dialect-words.ts'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import type { RelaySchema } from '#cloud/storage/schema.ts'
import { holdDatabase } from '#cloud/storage/sqlite/relay-lock.ts'
import { movedFile, restoringFile, SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { systemClock } from '#shared/clock.ts'
import { asId } from '#shared/ids.ts'
import { openFreshPostgresDatabase, openFreshSqliteDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { fillEveryTable } from '#test/fixtures/row-in-every-table.ts'
import { moveDatabase } from './move-database.ts'
import { TargetServer } from './target-server.ts'

const ROWS = 5

let dir: string
let file: string
let url: string
let giveBack: () => Promise<void>
let told: string[]
/** Closed before the database is lent again, also when a test fails. */
let opened: { close(): Promise<void> }[]

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-move-'))
  file = join(dir, 'relay.db')
  await (await openFreshSqliteDatabase(file)).close()
  const fresh = await openFreshPostgresDatabase()
  url = fresh.url
  giveBack = () => fresh.db.close()
  told = []
  opened = []
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const db of opened) await db.close()
  await giveBack()
  rmSync(dir, { recursive: true, force: true })
})

const move = (over: { from?: string; to?: string; tell?: (line: string) => void } = {}) =>
  moveDatabase({ from: file, to: url, clock: systemClock, tell: (line) => told.push(line), ...over })

const asked = <R extends object>(sql: string, ...values: unknown[]): Promise<R[]> => askedAt<R>(url, sql, values)

/** In another database of the same server. */
function elsewhere(sql: string): Promise<object[]> {
  const other = new URL(url)
  other.pathname = '/postgres'
  return askedAt(other.href, sql, [])
}

async function askedAt<R extends object>(at: string, sql: string, values: unknown[]): Promise<R[]> {
  const client = new Client({ connectionString: at })
  await client.connect()
  try {
    return (await client.query<R>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Every row of the file, as SQLite has it. */
function dumpOf(path: string): unknown[] {
  const db = new Database(path, { readonly: true })
  const tables = db.prepare(`select name from sqlite_schema where type = 'table' order by 1`).pluck().all() as string[]
  const rows = tables.map((table) => [table, db.prepare(`select * from ${table}`).raw().all()])
  db.close()
  return rows
}

const edited = (sql: string): void => {
  const db = new Database(file)
  db.pragma('foreign_keys = off')
  db.exec(sql)
  db.close()
}

const refusalOf = (moving: Promise<unknown>): Promise<string> =>
  moving.then(
    () => expect.unreachable('it was moved'),
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )

test('every row of every table is on the server as in the file, and the file is unchanged', async () => {
  const tables = fillEveryTable(file, ROWS)
  const before = dumpOf(file)
  const { rows, tables: moved } = await move()

  expect(dumpOf(file)).toEqual(before)
  const left = ['event_stream', 'leases', 'rate_buckets', 'replicas', 'shards']
  expect(moved.map(({ table }) => table).sort()).toEqual(tables.filter((table) => !left.includes(table)))
  expect(moved.filter((table) => table.rows !== ROWS)).toEqual([])
  expect(rows).toBe(ROWS * moved.length)
  for (const { table } of moved.filter((one) => one.table !== 'marks'))
    expect([table, (await asked(`select 1 from ${table}`)).length]).toEqual([table, ROWS])
  expect(told).toContain(`orders: ${ROWS} rows`)

  const gateways = await asked<{ clock_offset_ms: string }>('select clock_offset_ms from gateways order by id')
  expect(gateways.map((row) => row.clock_offset_ms)).toEqual(['2', '3', '4', '5', '6'])
  const names = await asked<{ name: string }>('select name from accounts order by id limit 4')
  expect(names.map(({ name }) => name.slice(0, 14))).toEqual(['a\uFFFDb', 'Ünïcode 🍜 000', '', 'a\uFFFDb'])
  const [order] = await asked<object>(`select source, body from orders where id = 'key 1'`)
  expect(order).toEqual({ source: 'kiosk 1 \uFFFD', body: `{"source":"kiosk 1 \\u0000","customer":null}` })
  const [ticket] = await asked<{ bytes: Buffer }>(`select bytes from sandbox_tickets where ticket_id = 'key 2'`)
  expect(ticket?.bytes.toString('hex')).toBe('00ff0002')
})

test('new ids of the database are above all that SQLite ever gave, also where it was deleted', async () => {
  fillEveryTable(file, ROWS)
  edited(`insert into deliveries (ordinal, id, event_id, endpoint_id, subject_id, type, state, attempts, next_at, created_at)
    values (900, 'gone', 'key 1', 'key 1', 's', 't', 'failed', 0, 0, 0); delete from deliveries where id = 'gone'`)
  await move()
  const [next] = await asked<{ ordinal: string }>(
    `insert into deliveries (id, event_id, endpoint_id, subject_id, type, state, attempts, next_at, created_at)
      values ('next', 'key 1', 'key 1', 's', 't', 'failed', 0, 0, 0) returning ordinal`,
  )
  expect(next?.ordinal).toBe('901')
})

test('a follower continues where it was, also at a merchant with later events of others', async () => {
  fillEveryTable(file, ROWS)
  edited('update event_stream set forgotten = 1000003')
  const sqlite = await SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))
  const merchant = asId<'mer'>('key 1')
  const head = await openStores(sqlite).events.head(merchant)
  await sqlite.close()
  await move()

  const db = await PostgresDatabase.open({ url, slots: 1, readers: 1 })
  opened.push(db)
  const { events } = openStores(db)
  const [own, anothers, nobodys] = [1_000_007, 1_000_014, 1_000_015]
  expect([await events.head(merchant), await events.forgotten(merchant)]).toEqual([head, 1_000_003])
  expect(await events.has(merchant, own)).toBe(true)
  expect(await events.has(merchant, anothers)).toBe(true)
  expect(await events.has(merchant, nobodys)).toBe(false)
  expect(await events.has(merchant, head)).toBe(true)
  await asked('delete from delivery_attempts')
  await asked('delete from deliveries')
  await asked('delete from events where position = $1', head)
  expect(await events.has(merchant, head)).toBe(true)
  const [next] = await asked<{ position: string }>(`select next_event_position('key 1', 5) as position`)
  expect(Number(next?.position)).toBe(head + 1)
})

test('no relay starts on the file any more, until the note beside it is deleted', async () => {
  await move()
  const open = () => SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))
  await expect(open()).rejects.toThrow(`was moved to PostgreSQL: set DATABASE_URL`)
  rmSync(movedFile(file))
  await (await open()).close()
})

test('a connection that is lost in the middle leaves nothing, and the same again moves everything', async () => {
  fillEveryTable(file, ROWS)
  let ended: Promise<unknown> = Promise.resolve()
  const cut = (line: string) => {
    if (line.startsWith('orders'))
      ended = asked(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ticketrail/admin' and datname = current_database()`,
      )
  }
  await expect(move({ tell: cut })).rejects.toThrow('cannot be reached')
  await ended
  expect(await asked('select id from accounts')).toEqual([])
  await (await SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))).close()

  expect((await move()).rows).toBeGreaterThan(0)
  expect(await asked('select id from accounts')).toHaveLength(ROWS)
  expect(await refusalOf(move())).toMatch(/^The database on PostgreSQL was filled by a move at 20.*, whole\./)
})

describe('a move whose COMMIT was not confirmed', () => {
  const open = () => SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))
  const { commit } = TargetServer.prototype

  /** The connection ends behind the COMMIT, or before it. */
  async function unheard(isDone: boolean): Promise<void> {
    fillEveryTable(file, ROWS)
    vi.spyOn(TargetServer.prototype, 'commit').mockImplementationOnce(async function (this: TargetServer, notDone) {
      if (isDone) await commit.call(this, notDone)
      throw new Error('lost')
    })
    await expect(move()).rejects.toThrow('lost')
    expect(readFileSync(movedFile(file), 'utf8')).toMatch(/^Moving to PostgreSQL at .*, number \d+\.\n$/)
    await expect(open()).rejects.toThrow('ended without an answer: run `admin move` again')
  }

  test('was done: a repetition reports that, and no relay starts on the file', async () => {
    await unheard(true)
    expect(await move()).toMatchObject({ tables: [], rows: 0, doneEarlierAtMs: expect.any(Number) })
    await expect(open()).rejects.toThrow('was moved to PostgreSQL: set DATABASE_URL')
    expect(await asked('select id from accounts')).toHaveLength(ROWS)
    expect(await refusalOf(move())).toMatch(/^The database on PostgreSQL was filled by a move at 20.*, whole\./)
  })

  test('was not done: the same again moves everything', async () => {
    await unheard(false)
    expect(await asked('select id from accounts')).toEqual([])
    expect((await move()).doneEarlierAtMs).toBeNull()
    expect(await asked('select id from accounts')).toHaveLength(ROWS)
    await expect(open()).rejects.toThrow('was moved to PostgreSQL: set DATABASE_URL')
  })

  test('is not taken for the move of another file into the same database', async () => {
    await unheard(true)
    await asked(`update marks set at = at + 1 where name = 'moveNumber'`)
    expect(await refusalOf(move())).toMatch(/was filled by a move/)
    await expect(open()).rejects.toThrow('ended without an answer')
  })
})

test('a COMMIT that the server refuses leaves the file as it was', async () => {
  fillEveryTable(file, ROWS)
  await (await PostgresDatabase.open({ url, slots: 1, readers: 1 })).close()
  await asked(`create function no() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
  await asked(
    'create constraint trigger no after insert on marks deferrable initially deferred for each row execute function no()',
  )
  await expect(move()).rejects.toThrow()
  expect(existsSync(movedFile(file))).toBe(false)
  await asked('drop trigger no on marks')
  await asked('drop function no')
})

test('what fails after the COMMIT does not undo the move', async () => {
  fillEveryTable(file, ROWS)
  vi.spyOn(TargetServer.prototype, 'analyze').mockRejectedValueOnce(new Error('lost'))
  expect((await move()).rows).toBeGreaterThan(0)
  expect(told.at(-1)).toMatch(/^ANALYZE failed/)
  expect(readFileSync(movedFile(file), 'utf8')).toMatch(/^Moved to PostgreSQL at /)
})

test('a limit of time that the database has is none for the move', async () => {
  fillEveryTable(file, ROWS)
  await (await PostgresDatabase.open({ url, slots: 1, readers: 1 })).close()
  const name = new URL(url).pathname.slice(1)
  await asked(
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$`,
  )
  await asked('create trigger slow before insert on accounts for each row execute function slow()')
  await elsewhere(`alter database ${name} set statement_timeout = '1s'`)
  try {
    expect((await move()).rows).toBeGreaterThan(0)
  } finally {
    await elsewhere(`alter database ${name} reset statement_timeout`)
    await asked('drop trigger slow on accounts')
    await asked('drop function slow')
  }
})

test('a relay that starts there meanwhile waits, and finds everything', async () => {
  fillEveryTable(file, ROWS)
  let starting: Promise<PostgresDatabase> | null = null
  const start = (line: string) => {
    if (line.startsWith('orders')) starting = PostgresDatabase.open({ url, slots: 1, readers: 1 })
  }
  await move({ tell: start })
  const db = (await starting) as unknown as PostgresDatabase
  opened.push(db)
  expect(await db.read.selectFrom('accounts').select('id').execute()).toHaveLength(ROWS)
})

test('a server that changes what it is given is noticed, and nothing is moved', async () => {
  fillEveryTable(file, ROWS)
  await (await PostgresDatabase.open({ url, slots: 1, readers: 1 })).close()
  await asked(
    `create function other() returns trigger language plpgsql as $$ begin new.name := 'other'; return new; end $$`,
  )
  await asked('create trigger other before insert on accounts for each row execute function other()')
  expect(await refusalOf(move())).toMatch(/^What PostgreSQL has in accounts is not what the file has/)
  expect(await asked('select id from accounts')).toEqual([])
  await asked('drop trigger other on accounts')
  await asked('drop function other')
})

test('a relay that was started on the empty database and stopped again is no hindrance', async () => {
  await (await PostgresDatabase.open({ url, slots: 1, readers: 1 })).close()
  await asked(`insert into marks (name, at) values ('known', 5)`)
  await asked(`insert into replicas (id, version, knows, started_at, seen_at, draining) values ('r', '1', 1, 1, 1, 0)`)
  await asked(`insert into master_key (id, check_value) values (1, 'of another key')`)
  await move()
  expect(await asked('select name from marks order by 1')).toEqual([
    { name: 'moveNumber' },
    { name: 'moved' },
    { name: 'movedHead' },
  ])
  expect(await asked(`select 1 from master_key where check_value = 'of another key'`)).toEqual([])
})

test('an older file is brought to the present schema first', async () => {
  rmSync(file)
  const old = new Database(file)
  const kysely = new Kysely<RelaySchema>({ dialect: new SqliteDialect({ database: old }) })
  for (const { up } of MIGRATIONS.slice(0, 12)) await up(kysely, SQLITE_WORDS)
  old.exec(`insert into accounts (id, name, plan, created_at) values ('old', 'Old', 'sandbox', 1)`)
  old.pragma('user_version = 12')
  old.close()
  await move()
  expect(await asked('select id from accounts')).toEqual([{ id: 'old' }])
})

test('a file that lacks an index is none of the relay, and is not moved', async () => {
  edited('drop index orders_customer')
  expect(await refusalOf(move())).toContain('schema: index orders_customer is missing')
})

const inUse = async () => {
  const db = await PostgresDatabase.open({ url, slots: 1, readers: 1 })
  await db.unit(async (tx) => tx.selectFrom('accounts').select('id').execute())
  return () => db.close()
}

/** What prevents it, and what removes that if the server would keep it. */
test.each<[string, () => Promise<unknown>, RegExp]>([
  ['a file that is not there', async () => rmSync(file), /^There is no file /],
  [
    'a relay that still runs on the file',
    () => holdDatabase(file, { clock: systemClock, withinMs: 0 }),
    /stop the relay first/,
  ],
  ['an interrupted restore', async () => writeFileSync(restoringFile(file), '{}'), /restore of .* was interrupted/],
  ['a file of a newer program', async () => edited('pragma user_version = 99'), /is of version 99, this program knows/],
  [
    'a row that refers to none',
    async () => edited(`insert into merchant_grants (account_id, merchant_id, created_at) values ('a', 'm', 1)`),
    /is not whole, so nothing was moved.*\n.*merchant_grants: row/,
  ],
  ['a relay on the server', inUse, /^A relay, or another move, works on the database/],
  [
    'rows on the server',
    async () => {
      await asked(`insert into accounts (id, name, plan, created_at) values ('a', 'A', 'sandbox', 1)`)
    },
    /^The database on PostgreSQL is not empty: there are rows in accounts/,
  ],
  [
    'a server that takes no writes',
    async () => {
      const name = new URL(url).pathname.slice(1)
      await elsewhere(`alter database ${name} set default_transaction_read_only = on`)
      return () => elsewhere(`alter database ${name} reset default_transaction_read_only`)
    },
    /takes no writes/,
  ],
])('%s is refused by name, and nothing is moved', async (_what, prepare, words) => {
  const end = await prepare()
  const said = await refusalOf(move())
  if (typeof end === 'function') await end()
  expect(said).toMatch(words)
  expect(said).not.toContain('postgres://')
  expect(await asked(`select id from accounts where id <> 'a'`)).toEqual([])
})

test.each<[string, (at: URL) => void, RegExp]>([
  ['a database that is not there', (at) => (at.pathname = '/none'), /^the database "none" at .* does not exist/],
  ['a server that is not there', (at) => (at.port = '1'), /cannot be reached \(ECONNREFUSED\)/],
])('%s is refused by name', async (_what, change, words) => {
  const other = new URL(url)
  change(other)
  expect(await refusalOf(move({ to: other.href }))).toMatch(words)
})

test('a value that PostgreSQL cannot take is refused without being shown', async () => {
  fillEveryTable(file, 1)
  edited(`update accounts set created_at = 'secret'`)
  const said = await refusalOf(move())
  expect(said).toMatch(/^PostgreSQL does not take a row of accounts \(22P02\)/)
  expect(said).not.toContain('secret')
})
