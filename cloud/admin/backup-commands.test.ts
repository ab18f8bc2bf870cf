// backup, verify and restore on real files with an open relay: their output, the files that they leave, their refusals.
import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sumFileOf } from '#cloud/backup/copy-sum.ts'
import { copyName } from '#cloud/backup/keep-copies.ts'
import { restoringFile, SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { ManualClock } from '#test/doubles/manual-clock.ts'
import { BackupDesk, editing } from '#test/fixtures/backup-desk.ts'
import type { OrderDesk } from '#test/fixtures/order-desk.ts'

let desk: BackupDesk
let folder: string
let kitchen: OrderDesk
let clock: ManualClock
beforeEach(async () => {
  desk = await BackupDesk.open()
  ;({ folder, kitchen, clock } = desk)
})
afterEach(() => desk.close())

const printed = (orderId: string) => desk.printed(orderId)
const run = (database: string, ...args: string[]) => desk.run(database, ...args)
const backup = (...args: string[]) => desk.backup(...args)
const copyOf = (name: string) => desk.copyOf(name)

describe('backup', () => {
  test('of a running relay: one file, private to its owner, with all committed data and a correct report', async () => {
    const { serviceOrderId } = await printed('one')
    const { code, out } = await backup('--to', 'copy.db', '--json')
    const said = JSON.parse(out)
    const file = join(folder, 'copy.db')
    expect([code, said.file, said.newestOrder.id]).toEqual([0, file, serviceOrderId])
    expect(said.sha256).toBe(createHash('sha256').update(readFileSync(file)).digest('hex'))
    expect([said.bytes, statSync(file).mode & 0o777]).toEqual([statSync(file).size, 0o600])
    expect(readdirSync(folder)).toEqual(['copy.db', 'copy.db.sha256'])
    // The open relay goes on, and what it takes now is not in the copy.
    await printed('two')
    const db = new Database(file, { readonly: true })
    expect(db.prepare('select client_order_id from orders').pluck().all()).toEqual(['one'])
    expect(db.prepare(`select name from marks`).pluck().all()).toEqual(['copied'])
    db.close()
  })

  test('names the event that was committed last, also when it is of an older order', async () => {
    const { printJobId } = (await kitchen.api.inject({ orderId: 'one' })).body
    await kitchen.handOver()
    await clock.advance(1)
    await kitchen.api.inject({ orderId: 'two' })
    await kitchen.report(printJobId, 'printed')
    const db = new Database(kitchen.api.databaseFile, { readonly: true })
    const last = db.prepare('select id from events order by position desc limit 1').pluck().get()
    db.close()
    const { newestEvent } = JSON.parse((await backup('--to', 'copy.db', '--json')).out)
    const checked = await run(kitchen.api.databaseFile, 'restore', '--check', 'copy.db')
    expect([newestEvent.id, checked.out.split('\n').filter((line) => line.includes(`newest event ${last} `))]).toEqual([
      last,
      [expect.stringMatching(/^copy/), expect.stringMatching(/^present/)],
    ])
  })

  test('does not touch a file of that name without --replace', async () => {
    writeFileSync(join(folder, 'copy.db'), 'mine')
    const refused = await backup('--to', 'copy.db')
    expect([refused.code, refused.err]).toEqual([1, `${join(folder, 'copy.db')} is there already.`])
    expect(readFileSync(join(folder, 'copy.db'), 'utf8')).toBe('mine')
    expect(readdirSync(folder)).toEqual(['copy.db'])
    expect((await backup('--to', 'copy.db', '--replace')).code).toBe(0)
    expect((await run(join(folder, 'copy.db'), 'verify')).code).toBe(0)
  })

  test('into a folder keeps the newest copies and deletes nothing that it has not named', async () => {
    const startedMs = clock.now()
    await backup('--into', 'copies')
    writeFileSync(join(folder, 'copies', 'relay-of-old.db'), 'mine')
    for (let n = 0; n < 3; n++) {
      await clock.advance(3_600_000)
      expect((await backup('--into', 'copies', '--keep', '2')).code).toBe(0)
    }
    const names = readdirSync(join(folder, 'copies')).sort()
    const newest = [2, 3].map((hours) => copyName(startedMs + hours * 3_600_000))
    expect(names).toEqual([...newest.flatMap((name) => [name, `${name}.sha256`]), 'relay-of-old.db'])
    expect(statSync(join(folder, 'copies')).mode & 0o777).toBe(0o700)
  })

  test('of a damaged database keeps nothing and names the damage', async () => {
    for (let n = 0; n < 40; n++) await printed(`order-${n}`)
    const file = await copyOf('damaged.db')
    damage(file)
    const { code, err } = await run(file, 'backup', '--to', 'copy.db')
    expect([code, err]).toEqual([1, expect.stringMatching(/damaged|malformed/)])
    expect(readdirSync(folder)).toEqual(['damaged.db'])
  })

  test('names the missing or unknown argument', async () => {
    expect((await backup()).err).toContain('--to FILE and --into FOLDER')
    expect((await backup('--to', 'a', '--into', 'b')).err).toContain('--to FILE and --into FOLDER')
    expect((await backup('--to', 'a', '--keep', '2')).err).toContain('--keep')
    expect((await backup('--to', kitchen.api.databaseFile)).err).toContain('the database itself')
    expect((await run(join(folder, 'none.db'), 'backup', '--to', 'copy.db')).err).toContain('There is no file')
  })

  test('twice within a second makes two copies, the second under the name of the next second', async () => {
    expect([(await backup('--into', 'copies')).code, (await backup('--into', 'copies')).code]).toEqual([0, 0])
    const now = clock.now()
    const copies = [copyName(now), copyName(now + 1_000)]
    expect(readdirSync(join(folder, 'copies')).sort()).toEqual(copies.flatMap((name) => [name, `${name}.sha256`]))
  })
})

describe('verify', () => {
  test('finds nothing in a database of printed, voided and refunded orders', async () => {
    await printed('one')
    const { serviceOrderId } = await printed('two')
    await kitchen.void(serviceOrderId)
    await kitchen.completed()
    expect(await run(kitchen.api.databaseFile, 'verify')).toMatchObject({ code: 0, err: '' })
  })

  test.each([
    [
      'a number that was never given out',
      'update gateways set last_seq = 0',
      /^gateway gw_desk: job pj_\w+ has number 1/m,
    ],
    ['more acknowledged than given out', 'update gateways set acked_seq = 9', /^gateway gw_desk: has 9 jobs/m],
    [
      'a print that nobody was told of',
      `delete from events where type = 'order.printed'`,
      /^order ord_\w+: is printed/m,
    ],
    ['a lost event', `delete from events where type = 'order.accepted'`, /^order ord_\w+: stands at event 2/m],
    ['a forgotten outcome', `update dispatches set state = 'accepted'`, /print job pj_\w+ is accepted/],
    ['a row of nobody', `update orders set location_id = 'loc_gone'`, /^orders: row 1 names a row of locations/m],
    ['usage below nothing', `insert into usage_days values ('acc_x', 'live', '2026-11-01', 'key_x', -1)`, /^usage of/m],
  ])('tells of %s in one line with its ids and ends with 1', async (_, fault, words) => {
    await printed('one')
    const file = await copyOf('copy.db')
    editing(file, fault)
    const { code, out } = await run(kitchen.api.databaseFile, 'verify', 'copy.db')
    expect([code, out]).toEqual([1, expect.stringMatching(words)])
    expect(out).not.toContain('no fault')
  })

  test('an invoice with other call counts than the days of its month is an error', async () => {
    const file = await copyOf('copy.db')
    const { accountId } = kitchen.api.account
    editing(
      file,
      `insert into usage_days values ('${accountId}', 'live', '2026-10-01', 'key_x', 7)`,
      `insert into invoices values ('inv_1', '${accountId}', '2026-10', 'starter', '[]', 0, 0)`,
      `insert into audit_log (at, actor, action, subject, after) values (0, 'relay', 'invoice.issue', 'inv_1', '{"calls":8}')`,
    )
    const { code, out } = await run(file, 'verify')
    expect([code, out]).toEqual([1, 'invoice inv_1: is for 8 calls, the days of 2026-10 have 7'])
  })

  test('reports overwritten pages, and a file that is no database', async () => {
    for (let n = 0; n < 40; n++) await printed(`order-${n}`)
    const file = await copyOf('copy.db')
    damage(file)
    const { code, out, err } = await run(file, 'verify')
    expect([code, `${out}${err}`]).toEqual([1, expect.stringMatching(/^file: |malformed/)])
    writeFileSync(join(folder, 'text.db'), 'no database')
    expect(await run(join(folder, 'text.db'), 'verify')).toMatchObject({ code: 1, out: '' })
  })
})

describe('restore', () => {
  test('--check reports what would be lost and changes nothing', async () => {
    await printed('one')
    await copyOf('copy.db')
    const { serviceOrderId } = await printed('two')
    const { code, out } = await run(kitchen.api.databaseFile, 'restore', '--check', 'copy.db')
    expect(code).toBe(0)
    expect(out).toContain('The copy is missing 1 order and 2 events of the present file.')
    expect(out).toContain(serviceOrderId)
    expect(out).toContain('no secret to try it on')
    expect((await kitchen.get(`/v1/order/${serviceOrderId}`)).status).toBe(200)
  })

  test('tries the master key on the secrets of the copy', async () => {
    const file = await copyOf('copy.db')
    const { accountId, merchants } = kitchen.api.account
    const sealed = new SecretBox(Buffer.alloc(32, 1)).seal('whsec_1')
    editing(
      file,
      `insert into webhook_endpoints (id, account_id, merchant_id, environment, url, events, secret_enc, status, created_at)
        values ('we_1', '${accountId}', '${merchants[0]?.key}', 'sandbox', 'https://x', '[]', '${sealed}', 'enabled', 0)`,
    )
    const check = () => run(kitchen.api.databaseFile, 'restore', '--check', 'copy.db')
    expect((await check()).out).toContain('CLOUD_MASTER_KEY is not set')
    desk.secretBox = new SecretBox(Buffer.alloc(32, 1))
    expect(await check()).toMatchObject({ code: 0, out: expect.stringContaining('opens the secrets') })
    desk.secretBox = new SecretBox(Buffer.alloc(32, 2))
    expect(await check()).toMatchObject({ code: 1, out: expect.stringContaining('does NOT open') })
  })

  test('while a program has the database open it is refused, and nothing is moved', async () => {
    await printed('one')
    await copyOf('copy.db')
    const { code, err } = await run(kitchen.api.databaseFile, 'restore', 'copy.db')
    expect([code, err]).toEqual([1, expect.stringContaining('stop the relay first')])
    expect(readdirSync(folder)).toEqual(['copy.db', 'copy.db.sha256'])
    expect((await kitchen.api.inject({ orderId: 'two' })).status).toBe(200)
  })

  test('puts the copy there, moves what was there aside with its log, and leaves the copy itself alone', async () => {
    await printed('one')
    const copy = await copyOf('copy.db')
    await printed('two')
    const live = await copyOf('live.db')
    const bytes = readFileSync(copy)
    const { code, out } = await run(live, 'restore', 'copy.db', '--json')
    const { aside } = JSON.parse(out)
    expect(code).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(
      [...['copy.db', 'live.db'].flatMap((name) => [name, `${name}.sha256`]), basename(aside), 'live.db.lock'].sort(),
    )
    expect(readFileSync(copy)).toEqual(bytes)
    expect([ordersOf(live), ordersOf(aside)]).toEqual([['one'], ['one', 'two']])
    expect(statSync(live).mode & 0o777).toBe(0o600)
  })

  test('over a file that was moved to PostgreSQL reports that no relay starts on it, and what to delete', async () => {
    await copyOf('copy.db')
    const live = await copyOf('live.db')
    expect((await run(live, 'restore', 'copy.db')).out).not.toContain('.moved')
    writeFileSync(`${live}.moved`, '')
    const { code, out } = await run(live, 'restore', 'copy.db')
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`does not start on it, because it was moved to PostgreSQL: delete ${live}.moved`),
    ])
  })

  test('replaces a file of which the first page was overwritten', async () => {
    await printed('one')
    await copyOf('copy.db')
    const live = await copyOf('live.db')
    const fd = openSync(live, 'r+')
    writeSync(fd, 'rubbish rubbish rubbish', 0)
    closeSync(fd)
    expect(await run(live, 'restore', 'copy.db')).toMatchObject({ code: 0, err: '' })
    expect(ordersOf(live)).toEqual(['one'])
  })

  test('after a power cut in the middle no relay starts on it, and the same again ends what was begun', async () => {
    await printed('one')
    const copy = await copyOf('copy.db')
    await printed('two')
    const live = await copyOf('live.db')
    // The state between moving the old one aside and naming the new one.
    copyFileSync(copy, `${live}.restoring.copy`)
    copyFileSync(live, `${live}.before`)
    rmSync(live)
    writeFileSync(restoringFile(live), JSON.stringify({ aside: `${live}.before` }))
    await expect(SqliteDatabase.open(live, () => {})).rejects.toThrow(/interrupted/)
    expect((await run(live, 'restore', 'copy.db')).code).toBe(0)
    expect([ordersOf(live), ordersOf(`${live}.before`)]).toEqual([['one'], ['one', 'two']])
    await (await SqliteDatabase.open(live, () => {})).close()
  })

  test.each([
    ['empty', ''],
    ['torn', '{"aside":"/x'],
    ['of no restore', '{"aside":1}'],
  ])('where a power cut left a mark that is %s, the same again begins anew', async (_, mark) => {
    await printed('one')
    await copyOf('copy.db')
    await printed('two')
    const live = await copyOf('live.db')
    writeFileSync(restoringFile(live), mark)
    writeFileSync(`${live}.restoring.copy`, 'half')
    writeFileSync(`${live}.restoring.copy.part`, 'half')
    const { code, out } = await run(live, 'restore', 'copy.db', '--json')
    expect(code).toBe(0)
    const { aside } = JSON.parse(out)
    expect([ordersOf(live), ordersOf(aside)]).toEqual([['one'], ['one', 'two']])
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([])
    await (await SqliteDatabase.open(live, () => {})).close()
  })

  test('a mark has its name only when it is whole: a disk without room leaves none', async () => {
    await printed('one')
    await copyOf('copy.db')
    const live = await copyOf('live.db')
    // Anything that prevents reading its bytes.
    mkdirSync(`${restoringFile(live)}.part`)
    await expect(run(live, 'restore', 'copy.db')).rejects.toThrow('EISDIR')
    expect(readdirSync(folder)).not.toContain('live.db.restoring')
    await (await SqliteDatabase.open(live, () => {})).close()
  })

  test('a log without its database is moved aside: it is not applied to the copy', async () => {
    await printed('one')
    await copyOf('copy.db')
    for (let n = 0; n < 20; n++) await printed(`later-${n}`)
    const live = join(folder, 'live.db')
    copyFileSync(`${kitchen.api.databaseFile}-wal`, `${live}-wal`)
    const log = readFileSync(`${live}-wal`)
    expect(log.length).toBeGreaterThan(100_000)
    const { code, out } = await run(live, 'restore', 'copy.db', '--json')
    const { aside } = JSON.parse(out)
    expect([code, readFileSync(aside).equals(log)]).toEqual([0, true])
    expect(aside).toMatch(/live\.db\.before-.*-wal$/)
    expect(ordersOf(live)).toEqual(['one'])
  })

  test('replaces the file that a link names, and the link stays', async () => {
    await printed('one')
    await copyOf('copy.db')
    await printed('two')
    const live = await copyOf('live.db')
    symlinkSync('live.db', join(folder, 'link.db'))
    const { code, out } = await run(join(folder, 'link.db'), 'restore', 'copy.db', '--json')
    expect(code).toBe(0)
    expect(lstatSync(join(folder, 'link.db')).isSymbolicLink()).toBe(true)
    expect([ordersOf(live), ordersOf(JSON.parse(out).aside)]).toEqual([['one'], ['one', 'two']])
  })

  test('replaces a file that is no database any more', async () => {
    await printed('one')
    await copyOf('copy.db')
    const live = join(folder, 'live.db')
    writeFileSync(live, 'rubbish')
    const { code, out } = await run(live, 'restore', 'copy.db', '--json')
    expect([code, ordersOf(live)]).toEqual([0, ['one']])
    expect(readFileSync(JSON.parse(out).aside, 'utf8')).toBe('rubbish')
  })

  test('a copy of a newer program, a damaged one and none at all are refused', async () => {
    const live = await copyOf('live.db')
    const newer = await copyOf('newer.db')
    editing(newer, 'pragma user_version = 9999')
    expect((await run(live, 'restore', 'newer.db')).err).toContain('install the newer one')
    expect((await run(live, 'restore', 'none.db')).err).toContain('There is no file')
    expect((await run(live, 'restore')).code).toBe(2)
    for (let n = 0; n < 40; n++) await printed(`order-${n}`)
    damage(await copyOf('damaged.db'))
    expect((await run(live, 'restore', 'damaged.db')).err).toMatch(/damaged|malformed/)
    expect(readdirSync(folder).sort()).toEqual(['damaged.db', 'live.db', 'live.db.sha256', 'newer.db'])
  })
})

function ordersOf(file: string): unknown[] {
  const db = new Database(file, { readonly: true })
  const ids = db.prepare('select client_order_id from orders order by id').pluck().all()
  db.close()
  return ids
}

/** Overwrites the page of a job's evidence: nothing that is read on the way stumbles over it. */
function damage(file: string): void {
  rmSync(sumFileOf(file))
  const at = Math.floor(readFileSync(file).indexOf('"ticketId":"pj_') / 4_096) * 4_096
  const fd = openSync(file, 'r+')
  writeSync(fd, Buffer.alloc(4_096, 0xa5), 0, 4_096, at)
  closeSync(fd)
}
