// A relay of before positions is opened by this program: its events stand in the order of their ids, and all that points to them still does.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { SQLITE_WORDS } from '#cloud/storage/dialect-words.ts'
import { insertEvent } from '#cloud/storage/event-store.ts'
import type { RelaySchema } from '#cloud/storage/schema.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { asId, newId } from '#shared/ids.ts'
import { assertProperty } from '#test/harness/property.ts'
import { MIGRATIONS } from './migrations.ts'

const NOW = 1_795_000_000_000
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-schema-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

interface Old {
  id: string
  createdAt: number
}

/** A file of the eighth schema with these events, written in this order, and one delivery of each. */
async function oldFile(name: string, events: readonly Old[]): Promise<string> {
  const file = join(dir, name)
  const old = new Database(file)
  const kysely = new Kysely<RelaySchema>({ dialect: new SqliteDialect({ database: old }) })
  for (const { up } of MIGRATIONS.slice(0, 8)) await up(kysely, SQLITE_WORDS)
  old.exec(`insert into accounts (id, name, plan, created_at) values ('acc', 'A', 'sandbox', 1);
    insert into merchants (id, account_id, public_id, environment, name, time_zone, prep_minutes, fire_at_horizon_ms, created_at)
      values ('mer', 'acc', 'M-TEST-001', 'sandbox', 'M', 'UTC', 10, 0, 1);
    insert into webhook_endpoints (id, account_id, merchant_id, environment, url, events, secret_enc, status, created_at)
      values ('we', 'acc', 'mer', 'sandbox', 'http://x', '["*"]', 's', 'enabled', 1)`)
  const event =
    old.prepare(`insert into events (id, account_id, merchant_id, environment, type, subject_id, sequence, payload, audience, test, created_at)
    values (?, 'acc', 'mer', 'sandbox', 'order.accepted', ?, 1, ?, 'merchant', 1, ?)`)
  const delivery = old.prepare(
    `insert into deliveries (id, event_id, endpoint_id, subject_id, state, attempts, next_at, created_at) values (?, ?, 'we', 's', 'pending', 0, 5, 5)`,
  )
  for (const { id, createdAt } of events) {
    event.run(id, `of-${id}`, `{"id":"${id}"}`, createdAt)
    delivery.run(`dlv-${id}`, id)
  }
  old.pragma('user_version = 8')
  old.close()
  return file
}

const opened = (file: string) => SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))
const eventsOf = (db: RelayDatabase) => db.read.selectFrom('events').selectAll().orderBy('position').execute()

function newRow(createdAt: number) {
  const owner = { account_id: asId<'acc'>('acc'), merchant_id: asId<'mer'>('mer'), environment: 'sandbox' as const }
  const subject = { subject_id: newId('ord', createdAt), type: 'order.accepted', sequence: 1 }
  return { ...owner, ...subject, id: newId('evt', createdAt), payload: '{}', created_at: createdAt }
}

test('events are in the order of their ids, with new ones above all others, and nothing of them is lost', async () => {
  const old = [
    { id: 'evt_c', createdAt: NOW + 1 },
    { id: 'evt_a', createdAt: NOW },
    { id: 'evt_b', createdAt: NOW },
  ]
  const db = await opened(await oldFile('relay.db', old))
  await db.unit((tx) => insertEvent(tx, newRow(NOW)))
  const rows = await eventsOf(db)
  expect(rows.slice(0, 3)).toMatchObject(
    ['evt_a', 'evt_b', 'evt_c'].map((id) => ({
      ...{ id, subject_id: `of-${id}`, payload: `{"id":"${id}"}`, sequence: 1 },
      ...{ account_id: 'acc', merchant_id: 'mer', environment: 'sandbox', type: 'order.accepted' },
      ...{ audience: 'merchant', test: 1, created_at: id === 'evt_c' ? NOW + 1 : NOW },
    })),
  )
  expect(rows.map(({ position }) => position)).toEqual([
    NOW * 1_024,
    NOW * 1_024 + 1,
    (NOW + 1) * 1_024,
    (NOW + 1) * 1_024 + 1,
  ])
  await db.close()
})

test('deliveries still point to their events, and none to nothing', async () => {
  const file = await oldFile('relay.db', [{ id: 'evt_a', createdAt: NOW }])
  const db = await opened(file)
  const of = (event_id: string) => ({
    ...{ id: asId<'dlv'>(`to-${event_id}`), event_id: asId<'evt'>(event_id), endpoint_id: asId<'we'>('we') },
    ...{ subject_id: 's', type: 'order.accepted', state: 'failed' as const, attempts: 0, next_at: 1, created_at: 1 },
  })
  await db.unit((tx) => tx.insertInto('deliveries').values(of('evt_a')).execute())
  await expect(db.unit((tx) => tx.insertInto('deliveries').values(of('evt_none')).execute())).rejects.toThrow('FOREIGN')
  await expect(db.unit((tx) => tx.deleteFrom('events').execute())).rejects.toThrow('FOREIGN')
  await db.close()
  const raw = new Database(file)
  expect(raw.pragma('foreign_key_check')).toEqual([])
  expect(raw.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  raw.close()
})

test('each gets its time, or the place after the event before it, whatever the times are', async () => {
  let files = 0
  const times = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 })
  await assertProperty(
    fc.asyncProperty(times, async (ms) => {
      const old = ms.map((at, i) => ({ id: `evt_${String(i).padStart(2, '0')}`, createdAt: NOW + at }))
      const db = await opened(await oldFile(`${files++}.db`, old.toReversed()))
      let last = 0
      const expected = old.map(({ createdAt }) => {
        last = Math.max(last + 1, createdAt * 1_024)
        return last
      })
      expect((await eventsOf(db)).map(({ position }) => position)).toEqual(expected)
      await db.close()
    }),
  )
})
