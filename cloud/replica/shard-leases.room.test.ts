// Relays that share a broker, on one PostgreSQL database: each takes an equal part of the shards, gives back what is too much, and lets go in time.
import { Client } from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { ReplicaStore } from '#cloud/storage/replica-store.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { ShardLeases } from './shard-leases.ts'

const log = pino({ level: 'silent' })

if (postgresPrograms() === null)
  process.stderr.write("cloud/replica/shard-leases.room.test.ts is skipped: Debian's postgresql is not installed\n")

/** One relay of a test, with the changes of its shards, in order. */
interface Side {
  db: PostgresDatabase
  clock: ManualClock
  leases: ShardLeases
  told: string[]
  /** What letting go waits for. */
  stored: Promise<void>
}

describe.runIf(postgresPrograms() !== null)('relays that share a broker', () => {
  let server: PostgresServer
  let admin: Client
  let url: string
  let sides: Side[]
  let made = 0
  let isStored: () => void

  beforeAll(async () => {
    server = await PostgresServer.start()
    admin = new Client({ connectionString: server.url() })
    // The server is killed in one of the tests.
    admin.on('error', () => {})
    await admin.connect()
  })
  afterAll(async () => {
    await admin.end().catch(() => {})
    await server.remove()
  })
  beforeEach(async () => {
    const name = `shards_${made++}`
    await admin.query(`create database ${name} template template0`)
    url = server.url(name)
    sides = []
    isStored = () => {}
  })
  afterEach(async () => {
    isStored()
    for (const { leases, db } of sides) {
      await leases.stop()
      await db.close()
    }
  })

  async function relay(): Promise<Side> {
    const db = await PostgresDatabase.open({ url })
    const clock = new ManualClock()
    const leases = new ShardLeases({ db, replicaId: db.replicaId, clock, log })
    const side: Side = { db, clock, leases, told: [], stored: Promise.resolve() }
    leases.start({
      taken: (shards) => void side.told.push(`took ${shards.length}`),
      letGo: (shards) => {
        side.told.push(`let ${shards.size} go`)
        return side.stored
      },
    })
    await new ReplicaStore(db).beat({ id: db.replicaId, version: '0', draining: false })
    sides.push(side)
    return side
  }
  const counts = (): number[] => sides.map(({ leases }) => leases.held.length)
  /** The next read of this one. */
  async function later(side: Side, ms = 5_000): Promise<void> {
    await side.clock.advance(ms)
    await expect.poll(() => side.db.underWay).toBe(0)
  }
  /** As if this long had passed at the database since the relay's last heartbeat. */
  async function unheard(side: Side, ms: number): Promise<void> {
    const other = sides.find(({ db }) => db !== side.db) ?? side
    const id = side.db.replicaId
    await other.db.unit(async (tx) => {
      await tx
        .updateTable('shards')
        .set((e) => ({ until: e('until', '-', ms) }))
        .where('owner', '=', id)
        .execute()
      await tx
        .updateTable('replicas')
        .set((e) => ({ shards_until: e('shards_until', '-', ms) }))
        .where('id', '=', id)
        .execute()
    })
  }
  async function serving(): Promise<Side> {
    const side = await relay()
    await side.leases.serve(true)
    await expect.poll(() => side.told.length).toBeGreaterThan(0)
    return side
  }

  /** It takes part, and others have what there is. */
  async function joining(): Promise<Side> {
    const side = await relay()
    const id = side.db.replicaId
    await side.leases.serve(true)
    const rowOf = () =>
      side.db.read.selectFrom('replicas').select('shards_until').where('id', '=', id).executeTakeFirstOrThrow()
    await expect.poll(async () => (await rowOf()).shards_until).toBeGreaterThan(0)
    return side
  }

  /** It is about to give one back, and does when `isStored` is called. */
  async function letsOneGo(one: Side): Promise<void> {
    one.stored = new Promise((resolve) => {
      isStored = resolve
    })
    await one.clock.advance(5_000)
    await expect.poll(() => one.told.at(-1)).toBe('let 1 go')
  }

  test('one alone takes all of them, and holds nothing before it serves', async () => {
    const one = await relay()
    expect(one.leases.holds(0)).toBe(false)
    await one.leases.serve(true)
    await expect.poll(counts).toEqual([64])
    expect(one.told).toEqual(['took 64'])
    expect([one.leases.holds(0), one.leases.holds(63), one.leases.holds(64)]).toEqual([true, true, false])
  })

  test('one that starts gets its half, one a second, and no shard is ever at both', async () => {
    const one = await serving()
    const two = await joining()
    one.leases.freed.subscribe(() => two.leases.look())
    await later(one)
    for (let n = 0; n < 40 && counts()[0] !== 32; n++) {
      expect(one.leases.held.filter((shard) => two.leases.holds(shard))).toEqual([])
      await later(one, 1_000)
    }
    await expect.poll(counts).toEqual([32, 32])
    expect(one.told.filter((words) => words === 'let 1 go')).toHaveLength(32)
    await later(one)
    await later(two)
    expect(counts()).toEqual([32, 32])
  })

  test('a shard is free for the others only when what was received from its gateways is stored', async () => {
    const one = await serving()
    const two = await joining()
    await letsOneGo(one)
    expect(one.leases.held).toHaveLength(63)
    await later(two)
    expect(counts()).toEqual([63, 0])
    isStored()
    await expect
      .poll(async () => {
        await later(two)
        return counts()
      })
      .toEqual([63, 1])
  })

  test('one that stops serving releases all at once, and the others count without it', async () => {
    const one = await serving()
    const two = await joining()
    one.leases.freed.subscribe(() => two.leases.look())
    await one.leases.serve(false)
    expect(one.told.at(-1)).toBe('let 64 go')
    await expect.poll(counts).toEqual([0, 64])
    await later(one)
    expect(counts()).toEqual([0, 64])
  })

  test('one whose transactions all wait releases its shards all the same', async () => {
    const one = await serving()
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    const units = Array.from({ length: 30 }, () => one.db.unit(() => done))
    await expect.poll(() => one.db.waiting).toBe(20)
    await one.leases.serve(false)
    const owners = await one.db.read.selectFrom('shards').select('owner').distinct().execute()
    expect([one.db.waiting, owners]).toEqual([20, [{ owner: null }]])
    end()
    await Promise.all(units)
  })

  test('those of one that died are taken when its leases have ended, and not before', async () => {
    const one = await serving()
    const two = await joining()
    // Far from 15 s: a slow machine takes some for itself.
    await unheard(one, 3_000)
    await later(two)
    expect(two.leases.held).toEqual([])
    await unheard(one, 13_000)
    // It reads as soon as they end, not only at its next round.
    await later(two, 5_000)
    await expect.poll(() => two.leases.held.length).toBe(64)
  })

  test('one that cannot renew releases by itself after 10 s, before another may take them', async () => {
    const one = await serving()
    await server.kill()
    await one.clock.advance(9_000)
    expect(counts()).toEqual([64])
    await one.clock.advance(1_001)
    expect(counts()).toEqual([0])
    expect(one.told).toEqual(['took 64', 'let 64 go'])
    await server.run()
    admin = new Client({ connectionString: server.url() })
    admin.on('error', () => {})
    await admin.connect()
    await one.db.probe()
    await expect
      .poll(async () => {
        await later(one)
        return one.told.at(-1)
      })
      .toBe('took 64')
  })

  test('one that was suspended has released before it receives or sends anything', async () => {
    const one = await serving()
    one.clock.stall(10_001)
    expect(one.leases.holds(0)).toBe(false)
    expect(one.told.at(-1)).toBe('let 64 go')
  })

  test('what another one held meanwhile is leased again: its gateways are called again', async () => {
    const one = await serving()
    await one.db.unit((tx) =>
      tx
        .updateTable('shards')
        .set((e) => ({ term: e('term', '+', 2) }))
        .where('shard', '<', 5)
        .execute(),
    )
    await later(one)
    await expect.poll(() => one.told).toEqual(['took 64', 'let 5 go', 'took 5'])
  })

  test('what another relay has taken meanwhile is not given back', async () => {
    const one = await serving()
    const two = await joining()
    await letsOneGo(one)
    await unheard(one, 16_000)
    await later(two)
    await expect.poll(() => two.leases.held.length).toBe(64)
    const freed = one.leases.freed.next()
    isStored()
    await freed
    const owners = await two.db.read.selectFrom('shards').select('owner').distinct().execute()
    expect(owners).toEqual([{ owner: two.db.replicaId }])
  })

  test('a shard that was another relay’s returns with another term, and its gateways are called again', async () => {
    const one = await serving()
    const two = await joining()
    await unheard(one, 16_000)
    await later(two)
    await expect.poll(() => two.leases.held.length).toBe(64)
    await two.leases.serve(false)
    // By its own clock it has had them all the time.
    expect(one.leases.held).toHaveLength(64)
    await later(one)
    await expect.poll(() => one.told).toEqual(['took 64', 'let 64 go', 'took 64'])
  })

  test('two that start at once take each shard once', async () => {
    const [one, two] = [await relay(), await relay()]
    await Promise.all([one.leases.serve(true), two.leases.serve(true)])
    await expect.poll(() => counts().reduce((sum, n) => sum + n, 0)).toBe(64)
    expect(one.leases.held.filter((shard) => two.leases.holds(shard))).toEqual([])
  })
})
