// Failures of one transaction or one connection alone: the gate stays open, and the other connections continue.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ReplicaStore } from '#cloud/storage/replica-store.ts'
import {
  db,
  kill,
  mark,
  marks,
  open,
  other,
  pidOf,
  put,
  troubles,
  url,
  usePostgres,
} from '#test/fixtures/postgres-marks.ts'
import { PostgresDatabase } from './postgres-database.ts'

usePostgres()

const raising = (code: string) => `do $$ begin raise 'no' using errcode = '${code}'; end $$`

describe('a server that has no room for one more connection', () => {
  it('refuses callers without a connection, and others continue with theirs', async () => {
    await other.query('create role few login in role pg_read_all_data, pg_write_all_data')
    const few = new URL(url)
    few.username = 'few'
    const one = await PostgresDatabase.open({ url: few.href, slots: 2 })
    const changes: unknown[] = []
    one.gate.changed.subscribe((change) => changes.push(change))
    try {
      await one.unit(async (tx) => {
        await other.query('alter role few connection limit 1')
        await expect(one.unit(pidOf)).rejects.toMatchObject({ reason: 'undone', status: 503 })
        await mark(tx, 'a')
      })
      await one.unit((tx) => mark(tx, 'b'))
    } finally {
      await one.close()
      await other.query('drop role few')
    }
    expect(await marks()).toEqual(['a 1', 'b 1'])
    expect(changes).toEqual([])
  })
})

describe('an error', () => {
  it.each(['the connection of the drawer was lost', 'Query read timeout', 'Connection terminated unexpectedly'])(
    'of the work itself is given to its caller, whatever it says: %s',
    async (words) => {
      const error = Object.assign(new Error(words), { code: 'ECONNREFUSED' })
      let runs = 0
      const unit = db.unit(async (tx) => {
        runs += 1
        await mark(tx, 'a')
        throw error
      })
      await expect(unit).rejects.toBe(error)
      expect([runs, await marks(), troubles]).toEqual([1, [], []])
    },
  )

  it('of the protocol ends its own connection, and no other', async () => {
    const pids = new Set<number>()
    const unit = db.unit(async (tx) => {
      pids.add(await pidOf(tx))
      await sql.raw(raising('08P01')).execute(tx)
    })
    await expect(unit).rejects.toMatchObject({ reason: 'undone', status: 503 })
    expect(pids.size).toBe(3)
    for (const pid of pids)
      await expect
        .poll(async () => (await other.query('select from pg_stat_activity where pid = $1', [pid])).rowCount)
        .toBe(0)
    expect(troubles).toEqual([])
  })

  it('of a connection from before the server came back is no evidence about the server', async () => {
    let runs = 0
    const unit = db.unit(async (tx) => {
      runs += 1
      if (runs === 1) {
        const pid = await pidOf(tx)
        db.gate.serverFails('away', null)
        await db.probe()
        // For the second run: a new connection would find what the next line does.
        await db.unit(pidOf)
        troubles.length = 0
        // Whoever asked now would find a server that takes no writes.
        await other.query('alter role postgres set default_transaction_read_only = on')
        await kill(pid)
      }
      await mark(tx, 'a')
    })
    await unit.finally(() => other.query('alter role postgres reset default_transaction_read_only'))
    expect([runs, await marks(), troubles]).toEqual([2, ['a 1'], []])
  })
})

describe('when all connections of units are in use', () => {
  it('the server is still probed, and a heartbeat is written', async () => {
    const one = await open({ slots: 1, readers: 1 })
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    const { promise: held, resolve: holds } = Promise.withResolvers<void>()
    const units: Promise<unknown>[] = [
      one.unit(() => {
        holds()
        return done
      }),
    ]
    await held
    units.push(one.unit(pidOf))
    one.gate.full(null)
    await one.probe()
    expect(one.gate.has('full')).toBe(false)
    const { live } = await new ReplicaStore(one).beat({ id: 'r_1', version: '1', draining: false })
    expect([...live.keys()]).toEqual(['r_1'])
    expect(one.waiting).toBe(1)
    end()
    await Promise.all(units)
    await put('a')
  })
})
