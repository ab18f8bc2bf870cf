// Which files are the relay's own: a copy put in the place of one of them destroys it under a relay that may be running.
import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { restoringFile } from '#cloud/storage/sqlite/sqlite-database.ts'

/** The files beside a database with its name. */
const ENDS = ['-wal', '-shm', '-journal', '.lock', '.sock', '.moved']
/** What an export keeps in its folder. */
const EXPORTED = /^(relay\.lock|orders-.*)$/

export interface RelayFiles {
  /** Path of the database, whether it is there or not. */
  database: string
  /** Path of the admin socket; null: the one beside the database. */
  socket: string | null
  /** Null: nothing is exported. */
  exportFolder: string | null
}

/**
 * What the file `path` is to the relay, in words that follow "is"; null: nothing. By its real path and by its inode, so another way of
 * writing the name, a link on the way and a second name of the file (hard link) are found out.
 */
export function ownFileAt(path: string, { database, socket, exportFolder }: RelayFiles): string | null {
  const real = realPathOf(database)
  if (isSameFile(path, real)) return 'the database itself'
  const asked = realPathOf(path)
  const beside = [...ENDS.map((end) => `${real}${end}`), join(dirname(real), 'reserve')]
  if (beside.some((file) => isSameFile(asked, file)) || asked.startsWith(restoringFile(real)))
    return `a file of the database (${basename(asked)})`
  if (socket !== null && isSameFile(asked, socket)) return 'the socket of CLOUD_ADMIN_SOCKET'
  if (exportFolder !== null && dirname(asked) === realPathOf(exportFolder) && EXPORTED.test(basename(asked)))
    return 'a file of CLOUD_EXPORT_DIR'
  return null
}

/** The first of these paths that is the relay's own; null: none is. */
export function firstOwn(paths: readonly string[], own: RelayFiles): { path: string; what: string } | null {
  for (const path of paths) {
    const what = ownFileAt(path, own)
    if (what !== null) return { path, what }
  }
  return null
}

/** Whether two paths name one file, which need not be there. */
export function isSameFile(one: string, other: string): boolean {
  if (realPathOf(one) === realPathOf(other)) return true
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** Absolute, with the links of all that is there followed. */
export function realPathOf(path: string): string {
  const absolute = resolve(path)
  try {
    return realpathSync(absolute)
  } catch {
    const folder = dirname(absolute)
    return folder === absolute ? absolute : join(realPathOf(folder), basename(absolute))
  }
}
