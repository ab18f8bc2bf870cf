// The steps of a restore reach the disk in their order: a power cut between two of them leaves what the same restore can end.
import fs, { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { restoringFile } from '#cloud/storage/sqlite/sqlite-database.ts'
import { BackupDesk } from '#test/fixtures/backup-desk.ts'

let desk: BackupDesk
beforeEach(async () => {
  desk = await BackupDesk.open()
})
afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await desk.close()
})

/** What stood in the folder each time when its names were made durable. */
function foldersSynced(folder: string): string[][] {
  const seen: string[][] = []
  const { fsyncSync } = fs
  vi.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
    fsyncSync(fd)
    if (readlinkSync(`/proc/self/fd/${fd}`) === folder) seen.push(readdirSync(folder))
  })
  syncBuiltinESMExports()
  return seen
}

test('the mark has its name on the disk before the database is moved, and is deleted after the copy has its own', async () => {
  await desk.printed('one')
  await desk.copyOf('copy.db')
  const live = await desk.copyOf('live.db')
  const folders = foldersSynced(desk.folder)
  expect(await desk.run(live, 'restore', 'copy.db')).toMatchObject({ code: 0, err: '' })
  const states = folders.map((names) => {
    const has = (name: string) => names.includes(name)
    const isMoved = names.some((name) => name.startsWith('live.db.before-'))
    return { isMarked: has('live.db.restoring'), isMoved, isFresh: has('live.db.restoring.copy') }
  })
  const begin = states.findIndex(({ isMarked, isMoved, isFresh }) => isMarked && !isMoved && isFresh)
  const replaced = states.findIndex(({ isMarked, isMoved, isFresh }) => isMarked && isMoved && !isFresh)
  const end = states.findLastIndex(({ isMarked }) => isMarked)
  expect(begin).not.toBe(-1)
  expect(replaced).toBeGreaterThan(begin)
  expect([end < states.length - 1, existsSync(restoringFile(live))]).toEqual([true, false])
  rmSync(live)
})
