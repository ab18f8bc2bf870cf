// A relay that is started with a clock ten years ahead: nothing that it has is deleted, whatever its kind.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { Cloud } from './cloud.ts'
import { readCloudConfig } from './config.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS
let dir: string
let file: string
let clock: ManualClock
let lines: string[]
const KEY = randomBytes(32)
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-ahead-'))
  file = join(dir, 'relay.db')
  clock = new ManualClock()
  lines = []
  const api = await RelayApi.open({ clock })
  for (const orderId of ['a', 'b'])
    await api.inject({ orderId, print: orderId === 'a', customer: { name: 'Zoë', phone: '+15550001' } })
  const [event] = await api.db.read.selectFrom('events').select('id').limit(1).execute()
  const now = clock.now()
  await api.db.unit(async (tx) => {
    await tx.updateTable('dispatches').set({ state: 'accepted' }).execute()
    await tx
      .insertInto('idempotency')
      .values({
        ...{ account_id: api.account.accountId, environment: 'sandbox', path: '/v1/order/refund', key: 'k' },
        ...{ body_hash: '', status: 201, response: '{}', sealed: 0, created_at: now, expires_at: now + 24 * HOUR_MS },
      })
      .execute()
    const [location] = await tx.selectFrom('locations').select('id').limit(1).execute()
    if (location === undefined || event === undefined) throw new Error('there is none')
    await tx
      .insertInto('claim_codes')
      .values({
        ...{ code_hash: 'h', location_id: location.id, gateway_name: 'Box', made_by: 'test' },
        ...{ created_at: now, expires_at: now + HOUR_MS / 4 },
      })
      .execute()
    const endpointId = newId('we', now)
    await tx
      .insertInto('webhook_endpoints')
      .values({
        ...{ id: endpointId, account_id: api.account.accountId, merchant_id: api.merchantKey, environment: 'sandbox' },
        ...{
          url: 'https://x.example',
          events: '[]',
          secret_enc: new SecretBox(KEY).seal('x'),
          status: 'enabled',
          created_at: now,
        },
      })
      .execute()
    const deliveryId = newId('dlv', now)
    await tx
      .insertInto('deliveries')
      .values({
        ...{ id: deliveryId, event_id: event.id, endpoint_id: endpointId, subject_id: 'x', state: 'delivered' },
        ...{ type: 'order.accepted', attempts: 1, next_at: now, created_at: now },
      })
      .execute()
    await tx
      .insertInto('delivery_attempts')
      .values({
        id: newId('att', now),
        delivery_id: deliveryId,
        number: 1,
        trigger: 'schedule',
        at: now,
        ms: 5,
        status: 200,
      })
      .execute()
  })
  const copied = new Database((api.db as SqliteDatabase).file, { readonly: true })
  copied.prepare('vacuum into ?').run(file)
  copied.close()
  await api.close()
})
afterEach(() => rmSync(dir, { recursive: true }))

function relay(): Cloud {
  const env = { CLOUD_DATABASE: file, CLOUD_HTTP_PORT: '0', CLOUD_MQTT_PORT: '0', CLOUD_DELETE_WITHOUT_EXPORT: 'yes' }
  const config = readCloudConfig({ ...env, CLOUD_MASTER_KEY: KEY.toString('base64') })
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  const onFatal = (error: unknown) => expect.unreachable(String(error))
  return new Cloud({ config, clock, random: () => 0, log, onFatal })
}

function rows(): Record<string, unknown> {
  const db = new Database(file, { readonly: true })
  const count = (table: string) => db.prepare(`select count(*) from ${table}`).pluck().get()
  const tables = ['orders', 'dispatches', 'deliveries', 'delivery_attempts', 'idempotency', 'claim_codes']
  const counts = tables.map((table) => [table, count(table)])
  const named = db.prepare(`select count(*) from orders where instr(body, '"customer":') > 0`).pluck().get()
  const accepted = db.prepare(`select count(*) from events where type = 'order.accepted'`).pluck().get()
  db.close()
  return { ...Object.fromEntries(counts), named, accepted }
}

async function run(minutes: number): Promise<void> {
  const cloud = relay()
  await cloud.start()
  for (let n = 0; n < minutes; n++) {
    await clock.advance(60_000)
    // Passes that read and write have their turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await clock.advance(0)
  }
  await cloud.stop()
}

test('keeps all of it, reports it, and deletes what is old only after running for a day', async () => {
  const before = rows()
  expect(before).toMatchObject({ orders: 2, named: 2, delivery_attempts: 1, idempotency: 1, claim_codes: 1 })
  clock.jump(10 * YEAR_MS)
  await run(61)
  expect(rows()).toEqual(before)
  expect(lines.filter((line) => line.startsWith('the clock jumped ahead by'))).toHaveLength(1)
  const db = new Database(file)
  db.prepare(`update marks set at = at + ? where name = 'otherFor'`).run(23 * HOUR_MS)
  db.close()
  await run(61)
  expect(rows()).toMatchObject({ orders: 0, named: 0, delivery_attempts: 0, idempotency: 0, claim_codes: 0 })
})
