// The relay's database: one writer with group commit, one read-only connection, migrations at opening.
import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { type Compilable, CompiledQuery, Kysely, type Transaction } from 'kysely'
import { type Clock, systemClock } from '#shared/clock.ts'
import { narrowDatabaseFiles } from '#shared/disk/file-modes.ts'
import { logFileOf, QuietCheckpoint } from '#shared/quiet-checkpoint.ts'
import type { Signal } from '#shared/signal.ts'
import { CannotOpen, cannotOpenBy } from './cannot-open.ts'
import { realDatabasePath } from './database-path.ts'
import { GroupCommit, UndoneWithNeighbour } from './group-commit.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { checkMagic, inWords, openFile, tune } from './open-file.ts'
import type { RelaySchema } from './schema.ts'
import { type ConnectionOptions, SqliteConnection, sqliteDialect } from './sqlite-connection.ts'
import { StorageGate } from './storage-gate.ts'
import { StorageRefusal } from './storage-refusal.ts'

export type Tx = Transaction<RelaySchema>
export type Db = Kysely<RelaySchema>

/** Kysely that knows its one connection, so that prepared queries need not look for it each time. */
class DirectKysely extends Kysely<RelaySchema> {
  readonly direct: SqliteConnection

  constructor(db: Database.Database, options: ConnectionOptions) {
    const connection = new SqliteConnection(db, options)
    super({ dialect: sqliteDialect(connection, options.commits) })
    this.direct = connection
  }
}

/** Stands beside a database while a restore puts another file in its place. */
export const restoringFile = (file: string): string => `${file}.restoring`

/** Some 40 orders. */
const QUIET_PAGES = 1_500

interface Parts {
  file: string
  gate: StorageGate
  commits: GroupCommit
  checkpoint: QuietCheckpoint
  narrowed: readonly string[]
}

export class RelayDatabase {
  readonly file: string
  /** Whether units are taken, and what stands in their way. */
  readonly gate: StorageGate
  /** Files that other users could read before they were opened. */
  readonly narrowed: readonly string[]
  /** Committed data only: never sees a unit that is not yet on disk. */
  readonly read: Db
  readonly #write: Db
  readonly #commits: GroupCommit
  /** SQLite could not copy its write-ahead log back into the file. Nothing is lost by it; told once until it can again. */
  readonly copyFailed: Signal<unknown>
  readonly #checkpoint: QuietCheckpoint
  readonly #close: () => void

  private constructor(write: DirectKysely, read: DirectKysely, parts: Parts) {
    this.#write = write
    this.file = parts.file
    this.gate = parts.gate
    this.narrowed = parts.narrowed
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
   * @param onFatal called when a COMMIT failed and its outcome is unknown: the program must exit.
   * @throws CannotOpen
   */
  static async open(
    path: string,
    onFatal: (error: unknown) => void,
    clock: Clock = systemClock,
  ): Promise<RelayDatabase> {
    const gate = new StorageGate(clock)
    const file = realDatabasePath(path)
    checkMagic(file)
    if (existsSync(restoringFile(file)))
      throw new CannotOpen(`a restore of ${file} was interrupted: run \`admin restore\` again before the relay starts`)
    const narrowed = narrowDatabaseFiles(file)
    const db = await openFile(file, MIGRATIONS.length, clock)
    // The reader opens after the migrations have made the file.
    let reader: DirectKysely | null = null
    const checkpoint = new QuietCheckpoint(logFileOf(db, QUIET_PAGES), clock)
    const commits = new GroupCommit(db, {
      ...{ gate, clock, onFatal },
      beforeCommit: () => reader?.direct.leaveSnapshot(),
      afterCommit: () => checkpoint.written(),
    })
    const write = new DirectKysely(db, { gate, clock, commits })
    try {
      // A migration may make a table anew, which SQLite takes for deleting what others point to.
      db.pragma('foreign_keys = OFF')
      await migrate(db, write)
      db.pragma('foreign_keys = ON')
      const readOnly = new Database(file, { readonly: true, timeout: 0 })
      tune(readOnly)
      reader = new DirectKysely(readOnly, { gate, clock, commits: null })
      return new RelayDatabase(write, reader, { file, gate, commits, checkpoint, narrowed })
    } catch (error) {
      checkpoint.stop()
      db.close()
      throw whyNotStored(file, error)
    }
  }

  /**
   * One unit of work: all of it or nothing, on disk when the promise resolves. `work` awaits nothing but its own queries,
   * because every other writer waits for it. An error of the disk undoes it and its whole group.
   * @throws StorageRefusal when nothing can be written now; nothing of the unit is kept, and it may be tried again
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
      throw this.#commits.rollback() ?? error
    }
    await this.#commits.commit()
    return result
  }

  /** For whoever watches while no unit comes: a lock that is gone is noticed. */
  probeLock(): void {
    this.#commits.probeLock()
  }

  /** What was committed then stands in the one file; further queries fail. */
  async close(): Promise<void> {
    this.#commits.flush()
    this.#checkpoint.stop()
    this.#close()
  }
}

/** At a start: a refusal of the database or an error of SQLite as a CannotOpen, in words for the operator; any other error as it is. */
export function whyNotStored(file: string, error: unknown): unknown {
  if (!(error instanceof StorageRefusal) || error.reason === 'undone') return inWords(file, error)
  const cause = error.cause instanceof Error ? error.cause : error
  return cannotOpenBy(file, error.reason, cause)
}

/** Applies the migrations that this file has not seen, each in its own transaction; `user_version` counts them. */
async function migrate(db: Database.Database, write: Kysely<RelaySchema>): Promise<void> {
  const done = Number(db.pragma('user_version', { simple: true }))
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
