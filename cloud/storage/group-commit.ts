// A Kysely driver for SQLite in which all units of work that queued meanwhile share one durable COMMIT. Measured in docs/decisions/0003-group-commit.md.
import type Database from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { ServiceError } from '#shared/errors.ts'

/** Units that may wait for the writer; one more is refused with 503. */
const MAX_WAITING = 2_048
/** Units that share one COMMIT. */
const MAX_GROUP = 256

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/**
 * The single writer. States: closed (no transaction) -> open (BEGIN IMMEDIATE done) -> closed by COMMIT.
 * A unit holds the lock from its SAVEPOINT to its RELEASE; its promise settles only after the group's COMMIT.
 * The COMMIT runs from setImmediate once no unit holds or waits for the lock, or when the group is full.
 */
export class GroupCommit {
  readonly #db: Database.Database
  readonly #onFatal: (error: unknown) => void
  /** Called just before each COMMIT. */
  readonly #beforeCommit: () => void
  #open = false
  #held = false
  #scheduled = false
  #waiting: Waiter[] = []
  #group: Waiter[] = []

  /** @param onFatal called when COMMIT fails: whether it is on disk is unknown then, so the process must die and read again. */
  constructor(db: Database.Database, onFatal: (error: unknown) => void, beforeCommit: () => void = () => undefined) {
    this.#db = db
    this.#onFatal = onFatal
    this.#beforeCommit = beforeCommit
  }

  async begin(): Promise<void> {
    if (this.#held) await this.#wait()
    this.#held = true
    try {
      if (!this.#open) this.#db.exec('BEGIN IMMEDIATE')
      this.#open = true
      this.#db.exec('SAVEPOINT unit')
    } catch (error) {
      this.#unlock()
      throw error
    }
  }

  /** Resolves when the unit is on disk. */
  async commit(): Promise<void> {
    this.#db.exec('RELEASE unit')
    const durable = new Promise<void>((resolve, reject) => this.#group.push({ resolve, reject }))
    this.#unlock()
    await durable
  }

  /** Undoes this unit only; the others of the group go on. */
  rollback(): void {
    this.#db.exec('ROLLBACK TO unit')
    this.#db.exec('RELEASE unit')
    this.#unlock()
  }

  /** Commits what waits for the next COMMIT, because the connection is about to be closed. */
  flush(): void {
    if (!this.#held) this.#commitGroup()
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) throw new ServiceError('service.unavailable', { retryAfterSeconds: 1 })
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #unlock(): void {
    if (this.#group.length >= MAX_GROUP) this.#commitGroup()
    const next = this.#waiting.shift()
    if (next) {
      next.resolve()
      return
    }
    this.#held = false
    if (this.#scheduled || !this.#open) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (!this.#held) this.#commitGroup()
    })
  }

  #commitGroup(): void {
    if (!this.#open) return
    const group = this.#group
    this.#group = []
    this.#open = false
    try {
      this.#beforeCommit()
      this.#db.exec('COMMIT')
    } catch (error) {
      for (const unit of group) unit.reject(error)
      this.#onFatal(error)
      return
    }
    for (const unit of group) unit.resolve()
  }
}

/** One SQLite connection with its prepared statements. */
export class SqliteConnection implements DatabaseConnection {
  readonly #db: Database.Database
  readonly #sharesSnapshots: boolean
  #inSnapshot = false
  readonly #statements = new Map<string, Database.Statement>()

  /**
   * @param sharesSnapshots for a connection that only reads: all reads of one turn of the event loop see one snapshot. Locking the
   * database for each of them alone costs more than reading.
   */
  constructor(db: Database.Database, sharesSnapshots: boolean) {
    this.#db = db
    this.#sharesSnapshots = sharesSnapshots
  }

  /** The next read sees what is committed by then. Called before each COMMIT of the writer, so nobody reads what is older than an answer. */
  leaveSnapshot(): void {
    if (!this.#inSnapshot) return
    this.#inSnapshot = false
    this.#db.exec('COMMIT')
  }

  #enterSnapshot(): void {
    if (!this.#sharesSnapshots || this.#inSnapshot) return
    this.#db.exec('BEGIN')
    this.#inSnapshot = true
    setImmediate(() => this.leaveSnapshot())
  }

  /** Rows of a query that returns some; for the hot path, past Kysely's executor, which costs as much as SQLite itself. */
  rows<R>(sql: string, parameters: readonly unknown[]): R[] {
    this.#enterSnapshot()
    const statement = this.#statement(sql)
    if (statement.reader) return statement.all(...parameters) as R[]
    statement.run(...parameters)
    return []
  }

  #statement(sql: string): Database.Statement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#enterSnapshot()
    const statement = this.#statement(query.sql)
    if (statement.reader) return { rows: statement.all(...query.parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(...query.parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface; nothing here reads more rows than fit in memory
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

class SqliteDriver implements Driver {
  readonly #db: Database.Database
  readonly #commits: GroupCommit | null
  readonly #connection: SqliteConnection

  constructor(db: Database.Database, connection: SqliteConnection, commits: GroupCommit | null) {
    this.#db = db
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
  async destroy(): Promise<void> {
    this.#commits?.flush()
    this.#connection.leaveSnapshot()
    this.#db.close()
  }
}

// Kysely puts a mutex around the whole transaction of a database with one connection, which would undo the sharing of commits.
class SharedCommitAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** `commits` null makes a connection that only reads. */
export function sqliteDialect(
  db: Database.Database,
  connection: SqliteConnection,
  commits: GroupCommit | null,
): Dialect {
  return {
    createAdapter: () => new SharedCommitAdapter(),
    createDriver: () => new SqliteDriver(db, connection, commits),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
