// Lists of the dashboard on SQLite: what a filter names, and what waits for an answer, is found by an index, also what became of one order's events. On PostgreSQL: postgres/plans.room.test.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asId } from '#shared/ids.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { AccountRequestStore } from './account-request-store.ts'
import { AuditStore } from './audit-store.ts'
import { DeliveryLog } from './delivery-log.ts'
import { NoticeStore } from './notice-store.ts'
import { SqliteDatabase } from './sqlite/sqlite-database.ts'

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

test('mail is counted by its state, of each no more than is said', async () => {
  const figures = () => new NoticeStore(db).figures(['sent', 'kept'])
  const read = (await steps(figures)).filter((step) => step.includes('notices'))
  expect(new Set(read)).toEqual(
    new Set([
      'SEARCH notices USING COVERING INDEX notices_state (state=?)',
      'SEARCH notices USING INDEX notices_due (next_at>?)',
    ]),
  )
})

test('accounts that wait for an answer are found among all that ever asked', async () => {
  expect(await steps(() => new AccountRequestStore(db).open())).toEqual([
    'SCAN live_requests USING INDEX live_requests_open',
    'SCAN plan_requests USING INDEX plan_requests_open',
  ])
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
