// What is wrong with a database of the relay: damage that SQLite finds, and rows that contradict each other. One line per fault, with ids.
import type Database from 'better-sqlite3'
import { saysDamage } from '#cloud/storage/sqlite/find-damage.ts'
import { copiedAt } from './file-facts.ts'
import { COMPARED_MS, MOST_LINES, rowChecks, shortened } from './row-checks.ts'

/** SQLite's words for what the checks need. */
const CHECKS = rowChecks({ numberIn: (json, key) => `json_extract(${json}, '$.${key}')`, since: ':since' })

/**
 * Damage that SQLite finds in its own pages and indexes. Reads the whole file, also the pages that no table uses, and reports everything: the
 * relay's own background check ends at the first fault, table by table (`storage/find-damage.ts`).
 */
export function damageOf(db: Database.Database): string[] {
  const lines = integrityOf(db)
  return lines.filter((line) => line !== 'ok').map((line) => `file: ${line.replaceAll('\n', ' ')}`)
}

function integrityOf(db: Database.Database): string[] {
  try {
    return db.prepare(`pragma integrity_check(${MOST_LINES})`).pluck().all() as string[]
  } catch (error) {
    if (saysDamage(error)) return [error.message]
    throw error
  }
}

/** Everything. @param nowMs what is older than the events that are kept is not compared with them */
export function findFaults(db: Database.Database, nowMs: number): string[] {
  const damage = damageOf(db)
  // Rows of a damaged file may contain anything.
  if (damage.length > 0) return damage
  // Since a copy was made nothing has been deleted in it.
  const since = (copiedAt(db) ?? nowMs) - COMPARED_MS
  // In its state at one moment: a relay that writes meanwhile causes no fault.
  return db.transaction(() => [...strangers(db), ...CHECKS.flatMap((sql) => linesOf(db, sql, since))])()
}

/** Rows that refer to none. */
export function strangers(db: Database.Database): string[] {
  const rows = db.pragma('foreign_key_check') as { table: string; rowid: number | null; parent: string }[]
  const lines = rows.map(
    ({ table, rowid, parent }) => `${table}: row ${rowid ?? '?'} names a row of ${parent} that is not there`,
  )
  return shortened(lines, lines.length)
}

function linesOf(db: Database.Database, sql: string, since: number): string[] {
  const takes = sql.includes(':since') ? [{ since }] : []
  const lines: string[] = []
  let count = 0
  for (const { line } of db.prepare(sql).iterate(...takes) as IterableIterator<{ line: string }>) {
    if (count < MOST_LINES) lines.push(line)
    count++
  }
  return shortened(lines, count)
}
