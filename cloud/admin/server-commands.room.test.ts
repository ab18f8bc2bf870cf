// verify and accounts storage on PostgreSQL: what is wrong with rows is found there too, and what is about a file is refused by name.
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { urlOfDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { type Ran, ranAdmin } from '#test/fixtures/ran-admin.ts'

let clock: ManualClock
let api: RelayApi
let url: string
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  url = urlOfDatabase(api.db)
})
afterEach(async () => {
  url = urlOfDatabase(api.db)
  // It is lent again.
  await editing(`update schema_version set version = ${MIGRATIONS.length}`)
  await api.close()
})

function run(...args: string[]): Promise<Ran> {
  return ranAdmin({
    args,
    open: () => Promise.reject(new Error('the database was opened')),
    files: () => ({
      ...{ database: '/nowhere/relay.db', url, socket: null, exportFolder: null, secretBox: null, clock },
      pathOf: (path) => path,
      tell: () => {},
    }),
  })
}

/** Behind everybody's back, references and all. */
async function editing(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const INVOICE = [
  `insert into invoices (id, account_id, month, plan, lines, issued_at) select 'inv_1', id, '2026-10', 'starter', '[]', 1 from accounts`,
  `insert into audit_log (at, actor, action, subject, after) values (1, 'cli', 'invoice.issue', 'inv_1', '{"calls":7}')`,
]
const GATEWAY = `insert into gateways (id, location_id, name, token_hash, shard, stream, acked_seq, last_seq, session_epoch, presence, created_at)
  select 'gw_1', id, 'G', 'h', 0, 's', 4, 3, 0, 'offline', 0 from locations limit 1`

test('what a relay has written has no fault', async () => {
  await api.inject({ orderId: 'one' })
  expect(await run('verify')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^the database ".*" at .*: no fault$/),
  })
})

test.each<[string, string[], RegExp]>([
  [
    'a row that names another which is not there',
    [`insert into merchant_grants (account_id, merchant_id, created_at) values ('acc_x', 'mer_x', 1)`],
    /^merchant_grants: 1 rows name by account_id a row of accounts that is not there$/m,
  ],
  [
    'a counter that would give a number again',
    [`insert into audit_log (ordinal, at, actor, action, subject) values (1000, 1, 'cli', 'a', 's')`],
    /^audit_log: has number 1000, and the next one given is \d+$/m,
  ],
  ['a gateway that has more than it was given', [GATEWAY], /^gateway gw_1: has 4 jobs, only 3 were given out$/m],
  [
    'a job with a number that was not given out',
    [GATEWAY, `update dispatches set gateway_id = 'gw_1', stream = 's', seq = 9`],
    /^gateway gw_1: job pj_\w+ has number 9, only 3 were given out$/m,
  ],
  [
    'a printed order that nobody was told of',
    [`update orders set printed_at = queued_at`],
    /^order ord_\w+: is printed, and has no order.printed$/m,
  ],
  [
    'an order that lacks an event',
    [`delete from deliveries`, `delete from events`],
    /^order ord_\w+: stands at event 1, has 0 events up to 0$/m,
  ],
  [
    'calls below zero',
    [`update usage_days set calls = -1`, `insert into usage_days values ('acc_x', 'live', '2026-10-01', 'k', -1)`],
    /^usage of 2026-10-01: key k of account acc_x has -1 calls$/m,
  ],
  [
    'an invoice for other calls than there were',
    INVOICE,
    /^invoice inv_1: is for 7 calls, the days of 2026-10 have 0$/m,
  ],
  [
    'a position that would be given again',
    [`update event_positions set newest = 5`],
    /^merchant mer_\w+: has an event at \d+, and positions go on from 5$/m,
  ],
  [
    'events that are forgotten beyond the newest',
    [`update event_positions set forgotten = newest + 1`],
    /^merchant mer_\w+: its events are forgotten up to \d+, and positions go on from \d+$/m,
  ],
])('%s is one line, and the exit code is 1', async (_what, statements, line) => {
  await api.inject({ orderId: 'one' })
  await editing(...statements)
  const { code, out } = await run('verify')
  expect(out).toMatch(line)
  expect(code).toBe(1)
})

test('a database without tables, and one of another release, are refused', async () => {
  await editing('update schema_version set version = 99')
  expect((await run('verify')).err).toContain('is of schema 99')
  await editing('update schema_version set version = 1')
  expect((await run('verify')).err).toContain('start a relay of this release on it first')
  const other = new URL(url)
  other.pathname = '/postgres'
  url = other.href
  expect((await run('verify')).err).toContain('has no tables of the relay')
})

test('accounts storage counts what each account stores', async () => {
  await api.inject({ orderId: 'old' })
  await clock.advance(2 * 86_400_000)
  await api.inject({ orderId: 'new' })
  const [first, ...more] = JSON.parse((await run('accounts', 'storage', '--json')).out)
  expect(first).toMatchObject({ accountId: api.account.accountId, environment: 'sandbox', orders: 2, ordersOfDay: 1 })
  expect(first.bytesOfDay).toBe(first.bytes / 2)
  expect(more).toEqual([])
})

test('a move to what is no address of PostgreSQL is refused without showing its password', async () => {
  const wrong = await run('move', '--to', 'http://user:secret@host/relay')
  expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^--to must be postgres:/) })
  expect(wrong.err).not.toContain('secret')
  const none = await run('move', '--from', '/nowhere/relay.db')
  expect(none).toMatchObject({ code: 1, err: 'There is no file /nowhere/relay.db: say --from, or set CLOUD_DATABASE.' })
})

test.each([['backup', '--to', '/tmp/x'], ['restore', '/tmp/x'], ['note-restore']])(
  '%s is for the SQLite file, and says so',
  async (...line) => {
    expect(await run(...line)).toMatchObject({ code: 1, err: expect.stringContaining('docs/postgres-backup.md') })
  },
)
