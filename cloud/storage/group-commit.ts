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
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { plannedOnce } from '#shared/planned-once.ts'

/** Units that may wait for the writer; one more is refused with 503. */
const MAX_WAITING = 2_048
/** Units that share one COMMIT. */
const MAX_GROUP = 256
/** Turns of the event loop that a COMMIT may be put off. */
const MAX_TURNS = 4
/** So old may a snapshot be at a read: another program that has revoked a key needs longer to say so. */
const SNAPSHOT_MAX_AGE_MS = 1

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/** Called just before each COMMIT, and just after one that is on disk. Neither may throw. */
export interface AroundCommit {
  beforeCommit?: () => void
  afterCommit?: () => void
}

/** What a unit that shares its savepoint is rejected with when a neighbour failed: none of it is left, it may run again. */
export class UndoneWithNeighbour extends Error {
  override readonly name = 'UndoneWithNeighbour'
}

/**
 * The single writer. States: closed (no transaction) -> open (BEGIN IMMEDIATE done) -> closed by COMMIT.
 * A unit holds the lock from `begin` to `commit` or `rollback`; its promise settles only after the group's COMMIT. It has a SAVEPOINT of
 * its own, or shares one with the units beside it that said so: SQLite copies every page that a unit touches for each savepoint.
 * The COMMIT runs from setImmediate once no unit holds or waits for the lock and the last turn of the event loop has brought no other,
 * after four more turns at the latest, or when the group is full.
 */
export class GroupCommit {
  readonly #onFatal: (error: unknown) => void
  readonly #around: AroundCommit
  readonly #steps: ReturnType<typeof prepareSteps>
  #open = false
  #held = false
  #scheduled = false
  #waiting: Waiter[] = []
  #group: Waiter[] = []
  /** Where in `#group` the units begin that share the open savepoint; null when none is open. */
  #sharedFrom: number | null = null
  /** Whether the unit that holds the lock shares its savepoint. */
  #shares = false

  /** @param onFatal called when COMMIT fails: whether it is on disk is unknown then, so the process must die and read again. */
  constructor(db: Database.Database, onFatal: (error: unknown) => void, around: AroundCommit = {}) {
    this.#onFatal = onFatal
    this.#around = around
    this.#steps = prepareSteps(db)
  }

  async begin(shares = false): Promise<void> {
    if (this.#held) await this.#wait()
    this.#held = true
    this.#shares = shares
    try {
      if (!this.#open) this.#steps.begin.run()
      this.#open = true
      this.#mark()
    } catch (error) {
      this.#unlock()
      throw error
    }
  }

  /** Resolves when the unit is on disk. */
  async commit(): Promise<void> {
    if (!this.#shares) this.#steps.release.run()
    const durable = new Promise<void>((resolve, reject) => this.#group.push({ resolve, reject }))
    this.#unlock()
    await durable
  }

  /** Undoes this unit, and those that share its savepoint, which may run again; the others of the group go on. */
  rollback(): void {
    const undone = this.#shares ? this.#group.splice(this.#sharedFrom ?? 0) : []
    this.#sharedFrom = null
    try {
      this.#steps.undo.run()
      this.#steps.release.run()
    } catch (error) {
      // SQLite gave up the whole transaction (disk full, I/O error): what the others of the group wrote is lost.
      this.#fail([...this.#group.splice(0), ...undone], error)
      return
    }
    for (const unit of undone) unit.reject(new UndoneWithNeighbour())
    this.#unlock()
  }

  /** Commits what waits for the next COMMIT, because the connection is about to be closed. */
  flush(): void {
    if (!this.#held) this.#commitGroup()
  }

  /** Sets or joins the savepoint to which this unit would be undone. All have one name: the youngest is meant. */
  #mark(): void {
    if (this.#shares && this.#sharedFrom !== null) return
    // What is shared ends here: a unit with its own savepoint is never undone for another's sake.
    if (this.#sharedFrom !== null) this.#steps.release.run()
    this.#sharedFrom = this.#shares ? this.#group.length : null
    this.#steps.savepoint.run()
  }

  #fail(units: readonly Waiter[], error: unknown): void {
    for (const unit of units) unit.reject(error)
    this.#onFatal(error)
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
    this.#commitSoon(MAX_TURNS)
  }

  /** In the next turn of the event loop, or in a later one as long as each turn brings more units: they share one wait for the disk. */
  #commitSoon(turnsLeft: number): void {
    const before = this.#group.length
    setImmediate(() => {
      if (turnsLeft > 0 && this.#open && this.#group.length > before) return this.#commitSoon(turnsLeft - 1)
      this.#scheduled = false
      if (!this.#held) this.#commitGroup()
    })
  }

  #commitGroup(): void {
    if (!this.#open) return
    const group = this.#group
    this.#group = []
    this.#sharedFrom = null
    this.#open = false
    try {
      this.#around.beforeCommit?.()
      this.#steps.commit.run()
    } catch (error) {
      this.#fail(group, error)
      return
    }
    this.#around.afterCommit?.()
    // The youngest first: a job's claim is a younger unit of the group that holds its order, so it is sent before the client is answered.
    for (const unit of group.reverse()) unit.resolve()
  }
}

/** Prepared, because parsing them anew for each unit costs more than running them. */
function prepareSteps(db: Database.Database) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    savepoint: db.prepare('SAVEPOINT unit'),
    release: db.prepare('RELEASE unit'),
    undo: db.prepare('ROLLBACK TO unit'),
  }
}

type ReadClock = Pick<Clock, 'monotonicMs'>

/** One SQLite connection with its prepared statements. */
export class SqliteConnection implements DatabaseConnection {
  readonly #db: Database.Database
  readonly #snapshot: { begin: Database.Statement; end: Database.Statement; clock: ReadClock } | null
  #inSnapshot = false
  /** When the snapshot was taken, on the monotonic clock. */
  #takenAtMs = 0
  /** The end of this turn is waited for. */
  #leavesSoon = false
  readonly #statements = new Map<string, Database.Statement>()

  /**
   * @param clock for a connection that only reads: its reads share a snapshot until the turn of the event loop ends, for 1 ms at most
   * (`snapshot-age.test.ts`). Locking the database for each of them alone costs more than reading. Null: every read sees what is committed.
   */
  constructor(db: Database.Database, clock: ReadClock | null) {
    this.#db = db
    this.#snapshot = clock && { begin: db.prepare('BEGIN'), end: db.prepare('COMMIT'), clock }
  }

  /** The next read sees what is committed by then. Called before each COMMIT of the writer, so nobody reads what is older than an answer. */
  leaveSnapshot(): void {
    if (!this.#inSnapshot) return
    this.#inSnapshot = false
    this.#snapshot?.end.run()
  }

  /** Of two connections to a file the writer's closes last: it brings the write-ahead log into the file, and a reader cannot. */
  close(): void {
    this.leaveSnapshot()
    this.#db.close()
  }

  /** A turn may be long, or the machine busy elsewhere in the middle of it: what another process has written meanwhile counts, too. */
  #enterSnapshot(): void {
    if (this.#snapshot === null) return
    const nowMs = this.#snapshot.clock.monotonicMs()
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

  /** Rows of a query that returns some; for the hot path, past Kysely's executor, which costs as much as SQLite itself. */
  rows<R>(sql: string, parameters: readonly unknown[]): R[] {
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
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
