// Opening a database on PostgreSQL: it is migrated to this program's schema, or the operator gets one line with the reason. Never the password.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CannotOpen } from '#cloud/storage/cannot-open.ts'
import { DirectKysely } from '#cloud/storage/database.ts'
import { POSTGRES_WORDS } from '#cloud/storage/dialect-words.ts'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import { findFreePort } from '#scripts/demo/free-port.ts'
import { PostgresServer } from '#test/harness/postgres-server.ts'
import { PostgresConnection, postgresDialect } from './postgres-connection.ts'
import { PostgresDatabase } from './postgres-database.ts'
import { onServer } from './server-session.ts'

const PASSWORD = 'correct-horse'
const WRONG = 'battery-staple'
const LATEST = { version: String(MIGRATIONS.length), needs_program: expect.any(String) }

let dir: string
let server: PostgresServer

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-hba-'))
  const rules = join(dir, 'hba.conf')
  // The harness connects without a password; all other users need one.
  const all = ['host all postgres 127.0.0.1/32 trust', 'host replication postgres 127.0.0.1/32 trust']
  const others = ['host all plain 127.0.0.1/32 password', 'host all hashed 127.0.0.1/32 md5']
  writeFileSync(rules, [...all, ...others, 'host all all 127.0.0.1/32 scram-sha-256', ''].join('\n'))
  chmodSync(dir, 0o755)
  server = await PostgresServer.start({ settings: { hba_file: rules } })
  await asking(
    'postgres',
    `create role relay login password '${PASSWORD}'`,
    `create role plain login password '${PASSWORD}'`,
  )
  await asking('postgres', `set password_encryption = 'md5'`, `create role hashed login password '${PASSWORD}'`)
})
afterAll(async () => {
  await server.remove()
  rmSync(dir, { recursive: true })
})

/** On a database of the server, as its owner. */
async function asking<R extends object>(database: string, ...statements: string[]): Promise<R[]> {
  const client = new Client({ connectionString: server.url(database) })
  await client.connect()
  try {
    let rows: R[] = []
    for (const statement of statements) ({ rows } = await client.query<R>(statement))
    return rows
  } finally {
    await client.end()
  }
}

const urlOf = (database: string, { user = 'relay', password = PASSWORD, port = server.port } = {}) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
const at = (database: string, port = server.port) => `the database "${database}" at 127.0.0.1:${port}`
const newDatabase = (name: string, how = `owner relay encoding 'UTF8' template template0`) =>
  asking('postgres', `create database ${name} ${how}`)
const versionOf = (database: string) => asking<object>(database, 'select version, needs_program from schema_version')

async function opens(url: string, onWaiting = () => {}): Promise<void> {
  await (await PostgresDatabase.open({ url, slots: 1, readers: 1, onWaiting })).close()
}

/** @returns what the operator reads, and whether it may pass */
async function refusalOf(url: string): Promise<[words: string, passes: boolean]> {
  const error = await opens(url).then(
    () => expect.unreachable('it was opened'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CannotOpen)
  // Also not in the causes that are logged.
  expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(new RegExp(`${PASSWORD}|${WRONG}`))
  const { message, passes } = error as CannotOpen
  return [message, passes]
}

describe('a database', () => {
  it('that is empty gets the whole schema, and is opened as it is the next time', async () => {
    await newDatabase('fresh')
    await opens(urlOf('fresh'))
    expect(await versionOf('fresh')).toEqual([LATEST])
    await opens(urlOf('fresh'))
  })

  it('of an older release gets what that lacks, and keeps what it has', async () => {
    await newDatabase('older', `encoding 'UTF8' template template0`)
    const client = new Client({ connectionString: server.url('older') })
    await client.connect()
    const connection = new PostgresConnection(client)
    const kysely = new DirectKysely(connection, postgresDialect(connection))
    for (const { up } of MIGRATIONS.slice(0, 9)) await up(kysely, POSTGRES_WORDS)
    await client.query('create table schema_version (version bigint not null, needs_program bigint not null)')
    await client.query('insert into schema_version values (9, 9)')
    await client.query(`insert into accounts (id, name, plan, created_at) values ('acc_1', 'Bistro', 'sandbox', 1)`)
    await client.end()
    await opens(server.url('older'))
    expect(await versionOf('older')).toEqual([LATEST])
    expect(await asking('older', 'select name from accounts')).toEqual([{ name: 'Bistro' }])
  })

  it('of a newer release is opened when that allows this one beside it', async () => {
    await newDatabase('newer')
    await opens(urlOf('newer'))
    await asking('newer', `update schema_version set version = 99, needs_program = ${MIGRATIONS.length}`)
    await opens(urlOf('newer'))
    expect(await versionOf('newer')).toEqual([{ version: '99', needs_program: String(MIGRATIONS.length) }])
    await asking('newer', 'update schema_version set needs_program = 99')
    expect(await refusalOf(urlOf('newer'))).toEqual([
      `the database of DATABASE_URL is of version 99 and needs a program that knows 99; this one knows ${MIGRATIONS.length}: install the newer release`,
      false,
    ])
  })

  it('of another program is left alone', async () => {
    await newDatabase('songs')
    await asking('songs', 'create table songs (id bigint)')
    expect(await refusalOf(urlOf('songs'))).toEqual([
      'the database of DATABASE_URL has tables of another program: give the relay a database of its own',
      false,
    ])
    expect(await asking('songs', `select tablename from pg_tables where schemaname = 'public'`)).toHaveLength(1)
  })

  it('of which a start was cut off before its first migration is opened by the next one', async () => {
    await newDatabase('cut')
    // What releases before this one could leave behind.
    await asking('cut', 'create table schema_version (version bigint not null, needs_program bigint not null)')
    await asking('cut', 'alter table schema_version owner to relay')
    await opens(urlOf('cut'))
    await opens(urlOf('cut'))
    expect(await versionOf('cut')).toEqual([LATEST])
  })

  it('whose server ends while it gets its first schema has all of it, or nothing', async () => {
    await newDatabase('ended')
    // The insert waits for this; so a start that is cut off here has made the table, or it has not.
    const blocker = new Client({ connectionString: server.url('ended') })
    blocker.on('error', () => {})
    await blocker.connect()
    await blocker.query(`create function stop() returns event_trigger language plpgsql as $$ begin
      if tg_tag = 'CREATE TABLE' then perform pg_advisory_xact_lock(7); end if; end $$`)
    await blocker.query(`create event trigger stops on ddl_command_end execute function stop()`)
    await blocker.query('select pg_advisory_lock(7)')
    const start = refusalOf(urlOf('ended'))
    await expect
      .poll(() => asking('ended', `select pid from pg_stat_activity where wait_event = 'advisory'`))
      .toHaveLength(1)
    await asking('ended', `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'advisory'`)
    expect((await start)[1]).toBe(true)
    await blocker.query('drop event trigger stops')
    await blocker.end()
    expect(await asking('ended', `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])
    await opens(urlOf('ended'))
    expect(await versionOf('ended')).toEqual([LATEST])
  })

  it('whose version is lost is left unchanged, with what to do', async () => {
    await newDatabase('lost')
    await opens(urlOf('lost'))
    await asking('lost', 'delete from schema_version')
    const [words, passes] = await refusalOf(urlOf('lost'))
    expect(words).toContain('has 0 rows instead of one, so the state of the other tables is not known: restore')
    expect(passes).toBe(false)
  })

  it('whose version is lost during a migration stores nothing of that', async () => {
    await newDatabase('halved')
    await asking('halved', 'create table schema_version (version bigint not null, needs_program bigint not null)')
    await asking('halved', 'create rule kept as on update to schema_version do instead nothing')
    await asking('halved', 'alter table schema_version owner to relay')
    const [words] = await refusalOf(urlOf('halved'))
    expect(words).toContain('has 0 rows instead of one')
    expect(await asking('halved', `select tablename from pg_tables where schemaname = 'public'`)).toHaveLength(1)
  })

  it('that is not in UTF-8 is refused with the words that make a right one', async () => {
    await newDatabase('latin', `owner relay encoding 'LATIN1' template template0`)
    expect(await refusalOf(urlOf('latin'))).toEqual([
      "the database of DATABASE_URL is in LATIN1: make it by `create database ticketrail encoding 'UTF8' template template0`",
      false,
    ])
  })

  it('in which the user may make no tables is refused', async () => {
    await newDatabase('foreign_owner', `encoding 'UTF8' template template0`)
    const [words, passes] = await refusalOf(urlOf('foreign_owner'))
    expect(words).toContain(`${at('foreign_owner')} does not let DATABASE_URL's user make tables`)
    expect(passes).toBe(false)
  })

  it('that does not exist is named', async () => {
    expect(await refusalOf(urlOf('nowhere'))).toEqual([
      `${at('nowhere')} does not exist: make it by \`create database\`, or correct DATABASE_URL`,
      false,
    ])
  })

  it('is migrated by one relay, and others wait for it, however long that takes', async () => {
    await newDatabase('shared')
    const first = new Client({ connectionString: server.url('shared') })
    await first.connect()
    await first.query('select pg_advisory_lock($1)', [0x5469636b])
    let told = 0
    const second = opens(urlOf('shared'), () => told++)
    await expect
      .poll(() => asking('shared', `select 1 from pg_stat_activity where wait_event = 'advisory'`))
      .toHaveLength(1)
    // Longer than a unit may wait for a lock.
    await first.query('select pg_sleep(2.5)')
    await first.end()
    await second
    expect(await versionOf('shared')).toEqual([LATEST])
    expect(told).toBe(1)
    await opens(urlOf('shared'), () => expect.unreachable('it waits for nobody'))
  })
})

describe('a server', () => {
  it('that refuses the user or the password names which part of DATABASE_URL it is', async () => {
    await newDatabase('guarded')
    for (const change of [{ password: WRONG }, { user: 'nobody_here' }]) {
      const [words, passes] = await refusalOf(urlOf('guarded', change))
      expect(words).toContain(`${at('guarded')} refuses DATABASE_URL's user or password (`)
      expect(passes).toBe(false)
    }
  })

  it('that requires a password that DATABASE_URL lacks is reported so', async () => {
    await newDatabase('locked')
    const words = `${at('locked')} asks for a password, and DATABASE_URL has none: add it, or set PGPASSWORD to it`
    for (const user of ['relay', 'plain', 'hashed']) {
      const url = urlOf('locked', { user }).replace(`:${PASSWORD}`, '')
      expect([user, await refusalOf(url)]).toEqual([user, [words, false]])
      // So it is for commands of the operator.
      await expect(onServer(url, 'reads', async () => {})).rejects.toThrow(words)
    }
    vi.stubEnv('PGPASSWORD', PASSWORD)
    await opens(urlOf('locked').replace(`:${PASSWORD}`, ''))
    vi.unstubAllEnvs()
  })

  it('whose host does not resolve may have a name at the next start', async () => {
    expect(await refusalOf(`postgres://relay:${PASSWORD}@db.invalid/relay`)).toEqual([
      'the database "relay" at db.invalid:5432 cannot be found: no name server knows that host; correct DATABASE_URL, or add the name (ENOTFOUND)',
      true,
    ])
  })

  it('that has no room for the relay may have some at the next start', async () => {
    await newDatabase('crowded')
    await asking('postgres', 'alter database crowded connection limit 0')
    const [words, passes] = await refusalOf(urlOf('crowded'))
    expect(words).toContain(`${at('crowded')} has no connection free for DATABASE_URL's user (`)
    expect(words).toMatch(/max_connections .* connection limit .*CLOUD_DB_SLOTS/)
    expect(passes).toBe(true)
  })

  it('that does not run may be there at the next start', async () => {
    const port = await findFreePort([])
    const closed = [`${at('relay', port)} cannot be reached (ECONNREFUSED): start it, or correct DATABASE_URL`, true]
    expect(await refusalOf(urlOf('relay', { port }))).toEqual(closed)
  })

  it('that accepts the connection and does not answer is given up', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}).resume())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const [words, passes] = await refusalOf(urlOf('relay', { port }))
    expect(words).toMatch(
      new RegExp(`^${at('relay', port)} does not answer as PostgreSQL \\(.*timeout.*\\): .*DATABASE_URL`),
    )
    expect(passes).toBe(true)
    await new Promise((resolve) => silent.close(resolve))
  })

  it('that is another program is reported so', async () => {
    const web = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    })
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    const { port } = web.address() as AddressInfo
    const [words, passes] = await refusalOf(urlOf('relay', { port }))
    expect(words).toMatch(new RegExp(`^${at('relay', port)} cannot be reached .* that port is not PostgreSQL's$`))
    expect(passes).toBe(true)
    await new Promise((resolve) => web.close(resolve))
  })

  it('that is a standby is refused, until it is the primary', async () => {
    await newDatabase('copied')
    await opens(urlOf('copied'))
    const standby = await server.standby()
    try {
      const { port } = standby
      expect(await refusalOf(urlOf('copied', { port }))).toEqual([
        `${at('copied', port)} takes no writes: DATABASE_URL must name the primary server, not a standby`,
        true,
      ])
      await standby.promote()
      await opens(urlOf('copied', { port }))
    } finally {
      await standby.remove()
    }
  })
})
