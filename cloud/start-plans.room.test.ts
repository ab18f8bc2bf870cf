// The start of a relay, and the first pass of everything behind it, reads by index: none of it grows with the orders, events and deliveries that are done.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '#shared/log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { openFreshRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { Cloud } from './cloud.ts'
import { readCloudConfig } from './config.ts'
import { createSandboxAccount } from './sandbox/fixtures.ts'

/** Tables that grow with what is sold. */
const GROWING = new Set(
  ['orders', 'dispatches', 'events', 'deliveries', 'delivery_attempts', 'refunds', 'pos_outbox'].concat([
    'sandbox_tickets',
    'idempotency',
    'spent_order_ids',
    'audit_log',
    'usage_days',
    'webhook_hours',
  ]),
)
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-start-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(dir, { recursive: true })
})

/** Lines of the plan that read a growing table from one end to the other, other than by an index of what is still to do. */
function scansOf(db: Database.Database, sql: string): string[] {
  const partial = db.prepare("select name from sqlite_schema where type = 'index' and sql like '% where %'").pluck()
  const toDo = new Set(partial.all())
  const named = new Map([...sql.matchAll(/"?(\w+)"? as "?(\w+)"?/g)].map(([, table, alias]) => [alias, table]))
  const plan = db.prepare(`explain query plan ${sql}`)
  const rows = plan.all(...Array(sql.split('?').length - 1).fill(1)) as { detail: string }[]
  // The first rows in the order of a key: the rest is not read.
  if (/^select [^()]* order by "\w+" (desc )?limit \S+$/.test(sql) && !sql.includes(' where ')) return []
  return rows.flatMap(({ detail }) => {
    const [, name = '', index = ''] = /^SCAN (\w+)(?:.* INDEX (\w+))?/.exec(detail) ?? []
    return GROWING.has(named.get(name) ?? name) && !toDo.has(index) ? [`${detail}: ${sql}`] : []
  })
}

/** An hour of everything behind the relay: eight seconds of work, and minutes beside browsers. */
const PATIENCE_MS = 900_000

test('no query of a start, and none of the first hour, scans a table that grows', {
  timeout: PATIENCE_MS,
}, async () => {
  const file = join(dir, 'relay.db')
  const clock = new ManualClock()
  const seeded = await openFreshRelayDatabase(file)
  await createSandboxAccount({ db: seeded, clock }, { name: 'Test' })
  await seeded.close()
  const asked = vi.spyOn(Database.prototype, 'prepare')
  const env = {
    CLOUD_DATABASE: file,
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
    CLOUD_EXPORT_DIR: join(dir, 'export'),
    // It has a file of its own, with other tables.
    CLOUD_REQUEST_LOG_DAYS: '0',
  }
  const config = readCloudConfig({ ...env, CLOUD_MASTER_KEY: randomBytes(32).toString('base64') })
  const log = createLogger('cloud', 'silent', { destination: process.stdout })
  const onFatal = (error: unknown) => {
    throw error
  }
  const cloud = new Cloud({ config, clock, random: () => 0, log, onFatal })
  await cloud.start()
  await clock.advance(3_600_000)
  await cloud.stop()
  const queries = new Set(
    asked.mock.calls.map(([sql]) => sql).filter((sql) => /^\s*(with|select|update|delete)/i.test(sql)),
  )
  vi.restoreAllMocks()
  const db = new Database(file, { readonly: true })
  const scans = [...queries].flatMap((sql) => scansOf(db, sql))
  const [customers = ''] = [...queries].filter((sql) => sql.includes('instr("body"'))
  const ofCustomers = db.prepare(`explain query plan ${customers}`).all(1, 1, 1)
  db.close()
  // What asks for orders, events, deliveries and jobs is among them.
  for (const table of ['orders', 'dispatches', 'events', 'deliveries', 'idempotency', 'pos_outbox'])
    expect(
      [...queries].some((sql) => new RegExp(`\\b${table}\\b`).test(sql)),
      table,
    ).toBe(true)
  expect(scans).toEqual([])
  // Orders whose customer data was removed are no longer in it.
  expect(JSON.stringify(ofCustomers)).toMatch(/^[^}]*INDEX orders_customer /)
})
