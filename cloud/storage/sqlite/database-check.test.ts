// The check for damage: what it finds in a real file, its schedule, and the effect of a finding.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageGate } from '#cloud/storage/storage-gate.ts'
import { systemClock } from '#shared/clock.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { damageAt } from '#test/fixtures/damaged-file.ts'
import { openFreshRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { DatabaseCheck } from './database-check.ts'
import { type Depth, findDamage } from './find-damage.ts'
import { SqliteDatabase } from './sqlite-database.ts'

const log = pino({ level: 'silent' })
let file: string
beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'database-check-')), 'relay.db')
  await (await openFreshRelayDatabase(file)).close()
})
afterEach(() => rmSync(dirname(file), { recursive: true }))

const change = (sql: string) => {
  const db = new Database(file)
  db.exec(sql)
  db.close()
}
const found = (depth: Depth) => {
  const db = new Database(file, { readonly: true })
  db.pragma('cell_size_check = ON')
  try {
    return findDamage(db, depth)
  } finally {
    db.close()
  }
}
const rootOf = (name: string) => {
  const db = new Database(file, { readonly: true })
  const page = db.prepare('select rootpage from sqlite_master where name = ?').pluck().get(name)
  db.close()
  return Number(page)
}
const ACCOUNT = "insert into accounts (id, name, plan, created_at) values ('acc_1', 'Canary Person', 'sandbox', 1)"

describe('what is found', () => {
  it('nothing in a whole file', () => {
    change(ACCOUNT)
    expect([found('quick'), found('thorough')]).toEqual([null, null])
  })

  it('a page that is rubbish, with the name of its table and nothing of its rows', () => {
    change(ACCOUNT)
    damageAt(file, rootOf('accounts'))
    for (const depth of ['quick', 'thorough'] as const) {
      expect(found(depth)).toMatch(/^table accounts: .+/)
      expect(found(depth)).not.toContain('Canary')
    }
  })

  it('a text over which the check itself fails', () => {
    change(`create table notes (id integer primary key, text text, n integer generated always as (json_extract(text, '$.n')) virtual);
      create index notes_n on notes (n); insert into notes (text) values ('{"n":1}')`)
    const bytes = readFileSync(file)
    bytes.write('{"n":1{', bytes.lastIndexOf('{"n":1}'))
    writeFileSync(file, bytes)
    expect([found('quick'), found('thorough')]).toEqual(['table notes: malformed JSON', 'table notes: malformed JSON'])
  })

  it('a row that refers to a missing one, by the thorough check', () => {
    const db = new Database(file, { readonly: true })
    const child = db
      .prepare(`select m.name as tbl, f."from" as col from sqlite_master m, pragma_foreign_key_list(m.name) f
        where m.type = 'table' and f."table" = 'accounts' limit 1`)
      .get() as { tbl: string; col: string }
    const columns = db.pragma(`table_xinfo(${child.tbl})`) as {
      name: string
      notnull: number
      hidden: number
      type: string
    }[]
    db.close()
    const needed = columns.filter(({ notnull, hidden, name }) => hidden === 0 && (notnull === 1 || name === child.col))
    const values = needed.map(({ name, type }) => (name === child.col ? "'acc_gone'" : type === 'text' ? "'1'" : '1'))
    change(
      `pragma foreign_keys = off; pragma ignore_check_constraints = on;
       insert into ${child.tbl} (${needed.map(({ name }) => name).join(', ')}) values (${values.join(', ')})`,
    )
    expect(found('quick')).toBeNull()
    expect(found('thorough')).toBe(`table ${child.tbl}: 1 of its rows belong to rows that are not there`)
  })
})

describe('its schedule', () => {
  const FOUR = new Date(2026, 10, 21, 4, 0, 0).getTime()
  let looks: Depth[]
  let gate: StorageGate
  let answer: Promise<string | null>
  const checkAt = (clock: ManualClock, checkAtStart: boolean) => {
    looks = []
    gate = new StorageGate(clock)
    answer = Promise.resolve(null)
    const look = (_: string, depth: Depth) => {
      looks.push(depth)
      return { found: answer, end: async () => {} }
    }
    return new DatabaseCheck({ db: { file, gate }, clock, log, look, checkAtStart })
  }

  it('once each night, at four by the clock of the machine, thoroughly', async () => {
    const clock = new ManualClock(FOUR - 8 * 3_600_000)
    const check = checkAt(clock, false)
    await check.start()
    await clock.advance(7.9 * 3_600_000)
    expect(looks).toEqual([])
    await clock.advance(12 * 3_600_000)
    expect(looks).toEqual(['thorough'])
    await clock.advance(24 * 3_600_000)
    expect(looks).toEqual(['thorough', 'thorough'])
    await check.stop()
    await clock.advance(48 * 3_600_000)
    expect(looks.length).toBe(2)
  })

  it('after a start too, when the file was too large to be checked before; damage ends the accepting of transactions', async () => {
    const clock = new ManualClock(FOUR + 7_200_000)
    const check = checkAt(clock, true)
    answer = Promise.resolve('table orders: malformed')
    await check.start()
    await clock.advance(0)
    expect([looks, gate.has('damaged'), gate.refusal()]).toEqual([
      ['quick'],
      true,
      expect.objectContaining({ reason: 'damaged' }),
    ])
    await check.stop()
  })

  it('at once, thoroughly, on an SQLite error that no intact file gives, and once for all such errors, constraints apart', async () => {
    const clock = new ManualClock(FOUR + 7_200_000)
    const check = checkAt(clock, false)
    await check.start()
    const say = async (code: string) => {
      gate.refusalOf(new Database.SqliteError('said by SQLite', code))
      await clock.advance(0)
    }
    for (const code of ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR_READ']) await say(code)
    expect(looks).toEqual([])
    for (const code of ['SQLITE_CONSTRAINT_FOREIGNKEY', 'SQLITE_CONSTRAINT_UNIQUE']) await say(code)
    expect(looks).toEqual(['thorough'])
    for (const code of ['SQLITE_ERROR', 'SQLITE_ERROR', 'SQLITE_MISMATCH']) await say(code)
    expect(looks).toEqual(['thorough', 'thorough'])
    await clock.advance(12 * 3_600_000)
    answer = Promise.resolve('table orders: malformed')
    await say('SQLITE_ERROR')
    expect([looks, gate.has('damaged')]).toEqual([['thorough', 'thorough', 'thorough'], true])
    await check.stop()
  })

  it('a check that fails is no damage', async () => {
    const clock = new ManualClock(FOUR + 7_200_000)
    const check = checkAt(clock, true)
    answer = Promise.reject(new Error('no thread'))
    await check.start()
    await clock.advance(0)
    expect(gate.has('damaged')).toBe(false)
    await check.stop()
  })
})

it('the real thread finds real damage while the file is open, and nothing in a whole one', async () => {
  const clock = new ManualClock()
  const gate = new StorageGate(clock)
  const lines: string[] = []
  const told = Promise.withResolvers<void>()
  const write = (line: string) => {
    lines.push(JSON.parse(line).msg)
    told.resolve()
  }
  const telling = pino({ level: 'info' }, { write })
  const whole = new DatabaseCheck({ db: { file, gate }, clock, log: telling, checkAtStart: true })
  await whole.start()
  await told.promise
  await whole.stop()
  expect([gate.has('damaged'), lines]).toEqual([false, ['the database was checked: it is whole']])

  damageAt(file, rootOf('orders'))
  const damaged = gate.changed.next()
  const check = new DatabaseCheck({ db: { file, gate }, clock, log, checkAtStart: true })
  await check.start()
  const { trouble, cause } = await damaged
  expect([trouble, (cause as Error).message]).toEqual(['damaged', expect.stringMatching(/^table orders: /)])
  await check.stop()
})

it('a transaction that fails over a missing row starts a check of the file, and no transaction is accepted after that', async () => {
  change(ACCOUNT)
  const db = await SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))
  const check = new DatabaseCheck({ db, clock: systemClock, log, checkAtStart: false })
  await check.start()
  // Another account's id is in its page: rows that refer to it refer to nothing.
  change(`pragma foreign_keys = off;
    insert into merchant_grants (account_id, merchant_id, created_at) values ('acc_gone', 'gone', 1)`)
  const damaged = db.gate.changed.next()
  const grant = () =>
    db.unit((tx) =>
      sql`insert into merchant_grants (account_id, merchant_id, created_at) values ('acc_lost', 'lost', 1)`.execute(tx),
    )
  await expect(grant()).rejects.toThrow('FOREIGN KEY')
  expect((await damaged).trouble).toBe('damaged')
  await expect(grant()).rejects.toMatchObject({ reason: 'damaged' })
  await check.stop()
  await db.close()
})
