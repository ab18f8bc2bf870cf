// A damaged database is replaced: its readable open tickets are in the new one, and print marked.
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { DatabaseInUseError, openGatewayDatabase } from './database.ts'
import { IdentityStore } from './identity-store.ts'
import { lastReplacement, markIfDamaged, openWithCare } from './quarantine.ts'

const PAGE = 4_096
const NOW = Date.UTC(2026, 10, 21)
const CORRUPT = new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT')

describe('a database', () => {
  let core: GatewayCore
  let file: string
  let stream: string
  beforeEach(() => {
    core = new GatewayCore()
    file = join(core.dir, 'gateway.db')
    stream = core.identity.stream()
    for (let i = 0; i < 60; i++) core.accept(`job-${i}`)
    core.db.close()
  })
  afterEach(() => rmSync(core.dir, { recursive: true, force: true }))

  function pagesOf(table: string): number[] {
    const sqlite = new Database(file)
    const rows = sqlite.prepare('select pageno, pagetype from dbstat where name = ? order by pageno').all(table)
    sqlite.close()
    return (rows as { pageno: number; pagetype: string }[])
      .filter((it) => it.pagetype === 'leaf')
      .map((it) => it.pageno)
  }
  function destroyPage(page: number): void {
    const fd = openSync(file, 'r+')
    writeSync(fd, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (page - 1) * PAGE)
    closeSync(fd)
  }
  function tickets(): { state: string; possible_duplicate: number }[] {
    const db = openGatewayDatabase(file)
    const rows = db.sqlite.prepare('select state, possible_duplicate from tickets').all()
    db.close()
    return rows as { state: string; possible_duplicate: number }[]
  }
  const quarantined = (): string[] => readdirSync(core.dir).filter((name) => name.startsWith('damaged-'))

  it('without damage is opened and left alone', () => {
    openWithCare(file, {}, NOW).db.close()
    expect(quarantined()).toEqual([])
    expect(lastReplacement(file)).toBeNull()
    expect(tickets().some((it) => it.possible_duplicate === 1)).toBe(false)
  })

  it('with a destroyed page is put aside, and what is on other pages is kept under a new identity, marked', () => {
    const size = statSync(file).size
    destroyPage(pagesOf('tickets')[1]!)
    const { db } = openWithCare(file, {}, NOW)
    const identity = new IdentityStore(db)
    expect([identity.stream() === stream, identity.lastSeq()]).toEqual([false, 0])
    expect(db.sqlite.prepare('select name from printers').all()).toEqual([{ name: 'Grill' }])
    db.close()
    const found = lastReplacement(file)
    expect(found).toMatchObject({ atMs: NOW, folder: join(core.dir, `damaged-${NOW}`) })
    expect(statSync(join(found!.folder, 'gateway.db')).size).toBe(size)
    expect(found!.savedTickets).toBeGreaterThan(10)
    expect(found!.savedTickets).toBeLessThan(60)
    expect(found!.lostTickets).toBeGreaterThan(0)
    const rows = tickets()
    expect(rows.length).toBe(found!.savedTickets)
    expect(rows.every((it) => it.possible_duplicate === 1)).toBe(true)
  })

  it('with a destroyed page of history loses no open ticket', () => {
    destroyPage(pagesOf('sqlite_autoindex_jobs_1')[0] ?? pagesOf('tickets_job')[0]!)
    openWithCare(file, {}, NOW).db.close()
    expect(lastReplacement(file)).toMatchObject({ savedTickets: 60, lostTickets: 0 })
  })

  it('that is no database any more is replaced by an empty one', () => {
    destroyPage(1)
    openWithCare(file, {}, NOW).db.close()
    expect(lastReplacement(file)).toMatchObject({ savedTickets: 0, lostTickets: null })
    expect(tickets()).toEqual([])
  })

  it('that failed while the gateway ran is replaced at the next start, once', () => {
    markIfDamaged(file, new Error('something else'))
    openWithCare(file, {}, NOW).db.close()
    expect(quarantined()).toEqual([])
    markIfDamaged(file, CORRUPT)
    openWithCare(file, {}, NOW).db.close()
    expect(lastReplacement(file)).toMatchObject({ savedTickets: 60, lostTickets: 0 })
    openWithCare(file, {}, NOW + 1).db.close()
    expect(quarantined()).toEqual([`damaged-${NOW}`])
  })

  it('is replaced at the next start if the power failed in between', () => {
    markIfDamaged(file, CORRUPT)
    openWithCare(file, {}, NOW).db.close()
    const { folder } = lastReplacement(file)!
    rmSync(join(folder, 'replacement.json'))
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    openWithCare(file, {}, NOW + 1).db.close()
    expect(lastReplacement(file)).toMatchObject({ savedTickets: 60, lostTickets: 0 })
    rmSync(join(folder, 'replacement.json'))
    openWithCare(file, {}, NOW + 2).db.close()
    expect(lastReplacement(file)).toMatchObject({ savedTickets: 60, lostTickets: 0 })
    expect(tickets().length).toBe(60)
  })

  it('is kept twice at most', () => {
    for (const at of [1, 2, 3]) {
      markIfDamaged(file, CORRUPT)
      openWithCare(file, {}, NOW + at).db.close()
    }
    expect(quarantined().sort()).toEqual([`damaged-${NOW + 2}`, `damaged-${NOW + 3}`])
  })

  it('in use by another gateway is not touched', () => {
    const other = openGatewayDatabase(file, { exclusive: true })
    expect(() => openWithCare(file, { exclusive: true }, NOW)).toThrow(DatabaseInUseError)
    other.close()
    expect(quarantined()).toEqual([])
    expect(existsSync(dirname(file))).toBe(true)
  })
})
