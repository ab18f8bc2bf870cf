// The sandbox's test merchants as data, and the account that gets its own copy of them.
import { createAccount, issueApiKey } from '#cloud/auth/accounts.ts'
import { AccountStore } from '#cloud/storage/account-store.ts'
import { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import { CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { LocationStore } from '#cloud/storage/location-store.ts'
import { MerchantStore } from '#cloud/storage/merchant-store.ts'
import type { Clock } from '#shared/clock.ts'
import { type AccountId, type LocationId, type MerchantKey, newId } from '#shared/ids.ts'
import { BISTRO_MENU, type FixtureItem } from './bistro-menu.ts'

const DAY_MS = 86_400_000

/** A test merchant of the specification. */
interface FixtureMerchant {
  merchantId: string
  name: string
  timeZone: string
  prepMinutes: number
  /** The first is the default location. */
  locations: readonly string[]
  menu: readonly FixtureItem[]
}

const FIXTURE_MERCHANTS: readonly FixtureMerchant[] = [
  {
    merchantId: 'M-TEST-001',
    name: 'Café Señorita',
    timeZone: 'America/New_York',
    prepMinutes: 12,
    locations: ['Main Street'],
    menu: BISTRO_MENU,
  },
]

export interface SandboxMerchant {
  merchantId: string
  key: MerchantKey
  timeZone: string
  locations: { locationId: LocationId; name: string }[]
  /** Items, without modifiers. */
  umsIds: string[]
}

export interface SandboxAccount {
  accountId: AccountId
  /** In clear, this once. */
  apiKey: string
  merchants: SandboxMerchant[]
}

/** A new sandbox account with its key and its own copy of every test merchant, in one unit. */
export function createSandboxAccount(
  deps: { db: RelayDatabase; clock: Clock },
  account: { name: string },
): Promise<SandboxAccount> {
  const stores = {
    accounts: new AccountStore(deps.db),
    apiKeys: new ApiKeyStore(deps.db),
    merchants: new MerchantStore(deps.db),
    locations: new LocationStore(deps.db),
    catalog: new CatalogStore(deps.db),
    clock: deps.clock,
  }
  return deps.db.unit(async (tx) => {
    const accountId = await createAccount(tx, stores, account)
    const { apiKey } = await issueApiKey(tx, stores, { accountId, environment: 'sandbox' })
    const merchants: SandboxMerchant[] = []
    for (const fixture of FIXTURE_MERCHANTS) merchants.push(await insertMerchant(tx, stores, accountId, fixture))
    return { accountId, apiKey, merchants }
  })
}

async function insertMerchant(
  tx: Tx,
  stores: { merchants: MerchantStore; locations: LocationStore; catalog: CatalogStore; clock: Clock },
  accountId: AccountId,
  fixture: FixtureMerchant,
): Promise<SandboxMerchant> {
  const now = stores.clock.now()
  const key = newId('mer', now)
  await stores.merchants.insert(tx, {
    id: key,
    account_id: accountId,
    public_id: fixture.merchantId,
    environment: 'sandbox',
    name: fixture.name,
    time_zone: fixture.timeZone,
    prep_minutes: fixture.prepMinutes,
    fire_at_horizon_ms: 30 * DAY_MS,
    created_at: now,
  })
  const locations = fixture.locations.map((name) => ({ locationId: newId('loc', now), name }))
  for (const [index, location] of locations.entries()) {
    await stores.locations.insert(tx, {
      id: location.locationId,
      merchant_id: key,
      name: location.name,
      is_default: index === 0 ? 1 : 0,
      created_at: now,
    })
  }
  await stores.catalog.put(
    tx,
    fixture.menu.map((item) => ({
      merchant_id: key,
      ums_id: item.umsId,
      name: item.name,
      kind: item.kind,
      price_cents: item.priceCents,
      prep_minutes: item.prepMinutes,
      station: item.station,
      silenced_at: null,
    })),
  )
  const umsIds = fixture.menu.filter((item) => item.kind === 'item').map((item) => item.umsId)
  return { merchantId: fixture.merchantId, key, timeZone: fixture.timeZone, locations, umsIds }
}
