// Brings a database on PostgreSQL to this program's schema, while relays of the release before may still run on it.
import type { Client, ClientBase, ClientConfig } from 'pg'
import { CannotOpen } from '#cloud/storage/cannot-open.ts'
import { DirectKysely } from '#cloud/storage/database.ts'
import { POSTGRES_WORDS } from '#cloud/storage/dialect-words.ts'
import { MIGRATIONS, type Migration } from '#cloud/storage/migrations/migrations.ts'
import { DEAD_AFTER_MS } from '#cloud/storage/replica-store.ts'
import { newClient } from './postgres-cannot-open.ts'
import { PostgresConnection, postgresDialect, whyNotUsable } from './postgres-connection.ts'
import { ofDriver } from './postgres-fault.ts'

/** Of this program alone: "Ticketrl" as a number. Whoever has it makes or fills the tables, and relays that start wait for it. */
export const MIGRATION_LOCK = 0x5469636b
/** Before it there is no `collate "C"` in every place where it is needed. */
const OLDEST_SERVER = 13
const TABLE_LOCK_MS = 2_000
/** Of a relay that is suspended in the middle of a migration: others wait so long for it. */
const IDLE_MS = 10_000

interface SchemaVersion {
  version: number
  /** A program that knows fewer migrations than this cannot run on the schema. */
  needs_program: number
}

/**
 * Applies the migrations that the database has not seen, each in a transaction of its own. One relay does it, the others wait for it.
 * @param options `migrations` that the program knows; `onWaiting`: another relay is at it
 * @throws CannotOpen when the database is of another program, of a newer release that this one cannot run on, or not in UTF-8
 */
export async function migrate(
  config: ClientConfig,
  { onWaiting = () => {}, migrations = MIGRATIONS }: { onWaiting?: () => void; migrations?: readonly Migration[] } = {},
): Promise<void> {
  // A connection of its own, without the limits of a unit: a large index takes longer, and so does waiting for another relay that makes it.
  const client = newClient(config)
  try {
    await client.connect()
    const fault = await whyNotUsable(client)
    if (fault !== null) throw fault
    await checkServer(client)
    await lock(client, onWaiting)
    await applyAll(client, migrations)
  } catch (error) {
    throw ofDriver(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** It is given back with the connection. */
async function lock(client: Client, onWaiting: () => void): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [MIGRATION_LOCK])
  if (rows[0]?.taken === true) return
  onWaiting()
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
}

async function applyAll(client: Client, migrations: readonly Migration[]): Promise<void> {
  // Whoever waits for a table makes all others wait behind it.
  await client.query(`set lock_timeout = ${TABLE_LOCK_MS}`)
  await client.query(`set idle_in_transaction_session_timeout = ${IDLE_MS}`)
  const done = await versionOf(client, migrations.length)
  for (const [index, migration] of migrations.entries()) {
    if (index < done) continue
    if (migration.keepsOlderPrograms !== true) await checkOlderRelays(client, index + 1)
    await client.query('begin')
    try {
      const connection = new PostgresConnection(client)
      await migration.up(new DirectKysely(connection, postgresDialect(connection)), POSTGRES_WORDS)
      const { rowCount } = await client.query('update schema_version set version = $1, needs_program = $2', [
        index + 1,
        neededFrom(migrations.slice(0, index + 1)),
      ])
      // A schema that nobody knows the version of could never be opened again.
      if (rowCount !== 1) throw new CannotOpen(noVersion(rowCount ?? 0))
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  }
}

/** What a database with these migrations needs: the last that older programs cannot run beside. */
function neededFrom(migrations: readonly Migration[]): number {
  return migrations.findLastIndex((migration) => migration.keepsOlderPrograms !== true) + 1
}

/** Those that live would fail at what it takes away. @throws CannotOpen */
async function checkOlderRelays(client: ClientBase, needs: number): Promise<void> {
  // A database from before has no list of its relays, and only one of them.
  const { rows: lists } = await client.query(`select from pg_attribute
    where attrelid = to_regclass('replicas') and attname = 'knows' and not attisdropped`)
  if (lists.length === 0) return
  const { rows: older } = await client.query(
    `select from replicas where knows < $1 and seen_at > (extract(epoch from clock_timestamp()) * 1000)::bigint - $2`,
    [needs, DEAD_AFTER_MS],
  )
  if (older.length > 0)
    throw new CannotOpen(
      'a relay of an older release works on the database of DATABASE_URL, and cannot run on what this release makes of it: end all of those first',
      { passes: true },
    )
}

async function checkServer(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
  )
  const [{ version = '0', encoding = '' } = {}] = rows
  if (Math.floor(Number(version) / 10_000) < OLDEST_SERVER)
    throw new CannotOpen(`the PostgreSQL server is older than ${OLDEST_SERVER}: DATABASE_URL needs a newer one`)
  if (encoding !== 'UTF8')
    throw new CannotOpen(
      `the database of DATABASE_URL is in ${encoding}: make it by \`create database ticketrail encoding 'UTF8' template template0\``,
    )
}

/** @throws CannotOpen */
async function versionOf(client: ClientBase, known: number): Promise<number> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema()`,
  )
  const others = tables.filter(({ name }) => name !== 'schema_version').length
  if (others > 0 && others === tables.length)
    throw new CannotOpen(
      'the database of DATABASE_URL has tables of another program: give the relay a database of its own',
    )
  // A program that was cut off between the two left a table without a row: this makes up for it.
  if (others === 0) await client.query(FIRST_VERSION)
  const { rows } = await client.query<SchemaVersion>('select version, needs_program from schema_version')
  const [first] = rows
  if (first === undefined || rows.length > 1) throw new CannotOpen(noVersion(rows.length))
  const { version, needs_program: needs } = first
  if (needs > known)
    throw new CannotOpen(
      `the database of DATABASE_URL is of version ${version} and needs a program that knows ${needs}; this one knows ${known}: install the newer release`,
    )
  return Number(version)
}

/** One text is one transaction: both or nothing. */
const FIRST_VERSION = `create table if not exists schema_version (version bigint not null, needs_program bigint not null);
  insert into schema_version select 0, 0 where not exists (select from schema_version)`

const noVersion = (rows: number): string =>
  `the table schema_version in the database of DATABASE_URL has ${rows} rows instead of one, so the state of the other tables is not known: restore the database from its backup (docs/postgres-backup.md)`
