// A release and the next one on one database: the older one runs on while the newer one adds to the schema, and does not start where that takes
// something away. The newer one is this program with migrations that are made up.
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CannotOpen } from '#cloud/storage/cannot-open.ts'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import { ReplicaStore } from '#cloud/storage/replica-store.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { asId } from '#shared/ids.ts'
import { CONTRACTED_SCHEMA, EXPANDED_SCHEMA } from '#test/fixtures/newer-schema.ts'
import { PostgresDatabases } from '#test/harness/postgres-databases.ts'
import { migrate } from './migrate.ts'
import { PostgresDatabase } from './postgres-database.ts'

/** They are not given back: their schema is another one. */
const databases = new PostgresDatabases(
  process.env['TEST_DATABASE_URL'] ?? '',
  process.env['TEST_DATABASE_TEMPLATE'] ?? '',
)

let db: PostgresDatabase
let url: string
beforeEach(async () => {
  ;({ url } = await databases.lend())
  db = await open()
})
afterEach(() => db.close())

const open = () => PostgresDatabase.open({ url, slots: 3, readers: 2, patience: 10 })
const newer = (migrations: typeof MIGRATIONS) => migrate({ connectionString: url }, { migrations })

async function versionOf(): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select version::int, needs_program::int from schema_version')
  await client.end()
  return rows[0]
}

/** @returns what the operator reads, and whether it may pass */
const refusalOf = (work: Promise<unknown>): Promise<[string, boolean]> =>
  work.then(
    () => expect.unreachable('it went on'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(CannotOpen)
      const { message, passes } = error as CannotOpen
      return [message, passes]
    },
  )

const beat = (id: string, on = db) => new ReplicaStore(on).beat({ id, version: '1', draining: false })

describe('a program whose database a newer release has extended', () => {
  it('starts: it needs nothing that is not there', async () => {
    await newer(EXPANDED_SCHEMA)
    expect(await versionOf()).toMatchObject({ version: MIGRATIONS.length + 1 })
    await (await open()).close()
    expect(await versionOf()).toMatchObject({ version: MIGRATIONS.length + 1 })
  })

  it('runs on, in units and in reads, while that is done under its hands', async () => {
    const { accounts, gateways } = openStores(db)
    const accountId = asId<'acc'>('acc_1')
    const insert = (id: string) =>
      db.unit((tx) =>
        tx
          .insertInto('accounts')
          .values({ id: asId<'acc'>(id), name: 'Bistro', plan: 'sandbox', created_at: 1 })
          .execute(),
      )
    /** On each of its connections: all know their statements by then. */
    const everywhere = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: 6 }, work))
    const read = () => accounts.find(accountId)
    const inUnit = () => db.unit((tx) => gateways.byId(asId('gw_1'), tx))
    await insert('acc_1')
    await everywhere(read)
    await everywhere(inUnit)
    await newer(EXPANDED_SCHEMA)
    for (const found of await everywhere(read)) expect(found).toMatchObject({ id: accountId })
    expect(await everywhere(inUnit)).toEqual(Array(6).fill(null))
    await insert('acc_2')
    expect(db.gate.refusal()).toBeNull()
  })
})

describe('a release that takes away what older ones need', () => {
  it('is one line for an older program that starts on its database', async () => {
    await newer(CONTRACTED_SCHEMA)
    const version = MIGRATIONS.length + 2
    expect(await versionOf()).toEqual({ version, needs_program: version })
    expect(await refusalOf(open())).toEqual([
      `the database of DATABASE_URL is of version ${version} and needs a program that knows ${version}; this one knows ${MIGRATIONS.length}: install the newer release`,
      false,
    ])
  })

  it('waits for the older relays to end before it takes anything', async () => {
    await newer(EXPANDED_SCHEMA)
    await beat('r_older')
    expect(await refusalOf(newer(CONTRACTED_SCHEMA))).toEqual([
      'a relay of an older release works on the database of DATABASE_URL, and cannot run on what this release makes of it: end all of those first',
      true,
    ])
    expect(await versionOf()).toMatchObject({ version: MIGRATIONS.length + 1 })
    await new ReplicaStore(db).leave('r_older')
    await newer(CONTRACTED_SCHEMA)
    expect(await versionOf()).toMatchObject({ version: MIGRATIONS.length + 2 })
  })

  it('waits for no dead relay', async () => {
    await beat('r_dead')
    await db.unit((tx) => tx.updateTable('replicas').set({ seen_at: 1 }).execute())
    await newer(CONTRACTED_SCHEMA)
    expect(await versionOf()).toMatchObject({ version: MIGRATIONS.length + 2 })
  })
})
