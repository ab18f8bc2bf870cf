// The database file: durable settings, one owner, migrations, and the guarantees of a transaction.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { logFileOf } from '#shared/quiet-checkpoint.ts'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { DatabaseInUseError, digestOf, type GatewayDatabase, openGatewayDatabase } from './database.ts'
import { IdentityStore } from './identity-store.ts'
import { MIGRATIONS } from './migrations.ts'

describe('openGatewayDatabase', () => {
  let dir: string
  let file: string
  let open: GatewayDatabase[]
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'gateway-db-'))
    file = join(dir, 'deep/gateway.db')
    open = []
  })
  afterEach(() => {
    for (const db of open) db.close()
    rmSync(dir, { recursive: true })
  })
  const openIt = (options = {}): GatewayDatabase => {
    const db = openGatewayDatabase(file, options)
    open.push(db)
    return db
  }

  it('syncs the disk at each commit and overwrites what it deletes', () => {
    const { sqlite } = openIt()
    const of = (name: string) => sqlite.pragma(name, { simple: true })
    expect(['journal_mode', 'synchronous', 'foreign_keys', 'secure_delete', 'journal_size_limit'].map(of)).toEqual([
      'wal',
      2,
      1,
      1,
      8_388_608,
    ])
  })

  it('prepares every statement so that SQLite plans it once', () => {
    const { sqlite } = openIt()
    const statement = sqlite.prepare('select value from meta where key = ? order by key limit @most')
    expect(statement.source).toBe('select value from meta where key = +? order by key limit +@most')
  })

  it('copies its log back into the file in idle moments, sooner than SQLite would', async () => {
    const db = openIt({ exclusive: true })
    const waiting = logFileOf(db.sqlite, 0).waitingPages
    const put = db.sqlite.prepare('insert or replace into meta (key, value) values (?, ?)')
    db.transaction(() => {
      for (let i = 0; i < 700; i++) put.run(`key ${i}`, 'x'.repeat(4_096))
    })
    expect(waiting()).toBeGreaterThan(700)
    await expect.poll(waiting).toBe(0)
  })

  it('copies nothing of a connection that was closed after an error', () => {
    const { sqlite } = openIt()
    const log = logFileOf(sqlite, 0)
    expect(log.isBusy()).toBe(false)
    sqlite.exec('begin')
    expect(log.isBusy()).toBe(true)
    sqlite.close()
    expect(log.isBusy()).toBe(true)
  })

  it('creates its identity once', () => {
    const first = new IdentityStore(openIt()).stream()
    expect(first).toMatch(/^[0-9a-f]{24}$/)
    open.pop()?.close()
    expect(new IdentityStore(openIt()).stream()).toBe(first)
  })

  it('counts connections across restarts', () => {
    const identity = new IdentityStore(openIt())
    expect([identity.nextEpoch(), identity.nextEpoch()]).toEqual([1, 2])
    open.pop()?.close()
    expect(new IdentityStore(openIt()).nextEpoch()).toBe(3)
  })

  it('never lets the stored time go back without a better source', () => {
    const db = openIt()
    const identity = new IdentityStore(db)
    for (const ms of [5_000, 4_000]) {
      identity.rememberTime(ms, 'assumed')
      db.flush()
    }
    expect(identity.lastKnownMs()).toBe(5_000)
  })

  it('replaces a time from a wrong clock when the relay has sent the right one', () => {
    const db = openIt()
    const identity = new IdentityStore(db)
    identity.rememberTime(365 * 86_400_000, 'assumed')
    db.flush()
    identity.rememberTime(5_000, 'from-relay')
    db.flush()
    expect(identity.lastKnownMs()).toBe(5_000)
  })

  it('has one owner at a time', () => {
    openIt({ exclusive: true })
    expect(() => openGatewayDatabase(file, { exclusive: true })).toThrow(DatabaseInUseError)
    open.pop()?.close()
    expect(() => openIt({ exclusive: true })).not.toThrow()
  })

  it('refuses a file of a newer program', () => {
    openIt().sqlite.pragma('user_version = 999')
    open.pop()?.close()
    expect(() => openGatewayDatabase(file)).toThrow(/version 999.*install the newer one/)
  })

  it('opens a file of a newer program with additive steps only, and leaves it unchanged', () => {
    const { sqlite } = openIt()
    expect(sqlite.pragma('user_version', { simple: true })).toBe(1)
    sqlite.exec("alter table jobs add column of_the_future text; update meta set value = '99' where key = 'schema'")
    open.pop()?.close()
    const again = openIt()
    expect(again.sqlite.prepare("select value from meta where key = 'schema'").get()).toEqual({ value: '99' })
  })

  it('opens a file from when user_version counted the steps', () => {
    const { sqlite } = openIt()
    sqlite.exec("delete from meta where key = 'schema'")
    sqlite.pragma(`user_version = ${MIGRATIONS.length}`)
    open.pop()?.close()
    expect(() => openIt()).not.toThrow()
  })
})

describe('GatewayDatabase.transaction', () => {
  let dir: string
  let db: GatewayDatabase
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'gateway-db-'))
    db = openGatewayDatabase(join(dir, 'g.db'))
    db.sqlite.exec('create table t (n integer)')
  })
  afterEach(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })
  const add = (n: number) => db.sqlite.prepare('insert into t values (?)').run(n)
  const all = () => db.sqlite.prepare('select n from t order by n').pluck().all()

  it('joins the current transaction: one commit, one result', () => {
    db.transaction(() => {
      add(1)
      db.transaction(() => add(2))
    })
    expect([all(), db.commits]).toEqual([[1, 2], 1])
  })

  it('runs callbacks only after the commit, and never after a rollback', () => {
    const told: string[] = []
    expect(() =>
      db.transaction(() => {
        add(1)
        db.afterCommit(() => told.push('rolled back'))
        throw new Error('no')
      }),
    ).toThrow('no')
    db.transaction(() => {
      add(2)
      db.afterCommit(() => told.push(`on disk: ${db.sqlite.inTransaction}`))
      expect(told).toEqual([])
    })
    expect([told, all()]).toEqual([['on disk: false'], [2]])
  })

  it('writes unimportant data with the next commit, or at the end', () => {
    db.rideAlong(() => add(1))
    expect(all()).toEqual([])
    expect(() =>
      db.transaction(() => {
        throw new Error('no')
      }),
    ).toThrow()
    db.transaction(() => add(2))
    expect([all(), db.commits]).toEqual([[1, 2], 1])
    db.rideAlong(() => add(3))
    db.close()
    db = openGatewayDatabase(join(dir, 'g.db'))
    expect(all()).toEqual([1, 2, 3])
  })

  it('keeps nothing of a commit for which the disk has no space, and continues when there is some', () => {
    const failures: unknown[] = []
    db.failed.subscribe((error) => failures.push(error))
    const makeRoom = fillDisk(db.sqlite)
    db.rideAlong(() => add(1))
    const told: string[] = []
    const write = () =>
      db.transaction(() => {
        add(2)
        db.afterCommit(() => told.push('on disk'))
      })
    expect(write).toThrow('full')
    expect([told, all(), failures]).toEqual([[], [], []])
    makeRoom()
    write()
    expect([told, all()]).toEqual([['on disk'], [1, 2]])
  })

  it('accepts nothing more after a commit whose outcome is unknown', () => {
    const failures: unknown[] = []
    db.failed.subscribe((error) => failures.push(error))
    // A deferred constraint fails at COMMIT, as a full or broken disk does.
    db.sqlite.exec(
      'create table p (id integer primary key); create table c (p references p deferrable initially deferred)',
    )
    expect(() => db.transaction(() => db.sqlite.exec('insert into c values (7)'))).toThrow()
    expect(failures).toHaveLength(1)
    db.sqlite.exec('rollback')
    expect(() => db.transaction(() => add(1))).toThrow('failed earlier')
  })
})

describe('digestOf', () => {
  it('distinguishes parts, even if their joined text is the same', () => {
    expect(digestOf('ab', 'c')).not.toBe(digestOf('a', 'bc'))
    expect(digestOf('ab')).toMatch(/^[0-9a-f]{16}$/)
  })
})
