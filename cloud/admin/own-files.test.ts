// The relay's own files keep their places, whatever an operator calls them in a line of backup, restore or verify.
import { copyFileSync, linkSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyName } from '#cloud/backup/keep-copies.ts'
import { restoringFile } from '#cloud/storage/sqlite/sqlite-database.ts'
import type { ManualClock } from '#test/doubles/manual-clock.ts'
import { BackupDesk } from '#test/fixtures/backup-desk.ts'
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

const run = (database: string, ...args: string[]) => desk.run(database, ...args)
const copyOf = (name: string) => desk.copyOf(name)

describe('the relay’s own files', () => {
  test.each([
    ['by its name', (live: string) => live],
    ['by a relative name', (live: string) => relative(folder, live)],
    ['by a folder that is a link', (live: string) => join(linkTo(dirname(live)), basename(live))],
    ['by a link to it', (live: string) => linkTo(live)],
    ['by a second name', (live: string) => secondNameOf(live)],
    ['by its log', (live: string) => `${live}-wal`],
    ['by its log under a linked folder', (live: string) => join(linkTo(dirname(live)), `${basename(live)}-wal`)],
    ['by its index of the log', (live: string) => `${live}-shm`],
    ['by its journal', (live: string) => `${live}-journal`],
    ['by its lock', (live: string) => `${live}.lock`],
    ['by its socket', (live: string) => `${live}.sock`],
    ['by the reserve beside it', (live: string) => join(dirname(live), 'reserve')],
    ['by the note of a move', (live: string) => `${live}.moved`],
    ['by the mark of a restore', (live: string) => restoringFile(live)],
    ['by the copy of a restore', (live: string) => `${restoringFile(live)}.copy`],
    ['by the socket of the settings', () => 'admin.sock'],
    ['by an exported month', () => 'export/orders-2026-11.jsonl.gz'],
    ['by the lock of the export', () => 'export/relay.lock'],
  ])('the relay’s own file is not written over, named %s, and it goes on', async (_, named) => {
    await desk.printed('one')
    const live = kitchen.api.databaseFile
    const { code, err } = await desk.backup('--to', named(live), '--replace')
    expect([code, err]).toEqual([1, expect.stringMatching(/ is (the|a) .*: say another --to\.$/)])
    await desk.printed('two')
    // What is on the disk under its name is what the open relay has.
    expect((await run(live, 'restore', '--check', await copyOf('copy.db'))).out).toContain('missing 0 orders')
    expect((await run(live, 'verify')).code).toBe(0)
  })

  test('a database with a relative name is not written over by its absolute one', async () => {
    const live = await copyOf('live.db')
    const { err } = await run(relative(process.cwd(), live), 'backup', '--to', live, '--replace')
    expect(err).toBe(`${live} is the database itself: say another --to.`)
  })

  test('the name that a copy has until it is checked is not that of a database', async () => {
    const live = await copyOf('copy.db.part')
    const before = readFileSync(live)
    const { code, err } = await run(live, 'backup', '--to', 'copy.db')
    expect([code, err]).toEqual([1, `${live} is the database itself: say another --to.`])
    expect(readFileSync(live)).toEqual(before)
  })

  test.each(['copy.db.sha256', 'copy.db.sha256.part'])('a database called %s is no place for a sum', async (name) => {
    const live = await copyOf(name)
    const { code, err } = await run(live, 'backup', '--to', 'copy.db', '--replace')
    expect([code, err]).toEqual([1, `${live} is the database itself: say another --to.`])
  })

  test('a database that is named as the part of an old copy is, or as the lock of one, is not cleared away', async () => {
    await copyOf(copyName(0))
    for (const end of ['.part', '.part.lock']) {
      const live = await copyOf(`${copyName(0)}${end}`)
      const before = readFileSync(live)
      await clock.advance(1_000)
      expect((await run(live, 'backup', '--into', '.', '--keep', '1')).code).toBe(0)
      expect(readFileSync(live)).toEqual(before)
      rmSync(live)
    }
  })

  test('--keep does not count or delete a database that is named as a copy is', async () => {
    const live = await copyOf(copyName(0))
    for (let n = 0; n < 2; n++) {
      await clock.advance(1_000)
      expect((await run(live, 'backup', '--into', '.', '--keep', '1')).code).toBe(0)
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toEqual([copyName(0), copyName(clock.now())])
  })

  test('`restore` is refused from any name of the database and from what it would move or delete', async () => {
    const live = await copyOf('live.db')
    const fresh = await copyOf('live.db.copied')
    const kept = `${restoringFile(live)}.copy`
    copyFileSync(fresh, kept)
    const names = [
      live,
      relative(folder, live),
      linkTo(live),
      secondNameOf(live),
      join(linkTo(folder), 'live.db'),
      kept,
    ]
    const errors: string[] = []
    for (const name of names) errors.push((await run(live, 'restore', name)).err)
    expect(errors).toEqual(names.map(() => expect.stringMatching(/ is (the|a) .*: say another --file\.$/)))
    expect(readFileSync(kept)).toEqual(readFileSync(fresh))
  })

  test('verify` of a second name of the database reads it with its log', async () => {
    await desk.printed('one')
    const live = kitchen.api.databaseFile
    const { code, out } = await run(live, 'verify', secondNameOf(live))
    expect([code, out, readdirSync(folder)]).toEqual([0, `${live}: no fault`, ['second.db']])
  })
})

/** A link in the folder. @returns its path */
function linkTo(path: string): string {
  const link = join(folder, `link-${basename(path)}`)
  symlinkSync(path, link)
  return link
}

/** A hard link in the folder. @returns its path */
function secondNameOf(file: string): string {
  const name = join(folder, 'second.db')
  linkSync(file, name)
  return name
}
