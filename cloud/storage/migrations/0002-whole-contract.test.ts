// A relay of the first schema, with rows in every table, is opened by this program: nothing is lost, and what is new reads right.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { SQLITE_WORDS } from '#cloud/storage/dialect-words.ts'
import { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import { OrderStore } from '#cloud/storage/order-store.ts'
import { PrintJobStore } from '#cloud/storage/print-job-store.ts'
import type { RelaySchema } from '#cloud/storage/schema.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { asId } from '#shared/ids.ts'
import * as first from './0001-first.ts'

const BODY = JSON.stringify({ merchantId: 'M-TEST-001', orderId: 'o-1', source: 'kiosk', items: [], total: 1 })
// As the first release wrote them; its columns only.
const ROWS = [
  `insert into accounts (id, name, plan, created_at) values ('acc', 'A', 'sandbox', 1)`,
  `insert into merchants (id, account_id, public_id, environment, name, time_zone, prep_minutes, fire_at_horizon_ms, created_at)
    values ('mer', 'acc', 'M-TEST-001', 'sandbox', 'M', 'UTC', 10, 0, 1)`,
  `insert into locations (id, merchant_id, name, is_default, created_at) values ('loc', 'mer', 'L', 1, 1)`,
  `insert into gateways (id, location_id, name, token_hash, shard, stream, acked_seq, last_seq, session_epoch, presence, created_at)
    values ('gw', 'loc', 'G', 'h', 0, 's', 4, 4, 1, 'offline', 1)`,
  `insert into catalog_items (merchant_id, ums_id, name, kind, silenced_at) values ('mer', 'off', 'Off', 'item', 7), ('mer', 'on', 'On', 'item', null)`,
  `insert into orders (id, account_id, merchant_id, location_id, client_order_id, body_hash, body, result, item_names, status, sequence, total_cents,
    tip_cents, refunded_cents, print, print_job_id, print_state, queued_at, estimated_ready_at)
    values ('ord', 'acc', 'mer', 'loc', 'o-1', 'h', '${BODY}', '{}', '{}', 'printed', 2, 100, 0, 0, 1, 'pj1', 'printed', 5, 6)`,
  ...['queued', 'accepted', 'printed', 'cancelled'].map((state, i) => {
    const isFinal = i > 1
    return `insert into dispatches (id, order_id, location_id, doc, bytes, state, available_at, gateway_id, stream, seq, possible_duplicate,
      settled_at, cancel_requested_at, created_at) values ('${state === 'printed' ? 'pj1' : state}', ${state === 'printed' ? "'ord'" : 'null'}, 'loc', '{}', 2,
      '${state}', 1, ${state === 'queued' ? 'null, null, null' : `'gw', 's', ${i}`}, 0, ${isFinal ? 9 : 'null'},
      ${state === 'accepted' || state === 'cancelled' ? 8 : 'null'}, 1)`
  }),
  `insert into events (id, account_id, merchant_id, environment, type, subject_id, sequence, payload, created_at)
    values ('evt', 'acc', 'mer', 'sandbox', 'order.accepted', 'ord', 1, '{}', 5)`,
  `insert into webhook_endpoints (id, account_id, merchant_id, environment, url, events, secret_enc, status, created_at)
    values ('we', 'acc', 'mer', 'sandbox', 'http://x', '["*"]', 's', 'enabled', 1)`,
  `insert into deliveries (id, event_id, endpoint_id, subject_id, state, attempts, next_at, created_at)
    values ('d0', 'evt', 'we', 'ord', 'pending', 0, 5, 5), ('d1', 'evt', 'we', 'ord', 'retrying', 2, 5, 5)`,
]

let dir: string
let db: RelayDatabase
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-schema-'))
  const file = join(dir, 'relay.db')
  const old = new Database(file)
  await first.up(new Kysely<RelaySchema>({ dialect: new SqliteDialect({ database: old }) }), SQLITE_WORDS)
  for (const row of ROWS) old.exec(row)
  old.pragma('user_version = 1')
  old.close()
  db = await SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))
})
afterEach(async () => {
  await db.close()
  rmSync(dir, { recursive: true })
})

const merchant = { accountId: asId<'acc'>('acc'), key: asId<'mer'>('mer') }

test('orders keep everything, have their source, and took no stock', async () => {
  const page = { after: null, limit: 10 }
  const found = await new OrderStore(db).page(merchant, { source: 'kiosk' }, page)
  expect(found).toMatchObject([{ id: 'ord', body: BODY, source: 'kiosk', status: 'printed', stock_taken: null }])
  expect(await new OrderStore(db).page(merchant, { source: 'web' }, page)).toEqual([])
})

test('jobs are orders of their orders’ owners; a settled cancel is not sent again, an open one still is', async () => {
  const dispatches = new DispatchStore(db)
  expect((await dispatches.cancelsOf(asId('gw'))).map(({ jobId }) => jobId)).toEqual(['accepted'])
  expect(await new PrintJobStore(db).find(merchant, asId('pj1'))).toMatchObject({ kind: 'order', state: 'printed' })
  expect(await db.unit((tx) => dispatches.requestCancel(tx, asId('pj1'), 20))).toBe('requested')
})

test('a gateway of the old release prints orders only until its next hello', async () => {
  expect(await new PrintJobStore(db).kitchens(merchant.key)).toMatchObject([{ gatewayId: 'gw', caps: [] }])
})

test('silenced items stay silenced, by a call; nothing is counted', async () => {
  const items = db.read.selectFrom('catalog_items').select(['ums_id', 'direct_silenced_at', 'direct_cause', 'stock'])
  expect(await items.orderBy('ums_id').execute()).toEqual([
    { ums_id: 'off', direct_silenced_at: 7, direct_cause: 'call', stock: null },
    { ums_id: 'on', direct_silenced_at: null, direct_cause: null, stock: null },
  ])
})

test('items of an older menu have no category', async () => {
  const items = db.read.selectFrom('catalog_items').select(['ums_id', 'category']).orderBy('ums_id')
  expect((await items.execute()).map(({ category }) => category)).toEqual([null, null])
})

test('deliveries know their event’s type, and only those with an attempt count against the allowance', async () => {
  const deliveries = db.read.selectFrom('deliveries').select(['id', 'type', 'counted', 'manual_attempts'])
  expect(await deliveries.orderBy('id').execute()).toEqual([
    { id: 'd0', type: 'order.accepted', counted: 0, manual_attempts: 0 },
    { id: 'd1', type: 'order.accepted', counted: 1, manual_attempts: 0 },
  ])
})
