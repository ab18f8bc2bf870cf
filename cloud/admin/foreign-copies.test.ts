// Changed copies, or copies from others: verify and restore check them without running or waiting for their contents.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyName } from '#cloud/backup/keep-copies.ts'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import { schemaIn, schemaOfVersion } from '#cloud/storage/sqlite/schema-of-version.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { BackupDesk, editing } from '#test/fixtures/backup-desk.ts'

let desk: BackupDesk
let folder: string
beforeEach(async () => {
  desk = await BackupDesk.open()
  ;({ folder } = desk)
})
afterEach(() => desk.close())

const run = (...args: string[]) => desk.run(desk.kitchen.api.databaseFile, ...args)
const LOOKS = [['verify'], ['restore', '--check']] as const

/** A byte in the middle, which SQLite does not miss. */
function flipByte(file: string): void {
  const bytes = readFileSync(file)
  const at = bytes.indexOf('"ticketId"')
  const fd = openSync(file, 'r+')
  writeSync(fd, 'T', at + 1)
  closeSync(fd)
}

describe('the SHA-256 beside a copy', () => {
  test.each(['copy.db', 'two words.db', 'back\\slash.db'])('of %s is what sha256sum checks', async (name) => {
    await desk.copyOf(name)
    const said = execFileSync('sha256sum', ['--check', '--strict', `${name}.sha256`], { cwd: folder, encoding: 'utf8' })
    expect(said).toMatch(/: OK\n$/)
  })

  test('is compared by verify and restore, which report it', async () => {
    const copy = await desk.copyOf('copy.db')
    for (const words of LOOKS) {
      const { code, out } = await run(...words, 'copy.db')
      expect([code, out]).toEqual([0, expect.stringContaining(`the SHA-256 is that in ${copy}.sha256`)])
    }
  })

  test('reveals a changed byte that SQLite does not notice: verify reports it, restore refuses', async () => {
    await desk.printed('one')
    const copy = await desk.copyOf('copy.db')
    flipByte(copy)
    const verified = await run('verify', 'copy.db')
    expect([verified.code, verified.out]).toEqual([1, expect.stringMatching(/^file: .*copy\.db has changed since/)])
    for (const words of [['restore', '--check'], ['restore']])
      expect((await run(...words, 'copy.db')).err).toMatch(/has changed since it was made: .* Take another copy/)
  })

  test.each([
    ['empty', ''],
    ['a text', 'no sum'],
    ['large', 'a'.repeat(100_000)],
  ])('that is %s is no sum', async (_, text) => {
    const copy = await desk.copyOf('copy.db')
    writeFileSync(`${copy}.sha256`, text)
    expect(await run('verify', 'copy.db')).toMatchObject({ code: 1, out: expect.stringContaining('holds no SHA-256') })
    expect((await run('restore', '--check', 'copy.db')).err).toContain('holds no SHA-256')
  })

  test('that is missing is reported, and no error', async () => {
    const copy = await desk.copyOf('copy.db')
    rmSync(`${copy}.sha256`)
    for (const words of LOOKS) {
      const { code, out } = await run(...words, 'copy.db')
      expect([code, out]).toEqual([0, expect.stringContaining(`there is no ${copy}.sha256`)])
    }
  })

  test('of another file stays without --replace', async () => {
    writeFileSync(join(folder, 'copy.db.sha256'), 'mine')
    const refused = await desk.backup('--to', 'copy.db')
    expect([refused.code, refused.err]).toEqual([1, `${join(folder, 'copy.db.sha256')} is there already.`])
    expect(readdirSync(folder)).toEqual(['copy.db.sha256'])
    expect((await desk.backup('--to', 'copy.db', '--replace')).code).toBe(0)
    expect((await run('verify', 'copy.db')).out).toContain('the SHA-256 is that in')
  })

  test('goes with its copy when --keep deletes that, also where the copy had none', async () => {
    await desk.backup('--into', '.')
    rmSync(join(folder, `${copyName(desk.clock.now())}.sha256`))
    for (let n = 0; n < 3; n++) {
      await desk.clock.advance(1_000)
      expect((await desk.backup('--into', '.', '--keep', '1')).code).toBe(0)
    }
    const name = copyName(desk.clock.now())
    expect(readdirSync(folder)).toEqual([name, `${name}.sha256`])
  })
})

describe('a copy that another program made', () => {
  const endless = 'with recursive n(x) as (select 1 union all select x + 1 from n) select x from n'

  test.each([
    [
      'a view without an end in place of a table',
      [`drop table invoices`, `create view invoices as ${endless}`],
      'view invoices',
    ],
    ['another view', [`create view mine as ${endless}`], 'view mine'],
    ['a trigger', [`create trigger mine after insert on marks begin delete from orders; end`], 'trigger mine'],
    ['another table', [`create table mine (x)`], 'table mine'],
    ['another index', [`create index mine on orders (id desc)`], 'index mine'],
    ['another column', [`alter table marks add column mine`], 'table marks is not as'],
    ['no index where one belongs', [`drop index IX`], 'is missing'],
  ])('with %s is refused by name before a row is read', async (_, sql, words) => {
    const copy = await desk.copyOf('copy.db')
    const db = new Database(copy)
    const index = db.prepare(`select name from sqlite_schema where type = 'index' and sql is not null`).pluck().get()
    db.close()
    editing(copy, ...sql.map((statement) => statement.replace('IX', String(index))))
    const verified = await run('verify', 'copy.db')
    expect([verified.code, verified.out]).toEqual([1, expect.stringContaining(words)])
    const checked = await run('restore', '--check', 'copy.db')
    expect([checked.code, checked.err]).toEqual([1, expect.stringContaining(words)])
  })

  test.each(['copy.db', 'copy.db-wal', 'copy.db-journal', 'copy.db.sha256'])(
    'with a pipe in the place of %s is not waited for',
    async (pipe) => {
      await desk.copyOf('copy.db')
      rmSync(join(folder, pipe), { force: true })
      execFileSync('mkfifo', [join(folder, pipe)])
      for (const words of LOOKS) {
        const { code, out, err } = await run(...words, 'copy.db')
        expect([code, `${out}${err}`]).toEqual([1, expect.stringMatching(/no regular file|holds no SHA-256/)])
      }
    },
  )

  test('may have any name: nothing in it reaches the terminal', async () => {
    const copy = await desk.copyOf('copy.db')
    editing(copy, 'create table "a\u001b[2J\nb" (x)')
    expect((await run('verify', 'copy.db')).out).toContain("schema: table a?[2J?b is none of the relay's")
  })
})

test('the schema that is compared with is what a start of the relay makes', async () => {
  const file = join(folder, 'new.db')
  await (await SqliteDatabase.open(file, () => {})).close()
  const db = new Database(file)
  const made = schemaIn(db)
  db.close()
  expect(await schemaOfVersion(MIGRATIONS.length)).toEqual(made)
})
