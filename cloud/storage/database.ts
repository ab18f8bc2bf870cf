// The relay's database: one writer with group commit, one read-only connection, migrations at opening.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { type Compilable, CompiledQuery, Kysely, type Transaction } from 'kysely'
import { systemClock } from '#shared/clock.ts'
import { logFileOf, QuietCheckpoint } from '#shared/quiet-checkpoint.ts'
import type { Signal } from '#shared/signal.ts'
import { GroupCommit, SqliteConnection, sqliteDialect, UndoneWithNeighbour } from './group-commit.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import type { RelaySchema } from './schema.ts'

export type Tx = Transaction<RelaySchema>
export type Db = Kysely<RelaySchema>

/** Kysely that knows its one connection, so that prepared queries need not look for it each time. */
class DirectKysely extends Kysely<RelaySchema> {
  readonly direct: SqliteConnection

  constructor(db: Database.Database, commits: GroupCommit | null) {
    const connection = new SqliteConnection(db, commits === null ? systemClock : null)
    super({ dialect: sqliteDialect(connection, commits) })
    this.direct = connection
  }
}

/** Some 40 orders. */
const QUIET_PAGES = 1_500

export class RelayDatabase {
  /** Committed data only: never sees a unit that is not yet on disk. */
  readonly read: Db
  readonly #write: Db
  readonly #commits: GroupCommit
  /** SQLite could not copy its write-ahead log back into the file. Nothing is lost by it; told once until it can again. */
  readonly copyFailed: Signal<unknown>
  readonly #checkpoint: QuietCheckpoint
  readonly #close: () => void

  private constructor(
    write: DirectKysely,
    read: DirectKysely,
    parts: { commits: GroupCommit; checkpoint: QuietCheckpoint },
  ) {
    this.#write = write
    this.#commits = parts.commits
    this.#checkpoint = parts.checkpoint
    this.copyFailed = parts.checkpoint.failed
    this.read = read
    this.#close = () => {
      read.direct.close()
      write.direct.close()
    }
  }

  /**
   * Opens (and migrates) the file. WAL with synchronous=FULL: what `unit` has resolved survives a power cut.
   * @param onFatal called when a COMMIT failed; the program must exit, because its outcome is unknown.
   */
  static async open(file: string, onFatal: (error: unknown) => void): Promise<RelayDatabase> {
    mkdirSync(dirname(file), { recursive: true })
    const db = new Database(file)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    db.pragma('busy_timeout = 5000')
    db.pragma('journal_size_limit = 67108864')
    tune(db)
    // The reader opens after the migrations have made the file.
    let reader: DirectKysely | null = null
    const checkpoint = new QuietCheckpoint(logFileOf(db, QUIET_PAGES), systemClock)
    const commits = new GroupCommit(db, onFatal, {
      beforeCommit: () => reader?.direct.leaveSnapshot(),
      afterCommit: () => checkpoint.written(),
    })
    const write = new DirectKysely(db, commits)
    await migrate(db, write)
    const readOnly = new Database(file, { readonly: true })
    readOnly.pragma('busy_timeout = 5000')
    tune(readOnly)
    reader = new DirectKysely(readOnly, null)
    return new RelayDatabase(write, reader, { commits, checkpoint })
  }

  /**
   * One unit of work: all of it or nothing, on disk when the promise resolves. `work` awaits nothing but its own queries,
   * because every other writer waits for it.
   * @param options.repeatable `work` changes nothing but the database, so it may be run again. That is cheaper: neighbours share one
   * savepoint, and when one of them fails the others are undone with it and run again, each alone. For units that seldom fail.
   */
  async unit<T>(work: (tx: Tx) => Promise<T>, options: { repeatable?: boolean } = {}): Promise<T> {
    if (options.repeatable !== true) return this.#run(work, false)
    try {
      return await this.#run(work, true)
    } catch (error) {
      if (!(error instanceof UndoneWithNeighbour)) throw error
      return this.#run(work, false)
    }
  }

  async #run<T>(work: (tx: Tx) => Promise<T>, shared: boolean): Promise<T> {
    await this.#commits.begin(shared)
    let result: T
    try {
      // The writer has one connection and the lock is ours: whatever runs on it now is inside this unit.
      result = await work(this.#write as Tx)
    } catch (error) {
      this.#commits.rollback()
      throw error
    }
    await this.#commits.commit()
    return result
  }

  /** What was committed then stands in the one file; further queries fail. */
  async close(): Promise<void> {
    this.#commits.flush()
    this.#checkpoint.stop()
    this.#close()
  }
}

/** What makes it fast and costs no safety. */
function tune(db: Database.Database): void {
  // The pages that a savepoint may have to restore stay in memory: above 64 KiB SQLite would make a temporary file for each unit.
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -32768')
  // Fewer, larger checkpoints: a page that many commits have touched is copied back once.
  db.pragma('wal_autocheckpoint = 4000')
}

/** Applies the migrations that this file has not seen, each in its own transaction; `user_version` counts them. */
async function migrate(db: Database.Database, write: Kysely<RelaySchema>): Promise<void> {
  const done = Number(db.pragma('user_version', { simple: true }))
  if (done > MIGRATIONS.length)
    throw new Error(
      `the database is of version ${done}, this program knows ${MIGRATIONS.length}: install the newer one`,
    )
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < done) continue
    await write.transaction().execute(async (tx) => {
      await migration.up(tx)
      db.pragma(`user_version = ${index + 1}`)
    })
  }
}

class Param {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that Kysely compiles once; the hot path only binds values. `build` gets a function that makes a named parameter.
 * @example const byHash = prepared((p) => db.read.selectFrom('api_keys').selectAll().where('hash', '=', p('hash')))
 *          const rows = await byHash(db.read, { hash })
 */
export function prepared<R>(
  // biome-ignore lint/suspicious/noExplicitAny: a parameter stands for a value of any column type
  build: (param: (name: string) => any) => Compilable<R>,
): (on: Db | Tx, values: Readonly<Record<string, unknown>>) => Promise<R[]> {
  const { sql, parameters: slots } = build((name) => new Param(name)).compile()
  return async (on, values) => {
    const parameters = slots.map((slot) => {
      if (!(slot instanceof Param)) return slot
      const value = values[slot.name]
      if (value === undefined) throw new Error(`no value for parameter ${slot.name}`)
      return value
    })
    if (on instanceof DirectKysely) return on.direct.rows<R>(sql, parameters)
    return (await on.executeQuery<R>(CompiledQuery.raw(sql, parameters))).rows
  }
}
