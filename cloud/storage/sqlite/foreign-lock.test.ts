// Another program holds the relay's database: the relay keeps running, reads continue, transactions wait for a while and are then refused by name.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CannotOpen } from '#cloud/storage/cannot-open.ts'
import { LOCK_IS_TROUBLE_MS, StorageGate } from '#cloud/storage/storage-gate.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { GroupCommit } from './group-commit.ts'
import { LOCK_WAIT_MS, untilUnlocked } from './lock-patience.ts'
import { SqliteDatabase } from './sqlite-database.ts'

let dir: string
let sqlite: Database.Database
let other: Database.Database
let clock: ManualClock
let gate: StorageGate
let writer: GroupCommit
let told: string[]

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'foreign-lock-'))
  const file = join(dir, 'a.db')
  sqlite = new Database(file, { timeout: 0 })
  sqlite.pragma('journal_mode = WAL')
  sqlite.exec('create table t (id integer)')
  other = new Database(file)
  clock = new ManualClock()
  gate = new StorageGate(clock)
  told = []
  gate.changed.subscribe(({ trouble, began, lastedMs }) =>
    told.push(`${trouble} ${began ? 'began' : `ended, ${lastedMs}`}`),
  )
  writer = new GroupCommit(sqlite, { gate, clock, onFatal: (error) => expect.unreachable(String(error)) })
})
afterEach(() => {
  sqlite.close()
  other.close()
  rmSync(dir, { recursive: true })
})

async function unit(id: number): Promise<void> {
  await writer.begin()
  sqlite.prepare('insert into t values (?)').run(id)
  await writer.commit()
}
const stored = () => other.prepare('select id from t').pluck().all()
const lock = () => other.exec('begin immediate')
const unlock = () => other.exec('rollback')
async function whileTimePasses<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  while (!isOver) await clock.advance(50)
  return work
}
const LOCKED = {
  ...{ code: 'service.unavailable', reason: 'locked', retryAfterSeconds: 2, shouldRetry: true },
  message: 'Another program holds the database of the relay. Nothing of this call was kept.',
}

it('a transaction that meets a lock yields, and is stored when the lock is gone', async () => {
  lock()
  let ended = false
  const waiting = unit(1).then(() => {
    ended = true
  })
  await turn()
  expect(ended).toBe(false)
  await clock.advance(LOCK_IS_TROUBLE_MS / 2)
  unlock()
  await clock.advance(50)
  await waiting
  expect([stored(), told]).toEqual([[1], []])
})

it('a lock that lasts is logged once, and its end with its duration', async () => {
  lock()
  const waiting = Promise.all([unit(1), unit(2)])
  await clock.advance(2_000)
  expect([told, gate.has('locked')]).toEqual([['locked began'], true])
  unlock()
  await clock.advance(50)
  await waiting
  expect([stored(), gate.has('locked')]).toEqual([[1, 2], false])
  expect(told).toEqual(['locked began', expect.stringMatching(/^locked ended, 20\d\d/)])
})

it('units are refused by name when they have waited long enough, each from its own arrival on, and nothing of them is kept', async () => {
  lock()
  const first = expect(unit(1)).rejects.toMatchObject(LOCKED)
  await clock.advance(LOCK_WAIT_MS - 1_000)
  const second = unit(2)
  await clock.advance(1_050)
  await first
  unlock()
  await clock.advance(50)
  await second
  expect(stored()).toEqual([2])
})

it('a transaction that queued behind another has waited for the lock already', async () => {
  lock()
  const first = expect(unit(1)).rejects.toMatchObject(LOCKED)
  await clock.advance(1_000)
  let refusedAtMs = 0
  const second = expect(
    unit(2).finally(() => {
      refusedAtMs = clock.monotonicMs()
    }),
  ).rejects.toMatchObject(LOCKED)
  const arrivedMs = clock.monotonicMs()
  await clock.advance(2 * LOCK_WAIT_MS)
  await Promise.all([first, second])
  // The tries come fifty milliseconds apart at most.
  expect(refusedAtMs - arrivedMs).toSatisfy((ms: number) => ms >= LOCK_WAIT_MS && ms <= LOCK_WAIT_MS + 50)
})

it('a lock that is gone is noticed without a transaction, and the probe leaves none behind', async () => {
  lock()
  const refused = expect(unit(1)).rejects.toMatchObject(LOCKED)
  await clock.advance(LOCK_WAIT_MS + 50)
  await refused
  writer.probeLock()
  expect(gate.has('locked')).toBe(true)
  unlock()
  writer.probeLock()
  expect([gate.has('locked'), sqlite.inTransaction]).toEqual([false, false])
  lock()
  unlock()
})

it('the attempts have growing intervals, fifty milliseconds at most', async () => {
  const triedAtMs: number[] = []
  const attempt = () => {
    triedAtMs.push(clock.monotonicMs())
    return null
  }
  const given = untilUnlocked(clock, attempt, { sinceMs: 0, waitMs: 300 })
  await clock.advance(1_000)
  expect(await given).toBeNull()
  expect(triedAtMs).toEqual([0, 1, 3, 7, 15, 31, 63, 113, 163, 213, 263, 313])
})

it('the relay reads on while another program holds its database', async () => {
  const file = join(dir, 'relay.db')
  const db = await SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))
  const holder = new Database(file)
  holder.exec('begin immediate')
  expect(await db.read.selectFrom('accounts').selectAll().execute()).toEqual([])
  holder.exec('rollback')
  holder.close()
  await db.close()
})

it('a read that meets a lock is run again, and refused when it lasts', async () => {
  const db = await SqliteDatabase.open(join(dir, 'relay.db'), () => {}, clock)
  const statements = Object.getPrototypeOf(sqlite.prepare('select 1')) as { all: (...values: unknown[]) => unknown[] }
  const all = statements.all
  let busy = 3
  statements.all = function (this: Database.Statement, ...values) {
    if (this.source.includes('accounts') && busy-- > 0) throw new Database.SqliteError('busy', 'SQLITE_BUSY_RECOVERY')
    return all.apply(this, values)
  }
  try {
    const read = () => db.read.selectFrom('accounts').selectAll().execute()
    expect([await whileTimePasses(read()), busy]).toEqual([[], -1])
    busy = Number.POSITIVE_INFINITY
    await expect(whileTimePasses(read())).rejects.toMatchObject(LOCKED)
  } finally {
    statements.all = all
    await db.close()
  }
})

it('a start waits for a lock that ends, and reports in one line one that stays', async () => {
  const file = join(dir, 'relay.db')
  const holder = new Database(file)
  holder.exec('pragma locking_mode = exclusive; create table x (a); drop table x; begin exclusive')
  const opening = SqliteDatabase.open(file, () => {}, clock)
  await clock.advance(1_000)
  holder.close()
  await (await whileTimePasses(opening)).close()
  const again = new Database(file)
  again.exec('pragma locking_mode = exclusive; begin exclusive')
  const error = await whileTimePasses(SqliteDatabase.open(file, () => {}, clock)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CannotOpen)
  expect(error).toMatchObject({
    message: expect.stringMatching(/^the database .*relay\.db is held by another program: end that one/),
    passes: true,
  })
  again.close()
})
