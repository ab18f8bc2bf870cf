// Copies what can still be read of a damaged database into a new one, row by row around the damage.
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { GatewayDatabase } from './database.ts'
import { sqliteAddon } from './sqlite-addon.ts'

export interface Salvaged {
  /** Tickets not yet settled that were taken over. */
  savedTickets: number
  /** Tickets and jobs that could not be read, or not without each other. Null: nothing could be read, not even how many there were. */
  lostTickets: number | null
}

type Row = Record<string, unknown>

/** History that an emergency does not need, and the old file's identity: a new stream makes the relay send open jobs again. */
const LEFT_BEHIND = new Set(['attempts', 'meta'])
const META_KEPT = ['routing', 'configured', 'clock', 'box_settings', 'cloud_config', 'report_counted']
const OPEN = new Set(['held', 'queued', 'sending', 'parked'])
/** Around damage the next rows are tried in growing steps; a page holds a few dozen. */
const LONGEST_STEP = 256
const MOST_STEPS = 2_000

/** One transaction: after a power failure in the middle it runs again from the beginning. */
export function salvage(damaged: string, into: GatewayDatabase): Salvaged {
  let source: Database.Database
  try {
    source = new Database(damaged, { ...sqliteAddon(dirname(damaged)), fileMustExist: true })
    source.prepare('select count(*) from sqlite_master').get()
  } catch {
    return { savedTickets: 0, lostTickets: null }
  }
  try {
    return into.transaction(() => copyAll(source, into.sqlite))
  } finally {
    source.close()
  }
}

function copyAll(source: Database.Database, target: Database.Database): Salvaged {
  const tables = target
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid",
    )
    .all()
  let savedTickets = 0
  let lostTickets = 0
  for (const { name, sql } of tables) {
    if (LEFT_BEHIND.has(name)) continue
    const put = inserter(target, name)
    const isWork = name === 'jobs' || name === 'tickets'
    for (const row of rowsOf(source, name, /without rowid/i.test(sql))) {
      const isOpen = name === 'tickets' && OPEN.has(String(row?.['state']))
      const saved = row !== null && put(isOpen ? { ...row, possible_duplicate: 1 } : row)
      if (saved && isOpen) savedTickets++
      if (!saved && isWork && (row === null || isOpen)) lostTickets++
    }
  }
  copyMeta(source, target)
  return { savedTickets, lostTickets }
}

/** @returns a function that inserts what it can of a row: false when the row does not fit (a damaged value, a ticket without its job) */
function inserter(target: Database.Database, table: string): (row: Row) => boolean {
  const columns = target.pragma(`table_info(${table})`) as { name: string }[]
  return (row) => {
    const known = columns.map(({ name }) => name).filter((name) => name in row)
    const names = known.join(', ')
    const marks = known.map(() => '?').join(', ')
    try {
      target.prepare(`insert into ${table} (${names}) values (${marks})`).run(known.map((name) => row[name]))
      return true
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || /FULL|IOERR/.test(error.code)) throw error
      // It is there already: this is the second run.
      return /PRIMARYKEY|UNIQUE/.test(error.code)
    }
  }
}

/** Every row that can be read; null in the place of one, or some, that cannot. */
function* rowsOf(source: Database.Database, table: string, isWithoutRowid: boolean): Generator<Row | null> {
  if (isWithoutRowid) {
    yield* readable(() => source.prepare<[], Row>(`select * from ${table}`).all())
    return
  }
  let next: Database.Statement<[number], Row>
  try {
    next = source.prepare(`select rowid as rowid_of_row, * from ${table} where rowid > ? order by rowid limit 1`)
  } catch {
    // A file of an older program may not have the table.
    return
  }
  let after = 0
  let step = 1
  for (let steps = 0; steps < MOST_STEPS; ) {
    try {
      const row = next.get(after)
      if (!row) return
      after = Number(row['rowid_of_row'])
      step = 1
      yield row
    } catch {
      steps++
      after += step
      if (step === 1) yield null
      step = Math.min(step * 2, LONGEST_STEP)
    }
  }
}

function* readable(read: () => Row[]): Generator<Row | null> {
  try {
    yield* read()
  } catch {
    yield null
  }
}

function copyMeta(source: Database.Database, target: Database.Database): void {
  const put = target.prepare('update meta set value = ? where key = ?')
  for (const key of META_KEPT) {
    for (const row of readable(() => source.prepare<[string], Row>('select value from meta where key = ?').all(key))) {
      if (row !== null) put.run(row['value'], key)
    }
  }
}
