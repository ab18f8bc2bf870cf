// Checks an open database for damage, table by table: no snapshot is held longer than one table takes, so the log can be reset in between.
import type Database from 'better-sqlite3'
import { isSqliteError, type SqliteFault, sqliteFault } from '#shared/sqlite-fault.ts'

/** quick: each page and row can be what it is. thorough: also each index against its table, and each reference. */
export type Depth = 'quick' | 'thorough'

/** @returns what is damaged and where, in one line without anything of the rows; null: nothing was found */
export function findDamage(db: Database.Database, depth: Depth): string | null {
  const check = depth === 'quick' ? 'quick_check' : 'integrity_check'
  let table = 'sqlite_schema'
  try {
    const tables = db.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all()
    for (const name of ['sqlite_schema', ...tables]) {
      table = String(name)
      const found = String(db.pragma(`${check}("${table}")`, { simple: true }))
      if (found !== 'ok') return `table ${table}: ${found.replaceAll('\n', ' ')}`
      if (depth === 'quick') continue
      const lost = db.pragma(`foreign_key_check("${table}")`) as unknown[]
      if (lost.length > 0) return `table ${table}: ${lost.length} of its rows belong to rows that are not there`
    }
    return null
  } catch (error) {
    if (saysDamage(error)) return `table ${table}: ${error.message}`
    throw error
  }
}

const NOT_THE_FILE: readonly (SqliteFault | null)[] = ['full', 'locked']

/** True when this error proves damage. */
export function saysDamage(error: unknown): error is Error {
  return isSqliteError(error) && !NOT_THE_FILE.includes(sqliteFault(error))
}
