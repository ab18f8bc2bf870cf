// The queue of a kitchen: what may go now is found without reading what waits for its day, however much that is.
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asId, type PrintJobId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { ofSqlite, PLANS } from '#test/harness/engines.ts'

const DAY_MS = 86_400_000
let clock: ManualClock
let api: RelayApi
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await api.close()
})

const inject = async (orderId: string, fireAtMs?: number): Promise<PrintJobId> => {
  const fireAt = fireAtMs === undefined ? {} : { fireAt: new Date(fireAtMs).toISOString() }
  return (await api.inject({ orderId, ...fireAt })).body.printJobId
}

async function claim(maxJobs: number): Promise<PrintJobId[]> {
  const gatewayId = asId<'gw'>('gw_1')
  return api.db.unit(async (tx) => {
    const row = { id: gatewayId, location_id: api.locationId, name: 'Box', token_hash: '', shard: 0, stream: 's' }
    const at = { acked_seq: 0, last_seq: 0, session_epoch: 1, presence: 'online' as const, created_at: 0 }
    await tx
      .insertInto('gateways')
      .values({ ...row, ...at })
      .execute()
    const window = { maxJobs, maxBytes: 1_000_000, atLeastOne: true }
    const of = { gatewayId, locationId: api.locationId, stream: 's', epoch: 1, lastSeq: 0 }
    const jobs = await api.stores.dispatches.claim(tx, { ...of, ...window, nowMs: clock.now() })
    return (jobs ?? []).map(({ jobId }) => jobId)
  })
}

test('goes in the order in which jobs were accepted: one that is sent a day ahead is behind all that wait for nothing', async () => {
  const forTomorrow = await inject('scheduled', clock.now() + DAY_MS + 3_600_000)
  clock.jump(1_800_000)
  const [first, second] = [await inject('first'), await inject('second')]
  clock.jump(3_600_000)
  const last = await inject('last')
  expect(await claim(10)).toEqual([first, second, last, forTomorrow])
})

ofSqlite(PLANS)('is looked at by the index alone, up to now: no sort, no walk over what waits', async () => {
  const asked = vi.spyOn(Database.prototype, 'prepare')
  await inject('first')
  await api.stores.dispatches.hasQueued(api.locationId, clock.now())
  await api.stores.dispatches.locationsWithQueued(clock.now())
  await claim(1)
  const looks = asked.mock.calls
    .map(([sql]) => sql)
    .filter((sql) => /dispatches/.test(sql) && /available_at"? <=/.test(sql))
  vi.restoreAllMocks()
  expect(looks).toHaveLength(3)
  const db = new Database(':memory:')
  const schema = await api.db.read
    .selectFrom('sqlite_schema' as never)
    .select('sql' as never)
    .execute()
  for (const { sql } of schema as unknown as { sql: string | null }[]) if (sql && !/sqlite_/.test(sql)) db.exec(sql)
  for (const sql of looks) {
    const plan = db.prepare(`explain query plan ${sql}`).all(...Array(sql.split('?').length - 1).fill(1))
    expect(JSON.stringify(plan)).toMatch(/dispatches_queue \(location_id=\? AND available_at<\?\)/)
    expect(JSON.stringify(plan)).not.toMatch(/TEMP B-TREE/)
  }
  db.close()
})
