// How long units and reads on PostgreSQL may take or wait, how many may wait, and that what is committed is on the server's disk.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { db, mark, marks, open, other, pidOf, url, usePostgres, waitsFor } from '#test/fixtures/postgres-marks.ts'

usePostgres()

describe('time', () => {
  it('is limited for statements, locks and idle units, so that no unit holds up the others', async () => {
    const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`.execute(
      db.read,
    )
    expect(rows.map(({ name, setting }) => `${name} ${setting}`)).toEqual([
      'idle_in_transaction_session_timeout 3000',
      'lock_timeout 2000',
      'statement_timeout 5000',
    ])
  })

  it('until the server notices that a relay is gone is short', async () => {
    const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name like 'tcp_keepalives%' order by name`.execute(db.read)
    expect(rows.map(({ name, setting }) => `${name} ${setting}`)).toEqual([
      'tcp_keepalives_count 3',
      'tcp_keepalives_idle 5',
      'tcp_keepalives_interval 5',
    ])
  })

  it('that a statement exceeds is reported as slow; nothing is stored, and the connection serves the next transaction', async () => {
    const one = await open({ slots: 1 })
    const pid = await one.unit(pidOf)
    const unit = one.unit(async (tx) => {
      await mark(tx, 'a')
      await sql`set local statement_timeout = '20ms'`.execute(tx)
      await sql`select pg_sleep(600)`.execute(tx)
    })
    await expect(unit).rejects.toMatchObject({ reason: 'slow', status: 503 })
    expect(await marks()).toEqual([])
    expect(await one.unit(pidOf)).toBe(pid)
  })

  it('that a unit or a read waits for a free connection is no sign of a server that is away', async () => {
    const one = await open({ slots: 1, readers: 1 })
    // Longer than a connection may take to be made.
    const busy = [one.unit((tx) => sql`select pg_sleep(3.2)`.execute(tx)), sql`select pg_sleep(3.2)`.execute(one.read)]
    const waiting = [one.unit(pidOf), pidOf(one.read)]
    await Promise.all([...busy, ...waiting])
    expect(one.gate.has('away')).toBe(false)
  })
})

describe('units and reads that wait', () => {
  it('are 2,048 each at most; one more is refused, and all others are done', async () => {
    const one = await open({ slots: 1, readers: 1 })
    const first = Promise.withResolvers<void>()
    const units = [one.unit(() => first.promise)]
    const reads = [pidOf(one.read)]
    for (let n = 0; n < 2_048; n++) {
      units.push(one.unit(async () => {}))
      reads.push(pidOf(one.read))
    }
    await expect(one.unit(async () => {})).rejects.toMatchObject({ code: 'service.unavailable', status: 503 })
    await expect(pidOf(one.read)).rejects.toMatchObject({ code: 'service.unavailable', status: 503 })
    first.resolve()
    await Promise.all([...units, ...reads])
    expect([one.waiting, one.underWay]).toEqual([0, 0])
  })

  it('are refused at once when the server is away, as are those that arrive then', async () => {
    const one = await open({ slots: 1, readers: 1 })
    await other.query('select pg_advisory_lock(7)')
    const busy = sql`select pg_advisory_lock(7)`.execute(one.read)
    const first = Promise.withResolvers<void>()
    const unit = one.unit(() => first.promise)
    await waitsFor('advisory')
    const waiting = [pidOf(one.read), one.unit(pidOf)]
    await Promise.resolve()
    one.gate.serverFails('away', null)
    for (const refused of [...waiting, pidOf(one.read), one.unit(pidOf)])
      await expect(refused).rejects.toMatchObject({ reason: 'away', status: 503 })
    first.resolve()
    await other.query('select pg_advisory_unlock(7)')
    await Promise.all([busy, unit])
    expect(one.underWay).toBe(0)
  })
})

describe('what is committed', () => {
  it('is on disk also where the role or the database would not wait for that; a stronger setting stays', async () => {
    const commits = async () => {
      const one = await open({ slots: 1 })
      const { rows } = await one.unit((tx) => sql<{ is: string }>`show synchronous_commit`.execute(tx))
      return Object.values(rows[0]!)
    }
    const database = new URL(url).pathname.slice(1)
    try {
      for (const [set, is] of [
        ['off', 'on'],
        ['local', 'on'],
        ['remote_apply', 'remote_apply'],
      ]) {
        await other.query(`alter database ${database} set synchronous_commit = ${set}`)
        expect(await commits()).toEqual([is])
      }
    } finally {
      await other.query(`alter database ${database} reset synchronous_commit`)
    }
  })
})
