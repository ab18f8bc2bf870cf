// One connection to the relay's SQLite file, and the driver by which Kysely runs on it.
import type Database from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import type { DirectConnection } from '#cloud/storage/database.ts'
import { SQLITE_WORDS, sqliteCompiler } from '#cloud/storage/dialect-words.ts'
import { isLocked, type StorageGate } from '#cloud/storage/storage-gate.ts'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { plannedOnce } from '#shared/planned-once.ts'
import type { GroupCommit } from './group-commit.ts'
import { type LockClock, untilUnlocked } from './lock-patience.ts'

/** So old may a snapshot be at a read: the command that has revoked a key takes longer to say so. */
const SNAPSHOT_MAX_AGE_MS = 1

export interface ConnectionOptions {
  gate: StorageGate
  clock: LockClock
  /** Null: it only reads. Else it writes, and only within a unit. */
  commits: GroupCommit | null
}

/** One SQLite connection with its prepared statements. */
export class SqliteConnection implements DatabaseConnection, DirectConnection {
  readonly words = SQLITE_WORDS
  readonly isUnit: boolean
  readonly #db: Database.Database
  readonly #options: ConnectionOptions
  readonly #snapshot: { begin: Database.Statement; end: Database.Statement } | null
  #inSnapshot = false
  /** When the snapshot was taken, on the monotonic clock. */
  #takenAtMs = 0
  /** The end of this turn is waited for. */
  #leavesSoon = false
  readonly #statements = new Map<string, Database.Statement>()

  /**
   * Reads of a connection that only reads share a snapshot until the turn of the event loop ends, for 1 ms at most
   * (`snapshot-age.test.ts`). Locking the database for each of them alone costs more than reading.
   */
  constructor(db: Database.Database, options: ConnectionOptions) {
    this.#db = db
    this.#options = options
    this.isUnit = options.commits !== null
    this.#snapshot = options.commits === null ? { begin: db.prepare('BEGIN'), end: db.prepare('COMMIT') } : null
  }

  /**
   * The next read sees what is committed by then. Called before each COMMIT of the writer, so nobody reads what is older than an answer.
   * It never throws: a page that is damaged shows itself here too, and nobody's COMMIT has failed by it.
   */
  leaveSnapshot(): void {
    if (!this.#inSnapshot) return
    this.#inSnapshot = false
    // SQLite ends a transaction by itself on some errors of the disk.
    if (!this.#db.inTransaction) return
    try {
      this.#snapshot?.end.run()
    } catch (error) {
      this.#options.gate.refusalOf(error)
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
    }
  }

  /** Of two connections to a file the writer's closes last: it brings the write-ahead log into the file, and a reader cannot. */
  close(): void {
    this.leaveSnapshot()
    this.#db.close()
  }

  /** A turn may be long, or the machine busy elsewhere in the middle of it: what another process has written meanwhile counts, too. */
  #enterSnapshot(): void {
    if (this.#snapshot === null) {
      // Outside of a transaction each statement would be one of its own, and on disk whatever becomes of the unit.
      if (!this.#db.inTransaction) throw new StorageRefusal('undone')
      return
    }
    const nowMs = this.#options.clock.monotonicMs()
    if (this.#inSnapshot && nowMs - this.#takenAtMs < SNAPSHOT_MAX_AGE_MS) return
    this.leaveSnapshot()
    this.#snapshot.begin.run()
    this.#inSnapshot = true
    this.#takenAtMs = nowMs
    if (this.#leavesSoon) return
    this.#leavesSoon = true
    setImmediate(() => {
      this.#leavesSoon = false
      this.leaveSnapshot()
    })
  }

  rows<R>(sql: string, parameters: readonly unknown[]): R[] | Promise<R[]> {
    const run = () => this.#rows<R>(sql, parameters)
    try {
      return run()
    } catch (error) {
      return this.#failed(error, run)
    }
  }

  #rows<R>(sql: string, parameters: readonly unknown[]): R[] {
    this.#enterSnapshot()
    const statement = this.#statement(sql)
    if (statement.reader) return statement.all(parameters) as R[]
    statement.run(parameters)
    return []
  }

  #statement(sql: string): Database.Statement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#db.prepare(plannedOnce(sql))
      this.#statements.set(sql, statement)
    }
    return statement
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const run = () => this.#execute<R>(query)
    try {
      return run()
    } catch (error) {
      return this.#failed(error, run)
    }
  }

  #execute<R>(query: CompiledQuery): QueryResult<R> {
    this.#enterSnapshot()
    const statement = this.#statement(query.sql)
    if (statement.reader) return { rows: statement.all(...query.parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(...query.parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /** A read that met a lock is run again until it is gone; whatever else is the disk's fault becomes a refusal. @throws */
  async #failed<T>(error: unknown, run: () => T): Promise<T> {
    const { gate, clock, commits } = this.#options
    if (commits !== null) throw commits.faulted(error)
    if (!isLocked(error)) throw gate.refusalOf(error)
    const attempt = (): { value: T } | null => {
      try {
        return { value: run() }
      } catch (again) {
        // A snapshot that could not be read is of no use to the next.
        this.leaveSnapshot()
        if (isLocked(again)) return null
        throw gate.refusalOf(again)
      }
    }
    this.leaveSnapshot()
    const read = await untilUnlocked(clock, attempt, { sinceMs: clock.monotonicMs() })
    if (read === null) throw new StorageRefusal('locked', error)
    return read.value
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface; nothing here reads more rows than fit in memory
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

class SqliteDriver implements Driver {
  readonly #commits: GroupCommit | null
  readonly #connection: SqliteConnection

  constructor(connection: SqliteConnection, commits: GroupCommit | null) {
    this.#commits = commits
    this.#connection = connection
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    if (!this.#commits) throw new Error('this connection only reads')
    await this.#commits.begin()
  }
  async commitTransaction(): Promise<void> {
    await this.#commits?.commit()
  }
  async rollbackTransaction(): Promise<void> {
    this.#commits?.rollback()
  }
  /** Closes nothing: Kysely calls it only when a query went through its executor, so RelayDatabase closes the connections itself. */
  async destroy(): Promise<void> {}
}

// Kysely puts a mutex around the whole transaction of a database with one connection, which would undo the sharing of commits.
class SharedCommitAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** `commits` null makes a connection that only reads. */
export function sqliteDialect(connection: SqliteConnection, commits: GroupCommit | null): Dialect {
  return {
    createAdapter: () => new SharedCommitAdapter(),
    createDriver: () => new SqliteDriver(connection, commits),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: sqliteCompiler,
  }
}
