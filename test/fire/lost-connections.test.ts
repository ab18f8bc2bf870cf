// The relay's database on PostgreSQL when connections are lost in ways that nobody is told.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { holdName } from '#cloud/storage/hold.ts'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { FaultProxy } from '#test/doubles/fault-proxy.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'

const SLOTS = 4

const pass = (db: RelayDatabase, name = 'its own'): Promise<string> =>
  db.unit(async (tx) => {
    await holdName(tx, name)
    return 'passed'
  })

/** Ends what stands still, also when a test fails. */
const ends: (() => void)[] = []

/** A unit that has taken the name and does nothing more until it is told to. */
async function standingStill(db: RelayDatabase, name: string): Promise<{ goOn: () => void; end: Promise<string> }> {
  const { promise: held, resolve: hasIt } = Promise.withResolvers<void>()
  const { promise: told, resolve: goOn } = Promise.withResolvers<void>()
  const end = db.unit(async (tx) => {
    await holdName(tx, name)
    hasIt()
    await told
    await holdName(tx, `${name}, too`)
    return 'passed'
  })
  end.catch(() => {})
  ends.push(goOn)
  await held
  return { goOn, end }
}

const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (result) => result,
    (error: unknown) => (error instanceof StorageRefusal ? error.reason : error),
  )

describe.runIf(postgresPrograms() !== null)('the database of a relay on PostgreSQL', () => {
  let server: PostgresServer
  let network: FaultProxy
  let db: PostgresDatabase
  beforeEach(async () => {
    server = await PostgresServer.start()
    network = new FaultProxy()
    const { port } = await network.start({ host: '127.0.0.1', port: server.port })
    const url = new URL(server.url())
    url.port = String(port)
    db = await PostgresDatabase.open({ url: url.href, slots: SLOTS, readers: 2 })
  })
  afterEach(async () => {
    for (const goOn of ends.splice(0)) goOn()
    await db.close()
    await network.stop()
    await server.remove()
  })

  it('ends a suspended transaction with its locks, so that another relay continues', async () => {
    const { goOn, end } = await standingStill(db, 'a row')
    const other = await PostgresDatabase.open({ url: server.url(), slots: 1, readers: 1 })
    expect(await pass(other, 'a row')).toBe('passed')
    await other.close()
    goOn()
    expect(await reasonOf(end)).toBe('passed')
    await db.probe()
    expect(await pass(db, 'a row')).toBe('passed')
  })

  it('uses no connection again that the network has forgotten', async () => {
    await Promise.all(Array.from({ length: SLOTS }, () => pass(db, 'a row')))
    network.halfOpen('target')
    expect(await reasonOf(pass(db))).toBe('passed')
    await db.probe()
    expect(await Promise.all(Array.from({ length: SLOTS }, () => pass(db, 'a row')))).toHaveLength(SLOTS)
  })
})
