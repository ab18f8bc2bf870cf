// A relay whose database answers a heartbeat late: it may count on its leases for as long as others respect them, and no longer.
import { Client } from 'pg'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { LEASES, type Replica, replicaOf } from './replica.ts'

if (postgresPrograms() === null)
  process.stderr.write("cloud/replica/late-heartbeat.room.test.ts is skipped: Debian's postgresql is not installed\n")

describe.runIf(postgresPrograms() !== null)('a heartbeat that is answered late', () => {
  let server: PostgresServer
  let db: PostgresDatabase
  let clock: ManualClock
  let replica: Replica
  beforeEach(async () => {
    server = await PostgresServer.start()
    db = await PostgresDatabase.open({ url: server.url() })
    clock = new ManualClock()
    replica = replicaOf({ db, clock, log: pino({ level: 'silent' }) })
    await replica.start()
  })
  afterEach(async () => {
    await replica.stop()
    await db.close()
    await server.remove()
  })

  test('lets the relay count its leases from the request on, and not from the answer on', async () => {
    const held = () => LEASES.filter((name) => replica.holds(name))
    const blocking = new Client({ connectionString: server.url() })
    await blocking.connect()
    await blocking.query('begin; select from replicas for update')
    await clock.advance(5_000)
    clock.stall(4_000)
    const beaten = replica.changed.next()
    await blocking.query('rollback')
    await blocking.end()
    await beaten
    clock.stall(5_999)
    expect(held()).toEqual([...LEASES])
    clock.stall(1)
    expect(held()).toEqual([])
  })
})
