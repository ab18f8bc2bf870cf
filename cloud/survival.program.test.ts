// The relay as a process on a disk that is full, under a lock of another program, on a damaged file and on files that are none of its own.
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { LOG_NARROWED } from '#shared/disk/file-modes.ts'
import { damageAt } from '#test/fixtures/damaged-file.ts'
import { runRelayToEnd } from '#test/harness/command-line.ts'
import { Program } from '#test/harness/program.ts'
import { type DiskFault, FailingDisk, SmallDisk, whyNoFailingDisk, whyNoSmallDisk } from '#test/harness/small-disk.ts'
import { createSandboxAccount, type SandboxAccount } from './sandbox/fixtures.ts'

let dir: string
let file: string
let account: SandboxAccount
let env: Record<string, string>
let relay: Program
let httpUrl: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-survival-'))
  settle(join(dir, 'relay.db'))
})
afterEach(async () => {
  await relay.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

function settle(databaseFile: string): void {
  file = databaseFile
  env = {
    CLOUD_DATABASE: file,
    CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
  }
  relay = new Program('cloud/main.ts', env, true)
}
async function makeAccount(): Promise<void> {
  const db = await SqliteDatabase.open(file, (error) => {
    throw error
  })
  account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Test' })
  await db.unit((tx) =>
    tx
      .updateTable('accounts')
      .set({
        plan_overrides: JSON.stringify({
          sandbox: { steadyPerMinute: 1e6, burstPerMinute: 1e7, bodyBytesPerMinute: 99_999_999 },
        }),
      })
      .execute(),
  )
  await db.close()
}
async function start(): Promise<void> {
  httpUrl = (await relay.start()).httpUrl
}
const call = (path: string, body?: unknown) =>
  fetch(httpUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${account.apiKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const inject = (orderId: string) => {
  const items = [{ umsId: 'UMS-FRIES-01', qty: 1, price: 1 }]
  return call('/v1/order/inject', { merchantId: 'M-TEST-001', orderId, source: 's', total: 1, items })
}
const readyz = async () => {
  const answer = await fetch(`${httpUrl}/readyz`)
  const { checks, warnings } = (await answer.json()) as { checks: Record<string, boolean>; warnings: string[] }
  return { status: answer.status, checks, warnings }
}
const said = (words: string) => relay.log.filter(({ msg }) => msg.startsWith(words))
const refusal = async (answer: Response) => ({
  status: answer.status,
  retryAfter: answer.headers.get('retry-after'),
  shouldRetry: answer.headers.get('should-retry'),
  ...((await answer.json()) as { code: string; message: string }),
})

const runToEnd = (over: Record<string, string> = {}, before: readonly string[] = []) =>
  runRelayToEnd({ ...env, ...over }, [], before)

const noSmallDisk = whyNoSmallDisk()
if (noSmallDisk !== null) process.stderr.write(`cloud/survival.program.test.ts is skipped in part: ${noSmallDisk}\n`)

describe.runIf(noSmallDisk === null)('a disk that is really full', () => {
  let card: SmallDisk
  beforeEach(async () => {
    card = new SmallDisk(64)
    settle(join(card.path, 'relay.db'))
    await makeAccount()
  })
  afterEach(async () => {
    await relay.kill('SIGKILL')
    card.remove()
  })

  test('refuses orders by name, keeps reading, logs it once, and accepts them again by itself when there is space', async () => {
    await start()
    const { serviceOrderId } = (await (await inject('before')).json()) as { serviceOrderId: string }
    const path = `/v1/order/${serviceOrderId}?merchantId=M-TEST-001`
    card.fill()
    await expect.poll(async () => (await inject('full')).status).toBe(503)
    card.fill()
    expect(await refusal(await inject('full'))).toMatchObject({
      status: 503,
      code: 'service.unavailable',
      message: 'The disk of the relay is full. Nothing of this call was kept.',
      retryAfter: '30',
      shouldRetry: 'true',
    })
    expect((await call(path)).status).toBe(200)
    expect((await fetch(`${httpUrl}/healthz`)).status).toBe(200)
    expect(await readyz()).toMatchObject({ status: 503, checks: { database: true, disk: false }, warnings: ['disk'] })
    for (let i = 0; i < 300; i++) await inject(`full-${i}`)
    card.empty()
    await expect.poll(async () => (await inject('after')).status).toBe(200)
    expect(await readyz()).toMatchObject({ status: 200, checks: { disk: true } })
    await expect.poll(() => said('there is room on the disk again')).toHaveLength(1)
    expect(said('the disk is full')).toHaveLength(1)
    expect(relay.log.filter(({ level }) => level >= 40).length).toBeLessThan(10)
    expect(await relay.kill('SIGTERM')).toBe(0)
  })

  test('starts on it from its reserve, keeps reading, ends in order, and reports in one line when not even a start has space', async () => {
    await start()
    await inject('before')
    await relay.kill('SIGKILL')
    card.fill()
    await start()
    expect((await inject('again')).status).toBe(503)
    expect((await call('/v1/merchants')).status).toBe(200)
    expect(await relay.kill('SIGTERM')).toBe(0)
    card.fill()
    expect(await runToEnd()).toEqual({
      code: 75,
      lines: [expect.stringMatching(/there is no room on the disk to open the database .*relay\.db: make room/)],
    })
    card.empty()
    await start()
    expect((await inject('after')).status).toBe(200)
  })
})

const noFailingDisk = whyNoFailingDisk()
if (noFailingDisk !== null)
  process.stderr.write(`cloud/survival.program.test.ts is skipped in part: ${noFailingDisk}\n`)

describe.runIf(noFailingDisk === null)('a disk that answers with errors', () => {
  const ill = async (fault: DiskFault): Promise<FailingDisk> => {
    const disk = new FailingDisk(
      relay.pid,
      ['', '-wal'].map((end) => `${file}${end}`),
      fault,
    )
    await disk.attached()
    return disk
  }
  beforeEach(async () => {
    await makeAccount()
    await start()
    expect((await inject('before')).status).toBe(200)
  })

  test('at the sync of a COMMIT: the state on disk is unknown, so it ends and reads again, and what was answered is there', async () => {
    const disk = await ill('EIO on sync')
    await inject('unknown').catch(() => undefined)
    await relay.ended()
    expect(said('a commit failed')).toHaveLength(1)
    await disk.heal()
    await start()
    expect(await (await call('/v1/orders?merchantId=M-TEST-001')).text()).toContain('"before"')
  })

  test('that is full for the system alone, whatever is measured: refused, and taken again when it is not', async () => {
    const disk = await ill('ENOSPC on write')
    expect(await refusal(await inject('full'))).toMatchObject({ status: 503, shouldRetry: 'true' })
    for (let i = 0; i < 50; i++) expect((await inject(`full-${i}`)).status).toBe(503)
    await disk.heal()
    await expect.poll(async () => (await inject('after')).status, { timeout: 60_000 }).toBe(200)
    await expect.poll(() => said('there is room on the disk again')).toHaveLength(1)
    expect(said('the disk is full')).toHaveLength(1)
  })
})

test('a lock of another program: reads and health answer, orders wait, are refused by name, and are taken when it is gone', async () => {
  await makeAccount()
  await start()
  expect((await inject('before')).status).toBe(200)
  const other = new Database(file)
  other.exec('begin immediate')
  const waiting = inject('locked')
  expect((await call('/v1/merchants')).status).toBe(200)
  expect((await fetch(`${httpUrl}/healthz`)).status).toBe(200)
  expect(await refusal(await waiting)).toMatchObject({
    status: 503,
    message: 'Another program holds the database of the relay. Nothing of this call was kept.',
    retryAfter: '2',
    shouldRetry: 'true',
  })
  expect(await readyz()).toMatchObject({ status: 503, checks: { database: true, writable: false } })
  const next = inject('next')
  other.exec('rollback')
  expect((await next).status).toBe(200)
  await expect.poll(async () => (await readyz()).status).toBe(200)
  other.close()
  expect([said('another program holds').length, said('the database is free again').length]).toEqual([1, 1])
})

describe('what is no intact database of its own', () => {
  beforeEach(makeAccount)
  const change = (sql: string) => {
    const db = new Database(file)
    db.exec(sql)
    db.close()
  }
  const replace = (content: string) => {
    rmSync(file)
    writeFileSync(file, content)
  }
  test.each([
    ['a newer version', () => change('pragma user_version = 999'), /version 999.*install the newer one/],
    ['a text', () => replace('no database'), /is not a database/],
    ['nothing of a relay', () => change('drop table dispatches'), /database of another program/],
    ['damaged', () => damageAt(file, 12), /is damaged \(.*admin restore/],
  ])('%s: one line, and 78, because a person must act', async (_, make, message) => {
    make()
    const ended = await runToEnd()
    expect(ended).toEqual({ code: 78, lines: [expect.stringMatching(message)] })
    expect(ended.lines[0]).toContain(file)
  })

  test('a folder, and a file in a file', async () => {
    const folder = join(dir, 'folder')
    mkdirSync(folder)
    expect(await runToEnd({ CLOUD_DATABASE: folder })).toEqual({
      code: 78,
      lines: [expect.stringMatching(/is no file/)],
    })
    const within = join(file, 'relay.db')
    expect(await runToEnd({ CLOUD_DATABASE: within })).toEqual({
      code: 78,
      lines: [expect.stringMatching(/cannot be opened \(E/)],
    })
  })

  test.runIf(process.getuid?.() === 0)('a file and a folder that its user may not write', async () => {
    // Root that gave up its powers and not another user: a clone in root's home is closed to every other user.
    const withoutPowers = ['setpriv', '--bounding-set=-all', '--inh-caps=-all']
    const nobody = 65_534
    for (const path of [file, dir]) chownSync(path, nobody, nobody)
    chmodSync(dir, 0o755)
    chmodSync(file, 0o600)
    const message = expect.stringMatching(
      /cannot be opened \(EACCES\): the relay's user must be able to read and write/,
    )
    expect(await runToEnd({}, withoutPowers)).toEqual({ code: 78, lines: [message] })
    expect(await runToEnd({ CLOUD_DATABASE: join(dir, 'new.db') }, withoutPowers)).toEqual({
      code: 78,
      lines: [message],
    })
  })

  test('held by another program: one line, and 75, because it may be free at the next start', async () => {
    const other = new Database(file)
    other.exec('pragma locking_mode = exclusive; begin exclusive')
    expect(await runToEnd()).toEqual({ code: 75, lines: [expect.stringMatching(/is held by another program/)] })
    other.close()
  })
})

test('damage that a request meets is 503 and not 500, is logged once, and nothing is stored any more', async () => {
  await makeAccount()
  const db = new Database(file)
  const pages = db.prepare("select pageno from dbstat where name = 'orders' or name like 'sqlite_autoindex_orders%'")
  const rootPages = pages.pluck().all() as number[]
  db.close()
  await start()
  // The write-ahead log wins over the file, and earlier reads stay valid until another program writes.
  const other = new Database(file)
  other.pragma('wal_checkpoint(passive)')
  for (const page of rootPages) damageAt(file, page)
  other.exec("update accounts set name = name || '.'")
  other.close()
  const { status, message, shouldRetry } = await refusal(await inject('damaged'))
  expect([status, message, shouldRetry]).toEqual([
    503,
    'The database of the relay is damaged. Nothing of this call was kept.',
    'false',
  ])
  for (let i = 0; i < 50; i++) expect((await inject(`more-${i}`)).status).toBe(503)
  expect(await readyz()).toMatchObject({ status: 503, checks: { database: false } })
  expect((await fetch(`${httpUrl}/healthz`)).status).toBe(200)
  expect(said('the database is damaged')).toHaveLength(1)
})

test('no other user gets into its files, whatever the shell allows, and a database that was open to all is closed', async () => {
  await makeAccount()
  chmodSync(file, 0o644)
  const usual = process.umask(0o022)
  await relay.start({ NODE_COMPILE_CACHE: '' })
  process.umask(usual)
  const wide = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(dir, name)).mode & 0o077) !== 0,
  )
  expect(wide).toEqual([])
  expect(relay.log).toContainEqual(expect.objectContaining({ msg: LOG_NARROWED, files: [file] }))
})
