// A page of orders is read by an index, whatever is asked for: no sort, no walk through others' orders.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { asId } from '#shared/ids.ts'
import { openFreshRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { ofSqlite, PLANS } from '#test/harness/engines.ts'
import type { RelayDatabase } from './database.ts'
import { type OrderFilter, orderPageQuery } from './order-list.ts'

let dir: string
let db: RelayDatabase
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-list-'))
  db = await openFreshRelayDatabase(join(dir, 'relay.db'))
})
afterEach(async () => {
  await db.close()
  rmSync(dir, { recursive: true, force: true })
})

function planOf(filter: OrderFilter): string {
  const after = { at: 1_000, id: 'ord_1' }
  const merchant = { accountId: asId<'acc'>('acc_1'), key: asId<'mer'>('mer_1') }
  const { sql, parameters } = orderPageQuery(db.read, merchant, { filter, page: { after, limit: 26 } }).compile()
  const plans = new Database(join(dir, 'relay.db'), { readonly: true })
  const rows = plans.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
  plans.close()
  return rows.map((row) => row.detail).join('\n')
}

describe('a page of orders', () => {
  ofSqlite(PLANS).each<[string, OrderFilter, RegExp]>([
    ['all', {}, /orders_recent \(account_id=\? AND merchant_id=\? AND \(queued_at,id\)</],
    [
      'of a day',
      { fromMs: 1, toMs: 2_000 },
      /orders_recent \(account_id=\? AND merchant_id=\? AND queued_at>\? AND \(queued_at,id\)</,
    ],
    ['of a status', { status: 'accepted' }, /orders_by_status \(account_id=\? AND merchant_id=\? AND status=\?/],
    ['of a source', { source: 'web' }, /orders_by_source \(account_id=\? AND merchant_id=\? AND source=\?/],
    ['of both, few of the status', { source: 'web', status: 'ready' }, /orders_by_status .* status=\?/],
    ['of both, most of the status', { source: 'web', status: 'completed' }, /orders_by_source .* source=\?/],
    ['by the client’s id', { clientOrderId: 'o-1' }, /account_id=\? AND merchant_id=\? AND client_order_id=\?/],
  ])('%s', (_, filter, plan) => {
    const text = planOf(filter)
    expect(text).toMatch(plan)
    if (filter.clientOrderId === undefined) expect(text).not.toMatch(/TEMP B-TREE/)
    expect(text).not.toMatch(/^SCAN/m)
  })
})
