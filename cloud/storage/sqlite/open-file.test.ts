// The file at CLOUD_DATABASE may be no database of a relay: one line names what it is, and nothing of it is changed.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CannotOpen } from '#cloud/storage/cannot-open.ts'
import { damageAt } from '#test/fixtures/damaged-file.ts'
import { openFreshRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { SqliteDatabase } from './sqlite-database.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'open-file-'))
  file = join(dir, 'relay.db')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const open = () => SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))

async function refusal(): Promise<CannotOpen> {
  const error = await open().then(
    () => expect.unreachable('it was opened'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CannotOpen)) throw error
  expect(error.message).not.toContain('\n')
  return error
}

async function relayDatabase(): Promise<void> {
  await (await open()).close()
}
const change = (sql: string) => {
  const db = new Database(file)
  db.exec(sql)
  db.close()
}

describe('what is not opened', () => {
  it.each([
    ['a text', () => writeFileSync(file, 'umsId,name\n1,Burger\n'), /is not a database: set CLOUD_DATABASE/],
    ['a folder', () => mkdirSync(file), /is no file: set CLOUD_DATABASE/],
    [
      "another program's database",
      () => change('create table songs (id integer); pragma user_version = 3'),
      /is the database of another program/,
    ],
    ['half a database', () => writeFileSync(file, Buffer.from('SQLite format 3\0')), /is damaged|cannot be opened/],
  ])('%s is named, and left as it is', async (_, make, message) => {
    make()
    const before = statSync(file).isFile() ? readFileSync(file) : null
    const error = await refusal()
    expect(error.message).toMatch(message)
    expect(error.message).toContain(file)
    expect(error.passes).toBe(false)
    if (before !== null) expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('a database of a newer program is named with both versions', async () => {
    await relayDatabase()
    change('pragma user_version = 999')
    expect((await refusal()).message).toMatch(/is of version 999, this program knows \d+: install the newer one/)
  })

  it('a file whose folder is a file is reported with the system’s error', async () => {
    writeFileSync(join(dir, 'data'), '')
    file = join(dir, 'data', 'relay.db')
    expect((await refusal()).message).toContain('cannot be opened (E')
  })
})

describe('a link', () => {
  it('to a file is followed: its log is beside the file', async () => {
    await relayDatabase()
    const real = file
    mkdirSync(join(dir, 'elsewhere'))
    file = join(dir, 'elsewhere', 'link.db')
    symlinkSync(real, file)
    const db = await open()
    expect(db.file).toBe(real)
    await db.close()
  })

  it.each([
    ['to a file', 'relay.db', 'relay.db'],
    ['on the way', 'data', 'data/relay.db'],
  ])('%s that is not there is named with its target, and nothing is made', async (_, link, path) => {
    symlinkSync('/nowhere/mounted', join(dir, link))
    file = join(dir, path)
    expect((await refusal()).message).toContain(`${join(dir, link)} is a link to /nowhere/mounted, which is not there`)
  })
})

describe('damage', () => {
  it('over which the check itself fails is damage too', async () => {
    await relayDatabase()
    change(`create table notes (id integer primary key, text text, n integer generated always as (json_extract(text, '$.n')) virtual);
      create index notes_n on notes (n);
      insert into notes (text) values ('{"n":1}')`)
    // The text alone: the index keeps what it was.
    const bytes = readFileSync(file)
    const at = bytes.lastIndexOf('{"n":1}')
    expect(at).toBeGreaterThan(0)
    bytes.write('{"n":1{', at)
    writeFileSync(file, bytes)
    expect((await refusal()).message).toMatch(/is damaged \(malformed JSON\): put the newest copy/)
  })

  it('of any page of a small file is found before the relay serves it', async () => {
    await relayDatabase()
    const whole = join(dir, 'whole.db')
    copyFileSync(file, whole)
    const db = new Database(whole, { readonly: true })
    const roots = db.prepare('select distinct rootpage from sqlite_master where rootpage > 1').pluck().all() as number[]
    db.close()
    expect(roots.length).toBeGreaterThan(20)
    for (const page of roots) {
      copyFileSync(whole, file)
      damageAt(file, page)
      const { message, passes } = await refusal()
      expect(message).toMatch(/is damaged \(.+\): put the newest copy in its place by `admin restore/)
      expect(passes).toBe(false)
    }
  })

  it('of a file that was cut short is found', async () => {
    await relayDatabase()
    writeFileSync(file, readFileSync(file).subarray(0, 4_096 * 5))
    expect((await refusal()).message).toContain('is damaged')
  })
})

it('a connection refuses functions in the schema, checks each page that it reads and never sleeps at a lock', async () => {
  const db = await openFreshRelayDatabase(file)
  const pragma = async (name: string) => (await sql`select * from ${sql.raw(`pragma_${name}`)}`.execute(db.read)).rows
  expect([await pragma('trusted_schema'), await pragma('cell_size_check'), await pragma('busy_timeout')]).toEqual([
    [{ trusted_schema: 0 }],
    [{ cell_size_check: 1 }],
    [{ timeout: 0 }],
  ])
  await db.close()
})
