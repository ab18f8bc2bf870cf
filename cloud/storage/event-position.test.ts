// Positions of events: they rise with the commits, whatever the clock does, and are never given twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asId, newId } from '#shared/ids.ts'
import { openFreshRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { FILES, ofSqlite } from '#test/harness/engines.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { RelayDatabase } from './database.ts'
import { positionAt } from './event-position.ts'
import { EventStore, insertEvent } from './event-store.ts'
import { SqliteDatabase } from './sqlite/sqlite-database.ts'

const NOW = 1_795_000_000_000
let dir: string
let db: RelayDatabase
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-positions-'))
  db = await openFreshRelayDatabase(join(dir, 'relay.db'))
})
afterEach(async () => {
  await db.close()
  rmSync(dir, { recursive: true })
})

function rowAt(createdAt: number) {
  const owner = { account_id: asId<'acc'>('acc'), merchant_id: asId<'mer'>('mer'), environment: 'sandbox' as const }
  const subject = { subject_id: newId('ord', createdAt), type: 'order.accepted', sequence: 1 }
  return { ...owner, ...subject, id: newId('evt', createdAt), payload: '{}', created_at: createdAt }
}
const record = (atMs: number) => db.unit((tx) => insertEvent(tx, rowAt(atMs)))
const head = () => new EventStore(db).head(asId<'mer'>('mer'))

describe('positions', () => {
  it('are the time, and rise also when the clock stops or goes back', async () => {
    const found: number[] = []
    for (const at of [NOW, NOW, NOW - 3_600_000, NOW + 5]) {
      await record(at)
      found.push(await head())
    }
    expect(found).toEqual([positionAt(NOW), positionAt(NOW) + 1, positionAt(NOW) + 2, positionAt(NOW + 5)])
  })

  ofSqlite(FILES)(
    'are not given again when the newest or all events were deleted, the clock was put back and the relay started anew',
    async () => {
      for (let i = 0; i < 3; i++) await record(NOW)
      const last = await head()
      await db.unit((tx) => tx.deleteFrom('events').where('position', '=', last).execute())
      await record(NOW - 1)
      expect(await head()).toBe(last + 1)
      await db.unit((tx) => tx.deleteFrom('events').execute())
      await db.close()
      db = await SqliteDatabase.open(join(dir, 'relay.db'), (error) => expect.unreachable(String(error)))
      await record(NOW - 1)
      expect(await head()).toBe(last + 2)
    },
  )

  it('of a failed transaction are unused', async () => {
    await record(NOW)
    const failed = db.unit(async (tx) => {
      await insertEvent(tx, rowAt(NOW))
      throw new Error('refused')
    })
    await expect(failed).rejects.toThrow('refused')
    expect(await head()).toBe(positionAt(NOW))
  })

  it('rise in the order of commits with many transactions at once, with any clock of each', async () => {
    await assertProperty(
      fc.asyncProperty(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 20 }), async (times) => {
        const committed = new Set<string>()
        const before = await head()
        await Promise.all(
          times.map(async (ms) => {
            const row = rowAt(NOW + ms)
            await db.unit(async (tx) => {
              await insertEvent(tx, row)
              // A unit that runs again takes a new place.
              committed.delete(row.id)
              committed.add(row.id)
            })
          }),
        )
        const rows = await db.read
          .selectFrom('events')
          .select(['id', 'position', 'created_at'])
          .where('position', '>', before)
          .orderBy('position')
          .execute()
        expect(rows.map(({ id }) => id)).toEqual([...committed])
        for (const { position, created_at } of rows) expect(position).toBeGreaterThanOrEqual(positionAt(created_at))
      }),
    )
  })
})
