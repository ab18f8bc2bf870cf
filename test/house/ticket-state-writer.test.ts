// A ticket's state has one writer in the gateway: the door. The finder is tried on planted second writers first.
import { describe, expect, it } from 'vitest'
import { projectFiles, read } from './source-files.ts'
import { writesOf } from './sql-text.ts'

const STATE = { table: 'tickets', column: 'state' }
const DOOR = 'gateway/storage/ticket-door.ts'
const SOURCES = projectFiles('.ts', '.tsx', '.mjs')
  .filter((path) => /^(gateway|shared)\//.test(path) && !path.endsWith('.test.ts'))
  .map((path) => ({ path, source: read(path) }))

const kindsIn = (...sources: string[]) =>
  writesOf(
    sources.map((source, index) => ({ path: `planted-${index}.ts`, source })),
    STATE,
  ).map(({ kind }) => kind)

describe('the finder finds', () => {
  it.each([
    ['a statement', 'db.prepare("update tickets set state = \'queued\' where position = ?")'],
    ['one among other columns', 'db.prepare(`update tickets set attempts = ?,\n  state = ? where position = ?`)'],
    ['one in capitals', 'db.exec(`UPDATE OR IGNORE "tickets" AS t SET "state" = \'parked\'`)'],
    ['one behind a value in brackets', 'db.exec(`update tickets set position = (select max(position), 1), state = 1`)'],
    ['columns set together', 'db.exec(`update tickets set (attempts, state) = (1, 2)`)'],
    ['one after a common table expression', 'db.exec(`with x as (select 1) update tickets set state = 1 from x`)'],
    ['one in a trigger', 'const SQL = `create trigger t after insert on jobs begin update tickets set state = 1; end`'],
    ['one of several statements', 'db.exec(`delete from jobs; update tickets set state = 1`)'],
    ['a comment between', 'db.exec(`update tickets -- all of them\n set state = 1`)'],
    ['a sum of texts', "db.exec('update tickets ' + 'set state = ' + value)"],
    ['a list of lines', "db.exec(['update tickets', 'set state = 1'].join(' '))"],
    ['a constant', `const TABLE = 'tickets' as const\ndb.exec(\`update \${TABLE} set state = 1\`)`],
    ['a constant of a constant', `const A = 'state = 1'\nconst B = \`set \${A}\`\ndb.exec(\`update tickets \${B}\`)`],
    ['either of two texts', `db.exec(\`update \${isOld ? 'jobs' : 'tickets'} set state = 1\`)`],
    [
      'what a class holds',
      `class A {\n  #table = 'tickets'\n  go() {\n    db.exec(\`update \${this.#table} set state = 1\`)\n  }\n}`,
    ],
    [
      'what becomes of a row that is there',
      'db.exec(`insert into jobs values (1); insert into tickets values (1) on conflict do update set state = 1`)',
    ],
  ])('%s', (_, source) => {
    expect(kindsIn(source)).toContain('update')
  })

  it('a constant of another file', () => {
    expect(kindsIn("export const SET = 'set state = 1'", `db.exec(\`update tickets \${SET}\`)`)).toEqual(['update'])
  })

  it.each([
    ['a table', `db.exec(\`update \${table} set state = 1\`)`],
    ['columns', `db.exec(\`update tickets set \${columns} where position = 1\`)`],
    ['all behind the table', "db.exec('update tickets ' + rest)"],
    ['a column', `db.exec(\`update tickets set attempts = 1, \${column} = 2\`)`],
    ['the table of new rows', `db.exec(\`insert into \${table} values (1)\`)`],
  ])('%s that only the running program knows', (_, source) => {
    expect(kindsIn(source)).toEqual(['hidden'])
  })

  it.each(['insert or replace into tickets values (1)', 'replace into tickets values (1)'])('%s', (sql) => {
    expect(kindsIn(`db.exec("${sql}")`)).toEqual(['replace'])
  })

  it.each([
    'select state from tickets where state = 1',
    "update tickets set printer_id = ? where state = 'held'",
    'update tickets set position = (select max(position) from tickets where state = 1) where position = 1',
    'update jobs set state = 1',
    'delete from tickets where state = 1',
    'insert into jobs select * from tickets on conflict do update set state = 1',
  ])('nothing in: %s', (sql) => {
    expect(kindsIn(`db.exec(\`${sql}\`)`)).toEqual([])
  })
})

describe('a state of a ticket', () => {
  const writes = writesOf(SOURCES, STATE)
  const of = (...kinds: string[]) => writes.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path)

  it("is changed by one statement, which is the door's", () => {
    expect(of('update')).toEqual([DOOR])
  })

  it('has two writers in these sources when a second one is added', () => {
    const second = { path: 'gateway/queue/planted.ts', source: "db.exec(`update tickets set state = 'queued'`)" }
    const found = writesOf([...SOURCES, second], STATE).filter(({ kind }) => kind === 'update')
    expect(found.map(({ path }) => path)).toEqual([DOOR, second.path])
  })

  it('is run by one method of the door', () => {
    const [{ source } = { source: '' }] = SOURCES.filter(({ path }) => path === DOOR)
    expect(source.match(/this\.#change\b(?! =)/g)).toHaveLength(1)
  })

  it("is created by one statement, which is the door's", () => {
    expect(of('insert', 'replace')).toEqual([DOOR])
  })

  it('is written by no statement that is made at run-time, but that which copies a damaged file row by row', () => {
    expect(of('hidden')).toEqual(['gateway/storage/salvage.ts'])
  })
})
