// The relay's database on a full disk: whole groups are rolled back and refused, nothing ends, reads continue, and transactions are accepted again when there is space.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tx } from '#cloud/storage/database.ts'
import type { TroubleChange } from '#cloud/storage/storage-gate.ts'
import { asId } from '#shared/ids.ts'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { SqliteDatabase } from './sqlite-database.ts'

let file: string
let db: SqliteDatabase
let told: string[]
const fatal: unknown[] = []
let makeRoom: () => void

beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'full-disk-')), 'relay.db')
  db = await SqliteDatabase.open(file, (error) => fatal.push(error))
  told = []
  fatal.length = 0
  db.gate.changed.subscribe(({ trouble, began }: TroubleChange) => told.push(`${trouble} ${began ? 'began' : 'ended'}`))
  makeRoom = () => {}
})
afterEach(async () => {
  makeRoom()
  await db.close()
  rmSync(dirname(file), { recursive: true })
})

const FULL = {
  code: 'service.unavailable',
  status: 503,
  reason: 'full',
  message: 'The disk of the relay is full. Nothing of this call was kept.',
  retryAfterSeconds: 30,
  shouldRetry: true,
}
const row = (id: string, name = id) => ({
  ...{ id: asId<'acc'>(id), name, plan: 'sandbox' as const, live_approved_at: null, created_at: 1 },
})
const add = (id: string, sharesSavepoint = false) =>
  db.unit((tx) => tx.insertInto('accounts').values(row(id)).execute(), { sharesSavepoint })
const ids = async () =>
  (await db.read.selectFrom('accounts').select('id').orderBy('id').execute()).map(({ id }) => `${id}`)
const reasons = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome.status))

it('a COMMIT without room: every unit of its group is refused by name, nothing of them is kept, and nothing ends', async () => {
  await add('before')
  makeRoom = fillDisk(file)
  const outcomes = await Promise.allSettled([add('a'), add('b', true), add('c', true), add('d')])
  expect(reasons(outcomes)).toEqual(Array.from({ length: 4 }, () => expect.objectContaining(FULL)))
  expect([await ids(), fatal, told]).toEqual([['before'], [], ['full began']])
})

it('from then on units are refused without asking the disk, until it is measured again; the first that is on disk ends it', async () => {
  makeRoom = fillDisk(file)
  await expect(add('a')).rejects.toMatchObject(FULL)
  makeRoom()
  // There is space, but the watch has not reported it: a transaction that tried would be stored.
  await expect(add('b')).rejects.toMatchObject(FULL)
  expect(db.gate.has('full')).toBe(true)
  db.gate.roomAgain()
  expect([db.gate.has('full'), told]).toEqual([false, ['full began']])
  await add('c')
  expect([await ids(), told, fatal]).toEqual([['c'], ['full began', 'full ended'], []])
})

it('space that was too small is the same trouble, logged once', async () => {
  makeRoom = fillDisk(file)
  for (const id of ['a', 'b', 'c']) {
    await expect(add(id)).rejects.toMatchObject(FULL)
    db.gate.roomAgain()
  }
  makeRoom()
  await add('d')
  expect([await ids(), told]).toEqual([['d'], ['full began', 'full ended']])
})

it('no room within a unit: its neighbours are refused too, also when it swallows the error, and the next in line is not lost', async () => {
  const grow = async (swallow: boolean): Promise<void> => {
    await db.unit(async (tx) => {
      // Real: the file may not grow by a page.
      await sql`pragma max_page_count = 1`.execute(tx)
      const growing = tx
        .insertInto('accounts')
        .values(row('large', 'x'.repeat(200_000)))
        .execute()
      await (swallow ? growing.catch(() => undefined) : growing)
    })
  }
  const cases = [false, true].flatMap((swallow) => [
    { swallow, behind: ['c'] },
    { swallow, behind: [] },
  ])
  for (const { swallow, behind } of cases) {
    const units = [add('a'), add('b', true), grow(swallow), ...behind.map((id) => add(id))]
    const outcomes = await Promise.allSettled(units)
    expect(reasons(outcomes)).toEqual(units.map(() => expect.objectContaining(FULL)))
    expect(await ids()).toEqual([])
    db.gate.roomAgain()
    await db.unit((tx) => sql`pragma max_page_count = 1000000`.execute(tx))
    await add('after')
    expect(await ids()).toEqual(['after'])
    await db.unit((tx) => tx.deleteFrom('accounts').execute())
  }
  expect(fatal).toEqual([])
})

it('a fault after which SQLite itself keeps the transaction open: the group is undone all the same, and the next unit is stored alone', async () => {
  await add('before')
  let stayedOpen: unknown
  const grow = async (tx: Tx): Promise<void> => {
    await sql`pragma max_page_count = 1`.execute(tx)
    // Of several rows: SQLite undoes the statement only.
    await tx
      .insertInto('accounts')
      .values([row('large-1', 'x'.repeat(200_000)), row('large-2', 'x'.repeat(200_000))])
      .execute()
      .catch(() => undefined)
    stayedOpen = (await sql<{ n: number }>`select count(*) as n from accounts`.execute(tx)).rows
  }
  const outcomes = reasons(await Promise.allSettled([add('a'), add('b', true), db.unit(grow)]))
  expect(outcomes).toEqual(Array.from({ length: 3 }, () => expect.objectContaining(FULL)))
  // What came before it in the group still stood there.
  expect(stayedOpen).toEqual([{ n: 3 }])
  expect(await ids()).toEqual(['before'])
  db.gate.roomAgain()
  await db.unit((tx) => sql`pragma max_page_count = 1000000`.execute(tx))
  await add('after')
  expect([await ids(), fatal]).toEqual([['after', 'before'], []])
})

it('keeps exactly what it has confirmed while space appears and disappears under a rush of transactions', async () => {
  const kept: string[] = []
  let number = 0
  for (let round = 0; round < 40; round++) {
    if (round % 3 === 1) makeRoom = fillDisk(file)
    const rush = Array.from({ length: 1 + (round % 7) * 5 }, async (_, i) => {
      const id = `n${String(number++).padStart(5, '0')}`
      await add(id, i % 2 === 0)
      kept.push(id)
    })
    const outcomes = reasons(await Promise.allSettled(rush))
    for (const outcome of outcomes) if (outcome !== 'fulfilled') expect(outcome).toMatchObject(FULL)
    makeRoom()
    db.gate.roomAgain()
  }
  expect(kept.length).toBeGreaterThan(100)
  expect(await ids()).toEqual(kept.toSorted())
  expect(fatal).toEqual([])
})
