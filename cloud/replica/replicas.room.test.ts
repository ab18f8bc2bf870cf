// Two relays on one PostgreSQL database: what one does for all, and what a dead one leaves.
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { ReplicaStore } from '#cloud/storage/replica-store.ts'
import type { Service } from '#shared/service.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { LEASES, Leased, type Replica, replicaOf } from './replica.ts'

const log = pino({ level: 'silent' })

if (postgresPrograms() === null)
  process.stderr.write("cloud/replica/replicas.room.test.ts is skipped: Debian's postgresql is not installed\n")

describe.runIf(postgresPrograms() !== null)('two relays', () => {
  let server: PostgresServer
  let url: string
  let dbs: PostgresDatabase[]
  let clocks: ManualClock[]
  let replicas: Replica[]
  let admin: Client
  let made = 0

  async function connected(): Promise<Client> {
    const client = new Client({ connectionString: server.url() })
    // The server is killed in one of the tests.
    client.on('error', () => {})
    await client.connect()
    return client
  }

  beforeAll(async () => {
    server = await PostgresServer.start()
    admin = await connected()
  })
  afterAll(async () => {
    await admin.end()
    await server.remove()
  })
  beforeEach(async () => {
    const name = `replicas_${made++}`
    await admin.query(`create database ${name} template template0`)
    url = server.url(name)
    dbs = [await PostgresDatabase.open({ url }), await PostgresDatabase.open({ url })]
    clocks = dbs.map(() => new ManualClock())
    replicas = dbs.map((db, n) => replicaOf({ db, clock: clocks[n] ?? new ManualClock(), log }))
  })
  afterEach(async () => {
    for (const replica of replicas) await replica.stop()
    for (const db of dbs) await db.close()
  })

  const at = <T>(list: readonly T[], n: number): T => list[n] as T
  const held = (n: number) => LEASES.filter((name) => at(replicas, n).holds(name))
  /** A heartbeat of this one only. */
  async function beat(n: number): Promise<void> {
    await at(clocks, n).advance(5_000)
    await expect.poll(() => at(dbs, n).underWay).toBe(0)
    await turn()
  }
  /** As if this one had sent no heartbeat for so long, by the database's clock. */
  async function unheard(n: number, ms: number): Promise<void> {
    const { replicaId } = at(dbs, n)
    const db = at(dbs, 1 - n)
    await db.unit(async (tx) => {
      await tx
        .updateTable('replicas')
        .set((e) => ({ seen_at: e('seen_at', '-', ms) }))
        .where('id', '=', replicaId)
        .execute()
      await tx
        .updateTable('leases')
        .set((e) => ({ until: e('until', '-', ms) }))
        .where('holder', '=', replicaId)
        .execute()
    })
  }

  test('a singleton task runs at one relay, the first that starts', async () => {
    for (const replica of replicas) await replica.start()
    expect(held(0)).toEqual([...LEASES])
    expect(held(1)).toEqual([])
    await beat(1)
    expect(held(1)).toEqual([])
  })

  test('one that ends gives it to the other at its next sign of life', async () => {
    for (const replica of replicas) await replica.start()
    await at(replicas, 0).stop()
    expect(held(0)).toEqual([])
    await beat(1)
    expect(held(1)).toEqual([...LEASES])
  })

  test('one that is about to stop gives it to the other, and takes nothing any more', async () => {
    for (const replica of replicas) await replica.start()
    await at(replicas, 0).giveWay()
    await beat(0)
    expect(held(0)).toEqual([])
    await beat(1)
    expect(held(1)).toEqual([...LEASES])
  })

  test('one without a heartbeat for 15 seconds is dead: the other takes over, and logs it once', async () => {
    for (const replica of replicas) await replica.start()
    await beat(1)
    const dead: string[] = []
    at(replicas, 1).died.subscribe((id) => dead.push(id))
    // Far from 15 s: a slow machine takes some for itself.
    await unheard(0, 3_000)
    await beat(1)
    expect([held(1), dead]).toEqual([[], []])
    await unheard(0, 13_000)
    await beat(1)
    await beat(1)
    expect(held(1)).toEqual([...LEASES])
    expect(dead).toEqual([at(dbs, 0).replicaId])
  })

  test('one whose transactions all wait still sends its heartbeat', async () => {
    await at(replicas, 0).start()
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    const units = Array.from({ length: 30 }, () => at(dbs, 0).unit(() => done))
    await expect.poll(() => at(dbs, 0).waiting).toBe(20)
    const renewed = at(replicas, 0).changed.next()
    await at(clocks, 0).advance(5_000)
    await renewed
    expect(at(dbs, 0).waiting).toBe(20)
    end()
    await Promise.all(units)
  })

  test('one that cannot renew its leases releases them before another may take them', async () => {
    await at(replicas, 0).start()
    await server.kill()
    await at(clocks, 0).advance(9_000)
    expect(held(0)).toEqual([...LEASES])
    await at(clocks, 0).advance(1_001)
    expect(held(0)).toEqual([])
    await server.run()
    admin = await connected()
    await at(dbs, 0).probe()
    await beat(0)
    expect(held(0)).toEqual([...LEASES])
  })

  test('one whose heartbeat hangs releases its leases by itself, too', async () => {
    await at(replicas, 0).start()
    const inDatabase = new Client({ connectionString: url })
    await inDatabase.connect()
    await inDatabase.query('begin; select from replicas for update')
    const gone = at(replicas, 0).changed.next()
    await at(clocks, 0).advance(10_001)
    await gone
    expect(held(0)).toEqual([])
    await inDatabase.query('rollback')
    await inDatabase.end()
    // No other took it meanwhile, and the heartbeat has come through now.
    await expect.poll(() => held(0)).toEqual([...LEASES])
  })

  test('what one holds and gives back in the middle of a heartbeat stays given back', async () => {
    for (const replica of replicas) await replica.start()
    const blocking = new Client({ connectionString: url })
    await blocking.connect()
    await blocking.query('begin; select from replicas for update')
    await at(clocks, 0).advance(5_000)
    const given = at(replicas, 0).giveWay()
    await blocking.query('rollback')
    await blocking.end()
    await given
    await beat(1)
    expect([held(0), held(1)]).toEqual([[], [...LEASES]])
  })

  test('of leases that both hold some of, neither waits for the other', async () => {
    for (const replica of replicas) await replica.start()
    const [a, b] = dbs.map((db) => new ReplicaStore(db)) as [ReplicaStore, ReplicaStore]
    const me = (n: number) => ({ id: at(dbs, n).replicaId, version: '0', draining: false })
    const direct = new Client({ connectionString: url })
    await direct.connect()
    await direct.query(`update leases set holder = $1 where name in ('fire', 'sandbox')`, [me(1).id])
    for (let round = 0; round < 20; round++) await Promise.all([a.beat(me(0)), b.beat(me(1))])
    await direct.end()
    const [first, second] = [await a.beat(me(0)), await b.beat(me(1))]
    expect([...second.held].toSorted()).toEqual(['fire', 'sandbox'])
    expect(first.held.size + second.held.size).toBe(LEASES.length)
  })

  test('after the database was away for all, no relay is dead for being silent meanwhile', async () => {
    for (const replica of replicas) await replica.start()
    await beat(0)
    await beat(1)
    const dead: string[] = []
    for (const replica of replicas) replica.died.subscribe((id) => dead.push(id))
    const returned: number[] = []
    for (const [n, replica] of replicas.entries()) replica.returned.subscribe(() => returned.push(n))
    for (const n of [0, 1]) at(clocks, n).stall(20_000)
    for (const n of [0, 1]) await unheard(n, 20_000)
    await beat(0)
    await beat(1)
    await beat(0)
    expect([dead, returned]).toEqual([[], [0, 1]])
    // One that does not come back counts as ended all the same.
    await unheard(1, 20_000)
    for (let n = 0; n < 4; n++) await beat(0)
    expect(dead).toEqual([at(dbs, 1).replicaId])
  })

  test('a service that did not start is started after the next heartbeat', async () => {
    await at(replicas, 0).start()
    let tries = 0
    const service: Service = {
      start: async () => {
        tries += 1
        if (tries === 1) throw new Error('the database was slow')
      },
      stop: async () => {},
    }
    const leased = new Leased({ replica: at(replicas, 0), name: 'fire', service, log })
    await expect(leased.start()).rejects.toThrow('slow')
    await beat(0)
    await expect.poll(() => tries).toBe(2)
    await leased.stop()
  })

  test('what any may do falls to one of them; of one that stops or dies, to the other', async () => {
    const keys = Array.from({ length: 100 }, (_, n) => `we_${n}`)
    const owned = (n: number) => keys.filter((key) => at(replicas, n).owns(key)).length
    const divided = () => keys.every((key) => at(replicas, 0).owns(key) !== at(replicas, 1).owns(key))
    for (const replica of replicas) await replica.start()
    expect(owned(0)).toBe(100)
    await beat(0)
    expect([divided(), owned(0) > 20, owned(1) > 20]).toEqual([true, true, true])
    await at(replicas, 0).giveWay()
    await beat(0)
    await beat(1)
    expect([owned(0), owned(1)]).toEqual([0, 100])
    await unheard(1, 16_000)
    await beat(0)
    // There is no other relay to which it could leave them.
    expect(owned(0)).toBe(100)
  })

  test('one that was suspended for 10 seconds holds nothing when it resumes, before any query', async () => {
    await at(replicas, 0).start()
    at(clocks, 0).stall(10_001)
    expect(held(0)).toEqual([])
  })

  test('one that is alone counts for itself; two know of each other when both have sent a heartbeat since the second came', async () => {
    const fleet = (n: number) => ({ ...at(replicas, n).fleet })
    await at(replicas, 0).start()
    expect(fleet(0)).toEqual({ relays: 1, isKnownToAll: true })
    await at(replicas, 1).start()
    // The first has not noticed it yet.
    expect([fleet(0).relays, fleet(1)]).toEqual([1, { relays: 2, isKnownToAll: false }])
    await beat(0)
    expect(fleet(0)).toEqual({ relays: 2, isKnownToAll: true })
    await beat(1)
    expect(fleet(1)).toEqual({ relays: 2, isKnownToAll: true })
    await at(replicas, 0).stop()
    await beat(1)
    expect(fleet(1).relays).toBe(1)
  })

  test('one that was dead for the others is new to them', async () => {
    for (const replica of replicas) await replica.start()
    await beat(0)
    await beat(1)
    expect(at(replicas, 0).fleet).toEqual({ relays: 2, isKnownToAll: true })
    await unheard(0, 16_000)
    await beat(1)
    expect(at(replicas, 1).fleet.relays).toBe(1)
    await beat(0)
    expect(at(replicas, 0).fleet).toEqual({ relays: 2, isKnownToAll: false })
    await beat(1)
    await beat(0)
    expect(at(replicas, 0).fleet).toEqual({ relays: 2, isKnownToAll: true })
  })

  test('a service of one of them runs where the lease is, and stops there when it goes', async () => {
    const running = new Set<number>()
    const services = replicas.map((replica, n) => {
      const service: Service = {
        start: async () => void running.add(n),
        stop: async () => void running.delete(n),
      }
      return new Leased({ replica, name: 'fire', service, log })
    })
    for (const replica of replicas) await replica.start()
    for (const service of services) await service.start()
    expect([...running]).toEqual([0])
    await unheard(0, 16_000)
    await beat(1)
    await expect.poll(() => running.has(1)).toBe(true)
    await beat(0)
    await expect.poll(() => [...running]).toEqual([1])
    for (const service of services) await service.stop()
    expect([...running]).toEqual([])
  })
})
