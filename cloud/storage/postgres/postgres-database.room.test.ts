// The engine on a PostgreSQL server of its own, which is stopped, killed and made read-only: what a transaction stores, and the error that its caller gets.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db, Tx } from '#cloud/storage/database.ts'
import {
  db,
  kill,
  mark,
  marks,
  named,
  other,
  pidOf,
  put,
  server,
  touch,
  troubles,
  usePostgres,
  waitsFor,
} from '#test/fixtures/postgres-marks.ts'

usePostgres()

describe('a unit', () => {
  it('is seen when it is committed, and not before', async () => {
    await db.unit(async (tx) => {
      await mark(tx, 'a')
      await mark(tx, 'b')
      expect(await db.read.selectFrom('marks').selectAll().execute()).toEqual([])
      expect(await marks()).toEqual([])
    })
    expect(await db.read.selectFrom('marks').selectAll().orderBy('name').execute()).toEqual([
      { name: 'a', at: 1 },
      { name: 'b', at: 1 },
    ])
  })

  it('whose work throws stores nothing, and its caller gets that exact error', async () => {
    const error = new Error('no')
    const unit = db.unit(async (tx) => {
      await mark(tx, 'a')
      throw error
    })
    await expect(unit).rejects.toBe(error)
    expect(await marks()).toEqual([])
    expect(troubles).toEqual([])
  })

  it('of which a statement fails stores nothing, also when its work continues as if it had not', async () => {
    const unit = db.unit(async (tx) => {
      await mark(tx, 'a')
      await mark(tx, 'a').catch(() => {})
    })
    await expect(unit).rejects.toMatchObject({ reason: 'undone' })
    expect(await marks()).toEqual([])
    await put('b')
    expect(await marks()).toEqual(['b 1'])
  })

  it('that the COMMIT itself refuses keeps nothing, and the next one is not touched by it', async () => {
    await other.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'never'; end $$`)
    await other.query(
      'create constraint trigger refuses after insert on marks deferrable initially deferred for each row execute function refuse()',
    )
    try {
      await expect(put('a')).rejects.toMatchObject({ code: 'P0001' })
      expect(await marks()).toEqual([])
    } finally {
      await other.query('drop function refuse cascade')
    }
    await put('b')
    expect(await marks()).toEqual(['b 1'])
  })
})

describe('units in the way of each other', () => {
  it('that wait for each other are both done: one is run again', async () => {
    await put('a', 0)
    await put('b', 0)
    const here = Promise.withResolvers<void>()
    const there = Promise.withResolvers<void>()
    let runs = 0
    const both = (first: string, second: string, mine: typeof here, theirs: typeof here) =>
      db.unit(async (tx) => {
        runs += 1
        await touch(tx, first)
        mine.resolve()
        await theirs.promise
        await touch(tx, second)
      })
    await Promise.all([both('a', 'b', here, there), both('b', 'a', there, here)])
    expect(await marks()).toEqual(['a 2', 'b 2'])
    expect(runs).toBeGreaterThan(2)
  })

  it('of which one has seen what the other changed is run again on what is there now', async () => {
    await put('a', 0)
    const seen: number[] = []
    await db.unit(async (tx) => {
      await sql`set transaction isolation level repeatable read`.execute(tx)
      const { at } = await tx.selectFrom('marks').select('at').where('name', '=', named('a')).executeTakeFirstOrThrow()
      seen.push(at)
      if (seen.length === 1) await other.query(`update marks set at = 5 where name = 'a'`)
      await tx
        .updateTable('marks')
        .set({ at: at + 1 })
        .execute()
    })
    expect(seen).toEqual([0, 5])
    expect(await marks()).toEqual(['a 6'])
  })

  it('of which one gets no lock in time is run again', async () => {
    await put('a', 0)
    await other.query('begin; update marks set at = 5')
    let runs = 0
    await db.unit(async (tx) => {
      runs += 1
      if (runs === 2) await other.query('commit')
      await sql`set local lock_timeout = '20ms'`.execute(tx)
      await touch(tx, 'a')
    })
    expect(runs).toBe(2)
    expect(await marks()).toEqual(['a 6'])
  })

  it('of which one never gets its lock is refused after some runs; the server is not reported as away', async () => {
    await put('a', 0)
    await other.query('begin; update marks set at = 5')
    let runs = 0
    const unit = db.unit(async (tx) => {
      runs += 1
      await sql`set local lock_timeout = '10ms'`.execute(tx)
      await touch(tx, 'a')
    })
    await expect(unit).rejects.toMatchObject({ reason: 'undone' })
    await other.query('rollback')
    expect(runs).toBe(6)
    expect(troubles).toEqual([])
    expect(await marks()).toEqual(['a 0'])
  })

  it('of which one finds an existing row gets that error, or is run again on request', async () => {
    await put('a', 5)
    const hindrances: unknown[] = []
    db.hindered.subscribe((hindrance) => hindrances.push(hindrance))
    let runs = 0
    const insertsOnce = async (tx: Tx) => {
      runs += 1
      const there = runs === 1 ? [] : await tx.selectFrom('marks').selectAll().execute()
      if (there.length === 0) await mark(tx, 'a')
      return there
    }
    await expect(db.unit(insertsOnce)).rejects.toMatchObject({ code: '23505' })
    expect(runs).toBe(1)
    runs = 0
    expect(await db.unit(insertsOnce, { againOnConflict: true })).toEqual([{ name: 'a', at: 5 }])
    expect(runs).toBe(2)
    // Counted both times, whether it was run again or not.
    const inTheWay = { code: '23505', constraint: 'marks_pkey' }
    expect(hindrances).toEqual([inTheWay, inTheWay])
  })
})

describe('a connection that ends', () => {
  const standing = async (pid: number) =>
    (await other.query('select from pg_stat_activity where pid = $1', [pid])).rowCount

  it('while it is idle affects no one', async () => {
    const pid = await db.unit(pidOf)
    await kill(pid)
    await db.probe()
    await put('a')
    expect(await marks()).toEqual(['a 1'])
    expect(troubles).toEqual([])
  })

  it('within a unit takes what that wrote with it; the unit is run again, and no other is touched', async () => {
    const pids: number[] = []
    const unit = db.unit(async (tx) => {
      await mark(tx, 'a')
      pids.push(await pidOf(tx))
      if (pids.length === 1) await kill(pids[0]!)
      await mark(tx, 'b')
    })
    await Promise.all([unit, put('c')])
    expect(await marks()).toEqual(['a 1', 'b 1', 'c 1'])
    expect(new Set(pids).size).toBe(2)
    expect(troubles).toEqual([])
  })

  it('at each run of a transaction costs that transaction: it is refused, and others continue', async () => {
    let runs = 0
    const unit = db.unit(async (tx) => {
      runs += 1
      await mark(tx, 'a')
      await kill(await pidOf(tx))
      await mark(tx, 'b')
    })
    await expect(unit).rejects.toMatchObject({ reason: 'undone', status: 503, retryAfterSeconds: expect.any(Number) })
    expect(runs).toBe(3)
    await put('c')
    expect(await marks()).toEqual(['c 1'])
    expect(troubles).toEqual([])
  })

  it('because its unit stood still, as that of a relay that was frozen, is replaced by another one', async () => {
    let runs = 0
    await db.unit(async (tx) => {
      runs += 1
      await mark(tx, 'a')
      if (runs > 1) return
      await sql`set local idle_in_transaction_session_timeout = 1`.execute(tx)
      const pid = await pidOf(tx)
      await expect.poll(() => standing(pid)).toBe(0)
    })
    expect(runs).toBe(2)
    expect(await marks()).toEqual(['a 1'])
    expect(troubles).toEqual([])
  })

  it('of a read is replaced for it', async () => {
    await put('a')
    const pid = await pidOf(db.read)
    const reading = sql`select pg_sleep(case when pg_backend_pid() = ${pid} then 600 else 0 end)`.execute(db.read)
    await waitsFor('PgSleep')
    await kill(pid)
    await reading
    expect(await db.read.selectFrom('marks').selectAll().execute()).toEqual([{ name: 'a', at: 1 }])
    expect(troubles).toEqual([])
  })

  it('at the COMMIT leaves unknown what was kept, and the unit is not run again', async () => {
    await other.query(
      `create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(600); end $$`,
    )
    await other.query(
      'create constraint trigger waits after insert on marks deferrable initially deferred for each row execute function wait()',
    )
    let runs = 0
    let pid = 0
    try {
      const unit = db.unit(async (tx) => {
        runs += 1
        pid = await pidOf(tx)
        await mark(tx, 'a')
      })
      const refused = expect(unit).rejects.toMatchObject({ reason: 'unknown', status: 503 })
      await waitsFor('PgSleep')
      await kill(pid)
      await refused
    } finally {
      await other.query('drop function wait cascade')
    }
    expect(runs).toBe(1)
    await db.probe()
    await put('b')
    expect(await marks()).toEqual(['b 1'])
  })
})

describe('a server', () => {
  /** Units and reads, until it answers again. */
  async function isAway(): Promise<void> {
    await expect(put('a')).rejects.toMatchObject({ reason: 'away' })
    await expect(db.read.selectFrom('marks').selectAll().execute()).rejects.toMatchObject({ reason: 'away' })
    await db.probe()
    expect(db.gate.has('away')).toBe(true)
  }

  async function isBack(): Promise<void> {
    await server.run()
    await db.probe()
    expect(db.gate.has('away')).toBe(false)
    await put('b')
    expect(await db.read.selectFrom('marks').selectAll().execute()).toEqual([{ name: 'b', at: 1 }])
  }

  // A database that was lent is emptied by a connection that is gone then: these make no use of it after.
  it.each(['stop', 'kill'] as const)('that ends by %s is away until it runs again', async (how) => {
    await db.unit(pidOf)
    const told = db.gate.changed.next()
    await server[how]()
    expect(await told).toMatchObject({ trouble: 'away', began: true })
    await isAway()
    await isBack()
  })

  it('that accepts no writes is reported as such until it does, and not only by an old connection', async () => {
    // Two connections, so that one is left.
    await Promise.all([db.unit(pidOf), db.unit(pidOf)])
    await other.query('alter system set default_transaction_read_only = on')
    await other.query('select pg_reload_conf()')
    await expect
      .poll(async () => (await other.query('show default_transaction_read_only')).rows)
      .toEqual([{ default_transaction_read_only: 'on' }])
    await expect.poll(() => put('a').catch((error: unknown) => error)).toMatchObject({ reason: 'readOnly' })
    await db.probe()
    expect(db.gate.has('readOnly')).toBe(true)
    await other.query('set default_transaction_read_only = off')
    await other.query('alter system reset default_transaction_read_only')
    await other.query('select pg_reload_conf()')
    await expect.poll(() => db.probe().then(() => db.gate.has('readOnly'))).toBe(false)
    await put('b')
    expect(await marks()).toContain('b 1')
  })
})

describe('a value', () => {
  it('that no number of JavaScript is exactly is refused, in a unit as in a read', async () => {
    const large = (on: Db) => sql<{ n: number }>`select 9007199254740993::bigint as n`.execute(on)
    await expect(large(db.read)).rejects.toThrow(RangeError)
    await expect(db.unit(large)).rejects.toThrow(RangeError)
    const largest = await sql<{ n: number }>`select 9007199254740991::bigint as n, sum(2) as s`.execute(db.read)
    expect(largest.rows).toEqual([{ n: 9_007_199_254_740_991, s: 2 }])
  })

  it('with a NUL, which PostgreSQL cannot hold, has the replacement character in its place', async () => {
    await put('a\0b')
    expect(await db.read.selectFrom('marks').select('name').execute()).toEqual([{ name: 'a\uFFFDb' }])
  })
})
