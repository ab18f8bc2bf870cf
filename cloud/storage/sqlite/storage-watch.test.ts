// The watch over the relay's disk and file: what it measures decides whether units are taken, and each trouble is one line when it starts and one when it ends.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { quietWhileRefused } from '#cloud/storage/quiet-log.ts'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { type Disk, RESERVE_BYTES, ROOM_BYTES } from '#shared/disk/disk-reserve.ts'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { openFreshSqliteDatabase } from '#test/fixtures/fresh-relay-database.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { StorageWatch } from './storage-watch.ts'

const ROOMY: Disk = { freeBytes: 50e9, totalBytes: 100e9 }

let file: string
let db: SqliteDatabase
let clock: ManualClock
let watch: StorageWatch
let disk: Disk | null
let lines: { level: number; msg: string }[]
let log: pino.Logger

beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'storage-watch-')), 'relay.db')
  db = await openFreshSqliteDatabase(file)
  clock = new ManualClock()
  disk = ROOMY
  lines = []
  log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
  watch = new StorageWatch({ db, clock, log, measure: () => disk })
  lines.length = 0
})
afterEach(async () => {
  await watch.stop()
  await db.close()
  rmSync(dirname(file), { recursive: true })
})

const hasReserve = () => existsSync(join(dirname(file), 'reserve'))
const store = (id: string) =>
  db.unit((tx) =>
    tx
      .insertInto('accounts')
      .values({ id: asId<'acc'>(id), name: id, plan: 'sandbox', live_approved_at: null, created_at: 1 })
      .execute(),
  )
const said = () => lines.map(({ msg }) => msg.split(':')[0])

it('takes no unit below eight megabytes, gives up the reserve, and takes them again from sixteen on', async () => {
  await watch.start()
  expect(hasReserve()).toBe(true)
  await store('a')
  disk = { freeBytes: RESERVE_BYTES - 1, totalBytes: 100e9 }
  await clock.advance(1_000)
  expect([db.gate.has('full'), hasReserve()]).toEqual([true, false])
  await expect(store('b')).rejects.toMatchObject({ reason: 'full' })
  disk = { freeBytes: ROOM_BYTES - 1, totalBytes: 100e9 }
  await clock.advance(5_000)
  await expect(store('c')).rejects.toMatchObject({ reason: 'full' })
  disk = ROOMY
  await clock.advance(1_000)
  expect([db.gate.has('full'), hasReserve()]).toEqual([false, true])
  await store('d')
  expect(said()).toEqual(['the disk is full', 'there is room on the disk again'])
})

it('on a small disk there is not enough room while nothing is stored', async () => {
  const totalBytes = 100e6
  disk = { freeBytes: RESERVE_BYTES - 1, totalBytes }
  await watch.start()
  disk = { freeBytes: ROOM_BYTES - 1, totalBytes }
  await clock.advance(5_000)
  expect([db.gate.has('full'), watch.warnings, said()]).toEqual([true, ['disk'], ['the disk is full']])
  disk = { freeBytes: ROOM_BYTES, totalBytes }
  await clock.advance(1_000)
  await store('a')
  expect([db.gate.has('full'), watch.warnings, said().slice(1)]).toEqual([
    false,
    [],
    ['there is room on the disk again'],
  ])
})

it('a disk that was full and has little space is reported as nearly full then', async () => {
  disk = { freeBytes: RESERVE_BYTES - 1, totalBytes: 100e9 }
  await watch.start()
  disk = { freeBytes: ROOM_BYTES, totalBytes: 100e9 }
  await clock.advance(1_000)
  await store('a')
  expect(new Set(said())).toEqual(
    new Set(['the disk is full', 'there is room on the disk again', 'the disk is nearly full']),
  )
})

it('what was being stored when the disk became full ends nothing: one line for the begin, one for the end', async () => {
  await watch.start()
  await db.unit(async (tx) => {
    disk = { freeBytes: RESERVE_BYTES - 1, totalBytes: 100e9 }
    await clock.advance(1_000)
    await tx
      .insertInto('accounts')
      .values({ id: asId<'acc'>('a'), name: 'a', plan: 'sandbox', live_approved_at: null, created_at: 1 })
      .execute()
  })
  expect([db.gate.has('full'), said()]).toEqual([true, ['the disk is full']])
  disk = ROOMY
  await clock.advance(1_000)
  await store('b')
  expect(said()).toEqual(['the disk is full', 'there is room on the disk again'])
})

it('the line of a full disk has the file, the free space and the needed space', async () => {
  disk = { freeBytes: 4_096, totalBytes: 100e9 }
  await watch.start()
  expect(lines[0]).toMatchObject({ trouble: 'full', file, freeBytes: 4_096, neededBytes: ROOM_BYTES })
})

it('the line of a full disk omits the free space where it cannot be measured', async () => {
  disk = null
  await watch.start()
  db.gate.full(null)
  expect(lines[0]).toMatchObject({ trouble: 'full', file, neededBytes: ROOM_BYTES })
  expect(lines[0]).not.toHaveProperty('freeBytes')
})

it('measures from its start on: earlier writes of the relay’s start do not count', async () => {
  disk = { freeBytes: 0, totalBytes: 100e9 }
  await store('a')
  await watch.start()
  await expect(store('b')).rejects.toMatchObject({ reason: 'full' })
})

it('a disk that cannot be measured is tried', async () => {
  disk = null
  await watch.start()
  db.gate.full(null)
  await expect(store('a')).rejects.toMatchObject({ reason: 'full' })
  await clock.advance(1_000)
  await store('b')
  expect(said()).toEqual(['the disk is full', 'there is room on the disk again'])
})

it.each([
  ['a tenth of a small disk', 10e9, 0.99e9, 1.01e9],
  ['a gibibyte of a large one', 10e12, 1.07e9, 1.08e9],
])('warns early, once: below %s', async (_, totalBytes, lowBytes, enoughBytes) => {
  disk = { freeBytes: lowBytes, totalBytes }
  await watch.start()
  await clock.advance(60_000)
  expect([watch.warnings, said()]).toEqual([['disk'], ['the disk is nearly full']])
  disk = { freeBytes: enoughBytes, totalBytes }
  await clock.advance(60_000)
  expect([watch.warnings, said().length]).toEqual([[], 2])
})

it('logs the start and the end of each trouble with SQLite’s error and its duration', async () => {
  await watch.start()
  db.gate.full(new Error('database or disk is full'))
  await clock.advance(1_000)
  await store('a')
  db.gate.damaged(new Error('malformed'))
  db.gate.damaged(new Error('malformed again'))
  expect(lines).toEqual([
    expect.objectContaining({
      level: 50,
      trouble: 'full',
      err: expect.objectContaining({ message: 'database or disk is full' }),
    }),
    expect.objectContaining({ level: 40, trouble: 'full', ms: expect.any(Number) }),
    expect.objectContaining({ level: 50, trouble: 'damaged', err: expect.objectContaining({ message: 'malformed' }) }),
  ])
})

it('a disk that does not answer is logged a few times a minute', async () => {
  await watch.start()
  for (let i = 0; i < 1_000; i++) db.gate.failed.notify(new Error('EIO'))
  expect(said().length).toBe(10)
})

it('a failure because nothing can be stored is not logged by every caller; every other error is', () => {
  const quiet = quietWhileRefused(log)
  for (const reason of ['full', 'locked', 'damaged', 'failing'] as const)
    quiet.error({ err: new StorageRefusal(reason) }, 'not stored')
  quiet.warn({ err: new StorageRefusal('full') }, 'not stored')
  expect(lines).toEqual([])
  quiet.error({ err: new StorageRefusal('undone') }, 'undone')
  quiet.error({ err: new Error('a bug') }, 'a bug')
  quiet.warn('words alone')
  quiet.info({ err: new StorageRefusal('full') }, 'an info')
  expect(lines.map(({ msg }) => msg)).toEqual(['undone', 'a bug', 'words alone', 'an info'])
})
