// Copies a database's write-ahead log back into its file while nothing is written, so that few orders wait for it.
import type { Cancel, Clock } from './clock.ts'
import { Signal } from './signal.ts'
import { isSqliteError } from './sqlite-fault.ts'

/** So long nothing is committed: longer than the pauses within one order, shorter than those between the orders of a busy kitchen. */
export const QUIET_MS = 15

/** For the program's own log, when `QuietCheckpoint` has failed. */
export const LOG_NOT_COPIED =
  'the write-ahead log could not be copied back into the database: nothing is lost, but the log grows until the disk is well'

export interface LogFile {
  /** Pages from which on a quiet moment is used. Below what SQLite itself waits for before it copies them within a commit. */
  readonly enoughPages: number
  /** A transaction is open, or the connection is closed: after a fault a database is closed without stopping its parts. */
  isBusy(): boolean
  /** Pages in the log that are not yet in the file. */
  waitingPages(): number
  /** Copies what no reader needs any more. @throws when the disk fails: nothing is lost by that, everything is still in the log */
  copyBack(): void
}

/** The parts of a connection of better-sqlite3 that `logFileOf` needs. */
interface Sqlite {
  readonly open: boolean
  readonly inTransaction: boolean
  prepare(sql: string): { get(): unknown }
}

/** The log of an open database in WAL mode. */
export function logFileOf(db: Sqlite, enoughPages: number): LogFile {
  // NOOP only counts: pages in the log since its last reset, and how many of them are in the file.
  const count = db.prepare('pragma wal_checkpoint(noop)')
  const copy = db.prepare('pragma wal_checkpoint(passive)')
  return {
    enoughPages,
    isBusy: () => !db.open || db.inTransaction,
    waitingPages: () => {
      const { log, checkpointed } = count.get() as { log: number; checkpointed: number }
      return log - checkpointed
    },
    copyBack: () => void copy.get(),
  }
}

/**
 * SQLite copies the log back within the commit that makes it too long (`wal_autocheckpoint`): at 20 orders a second each hundredth order
 * waited 14 ms for the relay's. That remains for the time in which there is no quiet moment.
 */
export class QuietCheckpoint {
  /** SQLite could not copy the log back: reported once, and again after it succeeded. Nothing is lost by it, but the log grows. */
  readonly failed = new Signal<unknown>()
  readonly #log: LogFile
  readonly #clock: Clock
  #writtenAtMs = 0
  #cancel: Cancel | null = null
  #stopped = false
  #isFailing = false

  constructor(log: LogFile, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  /** Something was committed. No effect after a stop: a signal may arrive after the database was closed. */
  written(): void {
    if (this.#stopped) return
    this.#writtenAtMs = this.#clock.monotonicMs()
    this.#cancel ??= this.#clock.after(QUIET_MS, () => this.#look())
  }

  /** The database is about to be closed, and nothing more is committed. */
  stop(): void {
    this.#stopped = true
    this.#cancel?.()
    this.#cancel = null
  }

  #look(): void {
    const leftMs = this.#writtenAtMs + QUIET_MS - this.#clock.monotonicMs()
    this.#cancel = leftMs > 0 ? this.#clock.after(leftMs, () => this.#look()) : null
    // What is open is committed soon: that is the next moment to wait for.
    if (leftMs > 0 || this.#log.isBusy()) return
    try {
      if (this.#log.waitingPages() < this.#log.enoughPages) return
      this.#log.copyBack()
      this.#isFailing = false
    } catch (error) {
      // SQLite ignores it within a commit too. What fails at the log is found by the next commit; what fails at the file alone only here.
      if (!isSqliteError(error)) throw error
      if (!this.#isFailing) this.failed.notify(error)
      this.#isFailing = true
    }
  }
}
