// On which engine of the relay's database the suites run, and how a test says that it is about the other one.
import { test } from 'vitest'

/** PostgreSQL: the suite was started by one of the `pg-` projects. */
export const isOnPostgres = process.env['TEST_ENGINE'] === 'postgres'

const told = new Set<string>()

/** For a test of what only SQLite has, or does in this way. On PostgreSQL it is left out, and why is printed once. */
export function ofSqlite(why: string): typeof test {
  if (!isOnPostgres) return test
  if (!told.has(why)) console.info(`left out on PostgreSQL: ${why}`)
  told.add(why)
  return test.skip as unknown as typeof test
}

export const PLANS = 'which indexes SQLite chooses'
export const FILES = "what is about SQLite's file: copies, restores, reading it beside the relay"
