// Pages that are overwritten under an open database: reads and units that meet them are refused by name, and nothing ends.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asId } from '#shared/ids.ts'
import { SqliteDatabase } from './sqlite-database.ts'

const PAGE_BYTES = 4_096
const ROWS = 200

let file: string
let db: SqliteDatabase
const fatal: unknown[] = []
beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'damaged-pages-')), 'relay.db')
  db = await SqliteDatabase.open(file, (error) => fatal.push(error))
  fatal.length = 0
  await db.unit(async (tx) => {
    for (let n = 0; n < ROWS; n++)
      await tx
        .insertInto('accounts')
        .values(row(`a${n}`))
        .execute()
  })
})
afterEach(async () => {
  await db.close()
  rmSync(dirname(file), { recursive: true })
})

const row = (id: string) => ({
  ...{ id: asId<'acc'>(id), name: 'x'.repeat(100), plan: 'sandbox' as const, live_approved_at: null, created_at: 1 },
})
const add = (id: string) => db.unit((tx) => tx.insertInto('accounts').values(row(id)).execute())
const mark = () => db.unit((tx) => tx.insertInto('marks').values({ name: 'copied', at: 1 }).execute())
const readAll = () => db.read.selectFrom('accounts').selectAll().execute()
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Writes over all pages of the table of accounts and of its index, but for those that lead to them. */
function overwrite(at: number, bytes: Buffer): void {
  const other = new Database(file)
  // The log has precedence over the file.
  other.pragma('wal_checkpoint(truncate)')
  const pages = other
    .prepare(
      "select pageno from dbstat where name in ('accounts', 'sqlite_autoindex_accounts_1') and pagetype = 'leaf'",
    )
    .pluck()
    .all() as number[]
  const fd = openSync(file, 'r+')
  for (const page of pages) writeSync(fd, bytes, 0, bytes.length, (page - 1) * PAGE_BYTES + at)
  closeSync(fd)
  // Pages that were read before are cached until another program writes.
  other.exec('update usage_days set calls = calls; create table other (x); drop table other')
  other.close()
}

it.each([
  ['another kind of page', 0, Buffer.from([0x07])],
  ['rubbish', 0, Buffer.alloc(PAGE_BYTES, 0xa5)],
  ['another count of cells', 3, Buffer.from([0xff, 0xff])],
  ['cells that begin elsewhere', 8, Buffer.alloc(64, 0xff)],
  ['nothing', 0, Buffer.alloc(PAGE_BYTES)],
])('%s: whoever reads it and whoever writes behind it is refused, and no COMMIT has failed', async (_, at, bytes) => {
  overwrite(at, bytes)
  // The read meets the damage in its snapshot, which a COMMIT of the writer ends.
  const [read, unit] = await Promise.allSettled([readAll(), mark()])
  expect([read, unit]).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ reason: 'damaged' }) },
    { status: 'fulfilled', value: expect.anything() },
  ])
  expect([db.gate.has('damaged'), fatal]).toEqual([true, []])
  await expect(add('three')).rejects.toMatchObject({ status: 503, reason: 'damaged' })
  expect(await db.read.selectFrom('merchants').selectAll().execute()).toEqual([])
  await turn()
  expect(fatal).toEqual([])
})

it('a disk that fails while only the watch asks for the lock is reported by the gate, and ends nothing', async () => {
  const told: unknown[] = []
  const { prepare } = Database.prototype
  const failing = () => {
    throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_SHMMAP')
  }
  await db.close()
  // The one statement by which the lock is taken.
  const prepared = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql) {
    return (sql === 'BEGIN IMMEDIATE' ? { run: failing } : prepare.call(this, sql)) as never
  })
  try {
    db = await SqliteDatabase.open(file, (error) => fatal.push(error))
  } finally {
    prepared.mockRestore()
  }
  db.gate.failed.subscribe((error) => told.push(error))
  db.probeLock()
  expect([told.length, fatal]).toEqual([1, []])
})
