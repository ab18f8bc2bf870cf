// GET /v1/merchants, GET /v1/usage, POST /v1/keys/revoke over a real server, and the meter behind them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAccount, issueApiKey } from '#cloud/auth/accounts.ts'
import type { Environment } from '#cloud/auth/scopes.ts'
import { IssueInvoices } from '#cloud/billing/issue-invoices.ts'
import { UsageMeter } from '#cloud/billing/usage-meter.ts'
import { invoiceMail } from '#cloud/notices/invoice-mail.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { AlertStore } from '#cloud/storage/alert-store.ts'
import { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import { InvoiceStore } from '#cloud/storage/invoice-store.ts'
import { MembershipStore } from '#cloud/storage/membership-store.ts'
import { MerchantListStore } from '#cloud/storage/merchant-list-store.ts'
import { UsageStore } from '#cloud/storage/usage-store.ts'
import { UserStore } from '#cloud/storage/user-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { type AccountId, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { accountRoutes } from './account-routes.ts'

let api: RelayApi
let clock: ManualClock
let meter: UsageMeter
beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2026, 10, 20, 18))
  api = await RelayApi.open({
    clock,
    server: (stores) => {
      meter = new UsageMeter({ ...stores, usage: new UsageStore(stores.db) })
      return { meter }
    },
    routes: (app, { stores, db, authorize }) =>
      accountRoutes(app, {
        ...stores,
        db,
        meter,
        usage: new UsageStore(db),
        invoices: new InvoiceStore(db),
        authorize,
        merchantList: new MerchantListStore(db),
        idempotency: new IdempotencyStore(db),
        secretBox: new SecretBox(Buffer.alloc(32, 7)),
      }),
  })
})
afterEach(() => api.close())

/** A live key of a new account on this plan. */
async function liveKey(plan: 'starter' | 'growth' = 'starter', accountId?: AccountId) {
  return api.db.unit(async (tx) => {
    const id = accountId ?? (await createAccount(tx, api.stores, { name: 'Live' }))
    await api.stores.accounts.change(tx, id, { plan, live_approved_at: clock.now() })
    return { accountId: id, ...(await issueApiKey(tx, api.stores, { accountId: id, environment: 'live' })) }
  })
}

function liveMerchant(accountId: AccountId, publicId: string) {
  const key = newId('mer', clock.now())
  return api.db.unit(async (tx) => {
    await api.stores.merchants.insert(tx, {
      id: key,
      account_id: accountId,
      public_id: publicId,
      environment: 'live',
      name: publicId,
      time_zone: 'UTC',
      prep_minutes: 5,
      fire_at_horizon_ms: 1,
      created_at: clock.now(),
    })
    return key
  })
}

const usageOf = async (key: string, query = '') => (await api.call('GET', `/v1/usage${query}`, { key })).body
const sandboxKey = (accountId: AccountId, environment: Environment = 'sandbox') =>
  api.db.unit((tx) => issueApiKey(tx, api.stores, { accountId, environment }))

describe('GET /v1/merchants', () => {
  const idsOf = async (key: string, query = '') => {
    const answer = await api.call('GET', `/v1/merchants${query}`, { key })
    expect(answer.status).toBe(200)
    return answer.body.data.map((merchant: { merchantId: string }) => merchant.merchantId)
  }

  test('shows a sandbox account its own test merchants with locations, printers and features', async () => {
    const { body } = await api.call('GET', '/v1/merchants')
    const merchant = body.data.find((m: { merchantId: string }) => m.merchantId === 'M-TEST-001')
    expect(merchant).toMatchObject({
      environment: 'sandbox',
      currency: 'USD',
      timezone: 'America/New_York',
      prepMinutes: 12,
      features: { autoSilence: true, pos: 'register' },
    })
    expect(merchant.locations).toHaveLength(1)
    const dozen = body.data.find((m: { merchantId: string }) => m.merchantId === 'M-TEST-003')
    const printers = dozen.locations.map((location: { printers: { total: number } }) => location.printers.total)
    expect([dozen.locations.length > 1, printers.reduce((a: number, b: number) => a + b, 0)]).toEqual([true, 12])
  })

  test('shows a live key its own and granted merchants, never others', async () => {
    const owner = await liveKey()
    const partner = await liveKey()
    const shared = await liveMerchant(owner.accountId, 'M-PROD-SHARED')
    clock.jump(1)
    await liveMerchant(owner.accountId, 'M-PROD-OWN')
    await api.db.unit((tx) =>
      tx
        .insertInto('merchant_grants')
        .values({ account_id: partner.accountId, merchant_id: shared, created_at: 1 })
        .execute(),
    )
    expect(await idsOf(owner.apiKey)).toEqual(['M-PROD-OWN', 'M-PROD-SHARED'])
    expect(await idsOf(partner.apiKey)).toEqual(['M-PROD-SHARED'])
    const sandbox = await sandboxKey(partner.accountId)
    expect(await idsOf(sandbox.apiKey)).toEqual([])
  })

  test('pages through all of them, each once', async () => {
    const owner = await liveKey('growth')
    for (let i = 0; i < 7; i++) await liveMerchant(owner.accountId, `M-PROD-${i}`)
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await api.call('GET', `/v1/merchants?limit=3${cursor}`, { key: owner.apiKey })
      seen.push(...body.data.map((m: { merchantId: string }) => m.merchantId))
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`
    } while (cursor !== '')
    expect([...seen].sort()).toEqual(Array.from({ length: 7 }, (_, i) => `M-PROD-${i}`))
  })
})

describe('POST /v1/keys/revoke', () => {
  const revoke = (key: string, body?: unknown, headers?: Record<string, string>) =>
    api.call('POST', '/v1/keys/revoke', {
      key,
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
    })

  test('without a body the calling key ends with the very next request', async () => {
    const { keyId, apiKey } = await sandboxKey(api.account.accountId)
    const answer = await revoke(apiKey)
    expect([answer.status, answer.body]).toEqual([200, { keyId, revokedAt: '2026-11-20T18:00:00.000Z' }])
    expect((await revoke(apiKey)).body.code).toBe('auth.invalid_token')
    expect((await api.call('GET', '/v1/merchants')).status).toBe(200)
  })

  test('another key of the account is ended by its full text, twice with the same answer', async () => {
    const other = await sandboxKey(api.account.accountId)
    const first = await revoke(api.account.apiKey, { key: other.apiKey })
    await clock.advance(60_000)
    expect((await revoke(api.account.apiKey, { key: other.apiKey })).body).toEqual(first.body)
    expect((await api.call('GET', '/v1/merchants', { key: other.apiKey })).status).toBe(401)
    const audit = await api.db.read.selectFrom('audit_log').selectAll().execute()
    expect(audit).toHaveLength(1)
    expect(audit[0]).toMatchObject({ action: 'key.revoke', subject: other.keyId, account_id: api.account.accountId })
    expect(JSON.stringify(audit)).not.toContain(other.apiKey)
  })

  test("another account's key, an unknown key and a key's id are all the same 404", async () => {
    const stranger = await createSandboxAccount(api, { name: 'Stranger' })
    const mine = await sandboxKey(api.account.accountId)
    const answers = []
    for (const key of [stranger.apiKey, `${stranger.apiKey.slice(0, -1)}x`, mine.keyId, 'x'])
      answers.push(await revoke(api.account.apiKey, { key }))
    const shapes = answers.map(({ status, body }) => JSON.stringify({ status, ...body, requestId: null }))
    expect(new Set(shapes).size).toBe(1)
    expect(answers[0]?.body.code).toBe('key.not_found')
    expect((await api.call('GET', '/v1/merchants', { key: stranger.apiKey })).status).toBe(200)
  })

  test('with an Idempotency-Key a repetition is the same answer, and a bad body is 422', async () => {
    const other = await sandboxKey(api.account.accountId)
    const headers = { 'idempotency-key': 'once' }
    const first = await revoke(api.account.apiKey, { key: other.apiKey }, headers)
    const second = await revoke(api.account.apiKey, { key: other.apiKey }, headers)
    expect([second.headers['idempotent-replayed'], second.text]).toEqual(['true', first.text])
    expect((await revoke(api.account.apiKey, { keyId: other.keyId })).status).toBe(422)
  })
})

describe('GET /v1/usage', () => {
  test('counts what was answered to the account, whichever of its keys called, and not 401, 429 or 5xx', async () => {
    const { accountId, apiKey } = await liveKey()
    const second = await sandboxKey(accountId, 'live')
    expect((await usageOf(apiKey)).calls).toBe(0)
    await api.call('GET', '/v1/merchants', { key: second.apiKey })
    await api.call('POST', '/v1/order/inject', { key: second.apiKey, body: {} })
    await api.call('GET', '/v1/merchants', { key: 'wrong' })
    for (const status of [429, 500, 503]) meter.count({ accountId, environment: 'live', keyId: second.keyId, status })
    const report = await usageOf(apiKey)
    expect(report).toMatchObject({
      month: '2026-11',
      environment: 'live',
      plan: 'starter',
      included: 100_000,
      calls: 3,
    })
    expect(report.days).toEqual([{ day: '2026-11-20', calls: 3 }])
  })

  test('above the included calls service continues and the draft invoice grows by 5 cents a call', async () => {
    const { accountId, apiKey, keyId } = await liveKey()
    for (let i = 0; i < 100_250; i++) meter.count({ accountId, environment: 'live', keyId, status: 200 })
    const report = await usageOf(apiKey)
    expect(report).toMatchObject({ calls: 100_250, overageCalls: 250, overageAmount: 12.5 })
    expect(report.invoice).toEqual({
      status: 'draft',
      lines: [
        { description: 'Starter plan, 2026-11', quantity: 1, unitPrice: 199, amount: 199 },
        { description: 'Calls above 100,000', quantity: 250, unitPrice: 0.05, amount: 12.5 },
      ],
      total: 211.5,
      issuedAt: null,
    })
  })

  test("growth pays 3 cents above a million, and its fee is by contract until the contract's fee is set", async () => {
    const { accountId, apiKey, keyId } = await liveKey('growth')
    const row = { accountId, environment: 'live' as const, keyId, day: '2026-11-19', calls: 1_000_100 }
    await api.db.unit((tx) => new UsageStore(api.db).add(tx, [row]))
    const open = await usageOf(apiKey)
    expect(open).toMatchObject({ included: 1_000_000, overageCalls: 100, overageAmount: 3 })
    expect([open.invoice.total, open.invoice.lines[0]]).toEqual([
      null,
      { description: 'Growth plan, 2026-11, by contract', quantity: 1, unitPrice: null, amount: null },
    ])
    await api.db.unit((tx) => api.stores.accounts.change(tx, accountId, { plan_overrides: '{"feeCents":49900}' }))
    expect((await usageOf(apiKey)).invoice.total).toBe(502.03)
  })

  test('sandbox calls are counted for the developer and never billed', async () => {
    await api.call('GET', '/v1/merchants')
    const report = await usageOf(api.account.apiKey)
    expect(report).toMatchObject({
      environment: 'sandbox',
      plan: 'sandbox',
      included: null,
      calls: 1,
      overageCalls: 0,
      overageAmount: 0,
      invoice: null,
    })
  })

  test('there is a draft only of months that are billed: not before the approval, not of the future', async () => {
    const { accountId, apiKey } = await liveKey()
    const invoiceOf = async (month: string) => (await usageOf(apiKey, `?month=${month}`)).invoice
    expect([await invoiceOf('2026-10'), await invoiceOf('2026-12')]).toEqual([null, null])
    expect(await invoiceOf('2026-11')).toMatchObject({ status: 'draft', total: 199 })
    await api.db.unit((tx) => api.stores.accounts.change(tx, accountId, { live_approved_at: null }))
    expect(await invoiceOf('2026-11')).toMatchObject({ status: 'draft', total: 199 })
  })

  test('a month that is no month is 422, an empty one is empty', async () => {
    expect((await api.call('GET', '/v1/usage?month=2026-13')).status).toBe(422)
    expect(await usageOf(api.account.apiKey, '?month=2025-01')).toMatchObject({ calls: 0, days: [] })
  })
})

describe('the meter', () => {
  test('writes at least every five seconds and at the stop, and stores when a key was last used', async () => {
    const { apiKey, keyId } = await liveKey()
    const written = async () =>
      (await api.db.read.selectFrom('usage_days').selectAll().where('key_id', '=', keyId).execute())[0]?.calls ?? 0
    await meter.start()
    await api.call('GET', '/v1/merchants', { key: apiKey })
    expect(await written()).toBe(0)
    await clock.advance(5_000)
    await meter.flush()
    expect(await written()).toBe(1)
    await api.call('GET', '/v1/merchants', { key: apiKey })
    await meter.stop()
    expect(await written()).toBe(2)
    const key = await api.db.unit((tx) => api.stores.apiKeys.find(tx, keyId))
    expect(key?.last_used_at).toBe(clock.now())
  })

  test('a flush that fails loses nothing', async () => {
    const { accountId, keyId } = await liveKey()
    let broken = true
    const usage = new UsageStore(api.db)
    const fragile = new UsageMeter({
      ...api.stores,
      usage: {
        add: (...args: Parameters<UsageStore['add']>) => {
          if (broken) throw new Error('disk full')
          return usage.add(...args)
        },
      } as unknown as UsageStore,
    })
    fragile.count({ accountId, environment: 'live', keyId, status: 200 })
    await expect(fragile.flush()).rejects.toThrow('disk full')
    fragile.count({ accountId, environment: 'live', keyId, status: 404 })
    broken = false
    await fragile.flush()
    expect(await usage.days(accountId, 'live', '2026-11')).toEqual([{ day: '2026-11-20', calls: 2 }])
  })
})

describe('invoices', () => {
  test('whoever owns the account gets mail of each, once', async () => {
    const { accountId } = await liveKey()
    const [alerts, users, memberships] = [new AlertStore(api.db), new UserStore(api.db), new MembershipStore(api.db)]
    const userId = newId('usr', clock.now())
    await api.db.unit(async (tx) => {
      await users.insert(tx, {
        ...{ id: userId, email: 'owner@bistro.test', email_norm: 'owner@bistro.test', name: 'Ana', language: 'es' },
        ...{ password_hash: null, email_verified_at: null, is_operator: 0, disabled_at: null, created_at: clock.now() },
      })
      await memberships.put(tx, { user_id: userId, account_id: accountId, role: 'owner', created_at: clock.now() })
    })
    const tell = invoiceMail({ ...api.stores, alerts }, 'https://relay.example/dashboard')
    const [usage, invoices] = [new UsageStore(api.db), new InvoiceStore(api.db)]
    const issuing = new IssueInvoices({ ...api.stores, meter, usage, invoices, tell })
    clock.jump(Date.UTC(2026, 11, 1, 0, 5) - clock.now())
    await issuing.sweep()
    await issuing.sweep()
    const mails = await api.db.read.selectFrom('notices').select(['kind', 'to_enc', 'text_enc', 'account_id']).execute()
    expect(mails).toMatchObject([{ kind: 'invoice', account_id: accountId }])
    const { secretBox } = api.stores
    expect(secretBox.open(mails[0]?.to_enc ?? '')).toBe('owner@bistro.test')
    expect(secretBox.open(mails[0]?.text_enc ?? '')).toContain('La factura de 2026-11 está lista.')
  })

  const issuer = () =>
    new IssueInvoices({ ...api.stores, meter, usage: new UsageStore(api.db), invoices: new InvoiceStore(api.db) })
  const invoicesOf = (accountId: AccountId) => new InvoiceStore(api.db).ofAccount(accountId)

  test('a month is issued once, after it has ended, and stays as it was', async () => {
    const { accountId, apiKey } = await liveKey()
    await api.call('GET', '/v1/merchants', { key: apiKey })
    const running = issuer()
    await running.start()
    clock.jump(Date.UTC(2026, 11, 1, 0, 0, 30) - clock.now())
    expect(await running.sweep()).toBe(0)
    clock.jump(90_000)
    expect([await running.sweep(), await running.sweep()]).toEqual([1, 0])
    await running.stop()
    expect(await issuer().sweep()).toBe(0)
    await api.db.unit((tx) => api.stores.accounts.change(tx, accountId, { plan: 'growth' }))
    const november = await usageOf(apiKey, '?month=2026-11')
    expect(november.invoice).toMatchObject({ status: 'issued', total: 199, issuedAt: '2026-12-01T00:02:00.000Z' })
    expect((await usageOf(apiKey)).invoice.status).toBe('draft')
  })

  test('a month is issued within three minutes of its end: a plan that is changed after that counts for the new one', async () => {
    const { accountId } = await liveKey()
    clock.jump(Date.UTC(2026, 11, 1) - 30_000 - clock.now())
    const running = issuer()
    await running.start()
    await clock.advance(3 * 60_000)
    await running.stop()
    await api.db.unit((tx) => api.stores.accounts.change(tx, accountId, { plan: 'growth' }))
    expect(await invoicesOf(accountId)).toMatchObject([{ month: '2026-11', plan: 'starter', total_cents: 19_900 }])
  })

  test('an account with an unreadable contract delays no other invoice, and gets its own once it is readable', async () => {
    const ids = [(await liveKey()).accountId, (await liveKey()).accountId, (await liveKey()).accountId]
    const broken = ids[1] as AccountId
    const contract = (plan_overrides: string | null) =>
      api.db.unit((tx) => api.stores.accounts.change(tx, broken, { plan_overrides }))
    await contract('{"fee":1}')
    clock.jump(Date.UTC(2026, 11, 2) - clock.now())
    const running = issuer()
    expect(await running.sweep()).toBe(2)
    expect(await invoicesOf(broken)).toEqual([])
    await contract(null)
    expect(await running.sweep()).toBe(1)
  })

  test('a relay that was down for months issues each of them', async () => {
    const { accountId } = await liveKey()
    clock.jump(Date.UTC(2027, 1, 3) - clock.now())
    await issuer().sweep()
    expect((await invoicesOf(accountId)).map(({ month }) => month)).toEqual(['2027-01', '2026-12', '2026-11'])
  })

  test('a sandbox account never gets one', async () => {
    await api.call('GET', '/v1/merchants')
    clock.jump(90 * 86_400_000)
    expect(await issuer().sweep()).toBe(0)
    expect(await invoicesOf(api.account.accountId)).toEqual([])
  })
})

test('GET /v1/key returns owner, scopes and expiry of the key, and nothing of other keys', async () => {
  const { accountId } = api.account
  const own = { accountId, environment: 'sandbox' as const, name: 'CLI', expiresAtMs: clock.now() + 1_000 }
  const { keyId, apiKey } = await api.db.unit((tx) => issueApiKey(tx, api.stores, { ...own, scopes: ['menu:read'] }))
  const times = { createdAt: '2026-11-20T18:00:00.000Z', expiresAt: '2026-11-20T18:00:01.000Z' }
  const account = { accountId, name: 'Test' }
  const { body } = await api.call('GET', '/v1/key', { key: apiKey })
  expect(body).toEqual({ keyId, name: 'CLI', account, environment: 'sandbox', scopes: ['menu:read'], ...times })
  clock.jump(1_000)
  expect((await api.call('GET', '/v1/key', { key: apiKey })).status).toBe(401)
})
