// A copy has its name only when it and its sum are on the disk, and a refused one takes nothing from the file that has the name.
import fs, { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BackupDesk } from '#test/fixtures/backup-desk.ts'
import { compareSum } from './copy-sum.ts'
import { runTask } from './file-tasks.ts'

let desk: BackupDesk
let to: string
beforeEach(async () => {
  desk = await BackupDesk.open()
  to = join(desk.folder, 'copy.db')
})
afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await desk.close()
})

const copy = (mayReplace: boolean) =>
  runTask({ do: 'copy', from: desk.kitchen.api.databaseFile, to, mayReplace, withSum: true })

/** What is made durable, named and deleted from now on, in its order. SQLite's own work is not among it. */
function steps(): string[] {
  const seen: string[] = []
  const { fsyncSync, linkSync, renameSync } = fs
  vi.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
    fsyncSync(fd)
    const path = readlinkSync(`/proc/self/fd/${fd}`)
    seen.push(`sync ${path === desk.folder ? 'folder' : basename(path)}`)
  })
  vi.spyOn(fs, 'linkSync').mockImplementation((from, name) => {
    linkSync(from, name)
    seen.push(`name ${basename(`${name}`)}`)
  })
  vi.spyOn(fs, 'renameSync').mockImplementation((from, name) => {
    if (`${name}` === to) seen.push(`old sum ${fs.existsSync(`${to}.sha256`) ? 'is there' : 'is gone'}`)
    renameSync(from, name)
    seen.push(`name ${basename(`${name}`)}`)
  })
  syncBuiltinESMExports()
  return seen
}

const WRITTEN = ['sync copy.db.sha256.part', 'sync copy.db.part']
const NAMED = ['name copy.db', 'sync folder', 'name copy.db.sha256', 'sync folder']

test('its bytes and those of its sum are on the disk before it has its name, and its sum has one after it', async () => {
  const seen = steps()
  await copy(false)
  expect(seen).toEqual([...WRITTEN, ...NAMED])
})

test('also in place of another one, whose checksum is removed first', async () => {
  await copy(false)
  const seen = steps()
  await copy(true)
  expect(seen).toEqual([...WRITTEN, 'old sum is gone', ...NAMED])
  expect(compareSum(to).state).toBe('fits')
})

test('where another program has taken the name meanwhile, its file and its sum stay as they are', async () => {
  const { fsyncSync } = fs
  vi.spyOn(fs, 'fsyncSync').mockImplementationOnce((fd) => {
    writeFileSync(to, 'theirs')
    writeFileSync(`${to}.sha256`, 'their sum')
    fsyncSync(fd)
  })
  syncBuiltinESMExports()
  await expect(copy(false)).rejects.toThrow('copy.db is there already.')
  expect(readdirSync(desk.folder).sort()).toEqual(['copy.db', 'copy.db.sha256'])
  expect(['', '.sha256'].map((end) => readFileSync(`${to}${end}`, 'utf8'))).toEqual(['theirs', 'their sum'])
})
