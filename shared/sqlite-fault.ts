// Classifies SQLite errors about the disk and the file, for both programs.
import { codeOf } from './code-of.ts'

/**
 * full: there was no room, and nothing of the transaction is stored. locked: another program has locked the file. damaged: the contents of a
 * page are impossible. failing: the system refused to read, write or open.
 */
export type SqliteFault = 'full' | 'locked' | 'damaged' | 'failing'

const FAULTS: readonly (readonly [RegExp, SqliteFault])[] = [
  // The second: no room for another page of the index of the log.
  [/^SQLITE_(FULL|IOERR_SHMSIZE)$/, 'full'],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, 'locked'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'damaged'],
  [/^SQLITE_(IOERR|CANTOPEN|READONLY)/, 'failing'],
]

/** By what better-sqlite3 writes on its errors: this room does not import it. */
export function isSqliteError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && error.name === 'SqliteError' && /^SQLITE_/.test(codeOf(error))
}

/** Null: it is none of the four, such as a broken constraint, or no error of SQLite. */
export function sqliteFault(error: unknown): SqliteFault | null {
  if (!isSqliteError(error)) return null
  return FAULTS.find(([codes]) => codes.test(error.code))?.[1] ?? null
}

/**
 * A constraint, the schema or a text in a row is not as the program expects. No unit expects that: either the program has a bug or a
 * page contains what was never written.
 */
export function isUnexpectedAnswer(error: unknown): error is Error {
  return isSqliteError(error) && /^SQLITE_(CONSTRAINT|ERROR|SCHEMA|MISMATCH|INTERNAL|FORMAT)/.test(error.code)
}

/**
 * A COMMIT failed for want of room. SQLite writes the record of a commit as the last frame of the log, and a disk without room takes no
 * whole frame: nothing of the transaction is kept, and that is known. Of every other failed COMMIT it is not
 * (docs/decisions/0073-full-disks-locks-damage.md).
 */
export function isUndoneCommit(error: unknown): boolean {
  return isSqliteError(error) && error.code === 'SQLITE_FULL'
}
