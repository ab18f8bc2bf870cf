// The relay's database: durability of a unit, isolation of a failing one, shared commits, readers see only what is committed.
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Db, prepared } from '#cloud/storage/database.ts'
import { asId } from '#shared/ids.ts'
import { logFileOf } from '#shared/quiet-checkpoint.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { SqliteDatabase } from './sqlite-database.ts'

let db: SqliteDatabase
let file: string
const fatal: unknown[] = []

beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'relay-db-')), 'relay.db')
  db = await SqliteDatabase.open(file, (error) => fatal.push(error))
})
afterEach(() => db.close())

const account = (id: string) => ({
  id: asId<'acc'>(id),
  name: id,
  plan: 'sandbox' as const,
  live_approved_at: null,
  created_at: 1,
})
const names = async (): Promise<string[]> =>
  (await db.read.selectFrom('accounts').select('id').orderBy('id').execute()).map((r) => r.id)

describe('SqliteDatabase', () => {
  it('keeps what a unit has resolved, also after reopening', async () => {
    await db.unit((tx) => tx.insertInto('accounts').values(account('a')).execute())
    await db.close()
    db = await SqliteDatabase.open(file, (error) => fatal.push(error))
    expect(await names()).toEqual(['a'])
  })

  it('copies its log back into the file when nothing is written, sooner than SQLite would', async () => {
    const look = new Database(file, { readonly: true })
    const waiting = logFileOf(look, 0).waitingPages
    const longName = 'x'.repeat(4_096)
    await db.unit(async (tx) => {
      for (let i = 0; i < 2_000; i++)
        await tx
          .insertInto('accounts')
          .values({ ...account(`a${i}`), name: longName })
          .execute()
    })
    expect(waiting()).toBeGreaterThan(2_000)
    await expect.poll(waiting).toBe(0)
    look.close()
  })

  it('leaves everything in the one file when it is closed, also when nothing but prepared queries has run', async () => {
    await db.unit((tx) => tx.insertInto('accounts').values(account('a')).execute())
    await db.close()
    db = await SqliteDatabase.open(file, (error) => fatal.push(error))
    const rename = prepared((p) =>
      db.read
        .updateTable('accounts')
        .set({ name: p('name') })
        .where('id', '=', asId<'acc'>('a')),
    )
    const nameOf = prepared(() => db.read.selectFrom('accounts').select('name'))
    await db.unit((tx) => rename(tx, { name: 'renamed' }))
    expect(await nameOf(db.read, {})).toEqual([{ name: 'renamed' }])
    await db.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
    db = await SqliteDatabase.open(file, (error) => fatal.push(error))
    expect(await nameOf(db.read, {})).toEqual([{ name: 'renamed' }])
  })

  it('undoes a failing unit and keeps the others of its group', async () => {
    const add = (id: string, fail: boolean) =>
      db.unit(async (tx) => {
        await tx.insertInto('accounts').values(account(id)).execute()
        if (fail) throw new Error('no')
      })
    const results = await Promise.allSettled([add('a', false), add('b', true), add('c', false)])
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await names()).toEqual(['a', 'c'])
  })

  it('undoes a failing repeatable unit alone: its neighbours are run again and kept, once each', async () => {
    const runs: string[] = []
    const add = (id: string, options: { fail?: boolean; sharesSavepoint?: boolean } = {}) =>
      db.unit(
        async (tx) => {
          runs.push(id)
          await tx.insertInto('accounts').values(account(id)).execute()
          if (options.fail) throw new Error(`no ${id}`)
          return id
        },
        { sharesSavepoint: options.sharesSavepoint ?? true },
      )
    const results = await Promise.allSettled([
      add('a'),
      add('alone', { sharesSavepoint: false }),
      add('b'),
      add('c'),
      add('bad', { fail: true }),
      add('d'),
    ])
    expect(results.map((r) => (r.status === 'fulfilled' ? r.value : r.reason.message))).toEqual([
      'a',
      'alone',
      'b',
      'c',
      'no bad',
      'd',
    ])
    expect(await names()).toEqual(['a', 'alone', 'b', 'c', 'd'])
    // b and c shared the failing unit's savepoint; what came before the unit with its own did not.
    expect(runs.toSorted()).toEqual(['a', 'alone', 'b', 'b', 'bad', 'c', 'c', 'd'])
    expect(fatal).toEqual([])
  })

  it('keeps exactly the units that succeeded when repeatable and other units fail at random', async () => {
    const wanted: string[] = []
    const units = Array.from({ length: 600 }, (_, i) => {
      const id = `r${String(i).padStart(3, '0')}`
      const fail = i % 7 === 3 || i % 11 === 5
      if (!fail) wanted.push(id)
      return db.unit(
        async (tx) => {
          await tx.insertInto('accounts').values(account(id)).execute()
          if (fail) throw new Error('no')
        },
        { sharesSavepoint: i % 5 !== 0 },
      )
    })
    const results = await Promise.allSettled(units)
    expect(results.filter((r) => r.status === 'fulfilled').length).toBe(wanted.length)
    expect(await names()).toEqual(wanted)
  })

  it('undoes the whole group when SQLite has given up the transaction within one unit: nothing of it is kept, and none runs on outside', async () => {
    fatal.length = 0
    const add = (id: string) => db.unit((tx) => tx.insertInto('accounts').values(account(id)).execute())
    const before = add('before')
    const swallowed = db.unit(async (tx) => {
      await sql`rollback`.execute(tx)
      await tx
        .insertInto('accounts')
        .values(account('outside'))
        .execute()
        .catch(() => undefined)
    })
    const behind = add('behind')
    const refusal = { code: 'service.unavailable', reason: 'undone' }
    await expect(swallowed).rejects.toMatchObject(refusal)
    await expect(before).rejects.toMatchObject(refusal)
    await behind
    expect([await names(), fatal]).toEqual([['behind'], []])
  })

  it('shows a reader nothing of a unit that is still open', async () => {
    await db.unit(async (tx) => {
      await tx.insertInto('accounts').values(account('a')).execute()
      expect(await names()).toEqual([])
    })
    expect(await names()).toEqual(['a'])
  })

  it('runs a thousand concurrent units, each exactly once', async () => {
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        db.unit((tx) =>
          tx
            .insertInto('accounts')
            .values(account(`n${i}`))
            .execute(),
        ),
      ),
    )
    expect((await names()).length).toBe(1000)
  })

  it('refuses a 503 to the unit that finds 2,048 others waiting', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 2_200 }, (_, i) =>
        db.unit((tx) =>
          tx
            .insertInto('accounts')
            .values(account(`n${i}`))
            .execute(),
        ),
      ),
    )
    const refused = results.filter((r) => r.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const r of refused) expect(r.reason).toMatchObject({ code: 'service.unavailable' })
    expect((await names()).length).toBe(2_200 - refused.length)
  })

  it('binds a query that was compiled once', async () => {
    await db.unit((tx) =>
      tx
        .insertInto('accounts')
        .values([account('a'), account('b')])
        .execute(),
    )
    const byId = prepared((p) => db.read.selectFrom('accounts').select('name').where('id', '=', p('id')))
    expect(await byId(db.read, { id: 'b' })).toEqual([{ name: 'b' }])
    await expect(byId(db.read, {})).rejects.toThrow('no value for parameter id')
  })

  it('prepares every statement so that SQLite plans it once, for its reader and its writer', async () => {
    const byName = prepared((p) =>
      db.read.selectFrom('accounts').select('id').where('name', '=', p('name')).limit(p('most')),
    )
    const some = (on: Db, name: string) =>
      on.selectFrom('accounts').select('id').where('name', '=', name).orderBy('created_at').limit(2).execute()
    const plans = await queryPlans(file, async () => {
      await db.unit(async (tx) => {
        await tx.insertInto('accounts').values(account('a')).execute()
        await byName(tx, { name: 'a', most: 1 })
        await some(tx, 'a')
      })
      expect(await byName(db.read, { name: 'a', most: 1 })).toEqual([{ id: 'a' }])
      expect(await some(db.read, 'a')).toEqual([{ id: 'a' }])
    })
    // Three texts on two connections.
    expect(plans).toHaveLength(3)
    for (const plan of plans) {
      expect(plan.sql).toContain('+?')
      expect(plan.sql.replaceAll('+?', '')).not.toContain('?')
    }
  })

  it('closes quietly right after a unit that was undone: no COMMIT runs on the closed file', async () => {
    fatal.length = 0
    await expect(db.unit(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await db.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(fatal).toEqual([])
    db = await SqliteDatabase.open(file, (error) => fatal.push(error))
  })

  it('shows every transaction to the read that follows it, whatever was read in the same turn before', async () => {
    for (let i = 0; i < 200; i++) {
      const id = `turn-${i}`
      const seen = async () => (await names()).includes(id)
      const unit = db.unit((tx) => tx.insertInto('accounts').values(account(id)).execute())
      const early = seen()
      await unit
      expect(await seen()).toBe(true)
      await early
    }
  })

  it('sees what another program commits to the file', async () => {
    const other = await SqliteDatabase.open(file, (error) => fatal.push(error))
    expect(await names()).toEqual([])
    await other.unit((tx) => tx.insertInto('accounts').values(account('theirs')).execute())
    await other.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(await names()).toEqual(['theirs'])
  })
})
