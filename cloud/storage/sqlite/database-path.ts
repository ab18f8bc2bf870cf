// The file that a database path refers to. Two names of one file would be two databases to a lock by name.
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CannotOpen } from '#cloud/storage/cannot-open.ts'
import { isMountPoint } from './mount-points.ts'

/**
 * The real path of that file: symbolic links are followed. Creates the folder. Errors of the path are reported here, because SQLite reports
 * them less clearly. The file need not exist, and its content is not read.
 * @throws CannotOpen
 */
export function realDatabasePath(file: string): string {
  try {
    const missing = missingTarget(file)
    if (missing !== null) throw new CannotOpen(`the database ${file} cannot be opened: ${missing}`)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const real = existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
    const found = statSync(real, { throwIfNoEntry: false })
    accessSync(dirname(real), constants.W_OK)
    if (found === undefined) return real
    if (!found.isFile()) throw new CannotOpen(`${file} is no file: set CLOUD_DATABASE to the file of a database`)
    if (found.nlink > 1)
      throw new CannotOpen(
        `${file} has ${found.nlink} names (hard links), and two relays on them would not see each other: delete the other names, or copy it to a file of its own`,
      )
    // Its log and its lock stand beside its other name: two relays would not see each other, and a container's end would take the log away.
    if (isMountPoint(real))
      throw new CannotOpen(
        `${file} is mounted as a single file, without the log and the lock that belong beside it: mount its folder instead`,
      )
    accessSync(real, constants.R_OK | constants.W_OK)
    return real
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new CannotOpen(
      `the database ${file} cannot be opened (${error.code}): the relay's user must be able to read and write it and its folder`,
      { cause: error },
    )
  }
}

/** Says of which link on the way the target is not there; null: of none. A new file there would be a second, empty database, or on another disk. */
export function missingTarget(file: string): string | null {
  for (let path = resolve(file); path !== dirname(path); path = dirname(path)) {
    if (existsSync(path)) return null
    if (isLink(path)) return `${path} is a link to ${readlinkSync(path)}, which is not there; is a disk not mounted?`
  }
  return null
}

/** False also where a part of the path is a file, or may not be looked into. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/**
 * Names beside the path of a database that is not there, or is empty, which only a database leaves behind. Ask before anything is opened:
 * SQLite deletes a log that has no database.
 */
export function tracesOfDatabase(file: string): string[] {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return []
  const name = basename(file)
  return [`${name}-wal`, `${name}-shm`, `${name}.lock`, 'reserve'].filter((trace) =>
    existsSync(join(dirname(file), trace)),
  )
}
