// The test merchants: what each account gets, and what an account of an older version keeps.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashApiKey, makeApiKey } from '#cloud/auth/api-keys.ts'
import { registerGateway, revokeGateway } from '#cloud/relay/gateway-registry.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { SQLITE_WORDS } from '#cloud/storage/dialect-words.ts'
import { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import { GatewayStore } from '#cloud/storage/gateway-store.ts'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import type { RelaySchema } from '#cloud/storage/schema.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { type AccountId, asId, type MerchantKey, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { addMissingFixtures, createSandboxAccount, fixtureStores } from './fixtures.ts'

let dir: string
let file: string
let db: RelayDatabase
const clock = new ManualClock()
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-fixtures-'))
  file = join(dir, 'relay.db')
})
afterEach(async () => {
  await db.close()
  rmSync(dir, { recursive: true, force: true })
})

const open = () =>
  SqliteDatabase.open(file, (error) => {
    throw error
  })
const addMissing = () => addMissingFixtures({ ...fixtureStores(db), db, clock })

/** Merchants, locations and printers as an account has them, by public id. */
async function kitchensOf(accountId: AccountId) {
  const rows = await db.read
    .selectFrom('merchants as m')
    .innerJoin('locations as l', 'l.merchant_id', 'm.id')
    .leftJoin('gateways as g', (join) => join.onRef('g.location_id', '=', 'l.id').on('g.revoked_at', 'is', null))
    .select(['m.public_id', 'l.name', 'l.kitchen', 'l.is_default', 'g.presence', 'g.simulated'])
    .select((e) =>
      e
        .selectFrom('printers as p')
        .select((f) => f.fn.countAll<number>().as('n'))
        .whereRef('p.gateway_id', '=', 'g.id')
        .as('printers'),
    )
    .where('m.account_id', '=', accountId)
    .orderBy('m.id')
    .orderBy('l.id')
    .execute()
  return Map.groupBy(rows, (row) => row.public_id)
}

describe('a new account', () => {
  beforeEach(async () => {
    db = await open()
  })

  test('has its own copy of the six test merchants, each with a simulated kitchen', async () => {
    const { accountId, merchants } = await createSandboxAccount({ db, clock }, { name: 'A' })
    expect(merchants.map(({ merchantId }) => merchantId)).toEqual([
      'M-TEST-001',
      'M-TEST-002',
      'M-TEST-003',
      'M-TEST-SLOW',
      'M-TEST-FLAKY',
      'M-TEST-PRINTER-OFFLINE',
    ])
    const kitchens = await kitchensOf(accountId)
    for (const [publicId, locations] of kitchens)
      for (const location of locations)
        expect([publicId, location.kitchen, location.simulated, location.presence]).toEqual([
          publicId,
          'simulated',
          1,
          publicId === 'M-TEST-PRINTER-OFFLINE' ? 'offline' : 'online',
        ])
    const other = await createSandboxAccount({ db, clock }, { name: 'B' })
    const keys = [...merchants, ...other.merchants].map(({ key }) => key)
    expect(new Set(keys).size).toBe(12)
  })

  test('has twelve printers at three locations of M-TEST-003, one of them the default location', async () => {
    const { accountId } = await createSandboxAccount({ db, clock }, { name: 'A' })
    const locations = (await kitchensOf(accountId)).get('M-TEST-003') ?? []
    expect(locations.map(({ printers }) => Number(printers))).toEqual([4, 4, 4])
    expect(locations.filter((location) => location.is_default === 1)).toHaveLength(1)
    const printers = await db.read.selectFrom('printers').select('printer_id').execute()
    expect(new Set(printers.map((row) => row.printer_id)).size).toBe(printers.length)
  })

  test('has six platforms connected to M-TEST-002, each with its own ids for the whole menu, and all in sync', async () => {
    const { merchants } = await createSandboxAccount({ db, clock }, { name: 'A' })
    const channels = await db.read.selectFrom('channels').selectAll().execute()
    expect(channels).toHaveLength(6)
    for (const channel of channels)
      expect(channel).toMatchObject({ merchant_id: merchants[1]?.key, connector: 'simulated', status: 'connected' })
    const items = await db.read.selectFrom('channel_items').selectAll().execute()
    expect(items).toHaveLength(6 * 17)
    expect(new Set(items.map((item) => item.external_id)).size).toBe(items.length)
    for (const item of items) expect(item).toMatchObject({ sync_state: 'synced', next_at: null, silenced_at: null })
  })

  test('lacks nothing, so a start adds nothing to it', async () => {
    await createSandboxAccount({ db, clock }, { name: 'A' })
    expect(await addMissing()).toBe(0)
  })
})

test('a test location whose only gateway was revoked gets its simulated kitchen back at the next start', async () => {
  db = await open()
  const { accountId, merchants } = await createSandboxAccount({ db, clock }, { name: 'A' })
  const deps = { db, gateways: new GatewayStore(db), dispatches: new DispatchStore(db), clock }
  const locationId = merchants[0]?.locations[0]?.locationId ?? asId('none')
  const { gatewayId } = await registerGateway(deps, { locationId, name: 'Mine' })
  expect(await addMissing()).toBe(0)
  await revokeGateway(deps, gatewayId)
  expect(await addMissing()).toBe(1)
  const locations = (await kitchensOf(accountId)).get('M-TEST-001')
  expect(locations).toEqual([expect.objectContaining({ kitchen: 'simulated', simulated: 1, presence: 'online' })])
})

describe('a live merchant', () => {
  const live = { key: asId<'mer'>('mer_live'), locationId: asId<'loc'>('loc_live') }

  beforeEach(async () => {
    db = await open()
    const { accountId } = await createSandboxAccount({ db, clock }, { name: 'A' })
    const { merchants, locations } = fixtureStores(db)
    await db.unit(async (tx) => {
      await merchants.insert(tx, {
        id: live.key,
        account_id: accountId,
        public_id: 'M-PROD-001',
        environment: 'live',
        name: 'Real',
        time_zone: 'UTC',
        prep_minutes: 1,
        fire_at_horizon_ms: 1,
        created_at: 1,
      })
      await locations.insert(tx, {
        id: live.locationId,
        merchant_id: live.key,
        name: 'Main Street',
        is_default: 1,
        created_at: 1,
      })
    })
  })

  test('gets no test data and no simulated kitchen, although no gateway is paired', async () => {
    expect(await addMissing()).toBe(0)
    const kitchen = await db.read.selectFrom('locations').select('kitchen').where('id', '=', live.locationId).execute()
    expect(kitchen).toEqual([{ kitchen: 'gateway' }])
    for (const [table, column] of [
      ['gateways', 'location_id'],
      ['catalog_items', 'merchant_id'],
      ['channels', 'merchant_id'],
    ] as const) {
      const owner = column === 'location_id' ? live.locationId : live.key
      const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${owner}`.execute(db.read)
      expect([table, rows]).toEqual([table, []])
    }
  })

  test('cannot be given a simulated kitchen', async () => {
    const opening = db.unit((tx) =>
      fixtureStores(db).fixtures.openKitchen(tx, {
        gatewayId: newId('gw', 1),
        locationId: live.locationId,
        presence: 'online',
        caps: [],
        printers: [],
        nowMs: 1,
      }),
    )
    await expect(opening).rejects.toThrow('no location of a sandbox merchant')
    expect(await new GatewayStore(db).ofLocation(live.locationId)).toEqual([])
  })
})

describe('an account of version 0001', () => {
  const apiKey = makeApiKey('sandbox')
  const accountId: AccountId = asId('acc_old')
  const merchantKey: MerchantKey = asId('mer_old')

  beforeEach(async () => {
    const old = new Kysely<RelaySchema>({ dialect: new SqliteDialect({ database: new Database(file) }) })
    await MIGRATIONS[0]?.up(old, SQLITE_WORDS)
    const sqlite = new Database(file)
    sqlite.exec(`
      pragma user_version = 1;
      insert into accounts (id, name, plan, created_at) values ('acc_old', 'Old', 'sandbox', 1);
      insert into api_keys (id, account_id, environment, hash, hint, scopes, created_at)
        values ('key_old', 'acc_old', 'sandbox', '${hashApiKey(apiKey)}', 'abcd', '[]', 1);
      insert into merchants (id, account_id, public_id, environment, name, time_zone, prep_minutes, fire_at_horizon_ms, created_at)
        values ('mer_old', 'acc_old', 'M-TEST-001', 'sandbox', 'My own name', 'Europe/Paris', 7, 1000, 1);
      insert into locations (id, merchant_id, name, is_default, created_at) values ('loc_old', 'mer_old', 'Main Street', 1, 1);
      insert into catalog_items (merchant_id, ums_id, name, kind, price_cents, silenced_at)
        values ('mer_old', 'UMS-FRIES-01', 'Renamed Fries', 'item', 1, 55), ('mer_old', 'UMS-MINE', 'Mine', 'item', 2, null);`)
    sqlite.close()
    await old.destroy()
    db = await open()
  })

  test('gets what it lacks at the next start and keeps what it has', async () => {
    expect(await addMissing()).toBe(1)
    expect(await addMissing()).toBe(0)
    expect([...(await kitchensOf(accountId)).keys()]).toHaveLength(6)
    const key = await db.read
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', asId<'key'>('key_old'))
      .executeTakeFirst()
    expect(key).toMatchObject({ hash: hashApiKey(apiKey), revoked_at: null })
    const merchant = await db.read
      .selectFrom('merchants')
      .selectAll()
      .where('id', '=', merchantKey)
      .executeTakeFirstOrThrow()
    expect(merchant).toMatchObject({ name: 'My own name', time_zone: 'Europe/Paris', prep_minutes: 7 })
    const items = await db.read
      .selectFrom('catalog_items')
      .select(['ums_id', 'name', 'silenced_at'])
      .where('merchant_id', '=', merchantKey)
      .execute()
    expect(items).toHaveLength(18)
    expect(items).toContainEqual({ ums_id: 'UMS-FRIES-01', name: 'Renamed Fries', silenced_at: 55 })
    expect(items).toContainEqual({ ums_id: 'UMS-MINE', name: 'Mine', silenced_at: null })
  })

  test('has a simulated kitchen where nothing printed, at the location that it had', async () => {
    await addMissing()
    const locations = (await kitchensOf(accountId)).get('M-TEST-001')
    expect(locations).toEqual([expect.objectContaining({ name: 'Main Street', kitchen: 'simulated', printers: 4 })])
  })

  test('keeps its paired gateway: that location is not simulated', async () => {
    const gateway = await registerGateway(
      { db, gateways: new GatewayStore(db), clock },
      { locationId: asId('loc_old'), name: 'Mine' },
    )
    expect(await addMissing()).toBe(1)
    const locations = (await kitchensOf(accountId)).get('M-TEST-001')
    expect(locations).toEqual([expect.objectContaining({ kitchen: 'gateway', simulated: 0 })])
    expect((await new GatewayStore(db).ofLocation(asId('loc_old'))).map((g) => g.gatewayId)).toEqual([
      gateway.gatewayId,
    ])
    expect(await addMissing()).toBe(0)
  })
})
