// Backups that run at the same time: each is whole under a name of its own or is refused in one line, and none takes what is another's.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdPlace } from '#cloud/backup/copy-place.ts'
import { copyName } from '#cloud/backup/keep-copies.ts'
import { BackupDesk } from '#test/fixtures/backup-desk.ts'

const ROUNDS = 6

let desk: BackupDesk
beforeEach(async () => {
  desk = await BackupDesk.open()
  await desk.printed('one')
})
afterEach(() => desk.close())

const filesIn = (folder: string) => readdirSync(join(desk.folder, folder)).sort()
const withSums = (names: readonly string[]) => names.flatMap((name) => [name, `${name}.sha256`])
const atOnce = (...args: string[]) => Promise.all([desk.backup(...args), desk.backup(...args)])

async function expectWhole(file: string): Promise<void> {
  const { code, out } = await desk.run(desk.kitchen.api.databaseFile, 'verify', file)
  expect([code, out]).toEqual([0, expect.stringContaining('the SHA-256 is that in')])
}

test('two into one folder in one second are two whole copies, in every round', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const folder = `copies-${round}`
    const ran = await atOnce('--into', folder)
    expect(ran).toMatchObject([
      { code: 0, err: '' },
      { code: 0, err: '' },
    ])
    const names = [copyName(desk.clock.now()), copyName(desk.clock.now() + 1_000)]
    expect(filesIn(folder)).toEqual(withSums(names))
    for (const name of names) await expectWhole(join(folder, name))
  }
})

test.each([
  ['a new file', []],
  ['a file that is replaced', ['--replace']],
])('of two to %s one is made and the other is refused in one line, in every round', async (_, more) => {
  for (let round = 0; round < ROUNDS; round++) {
    const name = `copy-${round}.db`
    if (more.length > 0) await desk.copyOf(name)
    const ran = await atOnce('--to', name, ...more)
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(ran.find(({ code }) => code === 1)?.err).toBe(
      `Another backup is writing ${join(desk.folder, name)}: wait for its end, or say another --to.`,
    )
    expect(readdirSync(desk.folder).filter((file) => file.startsWith(name))).toEqual(withSums([name]))
    await expectWhole(name)
  }
})

test('two that keep one copy leave one, whole', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    expect((await atOnce('--into', 'copies', '--keep', '1')).map(({ code }) => code)).toEqual([0, 0])
    const [name = '', ...more] = filesIn('copies')
    expect(more).toEqual([`${name}.sha256`])
    await expectWhole(join('copies', name))
    await desk.clock.advance(5_000)
  }
})

const HALF = ['.part', '.part-journal', '.part-shm', '.part-wal', '.sha256.part']

/** The files next to an unfinished backup. */
function half(name: string): string[] {
  mkdirSync(join(desk.folder, 'copies'), { recursive: true })
  const files = HALF.map((end) => `${name}${end}`)
  for (const file of files) writeFileSync(join(desk.folder, 'copies', file), 'half')
  return files
}

test('what a killed one has left goes with the next into its folder, and what one that runs has stays', async () => {
  half(copyName(0))
  writeFileSync(join(desk.folder, 'copies', `${copyName(0)}.part.lock`), '')
  const runs = copyName(1_000)
  const kept = [...half(runs), ...half('mine.db'), `${runs}.part.lock`]
  const letGo = holdPlace(join(desk.folder, 'copies', runs))
  expect(await desk.backup('--into', 'copies')).toMatchObject({ code: 0, err: '' })
  const made = withSums([copyName(desk.clock.now())])
  expect(filesIn('copies')).toEqual([...kept, ...made].sort())
  letGo?.()
})

test('a copy that has its name and not yet its sum is left to the one that makes it', async () => {
  await desk.backup('--into', 'copies')
  const name = copyName(desk.clock.now())
  const letGo = holdPlace(join(desk.folder, 'copies', name))
  await desk.clock.advance(1_000)
  expect((await desk.backup('--into', 'copies', '--keep', '1')).code).toBe(0)
  letGo?.()
  expect(filesIn('copies')).toEqual(withSums([name, copyName(desk.clock.now())]))
})

test('a place that is given back a moment later is had all the same: another one may only have cleared up there', async () => {
  mkdirSync(join(desk.folder, 'copies'))
  const letGo = holdPlace(join(desk.folder, 'copies', copyName(desk.clock.now())))
  const ran = desk.backup('--into', 'copies')
  letGo?.()
  expect(await ran).toMatchObject({ code: 0, err: '' })
  expect(filesIn('copies')).toEqual(withSums([copyName(desk.clock.now())]))
})

test('begun over what a killed one has left, its log among it, a copy is whole', async () => {
  for (const file of half('copy.db')) writeFileSync(join(desk.folder, file), 'half')
  expect(await desk.backup('--to', 'copy.db')).toMatchObject({ code: 0, err: '' })
  await expectWhole('copy.db')
})

test('a missing folder is reported in one line', async () => {
  const { code, err } = await desk.backup('--to', 'none/copy.db')
  expect([code, err]).toEqual([1, expect.stringMatching(/none\/copy\.db cannot be written: ENOENT.*\.$/)])
})
