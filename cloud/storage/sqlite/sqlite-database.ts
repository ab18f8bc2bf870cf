// The relay's database in one SQLite file: one writer with group commit, one read-only connection, migrations at opening.
import { existsSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { CannotOpen, cannotOpenBy } from '#cloud/storage/cannot-open.ts'
import {
  type Db,
  DirectKysely,
  type Hindrance,
  type RelayDatabase,
  type Tx,
  type UnitOptions,
} from '#cloud/storage/database.ts'
import { SQLITE_WORDS } from '#cloud/storage/dialect-words.ts'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import type { RelaySchema } from '#cloud/storage/schema.ts'
import { StorageGate } from '#cloud/storage/storage-gate.ts'
import { type RefusalReason, StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { narrowDatabaseFiles } from '#shared/disk/file-modes.ts'
import { logFileOf, QuietCheckpoint } from '#shared/quiet-checkpoint.ts'
import { Signal } from '#shared/signal.ts'
import type { SqliteFault } from '#shared/sqlite-fault.ts'
import { realDatabasePath } from './database-path.ts'
import { GroupCommit, UndoneWithNeighbour } from './group-commit.ts'
import { checkMagic, inWords, openFile, tune } from './open-file.ts'
import { type ConnectionOptions, SqliteConnection, sqliteDialect } from './sqlite-connection.ts'

/** Stands beside a database while a restore puts another file in its place. */
export const restoringFile = (file: string): string => `${file}.restoring`

const connected = (db: Database.Database, options: ConnectionOptions): DirectKysely<SqliteConnection> => {
  const connection = new SqliteConnection(db, options)
  return new DirectKysely(connection, sqliteDialect(connection, options.commits))
}

/** Stands beside a database that was moved to PostgreSQL: a relay that went on from here would print what the other prints. */
export const movedFile = (file: string): string => `${file}.moved`
/** So the note begins from the moment before the COMMIT until it is known what became of it. */
export const MOVING = 'Moving to PostgreSQL'

const BY_NEIGHBOUR: Hindrance = { code: 'neighbour', constraint: null }
/** Some 40 orders. */
const QUIET_PAGES = 1_500

interface Parts {
  file: string
  gate: StorageGate
  commits: GroupCommit
  checkpoint: QuietCheckpoint
  narrowed: readonly string[]
}

export class SqliteDatabase implements RelayDatabase {
  readonly words = SQLITE_WORDS
  readonly replicaId = null
  readonly hindered = new Signal<Hindrance>()
  readonly file: string
  /** Whether units are accepted, and what prevents it. */
  readonly gate: StorageGate
  /** Files that other users could read before they were opened. */
  readonly narrowed: readonly string[]
  /** Committed data only: never sees a unit that is not yet on disk. */
  readonly read: Db
  readonly #write: Db
  readonly #commits: GroupCommit
  /** SQLite could not checkpoint its write-ahead log into the file. No data is lost; reported once until it succeeds again. */
  readonly copyFailed: Signal<unknown>
  readonly #checkpoint: QuietCheckpoint
  readonly #close: () => void

  private constructor(write: DirectKysely<SqliteConnection>, read: DirectKysely<SqliteConnection>, parts: Parts) {
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
  ): Promise<SqliteDatabase> {
    const gate = new StorageGate(clock)
    const file = realDatabasePath(path)
    checkMagic(file)
    if (existsSync(restoringFile(file)))
      throw new CannotOpen(`a restore of ${file} was interrupted: run \`admin restore\` again before the relay starts`)
    if (existsSync(movedFile(file))) throw new CannotOpen(whyMoved(file))
    const narrowed = narrowDatabaseFiles(file)
    const db = await openFile(file, MIGRATIONS.length, clock)
    // The reader opens after the migrations have made the file.
    let reader: DirectKysely<SqliteConnection> | null = null
    const checkpoint = new QuietCheckpoint(logFileOf(db, QUIET_PAGES), clock)
    const commits = new GroupCommit(db, {
      ...{ gate, clock, onFatal },
      beforeCommit: () => reader?.direct.leaveSnapshot(),
      afterCommit: () => checkpoint.written(),
    })
    const write = connected(db, { gate, clock, commits })
    try {
      // A migration may recreate a table, which SQLite takes for deleting rows that others refer to.
      db.pragma('foreign_keys = OFF')
      await migrate(db, write)
      db.pragma('foreign_keys = ON')
      const readOnly = new Database(file, { readonly: true, timeout: 0 })
      tune(readOnly)
      reader = connected(readOnly, { gate, clock, commits: null })
      return new SqliteDatabase(write, reader, { file, gate, commits, checkpoint, narrowed })
    } catch (error) {
      checkpoint.stop()
      db.close()
      throw whyNotStored(file, error)
    }
  }

  get waiting(): number {
    return this.#commits.waiting
  }

  async unit<T>(work: (tx: Tx) => Promise<T>, options: UnitOptions = {}): Promise<T> {
    if (options.sharesSavepoint !== true) return this.#run(work, false)
    try {
      return await this.#run(work, true)
    } catch (error) {
      if (!(error instanceof UndoneWithNeighbour)) throw error
      this.hindered.notify(BY_NEIGHBOUR)
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

  /** Called periodically while no unit arrives: detects that a lock is gone. */
  probeLock(): void {
    this.#commits.probeLock()
  }

  /** Afterwards all committed data is in the one file. */
  async close(): Promise<void> {
    this.#commits.flush()
    this.#checkpoint.stop()
    this.#close()
  }
}

function whyMoved(file: string): string {
  const note = movedFile(file)
  return readFileSync(note, 'utf8').startsWith(MOVING)
    ? `a move of the database ${file} to PostgreSQL ended without an answer: run \`admin move\` again, which says that it was done, or does it; to go on with the file, and only if the database on PostgreSQL is empty, delete ${note}`
    : `the database ${file} was moved to PostgreSQL: set DATABASE_URL; to go back to this state of it, delete ${note}`
}

/** At a start: a refusal of the database or an error of SQLite as a CannotOpen, in words for the operator; any other error as it is. */
export function whyNotStored(file: string, error: unknown): unknown {
  if (!(error instanceof StorageRefusal) || !isSqliteFault(error.reason)) return inWords(file, error)
  const cause = error.cause instanceof Error ? error.cause : error
  return cannotOpenBy(file, error.reason, cause)
}

const isSqliteFault = (reason: RefusalReason): reason is SqliteFault =>
  reason === 'full' || reason === 'locked' || reason === 'damaged' || reason === 'failing'

/** Applies the migrations that this file has not seen, each in its own transaction; `user_version` counts them. */
async function migrate(db: Database.Database, write: Kysely<RelaySchema>): Promise<void> {
  const done = Number(db.pragma('user_version', { simple: true }))
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < done) continue
    await write.transaction().execute(async (tx) => {
      await migration.up(tx, SQLITE_WORDS)
      db.pragma(`user_version = ${index + 1}`)
    })
  }
}
