// The hot queries on a PostgreSQL server with 200,000 rows in each table: what they look for is found by an index, however much waits or is done.
// Times are equal wherever a recovery, a menu or a second makes them so: what an index leaves in no order would be read whole and sorted.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuditStore } from '#cloud/storage/audit-store.ts'
import { openStores, type Stores } from '#cloud/storage/stores.ts'
import { asId } from '#shared/ids.ts'
import { openFreshPostgresDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { type PostgresPlan, postgresPlans } from '#test/harness/postgres-plans.ts'
import type { PostgresDatabase } from './postgres-database.ts'

const NOW = 1_795_000_000_000
const LATER = NOW + 3_600_000
/** Written while the clock was wrong. */
const AHEAD = NOW + 30 * 86_400_000
const ACCOUNT = asId<'acc'>('acc_1')
const MERCHANT = asId<'mer'>('mer_1')
const ENDPOINT = asId<'we'>('we_1')

let db: PostgresDatabase
let url: string
let stores: Stores

beforeAll(async () => {
  ;({ db, url } = await openFreshPostgresDatabase())
  stores = openStores(db)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  for (const statement of ROWS) await client.query(statement)
  await client.query('analyze')
  await client.end()
})

afterAll(() => db.close())

const many = (columns: string, values: string, count = 200_000) =>
  `insert into ${columns} select ${values} from generate_series(1, ${count}) as n`

/** Half of all waits at one place for later, at one time; some is due; the rest is done. */
const ROWS: readonly string[] = [
  many('accounts (id, name, plan, created_at)', `'acc_' || n, 'A', 'sandbox', 1`, 50),
  many(
    'merchants (id, account_id, public_id, environment, name, time_zone, prep_minutes, fire_at_horizon_ms, created_at)',
    `'mer_' || n, 'acc_' || n, 'M-' || n, 'sandbox', 'M', 'UTC', 1, 1, 1`,
    50,
  ),
  many('locations (id, merchant_id, name, is_default, created_at)', `'loc_' || n, 'mer_' || n, 'L', 1, 1`, 50),
  many(
    `gateways (id, location_id, name, token_hash, shard, acked_seq, last_seq, session_epoch, stream, presence, created_at)`,
    `'gw_' || n, 'loc_' || n, 'G', 'x', 1, 0, 0, 1, 'stream', 'online', 1`,
    50,
  ),
  many(
    'api_keys (id, account_id, environment, hash, hint, scopes, created_at)',
    `'key_' || n, 'acc_' || (n % 50 + 1), 'sandbox', md5(n::text), 'h', '[]', 1`,
  ),
  many(
    `orders (id, account_id, merchant_id, location_id, client_order_id, body_hash, body, result, item_names, status, sequence, total_cents,
      tip_cents, refunded_cents, print, print_state, queued_at, estimated_ready_at, source, fire_at)`,
    `'ord_' || n, 'acc_' || (n % 50 + 1), 'mer_' || (n % 50 + 1), 'loc_' || (n % 50 + 1), 'client-' || n, 'x', '{}', '{}', '[]',
      case when n % 10 = 0 then 'accepted' else 'completed' end, 1, 1, 0, 0, 1, 'printed', ${NOW} + n / 100, 1, 'kiosk',
      case when n % 10 = 0 then ${LATER} end`,
  ),
  many(
    `dispatches (id, order_id, location_id, doc, bytes, state, available_at, possible_duplicate, created_at, gateway_id, stream, seq)`,
    `'pj_' || n, 'ord_' || n, case when n <= 101000 then 'loc_1' else 'loc_' || (n % 50 + 1) end, '{}', 2,
      case when n <= 101000 then 'queued' when n % 100 = 0 then 'accepted' else 'printed' end,
      case when n <= 100000 then ${LATER} else ${NOW} end, 0, 1,
      case when n > 101000 then 'gw_' || (n % 50 + 1) end, case when n > 101000 then 'stream' end, case when n > 101000 then n end`,
  ),
  many(
    `events (position, id, account_id, merchant_id, environment, type, subject_id, sequence, audience, test, created_at, payload)`,
    `${NOW} + n, 'evt_' || n, 'acc_1', 'mer_1', 'sandbox', case when n = 7 then 'order.voided' else 'order.accepted' end, 'ord_' || n, 1,
      case when n % 10 = 0 then 'merchant' else 'account' end, 0, ${NOW}, '{}'`,
  ),
  many(
    `webhook_endpoints (id, account_id, merchant_id, environment, url, events, secret_enc, status, created_at)`,
    `'we_' || n, 'acc_1', 'mer_1', 'sandbox', 'http://x', '["*"]', 's', 'enabled', 1`,
    50,
  ),
  many(
    `deliveries (id, event_id, endpoint_id, subject_id, type, state, attempts, next_at, created_at, manual_at)`,
    `'dlv_' || lpad(n::text, 8, '0'), 'evt_' || n, case when n <= 150000 then 'we_1' else 'we_' || (n % 50 + 1) end, 'ord_' || n,
      'order.accepted', case when n <= 100000 then 'pending' when n <= 150000 then 'retrying' else 'delivered' end,
      case when n <= 100000 then 0 else 1 end,
      case when n between 100001 and 148000 then ${LATER} when n between 148001 and 149000 then ${AHEAD} else ${NOW} end, 1,
      case when n between 140001 and 145000 then ${NOW} end`,
  ),
  many(
    'pos_outbox (id, merchant_id, order_id, kind, payload, state, attempts, next_at, created_at)',
    `'pos_' || n, 'mer_' || (n % 50 + 1), 'ord_' || n, 'order', '{}', case when n <= 105000 then 'pending' else 'done' end, 1,
      case when n <= 99000 then ${LATER} when n <= 100000 then ${AHEAD} else ${NOW} end, 1`,
  ),
  many(
    'channels (merchant_id, channel_id, platform, name, connector, config, status, created_at)',
    `'mer_' || n, 'uber', 'uber', 'U', 'webhook', '{}', 'connected', 1`,
    50,
  ),
  many(
    'channel_items (merchant_id, channel_id, ums_id, external_id, sync_state, revision, attempts, next_at)',
    `case when n <= 101000 then 'mer_1' else 'mer_' || (n % 50 + 1) end, 'uber', 'ums_' || n, 'e', 'synced', 1, 1,
      case when n <= 99000 then ${LATER} when n <= 100000 then ${AHEAD} when n <= 101000 then ${NOW} end`,
  ),
  many(
    'audit_log (ordinal, at, actor, account_id, action, subject)',
    `n, ${NOW}, 'usr_' || (n % 1000), 'acc_' || (n % 50 + 1), case when n % 997 = 0 then 'order.void' else 'key.create' end, 'key_' || (n % 2000)`,
  ),
  many(
    'live_requests (account_id, text, asked_at, answered_at)',
    `'acc_' || n, '', n, case when n % 50000 = 0 then null else 1 end`,
  ),
  many(
    'plan_requests (account_id, plan, text, asked_at, answered_at)',
    `'acc_' || n, 'growth', '', n, case when n % 50000 = 0 then null else 1 end`,
  ),
  many(
    'grant_requests (account_id, merchant_id, owner_id, scopes, text, asked_at, answered_at)',
    `'acc_' || (n % 50 + 1), 'mer_' || n, case when n <= 100000 then 'acc_1' else 'acc_' || (n % 50 + 1) end, '[]', '', n / 100,
      case when n <= 100000 or n % 100 = 0 then null else 1 end`,
  ),
]

/** Nothing big is read whole, and no more than this of anything. @returns the plans */
async function reads(work: () => Promise<unknown>, { rows, pages = 40 + 8 * rows }: { rows: number; pages?: number }) {
  const plans = await postgresPlans(url, work)
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans) {
    expect(
      plan.wholeTables.filter((table) => BIG.has(table)),
      told(plan),
    ).toEqual([])
    expect(plan.rowsRead, told(plan)).toBeLessThanOrEqual(rows)
    expect(plan.pagesRead, told(plan)).toBeLessThanOrEqual(pages)
  }
  return plans
}

const BIG = new Set([
  ...['api_keys', 'orders', 'dispatches', 'events', 'deliveries', 'pos_outbox', 'channel_items'],
  ...['audit_log', 'live_requests', 'plan_requests', 'grant_requests'],
])
const told = ({ sql, nodes, rowsRead }: PostgresPlan) => `${rowsRead} rows: ${sql}\n${nodes.join('\n')}`
const undone = async (work: Parameters<PostgresDatabase['unit']>[0]) => {
  const undo = new Error('undone')
  await expect(
    db.unit(async (tx) => {
      await work(tx)
      throw undo
    }),
  ).rejects.toBe(undo)
}

describe('lists of the dashboard', () => {
  it('of the log of an account read by index what a filter names', async () => {
    await reads(() => new AuditStore(db).page(ACCOUNT, { actor: 'usr_50', limit: 50 }), { rows: 60 })
    await reads(() => new AuditStore(db).page(ACCOUNT, { subject: 'key_50', limit: 50 }), { rows: 60 })
    await reads(() => new AuditStore(db).page(ACCOUNT, { action: 'order.void', limit: 50 }), { rows: 10 })
  })

  it('of requests of accounts reads only those that wait for an answer', async () => {
    // Four of each kind wait. The server may compare every pair: its sample of the table seldom has one of them.
    for (const after of [null, { askedAtMs: 120_000, accountId: ACCOUNT }])
      await reads(() => stores.accountRequests.waiting({ after, limit: 26 }), { rows: 4 + 4 * 4 })
    await reads(() => stores.accountRequests.openOf([asId('acc_50000'), ACCOUNT]), { rows: 4 })
  })

  it('of requests for a grant read a page by index', async () => {
    const after = { askedAtMs: 500, accountId: ACCOUNT, merchantKey: MERCHANT }
    for (const whose of [{ ownerId: ACCOUNT }, { accountId: ACCOUNT }])
      for (const page of [null, after])
        await reads(() => stores.grantRequests.open(whose, { after: page, limit: 26 }), { rows: 26 + 50 })
  })
})

describe('what a gateway prints', () => {
  it('is found at its location by an index, past all that waits for its day', async () => {
    const request = {
      gatewayId: asId<'gw'>('gw_1'),
      locationId: asId<'loc'>('loc_1'),
      stream: 'stream',
      epoch: 1,
      lastSeq: 0,
    }
    const room = { maxJobs: 16, maxBytes: 1_000_000, atLeastOne: true, nowMs: NOW }
    await reads(() => undone((tx) => stores.dispatches.claim(tx, { ...request, ...room })), { rows: 16 })
    await reads(() => stores.dispatches.hasQueued(asId('loc_1'), NOW), { rows: 1 })
  })

  it('is found by one index lookup per location', async () => {
    await reads(() => stores.dispatches.locationsWithQueued(NOW), { rows: 110 })
  })

  it('is found again by its gateway, stream and number', async () => {
    const at = { gatewayId: asId<'gw'>('gw_2'), stream: 'stream', afterSeq: 150_000, count: 16 }
    await reads(() => stores.dispatches.claimedAfter(at), { rows: 16 })
    await reads(() => undone((tx) => stores.dispatches.accept(tx, { ...at, upToSeq: 150_800, nowMs: NOW })), {
      rows: 32,
    })
    await reads(() => stores.dispatches.cancelsOf(asId('gw_2')), { rows: 10 })
    await reads(() => stores.dispatches.ownerOf(asId('pj_77')), { rows: 1 })
  })
})

describe('an order', () => {
  const merchant = { key: MERCHANT, accountId: ACCOUNT }

  it('is found by the id that its client gave it', async () => {
    await reads(() => stores.orders.first(merchant as Parameters<Stores['orders']['first']>[0], 'client-50'), {
      rows: 1,
    })
  })

  it('is on a page of the list that costs the same everywhere', async () => {
    const after = { at: NOW + 500, id: 'ord_50000' }
    for (const filter of [{}, { status: 'accepted' as const }, { source: 'kiosk' }, { clientOrderId: 'client-50' }])
      for (const page of [
        { after: null, limit: 26 },
        { after, limit: 26 },
      ])
        await reads(() => stores.orders.page(merchant, filter, page), { rows: 60 })
  })

  it('whose tickets wait is found by them, and no more of them are read than are counted', async () => {
    const at = { locationId: asId<'loc'>('loc_1'), nowMs: LATER }
    const waiting = () => stores.orderTraces.waiting(merchant, at)
    expect(await waiting()).toMatchObject({ more: true })
    await reads(waiting, { rows: 3 * 1_001 + 20 })
    const nothing = { ...at, locationId: asId<'loc'>('loc_2') }
    await reads(() => stores.orderTraces.waiting(merchant, nothing), { rows: 60 })
  })

  it('that waits for its time is found among those that do', async () => {
    await reads(() => stores.orders.hasDue(NOW), { rows: 1 })
  })
})

it('a key is found by its hash', async () => {
  await reads(() => stores.apiKeys.byHash('c4ca4238a0b923820dcc509a6f75849b'), { rows: 3 + 2 * 50 })
})

describe('events', () => {
  const owner = { accountId: ACCOUNT, merchantKey: MERCHANT, environment: 'sandbox' as const }

  it('are listed from anywhere, a rare type as quickly as a common one', async () => {
    const page = { order: 'desc' as const, limit: 26 }
    for (const filter of [{}, { type: 'order.voided' as const }, { subjectId: 'ord_7' }, { below: NOW + 1_000 }])
      await reads(() => stores.events.list(owner, filter, page), { rows: 130 })
  })

  it('are found by their id', async () => {
    await reads(() => stores.events.find(owner, asId('evt_7')), { rows: 1 })
  })
})

describe('deliveries', () => {
  it.each([
    [{ retries: 0, retriesFirst: false }, 'for the first time'],
    [{ retries: 4, retriesFirst: true }, 'again'],
  ])('are taken %j %s, however many of the endpoint wait', async (kind) => {
    const quotas = new Map([[ENDPOINT, { accountId: ACCOUNT, environment: 'sandbox' as const, perHour: null }]])
    const request = { endpointId: ENDPOINT, limit: 4, ...kind }
    const claim = async () => {
      const claimed = await stores.deliveries.claim([request], quotas, { nowMs: NOW, leaseUntilMs: NOW + 30_000 })
      expect(claimed).toHaveLength(4)
      await stores.deliveries.release(claimed.map(({ ordinal }) => ordinal))
    }
    await reads(claim, { rows: 16 })
  })

  it('that are due are found by one index lookup per endpoint', async () => {
    await reads(() => stores.deliveries.endpointsDue(NOW), { rows: 20 })
  })

  it('are listed by state and type without reading the others', async () => {
    const range = { from: asId<'dlv'>('dlv_'), below: asId<'dlv'>('dlv_9') }
    await reads(() => stores.deliveryLog.list({ endpointId: ENDPOINT, range }, 26), { rows: 160 })
  })

  it('of an order are found by its events, also those of one endpoint', async () => {
    const owner = { accountId: ACCOUNT, merchantKey: MERCHANT, environment: 'sandbox' as const }
    const range = { from: asId<'dlv'>('dlv_'), below: asId<'dlv'>('dlv_~') }
    for (const more of [{}, { endpointId: ENDPOINT, state: 'failed' as const }])
      await reads(() => stores.deliveryLog.ofSubject(owner, { subjectId: 'ord_7', range, ...more }, 26), { rows: 10 })
  })

  it('whose leases ended with a relay are found among leases', async () => {
    await reads(() => stores.deliveries.releaseDead(), { rows: 10 })
  })
})

describe('a point of sale', () => {
  it('gets what is due, past all that waits for later', async () => {
    await reads(() => stores.posOutbox.hasDue(NOW), { rows: 2 })
    const want = { nowMs: NOW, leaseMs: 1, limit: 16 }
    for (const busy of [[], [MERCHANT]])
      await reads(() => undone((tx) => stores.posOutbox.claim(tx, { ...want, busy })), { rows: 100 })
  })
})

describe('a platform', () => {
  it('gets what is due, past all that waits for later', async () => {
    await reads(() => stores.channelOutbox.channelsDue(NOW), { rows: 3 })
    const channel = { merchantKey: MERCHANT, channelId: 'uber' }
    const claim = async () => {
      const claimed = await stores.channelOutbox.claim(channel, { limit: 4, nowMs: NOW, leaseUntilMs: NOW + 1 })
      expect(claimed).toHaveLength(4)
      for (const item of claimed) await stores.channelOutbox.release([item])
    }
    // Each time a claim is tried, four more dead versions of its items are looked at, until a vacuum.
    await reads(claim, { rows: 40 })
  })
})

describe('when the clock was set', () => {
  it.each(['deliveries', 'posOutbox', 'channelOutbox'] as const)(
    '%s that wait are gone through, and changed, in pieces',
    async (name) => {
      const limits = { nowMs: NOW, leaseMs: 30_000, retrySeconds: [3_600] }
      let changed = 0
      const shorten = async () => {
        changed = await stores[name].shorten(limits)
      }
      await reads(shorten, { rows: 600, pages: 6_000 })
      expect(changed).toBe(1_000)
    },
  )
})
