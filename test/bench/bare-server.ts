// The inject route without storage, for comparison: the very same server, authentication, zod schema, injectOrder, kitchen document, event
// and log lines over stores that hold their few fixed rows in memory and keep nothing: no queries, no commits. Prints its port as one JSON line.
// Arguments: the API key and, as JSON, what `Site` knows of its merchant: {merchantId, umsIds}.

import { RateLimits } from '#cloud/api/rate-limit.ts'
import { buildServer } from '#cloud/api/server.ts'
import { orderRoutes } from '#cloud/api/v1/order-routes.ts'
import { hashApiKey } from '#cloud/auth/api-keys.ts'
import { authorize } from '#cloud/auth/authorize.ts'
import { SCOPES } from '#cloud/auth/scopes.ts'
import { UsageMeter } from '#cloud/billing/usage-meter.ts'
import { FirstTries } from '#cloud/orders/first-try.ts'
import type { InjectDeps } from '#cloud/orders/inject-order.ts'
import { Register } from '#cloud/orders/register.ts'
import type { ApiKeyStore, ApiKeyWithPlan } from '#cloud/storage/api-key-store.ts'
import type { CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { ChannelStore } from '#cloud/storage/channel-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import type { LocationStore } from '#cloud/storage/location-store.ts'
import type { MerchantRecord, MerchantStore } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { PosOutboxStore } from '#cloud/storage/pos-outbox-store.ts'
import type { PrintJobStore } from '#cloud/storage/print-job-store.ts'
import { queryBuilder } from '#cloud/storage/query-builder.ts'
import type { RegisterStore } from '#cloud/storage/register-store.ts'
import type { CatalogItemsTable } from '#cloud/storage/schema-catalog.ts'
import type { UsageStore } from '#cloud/storage/usage-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { systemClock } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { createLogger, logOutput } from '#shared/log.ts'
import { Signal } from '#shared/signal.ts'
import { UNTHROTTLED } from '#test/harness/site.ts'

const [apiKey = '', merchantJson = '{}'] = process.argv.slice(2)
const known = JSON.parse(merchantJson) as { merchantId: string; umsIds: readonly string[] }

const keyRow: ApiKeyWithPlan = {
  id: newId('key', 0),
  account_id: newId('acc', 0),
  environment: 'sandbox',
  hash: hashApiKey(apiKey),
  hint: apiKey.slice(-4),
  name: null,
  scopes: JSON.stringify(SCOPES),
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  replaced_by: null,
  created_at: 0,
  plan: 'sandbox',
  plan_overrides: JSON.stringify(UNTHROTTLED),
}
const merchant: MerchantRecord = {
  key: newId('mer', 0),
  accountId: keyRow.account_id,
  ownerAccountId: keyRow.account_id,
  publicId: known.merchantId,
  environment: 'sandbox',
  name: 'Bench',
  timeZone: 'America/New_York',
  currency: 'USD',
  prepMinutes: 15,
  fireAtHorizonMs: 7 * 86_400_000,
  defaultLocationId: newId('loc', 0),
  autoSilence: true,
  pos: 'register',
  notifyReady: 'off',
}
const catalogRows = new Map(
  known.umsIds.map((umsId): [string, CatalogItemsTable] => [
    umsId,
    {
      merchant_id: merchant.key,
      ums_id: umsId,
      name: `Item ${umsId}`,
      kind: 'item',
      price_cents: 950,
      prep_minutes: 10,
      station: 'grill',
      category: null,
      silenced_at: null,
      stock: null,
      low_threshold: 5,
      low_stock_at: null,
      sequence: 0,
      direct_silenced_at: null,
      direct_silenced_until: null,
      direct_cause: null,
      direct_reason: null,
    },
  ]),
)

// What the queries of a unit meet: every one is answered at once with no row.
const nothing = { rows: [] }
const tx = { executeQuery: async () => nothing } as unknown as Tx
const db = { read: queryBuilder, unit: (work: (on: Tx) => Promise<unknown>) => work(tx) } as unknown as RelayDatabase
const apiKeys = { byHash: async (hash: string) => (hash === keyRow.hash ? keyRow : null) } as unknown as ApiKeyStore
const merchants = {
  find: async (owner: string, publicId: string) =>
    owner === merchant.accountId && publicId === merchant.publicId ? merchant : null,
} as unknown as MerchantStore
const catalog = {
  find: async (_merchantKey: string, umsIds: ReadonlySet<string>) =>
    new Map(
      [...umsIds].flatMap((umsId) => {
        const row = catalogRows.get(umsId)
        return row === undefined ? [] : [[umsId, row] as const]
      }),
    ),
} as unknown as CatalogStore
const orders = {
  first: async () => null,
  insert: async () => undefined,
  changed: new Signal(),
} as unknown as OrderStore
let lastNumber = 0
const registerStore = { next: async () => ++lastNumber } as unknown as RegisterStore

const clock = systemClock
const log = createLogger('bare', 'info', { destination: logOutput(process.stdout) })
// Both count in memory; this meter is never told to write.
const rateLimits = new RateLimits({ clock })
const meter = new UsageMeter({ db, usage: {} as UsageStore, apiKeys, clock, log })
const app = buildServer({ apiKeys, rateLimits, meter, clock, log, docBase: () => '', stopping: () => false })
const register = new Register(registerStore)
const inject: InjectDeps = {
  db,
  orders,
  catalog,
  // The orders of the bench name no location and are not due: these two are not asked.
  locations: {} as LocationStore,
  printJobs: {} as PrintJobStore,
  channels: {} as ChannelStore,
  pos: { register, http: register },
  firstTries: new FirstTries(clock),
  posOutbox: {} as PosOutboxStore,
  secretBox: new SecretBox(Buffer.alloc(32, 1)),
  dispatches: new DispatchStore(db),
  deliveries: new DeliveryStore(db),
  clock,
  log,
}
orderRoutes(app, {
  ...inject,
  // No call of the bench has a key.
  idempotency: {} as IdempotencyStore,
  authorize: (principal, merchantId) => authorize({ merchants }, principal, merchantId),
})
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
console.log(JSON.stringify({ http: typeof address === 'object' && address ? address.port : 0 }))
