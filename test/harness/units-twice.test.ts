// A rehearsed unit leaves in the database what it leaves once, and what it changes elsewhere shows.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { asId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { openFreshSqliteDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { rehearsed } from './units-twice.ts'

let dir: string
let db: RelayDatabase
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-twice-'))
  db = rehearsed(await openFreshSqliteDatabase(join(dir, 'relay.db')))
})
afterEach(async () => {
  await db.close()
  rmSync(dir, { recursive: true })
})

const insert = (tx: Tx) => tx.insertInto('marks').values({ name: 'copied', at: 1 }).execute()
const marks = () => db.read.selectFrom('marks').select('at').execute()

it('writes once', async () => {
  await db.unit(insert)
  expect(await marks()).toEqual([{ at: 1 }])
})

it('shows a count that grows in the caller', async () => {
  let count = 0
  await db.unit(async () => {
    count++
  })
  expect(count).toBe(2)
})

it('reports a signal that the transaction fires, and not one after it', async () => {
  const changed = new Signal()
  await db.unit(insert)
  changed.notify()
  const fires = db.unit(async (tx) => {
    await tx.deleteFrom('marks').execute()
    changed.notify()
  })
  await expect(fires).rejects.toThrow('a unit fires a signal')
  expect(await marks()).toEqual([{ at: 1 }])
})

it('fails as the unit does', async () => {
  const refused = db.unit(async (tx) => {
    await tx.deleteFrom('orders').where('id', '=', asId<'ord'>('ord_1')).execute()
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
})
