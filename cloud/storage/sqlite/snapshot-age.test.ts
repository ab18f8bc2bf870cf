// How long reads of one turn of the event loop share a snapshot, while another process writes: what it has revoked is not believed any more.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageGate } from '#cloud/storage/storage-gate.ts'
import { SqliteConnection } from './sqlite-connection.ts'

const QUERY = 'select revoked_at from api_keys'

let dir: string
/** As the operator's command line opens it. */
let other: Database.Database
let begun: number
let nowMs: number
let reader: SqliteConnection

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'snapshot-age-'))
  other = new Database(join(dir, 'a.db'))
  other.pragma('journal_mode = WAL')
  other.exec('create table api_keys (revoked_at integer); insert into api_keys values (null)')
  nowMs = 0
  begun = 0
  const verbose = (sql: unknown): void => {
    if (sql === 'BEGIN') begun += 1
  }
  const clock = { monotonicMs: () => nowMs, sleep: async () => undefined }
  const gate = new StorageGate(clock)
  reader = new SqliteConnection(new Database(join(dir, 'a.db'), { verbose }), { gate, clock, commits: null })
})
afterEach(() => {
  reader.close()
  other.close()
  rmSync(dir, { recursive: true })
})

const read = () => reader.rows(QUERY, []) as unknown[]
const readByKysely = async () => (await reader.executeQuery(CompiledQuery.raw(QUERY))).rows
const revoke = () => other.exec('update api_keys set revoked_at = 7')

describe('a read', () => {
  it('sees what another process has revoked, also before the turn of earlier reads has ended', async () => {
    expect([read(), await readByKysely()]).toEqual([[{ revoked_at: null }], [{ revoked_at: null }]])
    revoke()
    nowMs += 1
    expect(read()).toEqual([{ revoked_at: 7 }])
  })

  it('sees it by a query of Kysely, too', async () => {
    await readByKysely()
    revoke()
    nowMs += 1
    expect(await readByKysely()).toEqual([{ revoked_at: 7 }])
  })

  it('sees it in the next turn, also when no time has passed', async () => {
    read()
    revoke()
    await turn()
    expect(read()).toEqual([{ revoked_at: 7 }])
  })

  it('locks the database again once in a turn, and once in each millisecond of a long one', async () => {
    for (let i = 0; i < 100; i++) read()
    expect(begun).toBe(1)
    await turn()
    for (let i = 0; i < 100; i++) {
      nowMs += 0.1
      read()
    }
    expect(begun).toBeGreaterThan(9)
    expect(begun).toBeLessThan(13)
  })

  it('that starts after the snapshot was renewed shares the new one until its turn ends', async () => {
    read()
    nowMs += 1
    read()
    await turn()
    const before = begun
    read()
    await Promise.resolve()
    read()
    expect(begun - before).toBe(1)
  })
})

it.each([1, 2])(
  'that meets a lock %i times sees what is committed when it is run again, also when no time has passed',
  async (times) => {
    const db = new Database(join(dir, 'a.db'))
    const prepare = db.prepare.bind(db)
    let met = 0
    const all = (sql: string) => {
      const found = prepare(sql).all()
      if (met === times) return found
      met += 1
      other.exec(`update api_keys set revoked_at = ${met}`)
      throw new Database.SqliteError('busy', 'SQLITE_BUSY')
    }
    db.prepare = ((sql: string) =>
      sql.includes('api_keys') ? { reader: true, all: () => all(sql) } : prepare(sql)) as never
    const clock = { monotonicMs: () => nowMs, sleep: async () => undefined }
    const locked = new SqliteConnection(db, { gate: new StorageGate(clock), clock, commits: null })
    expect(await locked.rows(QUERY, [])).toEqual([{ revoked_at: times }])
    locked.close()
  },
)

it('that fails at a damaged page reports it, ends nothing else, and the next read sees what is committed', async () => {
  const db = new Database(join(dir, 'a.db'))
  const prepare = db.prepare.bind(db)
  const end = () => {
    throw new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT')
  }
  db.prepare = ((sql: string) => (sql === 'COMMIT' ? { run: end } : prepare(sql))) as never
  const clock = { monotonicMs: () => nowMs, sleep: async () => undefined }
  const gate = new StorageGate(clock)
  const onDamaged = new SqliteConnection(db, { gate, clock, commits: null })
  await onDamaged.rows(QUERY, [])
  await turn()
  expect([gate.has('damaged'), db.inTransaction]).toEqual([true, false])
  revoke()
  expect(onDamaged.rows(QUERY, [])).toEqual([{ revoked_at: 7 }])
  onDamaged.close()
})
