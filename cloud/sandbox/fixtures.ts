// Gives an account its own copy of the test merchants, or what it lacks of them, and makes accounts that have one.
import { createAccount, issueApiKey } from '#cloud/auth/accounts.ts'
import { columnsOfItem } from '#cloud/catalog/menu-item.ts'
import type { SimulatedChannelConfig } from '#cloud/catalog/simulated-connector.ts'
import { AccountStore } from '#cloud/storage/account-store.ts'
import { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { LocationStore } from '#cloud/storage/location-store.ts'
import { MerchantStore } from '#cloud/storage/merchant-store.ts'
import { type KnownMerchant, SandboxFixtureStore } from '#cloud/storage/sandbox-fixture-store.ts'
import type { Clock } from '#shared/clock.ts'
import { type AccountId, type LocationId, type MerchantKey, newId } from '#shared/ids.ts'
import { CAP_ORDER_DETAILS, CAP_PRINT_JOBS } from '#shared/wire/gateway-link.ts'
import { FIXTURE_MERCHANTS, type FixtureMerchant, type FixturePrinter } from './fixture-merchants.ts'

const DAY_MS = 86_400_000

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

export interface FixtureDeps {
  fixtures: SandboxFixtureStore
  merchants: MerchantStore
  locations: LocationStore
  clock: Clock
}

/** A new sandbox account with its key and its own copy of every test merchant, in one unit. */
export function createSandboxAccount(
  deps: { db: RelayDatabase; clock: Clock },
  account: { name: string },
): Promise<SandboxAccount> {
  return deps.db.unit((tx) => addSandboxAccount(tx, deps, account))
}

/** The same in the caller's unit. */
export async function addSandboxAccount(
  tx: Tx,
  { db, clock }: { db: RelayDatabase; clock: Clock },
  account: { name: string },
): Promise<SandboxAccount> {
  const stores = { accounts: new AccountStore(db), apiKeys: new ApiKeyStore(db), ...fixtureStores(db), clock }
  const accountId = await createAccount(tx, stores, account)
  const { apiKey } = await issueApiKey(tx, stores, { accountId, environment: 'sandbox' })
  const merchants = await addFixtures(tx, stores, accountId)
  return { accountId, apiKey, merchants }
}

/** The stores that `addFixtures` needs. */
export function fixtureStores(db: RelayDatabase): Omit<FixtureDeps, 'clock'> {
  return { fixtures: new SandboxFixtureStore(db), merchants: new MerchantStore(db), locations: new LocationStore(db) }
}

/**
 * Gives every account that lacks a test merchant, or the kitchen of one, what it lacks. Accounts of older versions have only M-TEST-001.
 * @returns how many accounts got something
 */
export async function addMissingFixtures(deps: FixtureDeps & { db: RelayDatabase }): Promise<number> {
  const accounts = await deps.fixtures.accountsLacking(FIXTURE_MERCHANTS.map(({ merchantId }) => merchantId))
  for (const accountId of accounts) await deps.db.unit((tx) => addFixtures(tx, deps, accountId))
  return accounts.length
}

/**
 * The account's copy of every test merchant, in the caller's unit. What is there already stays as it is, so it may be called again: only
 * merchants, items and kitchens that are missing are added. A location that a gateway is paired with keeps its real kitchen.
 */
export async function addFixtures(tx: Tx, deps: FixtureDeps, accountId: AccountId): Promise<SandboxMerchant[]> {
  const known = await deps.fixtures.known(tx, accountId)
  const merchants: SandboxMerchant[] = []
  for (const fixture of FIXTURE_MERCHANTS) {
    const merchant = known.get(fixture.merchantId) ?? (await insertMerchant(tx, deps, { accountId, fixture }))
    await addMenu(tx, deps, { key: merchant.key, fixture })
    await addChannels(tx, deps, { key: merchant.key, fixture })
    await openKitchens(tx, deps, { merchant, fixture })
    merchants.push({
      merchantId: fixture.merchantId,
      key: merchant.key,
      timeZone: merchant.timeZone,
      locations: merchant.locations.map(({ locationId, name }) => ({ locationId, name })),
      umsIds: fixture.menu.filter((item) => item.kind === 'item').map((item) => item.umsId),
    })
  }
  return merchants
}

async function insertMerchant(
  tx: Tx,
  { merchants, locations, clock }: FixtureDeps,
  { accountId, fixture }: { accountId: AccountId; fixture: FixtureMerchant },
): Promise<KnownMerchant> {
  const now = clock.now()
  const key = newId('mer', now)
  await merchants.insert(tx, {
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
  const made = fixture.locations.map(({ name }) => ({ locationId: newId('loc', now), name, served: false }))
  for (const [index, { locationId, name }] of made.entries())
    await locations.insert(tx, {
      id: locationId,
      merchant_id: key,
      name,
      is_default: index === 0 ? 1 : 0,
      created_at: now,
    })
  return { key, publicId: fixture.merchantId, timeZone: fixture.timeZone, locations: made }
}

async function addMenu(
  tx: Tx,
  { fixtures }: FixtureDeps,
  { key, fixture }: { key: MerchantKey; fixture: FixtureMerchant },
): Promise<void> {
  await fixtures.addItems(
    tx,
    fixture.menu.map((item) => ({ merchant_id: key, ums_id: item.umsId, ...columnsOfItem(item) })),
  )
}

/** Their platforms have the whole menu from the start, so the outbox to them begins empty. */
async function addChannels(
  tx: Tx,
  { fixtures, clock }: FixtureDeps,
  { key, fixture: { channels, menu } }: { key: MerchantKey; fixture: FixtureMerchant },
): Promise<void> {
  const config: SimulatedChannelConfig = { fails: false }
  for (const { channelId, platform, name, itemPrefix } of channels)
    await fixtures.addChannel(
      tx,
      {
        merchant_id: key,
        channel_id: channelId,
        platform,
        name,
        connector: 'simulated',
        config: JSON.stringify(config),
        status: 'connected',
        created_at: clock.now(),
      },
      menu.map(({ umsId }, index) => ({ umsId, externalId: `${itemPrefix}${1_001 + index}` })),
    )
}

async function openKitchens(
  tx: Tx,
  { fixtures, clock }: FixtureDeps,
  { merchant, fixture }: { merchant: KnownMerchant; fixture: FixtureMerchant },
): Promise<void> {
  const nowMs = clock.now()
  for (const { locationId, name, served } of merchant.locations) {
    const printers = fixture.locations.find((location) => location.name === name)?.printers
    if (served || printers === undefined) continue
    await fixtures.openKitchen(tx, {
      gatewayId: newId('gw', nowMs),
      locationId,
      presence: fixture.printersOnline ? 'online' : 'offline',
      caps: [CAP_PRINT_JOBS, CAP_ORDER_DETAILS],
      printers: printers.map((printer) => reportOf(printer, fixture.printersOnline)),
      nowMs,
    })
  }
}

function reportOf({ printerId, name, stations, isDefault }: FixturePrinter, online: boolean) {
  return {
    printerId,
    name,
    stations: [...stations],
    isDefault,
    state: online ? ('online' as const) : ('offline' as const),
    reasons: online ? [] : ['not-responding' as const],
    queued: 0,
  }
}
