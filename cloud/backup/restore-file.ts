// Puts a copy in the place of the relay's database, while no relay runs. What was there is moved aside and never deleted.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { realDatabasePath } from '#cloud/storage/sqlite/database-path.ts'
import { DatabaseHeld, holdDatabase } from '#cloud/storage/sqlite/relay-lock.ts'
import { restoringFile } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock, toIso } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { syncPath } from '#shared/disk/sync-path.ts'
import { FileRefusal } from './file-refusal.ts'
import type { Copied } from './file-tasks.ts'
import { inThread } from './in-thread.ts'

/** A log belongs to its database and is moved with it: next to another one it would damage that. */
const LOGS = ['-wal', '-shm'] as const

export interface Restored {
  copy: Copied
  /** Where the database is now that was there before, or its log if only that was left; null: there was none. */
  aside: string | null
}

/**
 * Until it has ended no relay starts on the database, because of `restoringFile`. After a power cut in the middle, the same call continues
 * where that one stopped.
 * @throws FileRefusal
 */
export async function restoreFile({
  copy,
  database: path,
  nowMs,
}: {
  copy: string
  /** A link to it is followed. */
  database: string
  nowMs: number
}): Promise<Restored> {
  const database = realDatabasePath(path)
  const letGo = await holdForRestore(database)
  try {
    return await replace({ copy, database, nowMs })
  } finally {
    letGo()
  }
}

/** From now on no relay starts on it. @throws FileRefusal when one runs, or another program has it open */
export async function holdForRestore(database: string): Promise<() => void> {
  const inUse = new FileRefusal(`A program has ${database} open: stop the relay first.`)
  const letGo = await holdDatabase(database, { clock: systemClock, withinMs: 0 }).catch((error: unknown) => {
    throw error instanceof DatabaseHeld ? inUse : error
  })
  if (!isInUse(database)) return letGo
  letGo()
  throw inUse
}

async function replace({ copy, database, nowMs }: Parameters<typeof restoreFile>[0]): Promise<Restored> {
  finishMoves(database)
  const fresh = freshFile(database)
  // Of a restore that was killed before it had moved anything.
  for (const end of ['', '.part', ...LOGS]) rmSync(`${fresh}${end}`, { force: true })
  // By SQLite: a copy that was made by hand may have a log beside it.
  const copied = await inThread({ do: 'copy', from: copy, to: fresh, mayReplace: true, withSum: false })
  // A log without its database is moved aside as well: next to the copy it would damage that.
  const isThere = ['', ...LOGS].some((end) => existsSync(`${database}${end}`))
  const aside = isThere ? `${database}.before-${toIso(nowMs).replaceAll(/[:.]/g, '-')}` : null
  writeMark(database, { aside })
  finishMoves(database)
  const moved = ['', ...LOGS].map((end) => `${aside}${end}`).find((path) => existsSync(path))
  return { copy: { ...copied, file: database }, aside: moved ?? null }
}

/** What takes the database's place. */
const freshFile = (database: string): string => `${restoringFile(database)}.copy`

const markShape = z.object({ aside: z.string().nullable() })
type Mark = z.infer<typeof markShape>

/** On the disk whole or not at all: it has its name only then. */
function writeMark(database: string, mark: Mark): void {
  const begun = restoringFile(database)
  const part = `${begun}.part`
  writeFileSync(part, JSON.stringify(mark), { mode: 0o600 })
  syncPath(part)
  renameSync(part, begun)
  syncPath(dirname(database))
}

/** Null: there is none, or one that was never whole. Nothing is moved before it is, so then nothing was. */
function readMark(database: string): Mark | null {
  try {
    return markShape.parse(JSON.parse(readFileSync(restoringFile(database), 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** The moves that a restore has begun, in any state. */
function finishMoves(database: string): void {
  const mark = readMark(database)
  const fresh = freshFile(database)
  if (mark !== null && existsSync(fresh)) {
    if (mark.aside !== null) for (const end of ['', ...LOGS]) move(`${database}${end}`, `${mark.aside}${end}`)
    renameSync(fresh, database)
    syncPath(dirname(database))
  }
  for (const end of ['', '.part']) rmSync(`${restoringFile(database)}${end}`, { force: true })
  syncPath(dirname(database))
}

/** Once. */
function move(from: string, to: string): void {
  if (existsSync(from) && !existsSync(to)) renameSync(from, to)
}

/**
 * Whether a program other than a relay has it open: an SQLite shell, or an older relay. Requests exclusive access from SQLite
 * and gives it back; a file that SQLite cannot read is open nowhere.
 */
function isInUse(file: string): boolean {
  if (!existsSync(file)) return false
  const db = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    // Before the first read: in this mode a connection wants the file for itself alone.
    db.pragma('locking_mode = exclusive')
    db.exec('begin exclusive')
    db.exec('rollback')
    return false
  } catch (error) {
    return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
  } finally {
    db.close()
  }
}
