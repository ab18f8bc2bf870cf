// What an account has used: projection, what is left of its rates, its invoices; and the audit log with names.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RateLimits } from '#cloud/api/rate-limit.ts'
import { UsageMeter } from '#cloud/billing/usage-meter.ts'
import { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import { UsageStore } from '#cloud/storage/usage-store.ts'
import { newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { AccountDesk, type Restaurant } from '#test/fixtures/account-desk.ts'

/** The end of the tenth day of a month of 30: a third of it has passed. */
const TENTH = Date.UTC(2026, 10, 11)

let desk: AccountDesk
let bistro: Restaurant
let meter: UsageMeter
beforeEach(async () => {
  const clock = new ManualClock(TENTH)
  const rateLimits = new RateLimits({ clock })
  desk = await AccountDesk.open({
    clock,
    server: ({ db, log }) => {
      meter = new UsageMeter({ db, clock, log, usage: new UsageStore(db), apiKeys: new ApiKeyStore(db) })
      return { rateLimits, meter }
    },
    running: (api) => ({ log: api.stores.log, firstTries: api.stores.firstTries, raster: null, meter, rateLimits }),
  })
  bistro = await desk.restaurant('bistro')
})
afterEach(() => desk.close())

const owner = () => desk.person('owner', bistro.accountId)
const usage = (environment: 'live' | 'sandbox' = 'live', month?: string) =>
  desk.perform(owner(), 'usage.get', { environment, ...(month && { month }) })

async function called(day: string, calls: number): Promise<void> {
  const row = { account_id: bistro.accountId, environment: 'live', day, key_id: bistro.keyId, calls } as const
  await desk.api.db.unit((tx) => tx.insertInto('usage_days').values(row).execute())
}

test('a month is projected at its present rate, with the cost above the plan', async () => {
  await called('2026-11-03', 20_000)
  await called('2026-11-09', 20_000)
  const { report, projection } = await usage()
  expect(report).toMatchObject({ calls: 40_000, included: 100_000 })
  // 120,000 calls, of which 20,000 cost 5 cents each.
  expect(projection).toEqual({ calls: 120_000, overageAmount: 1_000 })
})

test('nothing is projected for a month that has ended, nor on the first day of one', async () => {
  await called('2026-10-03', 20_000)
  expect((await usage('live', '2026-10')).projection).toBeNull()
  await desk.clock.advance(Date.UTC(2026, 11, 1, 12) - TENTH)
  expect((await usage()).projection).toBeNull()
})

test('a call of a moment ago is counted, and is deducted from the calls of this minute', async () => {
  expect((await usage()).rates).toEqual({ steadyPerMinute: 1_000, burstPerMinute: 2_000, withinMinute: null })
  await desk.order(bistro.merchantId, bistro.apiKey, 'o1')
  expect((await usage()).rates.withinMinute).toBe(1_999)
  await desk.order(bistro.merchantId, bistro.apiKey, 'o2')
  const { rates, report } = await usage()
  expect(rates.withinMinute).toBe(1_998)
  expect(report.calls).toBe(2)
  expect((await usage('sandbox')).rates.withinMinute).toBeNull()
})

test('webhook events of this hour are shown with the limit of an hour', async () => {
  const hour = { account_id: bistro.accountId, environment: 'live', sent: 12 } as const
  await desk.api.db.unit((tx) =>
    tx
      .insertInto('webhook_hours')
      .values([
        { ...hour, hour: TENTH },
        { ...hour, hour: TENTH - 3_600_000 },
      ])
      .execute(),
  )
  expect((await usage()).webhooks).toEqual({ perHour: 5_000, sentThisHour: 12 })
})

test('an invoice is shown with its lines to its own account only', async () => {
  const invoiceId = newId('inv', TENTH)
  const line = { description: 'Starter plan, 2026-10', quantity: 1, unitPrice: 199, amount: 199 }
  await desk.api.db.unit((tx) =>
    desk.context.invoices.issue(tx, {
      id: invoiceId,
      account_id: bistro.accountId,
      month: '2026-10',
      plan: 'starter',
      lines: JSON.stringify([line]),
      total_cents: 19_900,
      issued_at: TENTH,
    }),
  )
  expect(await desk.perform(owner(), 'invoices.get', { invoiceId })).toEqual({
    invoiceId,
    month: '2026-10',
    plan: 'starter',
    totalCents: 19_900,
    issuedAt: '2026-11-11T00:00:00.000Z',
    lines: [line],
    account: { accountId: bistro.accountId, name: 'bistro', plan: 'starter' },
  })
  expect(await desk.perform(owner(), 'invoices.list')).toHaveLength(1)
  const other = desk.person('owner', (await desk.restaurant('kiosk')).accountId)
  expect((await desk.refusal(other, 'invoices.get', { invoiceId })).said?.key).toBe('invoice.unknown')
  const developer = desk.person('developer', bistro.accountId)
  expect((await desk.refusal(developer, 'invoices.list')).kind).toBe('forbidden')
})

test('the audit log names people, continues page by page, and is filtered by who, what and subject', async () => {
  const ana = await desk.member(bistro.accountId, { role: 'owner', email: 'ana@bistro.test', name: 'Ana Lopez' })
  const asAna = desk.person('owner', bistro.accountId, { userId: ana })
  const { keyId } = await desk.perform(asAna, 'keys.create', { environment: 'sandbox' })
  await desk.perform(asAna, 'keys.revoke', { keyId })
  await desk.perform(desk.person('owner', bistro.accountId), 'plans.ask', { plan: 'growth' })
  const list = (raw: object) => desk.perform(owner(), 'audit.list', raw)
  const actions = async (raw: object) => (await list(raw)).lines.map(({ action }) => action)
  expect(await actions({})).toEqual(['plan.ask', 'key.revoke', 'key.create'])
  expect((await list({ actor: ana })).lines).toMatchObject([{ actorName: 'Ana Lopez' }, { actorName: 'Ana Lopez' }])
  expect((await list({ action: 'plan.ask' })).lines).toMatchObject([{ actorName: null, after: { plan: 'growth' } }])
  expect(await actions({ action: 'key.' })).toEqual(['key.revoke', 'key.create'])
  expect(await actions({ subject: keyId, action: 'key.revoke' })).toEqual(['key.revoke'])
  const first = await list({ limit: 2 })
  expect(first.lines).toHaveLength(2)
  const second = await list({ limit: 2, before: first.next })
  expect([second.lines.map(({ action }) => action), second.next]).toEqual([['key.create'], null])
})

test('the audit log of another account cannot be read', async () => {
  await desk.perform(owner(), 'keys.create', { environment: 'sandbox' })
  const other = desk.person('owner', (await desk.restaurant('kiosk')).accountId)
  expect((await desk.perform(other, 'audit.list')).lines).toEqual([])
  const developer = desk.person('developer', bistro.accountId)
  expect((await desk.refusal(developer, 'audit.list')).kind).toBe('forbidden')
})
