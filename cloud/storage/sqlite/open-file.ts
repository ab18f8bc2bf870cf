// Opens the relay's SQLite file for writing: what kind of file it is, settings of the connection. Every refusal is one line.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { CannotOpen, cannotOpenBy, damagedFile, newerFile } from '#cloud/storage/cannot-open.ts'
import { isLocked } from '#cloud/storage/storage-gate.ts'
import { isSqliteError, sqliteFault } from '#shared/sqlite-fault.ts'
import { saysDamage } from './find-damage.ts'
import { type LockClock, untilUnlocked } from './lock-patience.ts'

/** A start waits so long for a lock of another program. */
const LOCK_WAIT_MS = 5_000
/** A file of up to so much is checked at opening, which takes a tenth of a second; a larger one after the start. */
export const CHECKED_AT_OPEN_BYTES = 64 * 1024 * 1024

const MAGIC = 'SQLite format 3\0'

/**
 * After `realDatabasePath` and `checkMagic`. A lock of another program is waited for.
 * @param newest the version of the schema that this program knows
 * @throws CannotOpen
 */
export async function openFile(file: string, newest: number, clock: LockClock): Promise<Database.Database> {
  let cause: unknown = null
  const attempt = (): Database.Database | null => {
    try {
      return openOnce(file, newest)
    } catch (error) {
      if (!isLocked(error)) throw inWords(file, error)
      cause = error
      return null
    }
  }
  const times = { sinceMs: clock.monotonicMs(), waitMs: LOCK_WAIT_MS }
  const db = await untilUnlocked(clock, attempt, times)
  if (db === null) throw inWords(file, cause)
  return db
}

/** An error of SQLite as a CannotOpen, any other as it is. */
export function inWords(file: string, error: unknown): unknown {
  const fault = sqliteFault(error)
  return fault !== null && isSqliteError(error) ? cannotOpenBy(file, fault, error) : error
}

/** What makes it fast and safe, of every connection. */
export function tune(db: Database.Database): void {
  // Whoever meets a lock tries again by a timer: SQLite would sleep, and the whole program with it.
  db.pragma('busy_timeout = 0')
  db.pragma('cell_size_check = ON')
  db.pragma('trusted_schema = OFF')
  // The pages that a savepoint may have to restore stay in memory: above 64 KiB SQLite would make a temporary file for each unit.
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -32768')
  // Fewer, larger checkpoints: a page that many commits have touched is copied back once.
  db.pragma('wal_autocheckpoint = 4000')
}

function openOnce(file: string, newest: number): Database.Database {
  const db = new Database(file, { timeout: 0 })
  try {
    tune(db)
    checkKind(db, file, newest)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    db.pragma('journal_size_limit = 67108864')
    if (statSync(file).size <= CHECKED_AT_OPEN_BYTES) checkWhole(db, file)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Before SQLite opens it: a file of another kind is left as it is. @throws CannotOpen */
export function checkMagic(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  const head = Buffer.alloc(MAGIC.length)
  const fd = openSync(file, 'r')
  try {
    readSync(fd, head, 0, head.length, 0)
  } finally {
    closeSync(fd)
  }
  if (head.toString('latin1') === MAGIC) return
  // One whose first page was overwritten looks the same.
  throw new CannotOpen(
    `${file} is not a database: set CLOUD_DATABASE to the relay's own; if it was, restore it (docs/operate-cloud.md, "Damage")`,
  )
}

function checkKind(db: Database.Database, file: string, newest: number): void {
  const version = Number(db.pragma('user_version', { simple: true }))
  const tables = db.prepare("select name from sqlite_master where type = 'table'").pluck().all()
  const isOurs = tables.includes('accounts') && tables.includes('dispatches')
  if (tables.length > 0 && !isOurs)
    throw new CannotOpen(`${file} is the database of another program: set CLOUD_DATABASE to the relay's own`)
  if (version > newest) throw newerFile(file, version, newest)
}

function checkWhole(db: Database.Database, file: string): void {
  const found = wholeOrWhat(db)
  if (found !== 'ok') throw damagedFile(file, found.replaceAll('\n', ' '))
}

/** An index on a JSON expression fails when the JSON is damaged. */
function wholeOrWhat(db: Database.Database): string {
  try {
    return String(db.pragma('quick_check(1)', { simple: true }))
  } catch (error) {
    if (saysDamage(error) && sqliteFault(error) !== 'failing') return error.message
    throw error
  }
}
