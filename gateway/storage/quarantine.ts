// A damaged database must not stop the kitchen: its files are put aside, a new one takes over what can still be read.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { EpochMs } from '#shared/clock.ts'
import { sqliteFault } from '#shared/sqlite-fault.ts'
import { type GatewayDatabase, type OpenOptions, openGatewayDatabase } from './database.ts'
import { type Salvaged, salvage } from './salvage.ts'

export interface Replacement extends Salvaged {
  atMs: EpochMs
  /** Where the damaged files are kept. */
  folder: string
  reason: string
}

export interface CarefullyOpened {
  db: GatewayDatabase
  /** Null: the file was whole. */
  replacement: Replacement | null
}

const FOLDER = /^damaged-\d+$/
const NOTE = 'replacement.json'
/** Each is as large as the database. */
const KEPT_FOLDERS = 2
const SUFFIXES = ['', '-wal', '-shm']

/**
 * Opens the file as `openGatewayDatabase` does. One that SQLite calls damaged is replaced: what was readable is in the new file, its open
 * tickets are marked as possible duplicates, and the new stream makes the relay send again what was not finished.
 * A power cut in between is made good by the next call.
 */
export function openWithCare(file: string, options: OpenOptions, nowMs: EpochMs): CarefullyOpened {
  const unfinished = foldersOf(file).find((folder) => !existsSync(join(folder, NOTE)))
  if (unfinished !== undefined) return takeOver(file, unfinished, { options, atMs: nowMs, reason: 'the power went' })
  const opened = tryToOpen(file, options)
  if ('db' in opened) return { db: opened.db, replacement: null }
  const folder = join(dirname(file), `damaged-${nowMs}`)
  mkdirSync(folder, { mode: 0o700 })
  // The log first: it is useless without its database, but a database without its log would be an older one.
  for (const suffix of SUFFIXES.toReversed()) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, join(folder, `${basename(file)}${suffix}`))
  }
  return takeOver(file, folder, { options, atMs: nowMs, reason: opened.reason })
}

/** SQLite found an invalid page: the next start replaces the file. */
export function markIfDamaged(file: string, error: unknown): void {
  if (!isDamage(error)) return
  try {
    writeFileSync(suspectMark(file), String(error))
  } catch {
    // If the disk accepts no mark, the next start checks the file anyway.
  }
}

/** The newest replacement whose files still exist. */
export function lastReplacement(file: string): Replacement | null {
  const newest = foldersOf(file).at(-1)
  if (newest === undefined) return null
  try {
    return { ...(JSON.parse(readFileSync(join(newest, NOTE), 'utf8')) as Replacement), folder: newest }
  } catch {
    return null
  }
}

function tryToOpen(file: string, options: OpenOptions): { db: GatewayDatabase } | { reason: string } {
  let db: GatewayDatabase | null = null
  try {
    db = openGatewayDatabase(file, options)
    const reason = damageOf(db, file)
    if (reason === null) return { db }
    db.sqlite.close()
    return { reason }
  } catch (error) {
    if (!isDamage(error)) throw error
    db?.sqlite.close()
    return { reason: String(error) }
  }
}

/** Takes a fraction of a second for a database of 100 MB. */
function damageOf(db: GatewayDatabase, file: string): string | null {
  if (existsSync(suspectMark(file))) return readFileSync(suspectMark(file), 'utf8')
  const found = db.sqlite.pragma('quick_check(1)', { simple: true })
  return found === 'ok' ? null : String(found)
}

function takeOver(
  file: string,
  folder: string,
  { options, ...about }: { options: OpenOptions; atMs: EpochMs; reason: string },
): CarefullyOpened {
  const db = openGatewayDatabase(file, options)
  const salvaged = salvage(join(folder, basename(file)), db)
  const replacement: Replacement = { ...about, ...salvaged, folder }
  writeFileSync(join(folder, NOTE), JSON.stringify(replacement))
  rmSync(suspectMark(file), { force: true })
  for (const old of foldersOf(file).slice(0, -KEPT_FOLDERS)) rmSync(old, { recursive: true, force: true })
  return { db, replacement }
}

/** Oldest first. */
function foldersOf(file: string): string[] {
  const folder = dirname(file)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => FOLDER.test(name))
  const age = (name: string): number => Number(name.slice(name.indexOf('-') + 1))
  return names.sort((a, b) => age(a) - age(b)).map((name) => join(folder, name))
}

const suspectMark = (file: string): string => `${file}-suspect`

function isDamage(error: unknown): boolean {
  return sqliteFault(error) === 'damaged'
}
