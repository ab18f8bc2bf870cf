// The messages of backup, verify and restore about a place that cannot be used, a missing file and a copy that cannot be deleted: the reason, and what to do.
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { holdPlace } from '#cloud/backup/copy-place.ts'
import { copyName } from '#cloud/backup/keep-copies.ts'
import { BackupDesk } from '#test/fixtures/backup-desk.ts'
import { SmallDisk, whyNoSmallDisk } from '#test/harness/small-disk.ts'

let desk: BackupDesk
beforeEach(async () => {
  desk = await BackupDesk.open()
})
afterEach(() => desk.close())

const at = (name: string) => join(desk.folder, name)
const onLive = (...args: string[]) => desk.run(desk.kitchen.api.databaseFile, ...args)

describe('a folder that cannot be one of copies is refused', () => {
  test('a file of that name', async () => {
    writeFileSync(at('copies'), 'mine')
    expect(await desk.backup('--into', 'copies')).toMatchObject({
      code: 1,
      err: `${at('copies')} cannot be a folder of copies (EEXIST): it is a file. Say another --into.`,
    })
  })

  test('a file on the way to it', async () => {
    writeFileSync(at('file'), 'mine')
    expect(await desk.backup('--into', 'file/copies')).toMatchObject({
      code: 1,
      err: `${at('file/copies')} cannot be a folder of copies (ENOTDIR): a part of its path is a file. Say another --into.`,
    })
  })

  test.each(['disk', 'disk/copies'])('%s by a link to what is not there', async (into) => {
    symlinkSync('/nowhere/backups', at('disk'))
    expect(await desk.backup('--into', into)).toMatchObject({
      code: 1,
      err: `${at(into)} cannot be a folder of copies: ${at('disk')} is a link to /nowhere/backups, which is not there; is a disk not mounted?`,
    })
  })
})

describe('--to in a folder', () => {
  test('that does not exist is reported, and is not created', async () => {
    expect(await desk.backup('--to', 'none/copy.db')).toMatchObject({
      code: 1,
      err: `${at('none/copy.db')} cannot be written: ENOENT, there is no folder ${at('none')}. Make it first (--to makes none), or say --into.`,
    })
  })

  test('behind a link to a missing folder is reported with the link', async () => {
    symlinkSync('/nowhere/backups', at('disk'))
    const { code, err } = await desk.backup('--to', 'disk/copy.db')
    expect([code, err]).toEqual([1, expect.stringContaining(`${at('disk')} is a link to /nowhere/backups`)])
  })
})

test('a lock that cannot be taken is reported as such, and not as a damaged database', async () => {
  writeFileSync(at('copy.db.part.lock'), 'rubbish '.repeat(200))
  expect(await desk.backup('--to', 'copy.db')).toMatchObject({
    code: 1,
    err: `${at('copy.db')} cannot be written: copy.db.part.lock beside it cannot be locked (file is not a database); if no backup is running, delete that file.`,
  })
})

test('a file that is not there is named as such', async () => {
  const no = { code: 1, err: `There is no file ${at('none.db')}.` }
  expect(await onLive('verify', 'none.db')).toMatchObject(no)
  expect(await onLive('restore', '--check', 'none.db')).toMatchObject(no)
  expect(await onLive('restore', 'none.db')).toMatchObject(no)
  expect(await desk.run(at('none.db'), 'verify')).toMatchObject(no)
  expect(await desk.run(at('none.db'), 'backup', '--to', 'copy.db')).toMatchObject(no)
  expect(readdirSync(desk.folder)).toEqual([])
})

test('a file behind a link to a missing folder is reported with the link', async () => {
  symlinkSync('/nowhere/copy.db', at('link.db'))
  const { code, err } = await onLive('verify', 'link.db')
  expect([code, err]).toEqual([1, expect.stringContaining('link.db is a link to /nowhere/copy.db, which is not there')])
})

describe('--keep', () => {
  async function twoCopies(): Promise<string> {
    const oldest = copyName(desk.clock.now())
    await desk.backup('--into', 'copies')
    await desk.clock.advance(3_600_000)
    await desk.backup('--into', 'copies')
    await desk.clock.advance(3_600_000)
    return oldest
  }
  const copies = () => readdirSync(at('copies')).filter((name) => name.endsWith('.db'))

  test('names the copy that it could not delete, and the reason', async () => {
    const oldest = await twoCopies()
    const lock = `${oldest}.part.lock`
    writeFileSync(join(at('copies'), lock), 'rubbish '.repeat(200))
    const { code, out, err } = await desk.backup('--into', 'copies', '--keep', '2')
    expect([code, err, copies().length]).toEqual([0, '', 3])
    expect(out).toMatch(
      new RegExp(
        `^not deleted ${oldest}: ${lock} beside it cannot be locked \\(file is not a database\\); .*delete that file`,
        'm',
      ),
    )
    await desk.clock.advance(3_600_000)
    const { notDeleted } = JSON.parse((await desk.backup('--into', 'copies', '--keep', '3', '--json')).out)
    expect(notDeleted).toEqual([{ name: oldest, why: expect.stringContaining(lock) }])
    rmSync(join(at('copies'), lock))
    expect((await desk.backup('--into', 'copies', '--keep', '2')).out).not.toContain('not deleted')
    expect(copies().length).toBe(2)
  })

  test('reports an entry that is no file as not deletable, and deletes the others', async () => {
    await twoCopies()
    const odd = copyName(0)
    mkdirSync(join(at('copies'), odd))
    const { code, out } = await desk.backup('--into', 'copies', '--keep', '1')
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^not deleted ${odd}: `, 'm'))])
    expect(copies().length).toBe(2)
  })

  test('ignores one that a running backup holds', async () => {
    const oldest = await twoCopies()
    const letGo = holdPlace(join(at('copies'), oldest))
    const { out } = await desk.backup('--into', 'copies', '--keep', '2', '--json')
    letGo?.()
    expect(JSON.parse(out)).toMatchObject({ deleted: [], notDeleted: [] })
  })

  test.each(['0', 'abc', '100001', '1e3'])('of %s is not understood', async (keep) => {
    expect(await desk.backup('--into', 'copies', '--keep', keep)).toMatchObject({
      code: 2,
      err: expect.stringContaining('must be a whole number from 1 to 100000'),
    })
  })
})

const reason = whyNoSmallDisk()
describe.skipIf(reason !== null)(`a disk without room${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = new SmallDisk(1)
    disk.fill()
  })
  afterEach(() => disk.remove())

  test.each([
    ['--to', 'copy.db'],
    ['--into', '.'],
  ])('%s is told with what the copy needs and what is free there, and nothing of it stays', async (option, name) => {
    const before = readdirSync(disk.path)
    const { code, err } = await desk.backup(option, join(disk.path, name))
    expect(code).toBe(1)
    expect(err).toMatch(
      /^There is no room for .*\.db on its disk: the copy needs about \d+\.\d MB, and 0\.0 MB are free/,
    )
    expect(err).toContain(disk.path)
    expect(readdirSync(disk.path)).toEqual(before)
  })
})
