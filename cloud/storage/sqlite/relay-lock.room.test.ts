// The hold of a database: one program at a time, and free again however that program ends.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CannotOpen } from '#cloud/storage/cannot-open.ts'
import { systemClock } from '#shared/clock.ts'
import { whyNoSmallDisk } from '#test/harness/small-disk.ts'
import { DatabaseHeld, holdDatabase } from './relay-lock.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-lock-'))
  file = join(dir, 'relay.db')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const hold = (withinMs = 0) => holdDatabase(file, { clock: systemClock, withinMs })

test('a second holder is refused with all that may hold it and the setting, until the first releases it', async () => {
  const letGo = await hold()
  await expect(hold()).rejects.toThrow(DatabaseHeld)
  await expect(hold()).rejects.toThrow(
    /relay\.db is in use by another program: .*`admin` command .* wait.*another relay.*CLOUD_DATABASE/,
  )
  letGo()
  ;(await hold())()
})

/** Told when to begin, it reaches for one lock after the other, each at its moment. Says a sign for each: + it had it, - it was refused. */
const REACHES = `
  import { holdFile } from '${new URL('./relay-lock.ts', import.meta.url)}'
  process.stdout.write('ready')
  const startMs = Number(await new Promise((resolve) => process.stdin.once('data', resolve)))
  process.stdin.destroy()
  let said = ''
  for (let n = 0; n < 300; n++) {
    const atMs = startMs + n * 10
    while (Date.now() < atMs);
    const letGo = holdFile(process.argv[1] + '/' + n + '.lock')
    said += letGo ? '+' : '-'
    while (Date.now() < atMs + 5);
    letGo?.()
  }
  process.stdout.write(said)`

test('of two programs that reach for one file at the same moment, one has it: never do both refuse each other', async () => {
  const children = [1, 2].map(() => spawn(process.execPath, ['--input-type=module', '-e', REACHES, dir]))
  await Promise.all(children.map((child) => once(child.stdout, 'data')))
  const startMs = String(Date.now() + 100)
  const programs = children.map(async (child) => {
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    child.stdin.write(startMs)
    expect(await once(child, 'close')).toEqual([0, null])
    return said
  })
  const [one = '', other = ''] = await Promise.all(programs)
  expect([one.length, other.length]).toEqual([300, 300])
  expect([...one].filter((sign, n) => sign === '-' && other[n] === '-')).toEqual([])
  expect(one + other).toContain('-')
})

test.each([
  ['is there', true],
  ['is still to be made', false],
])('whoever comes by a link to it, or to its folder, is refused as well where it %s', async (_, isThere) => {
  if (isThere) writeFileSync(file, '')
  const letGo = await hold()
  mkdirSync(join(dir, 'elsewhere'))
  symlinkSync(dir, join(dir, 'elsewhere', 'folder'))
  const names = [join(dir, 'elsewhere', 'folder', 'relay.db')]
  if (isThere) {
    symlinkSync(file, join(dir, 'elsewhere', 'link.db'))
    names.push(join(dir, 'elsewhere', 'link.db'))
  }
  for (const name of names)
    await expect(holdDatabase(name, { clock: systemClock, withinMs: 0 })).rejects.toThrow(DatabaseHeld)
  letGo()
})

test('a file of two names is refused in one line', async () => {
  writeFileSync(file, '')
  linkSync(file, join(dir, 'other.db'))
  await expect(hold()).rejects.toThrow(CannotOpen)
  await expect(hold()).rejects.toThrow(/^\S+relay\.db has 2 names \(hard links\), .+$/)
})

const noMount = whyNoSmallDisk()
if (noMount !== null)
  process.stderr.write(`cloud/storage/sqlite/relay-lock.room.test.ts is skipped in part: ${noMount}\n`)

test.runIf(noMount === null)('a file that is mounted by itself is refused in one line; its folder may be', async () => {
  writeFileSync(file, '')
  const [elsewhere, alone] = [join(dir, 'else where'), join(dir, 'else where', 'alone.db')]
  mkdirSync(elsewhere)
  writeFileSync(alone, '')
  execFileSync('mount', ['--bind', file, alone])
  try {
    const held = holdDatabase(alone, { clock: systemClock, withinMs: 0 })
    await expect(held).rejects.toThrow(
      /^\S+ where\/alone\.db is mounted as a single file, .+ mount its folder instead$/,
    )
  } finally {
    execFileSync('umount', [alone])
  }
  execFileSync('mount', ['--bind', dir, elsewhere])
  try {
    const letGo = await hold()
    const bySecondPath = holdDatabase(join(elsewhere, 'relay.db'), { clock: systemClock, withinMs: 0 })
    await expect(bySecondPath).rejects.toThrow(DatabaseHeld)
    letGo()
  } finally {
    execFileSync('umount', [elsewhere])
  }
})

test('a waiting holder gets it when the first releases it', async () => {
  const letGo = await hold()
  const second = hold(60_000)
  letGo()
  ;(await second)()
})

test('a program that was killed holds nothing', async () => {
  const script = `
    const { holdDatabase } = await import('#cloud/storage/sqlite/relay-lock.ts')
    const { systemClock } = await import('#shared/clock.ts')
    await holdDatabase(${JSON.stringify(file)}, { clock: systemClock, withinMs: 0 })
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  try {
    await once(child.stdout, 'data')
    await expect(hold()).rejects.toThrow(DatabaseHeld)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
  ;(await hold())()
})
