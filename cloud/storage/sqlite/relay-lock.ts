// One program per database: a lock in a file beside it, which the system gives back when the program ends, however it ends.
import Database from 'better-sqlite3'
import type { Clock } from '#shared/clock.ts'
import { realDatabasePath } from './database-path.ts'
import { inWords } from './open-file.ts'

const LOOK_AGAIN_MS = 100

/** Another program works on the database. Its lock does not say which: a relay, or a command of the operator, which ends by itself. */
export class DatabaseHeld extends Error {
  override readonly name = 'DatabaseHeld'
}

/**
 * Holds the database `file` for this program, by whatever name it is called. The lock is SQLite's own on a file of its own, so that other
 * programs may read and copy the database itself.
 * @param wait `withinMs`: how long another program may take to let go; 0: it is not waited for.
 * @returns gives it back
 * @throws DatabaseHeld, or CannotOpen for a path that cannot be a database's
 */
export async function holdDatabase(
  file: string,
  { clock, withinMs }: { clock: Pick<Clock, 'monotonicMs' | 'sleep'>; withinMs: number },
): Promise<() => void> {
  const real = realDatabasePath(file)
  const untilMs = clock.monotonicMs() + withinMs
  for (;;) {
    const letGo = holdFile(`${real}.lock`)
    if (letGo) return letGo
    if (clock.monotonicMs() >= untilMs)
      throw new DatabaseHeld(
        `the database ${file} is in use by another program: if an \`admin\` command still runs, wait for its end; if another relay does, end that one, or set CLOUD_DATABASE to another file`,
      )
    await clock.sleep(LOOK_AGAIN_MS)
  }
}

/**
 * Holds this very file, which is made if it is not there; nothing is written into it.
 * @returns gives it back; null: another program has it
 * @throws CannotOpen
 */
export function holdFile(file: string): (() => void) | null {
  let held: Database.Database | null = null
  try {
    held = new Database(file, { timeout: 0 })
    // Nothing is written: a rollback journal would stay behind a program that was killed.
    held.pragma('journal_mode = MEMORY')
    // Taken in one step: of two that reach for it at the same moment one has it. EXCLUSIVE takes two, and they may refuse each other.
    held.exec('BEGIN IMMEDIATE')
    const { close } = held
    return close.bind(held)
  } catch (error) {
    held?.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw inWords(file, error)
  }
}
