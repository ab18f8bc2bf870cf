// `admin` while a program that is no relay holds the database: how long it waits, and that its message says to try again later.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { adminMain } from './admin-main.ts'
import { holdDatabase } from './storage/sqlite/relay-lock.ts'
import { SqliteDatabase } from './storage/sqlite/sqlite-database.ts'

/** Every sleep advances it. */
class SleepersClock extends ManualClock {
  override sleep(ms: number): Promise<void> {
    return this.advance(ms)
  }
}

let dir: string
let file: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-admin-'))
  file = join(dir, 'relay.db')
  await (await SqliteDatabase.open(file, () => {})).close()
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function admin(clock: ManualClock, ...args: string[]): Promise<{ code: number; err: string[] }> {
  const err: string[] = []
  const code = await adminMain(args, {
    env: { CLOUD_DATABASE: file },
    stdout: { write: () => {} },
    stderr: { write: (text) => err.push(text) },
    cwd: () => dir,
    clock,
  })
  return { code, err }
}

test('a database that stays held ends it with 75 after 15 s, in a line that names all that may hold it', async () => {
  const clock = new SleepersClock()
  const letGo = await holdDatabase(file, { clock, withinMs: 0 })
  const { code, err } = await admin(clock, 'accounts', 'list')
  expect([code, err]).toEqual([
    75,
    [
      expect.stringMatching(/waiting up to 15 s/),
      expect.stringMatching(/relay\.db is still in use, .*Nothing was done.*another command.*CLOUD_ADMIN_SOCKET/),
    ],
  ])
  expect(Math.round(clock.monotonicMs() / 1_000)).toBe(15)
  letGo()
  expect(await admin(clock, 'accounts', 'list')).toMatchObject({ code: 0 })
})
