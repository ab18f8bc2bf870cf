// Which units share a COMMIT: those that come close together, without a lone one waiting for company.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageGate } from '#cloud/storage/storage-gate.ts'
import { systemClock } from '#shared/clock.ts'
import { GroupCommit } from './group-commit.ts'

let dir: string
let sqlite: Database.Database
let writer: GroupCommit
let commits: number
let events: string[]
let gate: StorageGate

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'group-commit-'))
  sqlite = new Database(join(dir, 'a.db'))
  sqlite.exec('create table t (id integer)')
  commits = 0
  const failed = (error: unknown): never => {
    throw error
  }
  events = []
  gate = new StorageGate(systemClock)
  writer = new GroupCommit(sqlite, {
    ...{ gate, clock: systemClock, onFatal: failed },
    beforeCommit: () => {
      commits++
      events.push(`before, ${sqlite.inTransaction ? 'open' : 'done'}`)
    },
    afterCommit: () => events.push(`after, ${sqlite.inTransaction ? 'open' : 'done'}`),
  })
})
afterEach(() => {
  sqlite.close()
  rmSync(dir, { recursive: true })
})

async function unit(): Promise<void> {
  await writer.begin()
  sqlite.exec('insert into t values (1)')
  await writer.commit()
}

/** One unit in each of so many turns of the event loop. */
async function oneEachTurn(turns: number): Promise<void> {
  const units: Promise<void>[] = []
  for (let i = 0; i < turns; i++) {
    units.push(unit())
    await turn()
  }
  await Promise.all(units)
}

describe('a COMMIT', () => {
  it('is shared by transactions that arrive one in each turn of the event loop', async () => {
    await oneEachTurn(4)
    expect(commits).toBe(1)
  })

  it('is not postponed forever by a steady flow of transactions', async () => {
    await oneEachTurn(40)
    expect(commits).toBeGreaterThanOrEqual(40 / 6 - 1)
    expect(commits).toBeLessThan(20)
  })

  it('notifies all of its transactions once, before and after it is on disk', async () => {
    await Promise.all([unit(), unit(), unit()])
    expect(events).toEqual(['before, open', 'after, done'])
  })

  it('is not reported as done when it failed', async () => {
    sqlite.exec('pragma foreign_keys = on; create table p (id integer primary key)')
    sqlite.exec('create table c (id integer references p (id) deferrable initially deferred)')
    const fatal: unknown[] = []
    const told: string[] = []
    writer = new GroupCommit(sqlite, {
      ...{ gate, clock: systemClock, onFatal: (error) => fatal.push(error) },
      afterCommit: () => told.push('done'),
    })
    await writer.begin()
    sqlite.exec('insert into c values (1)')
    await expect(writer.commit()).rejects.toThrow('FOREIGN KEY')
    expect([fatal.length, told]).toEqual([1, []])
    sqlite.exec('rollback')
  })

  it('runs in the next turn for a transaction that is alone', async () => {
    const alone = unit()
    await turn()
    await turn()
    expect(commits).toBe(1)
    await alone
  })
})

describe('a rush of units', () => {
  it('is divided: no transaction waits for more than 256 before its COMMIT', async () => {
    const ended: number[] = []
    const rush = Array.from({ length: 600 }, () => unit().then(() => ended.push(commits)))
    await Promise.all(rush)
    expect(commits).toBe(3)
    const ofCommit = (n: number) => ended.filter((commit) => commit === n).length
    expect([ofCommit(1), ofCommit(2), ofCommit(3)]).toEqual([256, 256, 88])
  })

  it('beyond what may wait is refused, to be tried again, and those before it are written', async () => {
    const rush = Array.from({ length: 2_050 }, () => unit())
    const outcomes = await Promise.allSettled(rush)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.map(({ reason }) => reason.code)).toEqual(['service.unavailable'])
    expect(sqlite.prepare('select count(*) as n from t').get()).toEqual({ n: 2_049 })
  })
})

describe('the units of a COMMIT', () => {
  it('continue with the youngest first: a claim that joined its order continues before the order does', async () => {
    const went: string[] = []
    const order = unit().then(() => went.push('order'))
    const claim = unit().then(() => went.push('claim'))
    const later = unit().then(() => went.push('later'))
    await Promise.all([order, claim, later])
    expect(commits).toBe(1)
    expect(went).toEqual(['later', 'claim', 'order'])
  })
})
