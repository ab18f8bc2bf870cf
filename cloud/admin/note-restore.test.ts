// note-restore on a real file: its output about a database that was rolled back by other means, and its refusals.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RestoreStore } from '#cloud/storage/restore-store.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import type { ManualClock } from '#test/doubles/manual-clock.ts'
import { BackupDesk, editing } from '#test/fixtures/backup-desk.ts'
import type { OrderDesk } from '#test/fixtures/order-desk.ts'

let desk: BackupDesk
let folder: string
let kitchen: OrderDesk
let clock: ManualClock
beforeEach(async () => {
  desk = await BackupDesk.open()
  ;({ folder, kitchen, clock } = desk)
})
afterEach(() => desk.close())

const printed = (orderId: string) => desk.printed(orderId)
const run = (database: string, ...args: string[]) => desk.run(database, ...args)
const copyOf = (name: string) => desk.copyOf(name)

describe('note-restore', () => {
  /** A database as in a snapshot of the machine: nothing in it shows that it is an earlier state. */
  const snapshot = async () => {
    await printed('one')
    const live = await copyOf('live.db')
    editing(live, 'delete from marks')
    return live
  }
  /** The relay's state at its next start: since when something is missing. */
  const known = async (live: string) => {
    const db = await SqliteDatabase.open(live, (error) => expect.unreachable(String(error)))
    const copiedAtMs = await new RestoreStore(db).noteCopy(clock.now())
    await db.close()
    return copiedAtMs
  }

  test('makes a relay continue from a snapshot as from a copy of the newest time in it', async () => {
    const live = await snapshot()
    expect(await known(live)).toBeNull()
    const newestMs = clock.now() - 1
    await clock.advance(60_000)
    const { code, out } = await run(live, 'note-restore', '--json')
    expect([code, JSON.parse(out).copiedAt]).toEqual([0, new Date(newestMs).toISOString()])
    expect(await known(live)).toBe(newestMs)
  })

  test('takes the time of the snapshot from an option, when a relay has run on it since', async () => {
    const live = await snapshot()
    const ofMs = clock.now() - 8 * 86_400_000
    expect((await run(live, 'note-restore', '--of', new Date(ofMs).toISOString())).code).toBe(0)
    expect(await known(live)).toBe(ofMs)
  })

  test('of a copy that was copied again: the older time counts', async () => {
    await printed('one')
    const copy = await copyOf('copy.db')
    editing(copy, "update marks set at = 5 where name = 'copied'")
    expect((await run(copy, 'backup', '--to', 'again.db')).code).toBe(0)
    expect(await known(join(folder, 'again.db'))).toBe(5)
    expect((await run(copy, 'note-restore')).code).toBe(0)
    expect(await known(copy)).toBe(5)
  })

  test('is refused while a relay has the database open, and for what is none', async () => {
    const open = await run(kitchen.api.databaseFile, 'note-restore')
    expect([open.code, open.err]).toEqual([1, expect.stringContaining('stop the relay first')])
    editing(join(folder, 'other.db'), 'create table marks_of_others (name text)')
    const other = await run(join(folder, 'other.db'), 'note-restore')
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('no database of the relay')])
    const absent = await run(join(folder, 'none.db'), 'note-restore')
    expect([absent.code, absent.err]).toEqual([1, expect.stringContaining('cannot be written')])
  })
})
