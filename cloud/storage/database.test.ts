// The relay's database: durability of a unit, isolation of a failing one, shared commits, readers see only what is committed.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prepared, RelayDatabase } from './database.ts'

let db: RelayDatabase
let file: string
const fatal: unknown[] = []

beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'relay-db-')), 'relay.db')
  db = await RelayDatabase.open(file, (error) => fatal.push(error))
})
afterEach(() => db.close())

const account = (id: string) => ({ id, name: id, plan: 'sandbox' as const, live_approved_at: null, created_at: 1 })
const names = async () => (await db.read.selectFrom('accounts').select('id').orderBy('id').execute()).map((r) => r.id)

describe('RelayDatabase', () => {
  it('keeps what a unit has resolved, also after reopening', async () => {
    await db.unit((tx) => tx.insertInto('accounts').values(account('a')).execute())
    await db.close()
    db = await RelayDatabase.open(file, (error) => fatal.push(error))
    expect(await names()).toEqual(['a'])
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

  it('closes quietly right after a unit that was undone: no COMMIT runs on the closed file', async () => {
    fatal.length = 0
    await expect(db.unit(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await db.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(fatal).toEqual([])
    db = await RelayDatabase.open(file, (error) => fatal.push(error))
  })

  it('shows every unit to the read that follows it, whatever was read in the same turn before', async () => {
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
    const other = await RelayDatabase.open(file, (error) => fatal.push(error))
    expect(await names()).toEqual([])
    await other.unit((tx) => tx.insertInto('accounts').values(account('theirs')).execute())
    await other.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(await names()).toEqual(['theirs'])
  })
})
