// Lists of the dashboard on SQLite: what a filter names, and what waits for an answer, is found by an index, also what became of one order's events. On PostgreSQL: postgres/plans.room.test.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asId } from '#shared/ids.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { AccountRequestStore } from './account-request-store.ts'
import { AccountStore } from './account-store.ts'
import { AuditStore } from './audit-store.ts'
import { CatalogStore } from './catalog-store.ts'
import { DeliveryLog } from './delivery-log.ts'
import { GrantRequestStore } from './grant-request-store.ts'
import { NoticeStore } from './notice-store.ts'
import { OrderTraceStore } from './order-trace-store.ts'
import { SqliteDatabase } from './sqlite/sqlite-database.ts'
import { UserStore } from './user-store.ts'

const ACCOUNT = asId<'acc'>('acc_1')
let dir: string
let db: SqliteDatabase

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lists-'))
  db = await SqliteDatabase.open(join(dir, 'relay.db'), (error) => expect.unreachable(String(error)))
})
afterEach(async () => {
  await db.close()
  rmSync(dir, { recursive: true })
})

const steps = async (work: () => Promise<unknown>) =>
  (await queryPlans(join(dir, 'relay.db'), work)).flatMap((plan) => plan.steps)

test.each([
  ['whoever did it', { actor: 'usr_1' }, 'audit_log_actor (account_id=? AND actor=?)'],
  ['what it was done to', { subject: 'key_1' }, 'audit_log_subject (account_id=? AND subject=?)'],
  ['what was done', { action: 'key.create' }, 'audit_log_action (account_id=? AND action=?)'],
  ['nothing but the account', {}, 'audit_log_account (account_id=?)'],
])('the log of an account is read by %s, newest first, without sorting', async (_, filter, index) => {
  const page = () => new AuditStore(db).page(ACCOUNT, { ...filter, limit: 50 })
  expect(await steps(page)).toEqual([`SEARCH audit_log USING INDEX ${index}`])
})

test('the log of an account is read by all that is done to a noun', async () => {
  const page = () => new AuditStore(db).page(ACCOUNT, { action: 'key.', limit: 50 })
  expect((await steps(page))[0]).toBe(
    'SEARCH audit_log USING INDEX audit_log_action (account_id=? AND action>? AND action<?)',
  )
})

test('mail is counted by its state, each up to the limit that is shown', async () => {
  const figures = () => new NoticeStore(db).figures(['sent', 'kept'])
  const read = (await steps(figures)).filter((step) => step.includes('notices'))
  expect(new Set(read)).toEqual(
    new Set([
      'SEARCH notices USING COVERING INDEX notices_state (state=?)',
      'SEARCH notices USING INDEX notices_due (next_at>?)',
    ]),
  )
})

test('mail to the customers of one restaurant is counted by an index of its own', async () => {
  const of = { merchantKey: asId<'mer'>('mer_1'), kind: 'order-ready', sinceMs: 1, most: 500 }
  expect(
    (await steps(() => db.unit((tx) => new NoticeStore(db).writtenOf(tx, of)))).filter((step) => / notices/.test(step)),
  ).toEqual(['SEARCH notices USING INDEX notices_merchant (merchant_id=? AND kind=? AND created_at>?)'])
})

test.each([
  ['from the first on', null, 'SCAN'],
  ['from any of them on', { askedAtMs: 1, accountId: ACCOUNT }, 'SEARCH'],
] as const)('accounts that wait for an answer are found among all that ever asked, %s', async (_, after, how) => {
  const read = await steps(() => new AccountRequestStore(db).waiting({ after, limit: 26 }))
  expect(read.filter((step) => / r /.test(step)).map((step) => step.replace(/ \(.*/, ''))).toEqual([
    `${how} r USING INDEX live_requests_open`,
    `${how} r USING INDEX plan_requests_open`,
  ])
  expect(read.join()).not.toContain('TEMP B-TREE')
})

test.each([
  ['an owner', { ownerId: ACCOUNT }, 'grant_requests_received (owner_id=?'],
  ['who asks', { accountId: ACCOUNT }, 'grant_requests_sent (account_id=?'],
])('requests for a grant of %s are read by index, the newest first, without sorting', async (_, of, index) => {
  for (const after of [null, { askedAtMs: 1, accountId: ACCOUNT, merchantKey: asId<'mer'>('mer_1') }]) {
    const read = await steps(() => new GrantRequestStore(db).open(of, { after, limit: 26 }))
    expect(read.join()).toContain(`SEARCH grant_requests USING INDEX ${index}`)
    // What is sorted is the page, once more.
    expect(read.filter((step) => /TEMP B-TREE|SCAN/.test(step)).length).toBeLessThanOrEqual(2)
  }
})

test('tickets that wait for a kitchen are found by the jobs that wait at its place, and no order but theirs is read', async () => {
  const merchant = { accountId: ACCOUNT, key: asId<'mer'>('mer_1') }
  const waiting = () => new OrderTraceStore(db).waiting(merchant, { locationId: asId<'loc'>('loc_1'), nowMs: 1 })
  const read = (await steps(waiting)).filter((step) => /^(SEARCH|SCAN) (dispatches|o|gateways)/.test(step))
  expect(read).toEqual([
    'SEARCH dispatches USING INDEX dispatches_open (gateway_id=? AND state=?)',
    'SEARCH gateways USING INDEX gateways_location (location_id=?)',
    'SEARCH dispatches USING INDEX dispatches_queue (location_id=? AND available_at<?)',
    'SEARCH o USING INDEX sqlite_autoindex_orders_1 (id=?) LEFT-JOIN',
  ])
})

test('people and accounts are read a page at a time by their ids', async () => {
  const people = () => new UserStore(db).page({ after: asId<'usr'>('usr_1'), limit: 26 })
  expect(await steps(people)).toEqual(['SEARCH users USING INDEX sqlite_autoindex_users_1 (id<?)'])
  const accounts = () => new AccountStore(db).page({ after: ACCOUNT, limit: 26 })
  expect(await steps(accounts)).toEqual(['SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (id<?)'])
})

test.each([
  ['whatever became of them', {}],
  ['those of one endpoint that failed', { endpointId: asId<'we'>('we_1'), state: 'failed', type: 'order.ready' }],
] as const)(
  'deliveries of an order or an item are read by its events, and those of others are not: %s',
  async (_, more) => {
    const owner = { accountId: ACCOUNT, merchantKey: asId<'mer'>('mer_1'), environment: 'live' } as const
    const range = { from: asId<'dlv'>('dlv_'), below: asId<'dlv'>('dlv_~') }
    const list = () => new DeliveryLog(db).ofSubject(owner, { subjectId: 'ord_1', range, ...more }, 26)
    expect(await steps(list)).toEqual([
      'SEARCH e USING INDEX sqlite_autoindex_events_2 (subject_id=?)',
      'SEARCH d USING INDEX deliveries_event (event_id=?)',
      'SEARCH w USING INDEX sqlite_autoindex_webhook_endpoints_1 (id=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ])
  },
)

test('the menu is read in its display order, without sorting, and continues where the previous page ended', async () => {
  const merchant = asId<'mer'>('mer_1')
  const page = (after: string | null) => () =>
    new CatalogStore(db).page(merchant, { order: 'menu', after, channelId: null, state: null }, 51)
  expect(await steps(page(null))).toEqual(['SEARCH c USING INDEX catalog_items_menu (merchant_id=?)'])
  await db.unit(async (tx) => {
    await tx.insertInto('accounts').values({ id: ACCOUNT, name: 'A', plan: 'starter', created_at: 1 }).execute()
    await tx
      .insertInto('merchants')
      .values({
        ...{ id: merchant, account_id: ACCOUNT, public_id: 'M-1', environment: 'live', name: 'M', time_zone: 'UTC' },
        ...{ prep_minutes: 10, fire_at_horizon_ms: 0, created_at: 1 },
      })
      .execute()
    await tx
      .insertInto('catalog_items')
      .values({ merchant_id: merchant, ums_id: 'a', name: 'A', kind: 'item' })
      .execute()
  })
  expect((await steps(page('a'))).at(-1)).toContain('SEARCH c USING INDEX catalog_items_menu (merchant_id=?')
})
