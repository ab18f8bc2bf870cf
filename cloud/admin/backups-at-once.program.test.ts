// Two `admin backup` as programs at the same moment: the output of each, and the files in the folder after both.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compareSum } from '#cloud/backup/copy-sum.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { compiledCode, fromBundle } from '#test/harness/compiled-code.ts'

const ROUNDS = 6

let dir: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-at-once-'))
  await (await SqliteDatabase.open(join(dir, 'relay.db'), () => {})).close()
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function backup(...args: string[]): Promise<{ code: number; err: string }> {
  const [file = '', ...words] = fromBundle([process.execPath, 'cloud/main.ts', 'admin', 'backup', ...args])
  const child = spawn(file, words, {
    env: {
      PATH: process.env['PATH'],
      ...compiledCode(process.execPath, 'lines'),
      CLOUD_DATABASE: join(dir, 'relay.db'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  return { code, err }
}

const atOnce = (...args: string[]) => Promise.all([backup(...args), backup(...args)])

function wholeIn(folder: string): number {
  const names = readdirSync(folder)
  const copies = names.filter((name) => name.endsWith('.db'))
  expect(names.sort()).toEqual(copies.flatMap((name) => [name, `${name}.sha256`]).sort())
  for (const name of copies) expect(compareSum(join(folder, name)).state).toBe('fits')
  return copies.length
}

test('two backups into one folder both succeed, each under a name of its own', async () => {
  const folder = join(dir, 'copies')
  for (let round = 1; round <= ROUNDS; round++) {
    expect(await atOnce('--into', folder)).toEqual([
      { code: 0, err: '' },
      { code: 0, err: '' },
    ])
    expect(wholeIn(folder)).toBe(2 * round)
  }
})

test('of two to one file exactly one is made, and the other is refused in one line', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const folder = mkdtempSync(join(dir, 'round-'))
    const ran = await atOnce('--to', join(folder, 'copy.db'))
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(ran.map(({ err }) => err).join('')).toMatch(
      /^(Another backup is writing \S+copy\.db: .+|\S+copy\.db is there already\.)\n$/,
    )
    expect(wholeIn(folder)).toBe(1)
  }
})
