// The gateway's database: one SQLite file, one connection, every write a durable transaction. Crash-only: a failed write ends the program, unless the disk is only full.
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { systemClock } from '#shared/clock.ts'
import { plannedOnce } from '#shared/planned-once.ts'
import { logFileOf, QuietCheckpoint } from '#shared/quiet-checkpoint.ts'
import { Signal } from '#shared/signal.ts'
import { isUndoneCommit, sqliteFault } from '#shared/sqlite-fault.ts'
import { MIGRATIONS, READABLE_SINCE } from './migrations.ts'
import { sqliteAddon } from './sqlite-addon.ts'

export interface OpenOptions {
  /** Refuses a second process on the same file: two gateways on one queue would print everything twice, unmarked. */
  exclusive?: boolean
}

/** Some 25 tickets; SQLite itself would wait for 1,000 pages. */
const QUIET_PAGES = 600

/** The file is held by another process. */
export class DatabaseInUseError extends Error {}

/**
 * Opens (and creates or migrates) the file. WAL with synchronous=FULL: what a transaction has committed survives a power cut.
 * @throws DatabaseInUseError when another process holds it for itself, or holds it at all and `exclusive` was asked for
 */
export function openGatewayDatabase(file: string, { exclusive = false }: OpenOptions = {}): GatewayDatabase {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const sqlite = new Database(file, sqliteAddon(dirname(file)))
  const prepare = sqlite.prepare.bind(sqlite)
  sqlite.prepare = ((sql) => prepare(plannedOnce(sql))) as typeof prepare
  try {
    // Before the log is opened: its index is then kept in memory, and the gateway starts on a disk without room for another file.
    if (exclusive) sqlite.pragma('locking_mode = EXCLUSIVE')
    configure(sqlite)
    if (exclusive) sqlite.exec('begin exclusive; commit')
    migrate(sqlite)
  } catch (error) {
    sqlite.close()
    if (sqliteFault(error) === 'locked')
      throw new DatabaseInUseError(`${file} is in use by another program`, { cause: error })
    throw error
  }
  return new GatewayDatabase(sqlite)
}

export class GatewayDatabase {
  /** For the stores of this room only. */
  readonly sqlite: Database.Database
  /** Durable commits since opening: each is one wait for the disk. */
  commits = 0
  /** A COMMIT failed, so its outcome is unknown: the program must exit and read the disk again. */
  readonly failed = new Signal<unknown>()
  /** There was no room for a transaction: it was rolled back, and its caller tries again. */
  readonly full = new Signal<void>()
  /** A transaction was rolled back: what was read within it may not be on disk. */
  readonly rolledBack = new Signal()
  /** A store has written rows of other stores, and is still in its transaction: their caches are invalid. */
  readonly overwritten = new Signal()
  /** SQLite could not copy its write-ahead log back into the file. Nothing is lost by it; reported once until it works again. */
  readonly copyFailed: Signal<unknown>
  /** Something was written: code that displays rows may read them again. */
  readonly committed = new Signal()
  /** Counts transactions begun, so that code can detect whether it is still in the same one. */
  transactionNumber = 0
  readonly #checkpoint: QuietCheckpoint
  readonly #begin: Database.Statement
  readonly #end: Database.Statement
  #broken: unknown = null
  #riders: (() => void)[] = []
  #afterCommit: (() => void)[] = []

  constructor(sqlite: Database.Database) {
    this.sqlite = sqlite
    this.#begin = sqlite.prepare('begin immediate')
    this.#end = sqlite.prepare('commit')
    this.#checkpoint = new QuietCheckpoint(logFileOf(sqlite, QUIET_PAGES), systemClock)
    this.copyFailed = this.#checkpoint.failed
  }

  /**
   * Runs `work` as one durable transaction, or as part of the current one. Synchronous: nothing else runs meanwhile. Everything is rolled
   * back if `work` throws, or if the disk is full (`isDiskFull`): then it may be tried again.
   */
  transaction<T>(work: () => T): T {
    if (this.sqlite.inTransaction) return work()
    if (this.#broken !== null) throw new Error('the database failed earlier', { cause: this.#broken })
    const riders = this.#riders
    this.#begin.run()
    this.transactionNumber++
    let result: T
    try {
      result = work()
      for (const ride of riders) ride()
      this.#riders = []
    } catch (error) {
      this.#riders = riders
      this.#afterCommit = []
      this.#rollBack(error)
      throw error
    }
    this.#commit(riders)
    return result
  }

  /** Runs `fn` once the current transaction is on disk; at once if there is none. Dropped on rollback. */
  afterCommit(fn: () => void): void {
    if (this.sqlite.inTransaction) this.#afterCommit.push(fn)
    else fn()
  }

  /**
   * A write whose loss in a crash is harmless: it waits for the next transaction, so it never costs a commit. `flush` (housekeeping, close)
   * writes what found no transaction.
   */
  rideAlong(write: () => void): void {
    this.#riders.push(write)
  }

  flush(): void {
    if (this.#riders.length > 0) this.transaction(() => undefined)
  }

  /** Space in the file that deleted rows left. It is used before the file grows. */
  reusableBytes(): number {
    const of = (name: string): number => Number(this.sqlite.pragma(name, { simple: true }))
    return of('freelist_count') * of('page_size')
  }

  /** Truncates the write-ahead log, so that deleted data do not stay readable in it. */
  checkpoint(): void {
    this.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    if (!this.sqlite.open) return
    try {
      if (this.#broken === null) this.#flushIfRoom()
    } finally {
      this.#checkpoint.stop()
    }
    this.sqlite.close()
  }

  #flushIfRoom(): void {
    try {
      this.flush()
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }

  #commit(riders: readonly (() => void)[]): void {
    try {
      this.#end.run()
    } catch (error) {
      if (isUndoneCommit(error)) {
        // There was no room for the record of the commit, so certainly nothing of it is stored: the caller tries again later.
        this.#afterCommit = []
        this.#riders = [...riders, ...this.#riders]
        this.#rollBack(error)
        throw error
      }
      // fsync errors: a failed commit may still be found on disk later, so its outcome is unknown, never "failed".
      this.#afterCommit = []
      this.#fail(error)
      throw error
    }
    this.commits++
    this.#checkpoint.written()
    const listeners = this.#afterCommit
    this.#afterCommit = []
    for (const listener of listeners) listener()
    this.committed.notify()
  }

  #rollBack(error: unknown): void {
    // SQLite rolls back itself on some errors (disk full, I/O).
    if (this.sqlite.inTransaction) this.sqlite.exec('rollback')
    this.rolledBack.notify()
    if (isDiskFull(error)) this.full.notify()
    if (error instanceof Database.SqliteError && /IOERR|CORRUPT|NOTADB/.test(error.code)) this.#fail(error)
  }

  #fail(error: unknown): void {
    this.#broken = error
    this.failed.notify(error)
  }
}

/** The disk had no space. Nothing of the transaction is kept. Unlike other disk errors this one is temporary. */
export function isDiskFull(error: unknown): boolean {
  return sqliteFault(error) === 'full'
}

/** Sixteen hex characters over the parts: enough to detect a flipped bit or a torn row, not a signature. */
export function digestOf(...parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex').slice(0, 16)
}

function configure(db: Database.Database): void {
  db.pragma('busy_timeout = 1000')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('journal_size_limit = 8388608')
  // KiB: what is printed today fits; the library's 16 MB would be a tenth of a small box.
  db.pragma('cache_size = -4000')
  db.pragma('cell_size_check = ON')
  db.pragma('trusted_schema = OFF')
  // Deleted customers' data are overwritten, not only unlinked.
  db.pragma('secure_delete = ON')
}

/**
 * Applies the migrations that this file does not have, each in its own transaction. `meta.schema` counts them; `user_version` is what a
 * program must support to open the file at all, so that after an update an older one can take over again.
 */
function migrate(db: Database.Database): void {
  const needed = Number(db.pragma('user_version', { simple: true }))
  if (needed > MIGRATIONS.length)
    throw new Error(
      `the database is of version ${needed}, this program knows ${MIGRATIONS.length}: install the newer one`,
    )
  const done = needed === 0 ? 0 : Math.max(needed, stepsOf(db))
  MIGRATIONS.slice(done).forEach((sql, index) => {
    const step = done + index + 1
    db.transaction(() => {
      db.exec(sql)
      const put = db.prepare('insert or replace into meta (key, value) values (?, ?)')
      if (step === 1) {
        put.run('stream', randomBytes(12).toString('hex'))
        put.run('epoch', '0')
        put.run('last_seq', '0')
        put.run('clock', '0')
      }
      put.run('schema', String(step))
      db.pragma(`user_version = ${Math.min(step, READABLE_SINCE)}`)
    }).exclusive()
  })
}

/** Number of applied steps; 0: the file is from when `user_version` counted them. */
function stepsOf(db: Database.Database): number {
  const row = db.prepare<[], { value: string }>("select value from meta where key = 'schema'").get()
  return Number(row?.value ?? 0)
}
