// One connection to PostgreSQL, or whichever of the pool is free, and the driver by which Kysely runs on it.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { type ClientBase, type CustomTypesConfig, type Pool, types } from 'pg'
import type { DirectConnection } from '#cloud/storage/database.ts'
import { POSTGRES_WORDS } from '#cloud/storage/dialect-words.ts'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { endsConnection, ofDriver, ReadOnlyServer } from './postgres-fault.ts'

const BIGINT = 20
const NUMERIC = 1700

/** All whole numbers of the relay fit into a double. @throws RangeError */
function wholeNumber(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new RangeError(`a number of the database does not fit: ${text}`)
}

/** Numbers come as numbers, as from SQLite. */
export const NUMBERS: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT || oid === NUMERIC ? wholeNumber : types.getTypeParser(oid, format),
}

/** Statements that a connection keeps parsed and planned. Those beyond, such as lists of many lengths, are parsed each time. */
const NAMED_STATEMENTS = 1_000
const names = new Map<string, string>()

function nameOf(sql: string): string | undefined {
  const known = names.get(sql)
  if (known !== undefined || names.size >= NAMED_STATEMENTS) return known
  const name = `s${names.size}`
  names.set(sql, name)
  return name
}

/**
 * PostgreSQL's text cannot hold U+0000: it becomes the replacement character, as a half of a surrogate pair does. All numbers of the schema
 * are whole; a half millisecond, which gateways measure, is rounded.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
  return typeof value === 'number' ? Math.round(value) : value
}

type Queried = Pick<ClientBase, 'query'>

/**
 * The driver's answer; its connection errors are recognised by their class, also those that it throws before the query. @throws
 * ConnectionLost, or an error of the server
 */
export async function withDriverErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw ofDriver(error)
  }
}

async function ask<R>(on: Queried, sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
  const name = nameOf(sql)
  const query = { text: sql, values: parameters.map(storable), ...(name !== undefined && { name }) }
  const { rows, rowCount, command } = await withDriverErrors(() => on.query(query))
  return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}

/** The connection of one unit at a time. */
export class PostgresConnection implements DatabaseConnection, DirectConnection {
  readonly words = POSTGRES_WORDS
  readonly isUnit = true
  readonly #client: Queried

  constructor(client: Queried) {
    this.#client = client
  }

  async rows<R>(sql: string, parameters: readonly unknown[]): Promise<R[]> {
    return (await ask<R>(this.#client, sql, parameters)).rows
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return ask<R>(this.#client, sql, parameters)
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface; nothing here reads more rows than fit in memory
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

/** For reads: each query on whichever connection is free. */
export class PostgresReaders implements DatabaseConnection, DirectConnection {
  readonly words = POSTGRES_WORDS
  readonly isUnit = false
  readonly #pool: () => Pool
  readonly #around: <T>(query: () => Promise<T>) => Promise<T>

  /** @param around turns errors of the server into refusals */
  constructor(pool: () => Pool, around: <T>(query: () => Promise<T>) => Promise<T>) {
    this.#pool = pool
    this.#around = around
  }

  async rows<R>(sql: string, parameters: readonly unknown[]): Promise<R[]> {
    return (await this.#around(() => ask<R>(this.#pool(), sql, parameters))).rows
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.#around(() => ask<R>(this.#pool(), sql, parameters))
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface; nothing here reads more rows than fit in memory
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

/** Every query on this connection; units begin and end outside of Kysely. */
export function postgresDialect(connection: DatabaseConnection): Dialect {
  const noTransaction = async (): Promise<void> => {
    throw new Error('a unit of the database is no transaction of Kysely')
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connection,
      beginTransaction: noTransaction,
      commitTransaction: noTransaction,
      rollbackTransaction: noTransaction,
      releaseConnection: async () => {},
      destroy: async () => {},
    }),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/**
 * For a connection that was just made. The server notices within 20 s that the relay behind it is gone, and lets go what it held: by the
 * system's own settings that takes two hours. And what is committed is on disk, whatever somebody has set for the role or the database; a
 * stronger setting stays.
 */
const SETTINGS = `set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false), set_config('synchronous_commit',
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false)`

/**
 * Of a session, in milliseconds. Set after the connection is open, and not as a startup parameter: poolers such as PgBouncer refuse those.
 */
export type SessionLimits = Readonly<
  Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', number>
>

/** Prepares it. Null: it takes writes. A standby answers reads of long ago and takes no writes, so it is refused. */
export async function whyNotUsable(on: Queried, limits?: SessionLimits): Promise<Error | null> {
  const set = Object.entries(limits ?? {}).map(([name, ms]) => `, set_config('${name}', '${ms}', false)`)
  try {
    const { rows } = await withDriverErrors(() =>
      on.query<{ standby: boolean; readonly: string }>(
        `select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') as readonly, ${SETTINGS}${set.join('')}`,
      ),
    )
    const isWritable = rows[0]?.standby === false && rows[0].readonly === 'off'
    return isWritable ? null : new ReadOnlyServer()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Null: it is on disk. Else the connection was lost, and nobody knows. @throws an error of the server, which has undone the unit then */
export async function committed(client: Queried): Promise<unknown> {
  try {
    const { command } = await withDriverErrors(() => client.query('commit'))
    // A statement had failed, and the unit went on all the same.
    if (command === 'ROLLBACK') throw new StorageRefusal('undone')
    return null
  } catch (error) {
    if (endsConnection(error)) return error
    throw error
  }
}

/** Null: the connection can be used again. */
export async function rolledBack(client: Queried): Promise<unknown> {
  try {
    await client.query('rollback')
    return null
  } catch (error) {
    return error
  }
}
