// Tasks on database files by path, in a thread of their own: copy, find faults, read a file's facts.
import { closeSync, existsSync, fdatasyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { missingTarget } from '#cloud/storage/sqlite/database-path.ts'
import { systemClock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { syncPath } from '#shared/disk/sync-path.ts'
import { clearParts, LOGS, partOf } from './copy-place.ts'
import { compareSum, dropSum, hashOf, nameSum, prepareSum, type Sum, sumFileOf } from './copy-sum.ts'
import { type FileFacts, factsOf, markAsCopy, missingIn } from './file-facts.ts'
import { FileRefusal } from './file-refusal.ts'
import { damageOf, findFaults, strangers } from './find-faults.ts'
import { halfOfTheTime } from './half-of-the-time.ts'
import { isNoRoom, noRoomFor } from './no-room.ts'
import { storedByAccount } from './stored-by-account.ts'

export type FileTask =
  /** The caller holds the place `to` (`holdPlace`), or keeps every other program out of it otherwise. */
  | { do: 'copy'; from: string; to: string; mayReplace: boolean; withSum: boolean }
  | { do: 'verify'; file: string; isCopy: boolean }
  | { do: 'sound'; file: string }
  | { do: 'facts'; file: string }
  | { do: 'stored-by-account'; file: string; nowMs: number }
  | { do: 'compare'; file: string; live: string | null }

export interface Copied {
  file: string
  bytes: number
  sha256: string
  facts: FileFacts
}

export interface Verified {
  /** A line each. */
  faults: string[]
  /** Null: it is the relay's own file, which changes. */
  sum: Sum | null
}

export interface Compared {
  sum: Sum
  file: FileFacts
  /** Null: there is none, or SQLite cannot read it. */
  live: FileFacts | null
  /** What the live file has and the other has not. */
  lost: { orders: number; events: number }
}

/** Pages in one piece: a megabyte. */
const PIECE_PAGES = 256
/** Bytes that may wait for the disk: one long wait for all of them would hold the commits of orders up. */
const UNSYNCED_BYTES = 4_194_304

export function runTask(task: FileTask): Promise<unknown> {
  if (task.do === 'copy') return copyDatabase(task)
  if (task.do === 'verify') return verify(task)
  if (task.do === 'sound') return sound(task.file)
  if (task.do === 'stored-by-account') return reading(task.file, (db) => storedByAccount(db, task.nowMs))
  if (task.do === 'facts') return reading(task.file, factsOf)
  return compare(task)
}

/**
 * Copies a database that may be in use, in its state at one moment. The copy is checked and synced to the disk, and only then gets its name.
 * @throws FileRefusal
 */
async function copyDatabase({ from, to, mayReplace, withSum }: Extract<FileTask, { do: 'copy' }>): Promise<Copied> {
  const taken = [to, ...(withSum ? [sumFileOf(to)] : [])].find((path) => existsSync(path))
  if (taken !== undefined && !mayReplace) throw new FileRefusal(`${taken} is there already.`)
  const part = partOf(to)
  clearParts(to)
  try {
    closeSync(openSync(part, 'wx', 0o600))
    await copyPages(from, part)
    const facts = finish(part)
    const { bytes, sha256 } = hashOf(part)
    if (withSum) prepareSum(to, sha256)
    giveName(to, { mayReplace, withSum })
    if (withSum) nameSum(to)
    return { file: to, bytes, sha256, facts }
  } catch (error) {
    clearParts(to)
    if (isNoRoom(error)) throw noRoomFor(to, sizeOf(from))
    throw error
  }
}

/** What a copy of it takes. */
function sizeOf(database: string): number {
  const db = openReadOnly(database)
  try {
    return Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))
  } finally {
    db.close()
  }
}

/** In one snapshot: writers go on meanwhile, and what they write is not in it. Half of the time is left to them. */
async function copyPages(from: string, part: string): Promise<void> {
  const source = openReadOnly(from)
  const disk = openSync(part, 'r+')
  try {
    source.exec('begin')
    source.prepare('select count(*) from sqlite_schema').get()
    const pageBytes = Number(source.pragma('page_size', { simple: true }))
    const rest = halfOfTheTime()
    let unsynced = 0
    await source.backup(part, {
      progress: () => {
        unsynced += PIECE_PAGES * pageBytes
        if (unsynced >= UNSYNCED_BYTES) {
          fdatasyncSync(disk)
          unsynced = 0
        }
        rest()
        return PIECE_PAGES
      },
    })
    source.exec('commit')
  } finally {
    closeSync(disk)
    source.close()
  }
}

/** Marks it, makes it one file without a log beside it, and checks it. @throws FileRefusal */
function finish(part: string): FileFacts {
  const db = new Database(part)
  try {
    db.pragma('journal_mode = delete')
    markAsCopy(db, systemClock.now())
    const [damage] = damageOf(db)
    if (damage !== undefined)
      throw new FileRefusal(`The database is damaged, so nothing was kept: ${damage}. \`verify\` shows all.`)
    return factsOf(db)
  } finally {
    db.close()
  }
}

/** On the disk, then under its name. @throws FileRefusal when the name is taken */
function giveName(to: string, { mayReplace, withSum }: { mayReplace: boolean; withSum: boolean }): void {
  const part = partOf(to)
  syncPath(part)
  if (mayReplace) {
    if (withSum) dropSum(to)
    renameSync(part, to)
  } else {
    try {
      linkSync(part, to)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw new FileRefusal(`${to} is there already.`)
      throw error
    }
    rmSync(part)
  }
  syncPath(dirname(to))
}

/** The schema comes before everything that reads rows. */
async function verify({ file, isCopy }: Extract<FileTask, { do: 'verify' }>): Promise<Verified> {
  const sum = isCopy ? sumOf(file) : null
  const changed = sum?.state === 'differs' ? [`file: ${sum.words}`] : []
  const faults = await reading(file, async (db) => {
    const strange = await schemaFaults(db, file)
    return strange.length > 0 ? strange : findFaults(db, systemClock.now())
  })
  return { faults: [...changed, ...faults], sum }
}

/** Whether every row can be read and refers to an existing one; not whether rows agree with each other. */
async function sound(file: string): Promise<Pick<Verified, 'faults'>> {
  const faults = await reading(file, async (db) => {
    const strange = await schemaFaults(db, file)
    return strange.length > 0 ? strange : [...damageOf(db), ...strangers(db)]
  })
  return { faults }
}

/** Loaded only here: all migrations and what they are written with are half of what the thread would load for a copy. */
async function schemaFaults(db: Database.Database, file: string): Promise<string[]> {
  const { schemaFaults: faultsOf } = await import('./check-schema.ts')
  return faultsOf(db, file)
}

function sumOf(file: string): Sum {
  mustBeFile(file)
  return compareSum(file)
}

async function compare({ file, live }: Extract<FileTask, { do: 'compare' }>): Promise<Compared> {
  const sum = sumOf(file)
  if (sum.state === 'differs')
    throw new FileRefusal(
      `${sum.words}. Take another copy; if you have changed it yourself, delete ${sumFileOf(file)}.`,
    )
  const facts = await reading(file, async (db) => {
    const [strange] = await schemaFaults(db, file)
    if (strange !== undefined) throw new FileRefusal(`${file} is no database as the relay makes it: ${strange}`)
    const [fault] = damageOf(db)
    if (fault !== undefined) throw new FileRefusal(`${file} is damaged: ${fault}`)
    return factsOf(db)
  })
  return { sum, ...(await beside(facts, { file, live })) }
}

async function beside(
  facts: FileFacts,
  { file, live }: { file: string; live: string | null },
): Promise<Omit<Compared, 'sum'>> {
  const nothing = { live: null, lost: { orders: 0, events: 0 } }
  if (live === null) return { file: facts, ...nothing }
  try {
    return await reading(live, (db) => ({ file: facts, lost: missingIn(db, file), live: factsOf(db) }))
  } catch {
    // The very reason for which it is to be replaced.
    return { file: facts, ...nothing }
  }
}

/** The file is closed after the work. @throws FileRefusal when it is no database of a relay */
async function reading<T>(file: string, work: (db: Database.Database) => T | Promise<T>): Promise<T> {
  const db = openReadOnly(file)
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

/** A pipe would be waited for without an end. @throws FileRefusal */
function mustBeFile(file: string): void {
  if (!existsSync(file)) {
    const missing = missingTarget(file)
    throw new FileRefusal(missing === null ? `There is no file ${file}.` : `${file} cannot be read: ${missing}`)
  }
  for (const path of [file, ...LOGS.map((end) => `${file}${end}`)]) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found !== undefined && !found.isFile()) throw new FileRefusal(`${path} cannot be read: it is no regular file.`)
  }
}

/** @throws FileRefusal when it is no database of a relay */
function openReadOnly(file: string): Database.Database {
  let db: Database.Database | null = null
  mustBeFile(file)
  try {
    db = new Database(file, { readonly: true, fileMustExist: true })
    db.pragma('busy_timeout = 5000')
    db.pragma('cell_size_check = ON')
    db.pragma('trusted_schema = OFF')
    // Sums and sorting of a whole file: not in the memory of the relay.
    db.pragma('cache_size = -8192')
    db.pragma('mmap_size = 0')
    const isRelay = db.prepare(`select 1 from sqlite_schema where type = 'table' and name = 'dispatches'`).get()
    if (isRelay !== undefined) return db
  } catch (error) {
    db?.close()
    throw new FileRefusal(`${file} cannot be read: ${error instanceof Error ? error.message : 'unknown'}.`)
  }
  db.close()
  throw new FileRefusal(`${file} is no database of the relay.`)
}
