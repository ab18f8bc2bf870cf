// A unit that may be lost: it waits neither for the disk nor long for others, and is not run again. The next one on its connection is as all are.
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tx } from '#cloud/storage/database.ts'
import { openFreshPostgresDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { PostgresDatabase } from './postgres-database.ts'

let first: PostgresDatabase
let db: PostgresDatabase
beforeEach(async () => {
  const fresh = await openFreshPostgresDatabase()
  first = fresh.db
  db = await PostgresDatabase.open({ url: fresh.url, slots: 1, readers: 1 })
})
afterEach(async () => {
  await db.close()
  await first.close()
})

async function settingsOf(tx: Tx): Promise<unknown> {
  const { rows } =
    await sql`select current_setting('synchronous_commit') as commit, current_setting('lock_timeout') as lock`.execute(
      tx,
    )
  return rows[0]
}

describe('a unit that may be lost', () => {
  it('does not wait for the disk, nor long for others; the next one on its connection does', async () => {
    expect(await db.unit(settingsOf, { isBestEffort: true })).toEqual({ commit: 'off', lock: '200ms' })
    expect(await db.unit(settingsOf)).toEqual({ commit: 'on', lock: '2s' })
  })

  it('is not run again when another one is in its way', async () => {
    let runs = 0
    const name = 'known' as const
    await first.unit(async (tx) => {
      await tx.insertInto('marks').values({ name, at: 1 }).execute()
      const unit = db.unit(
        async (hurried) => {
          runs += 1
          await hurried.insertInto('marks').values({ name, at: 2 }).execute()
        },
        { isBestEffort: true },
      )
      await expect(unit).rejects.toMatchObject({ reason: 'undone' })
    })
    expect(runs).toBe(1)
    expect(await db.read.selectFrom('marks').select('at').where('name', '=', name).execute()).toEqual([{ at: 1 }])
  })
})
