// A database and the files beside it are readable only by the program's own user.
import { chmodSync, statSync } from 'node:fs'

/** Group and others. */
const EVERYBODY_ELSE = 0o077

/**
 * Takes the rights of group and others off a database's files that were made before programs cared.
 * Those of another user are left as they are: only the owner can change them.
 * @returns the paths that had any
 */
export function narrowDatabaseFiles(file: string): string[] {
  return [file, `${file}-wal`, `${file}-shm`].filter((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isFile() || (found.mode & EVERYBODY_ELSE) === 0) return false
    return tryTo(() => chmodSync(path, found.mode & 0o700))
  })
}

/** For the program's own log. */
export const LOG_NARROWED = 'other users could read the database: its files are for the user of this program alone now'

function tryTo(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}
