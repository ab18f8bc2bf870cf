// What the pages of the account side show: a live restaurant, a partner with a key, a month of calls, an invoice, a week of latencies, a silent box.
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { NO_COUNTS, withOne } from '#cloud/metrics/latency-buckets.ts'
import { STAGES } from '#cloud/metrics/order-stages.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { EVERY_PLACE, type Slice } from '#cloud/storage/latency-store.ts'
import { openStores, type Stores } from '#cloud/storage/stores.ts'
import { daysIn } from '#cloud/web/usage/money.ts'
import { systemClock, toIso } from '#shared/clock.ts'
import { type AccountId, type InvoiceId, type KeyId, type LocationId, newId } from '#shared/ids.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const LIVE_RESTAURANT = 'M-PROD-CASANINA'

export interface AccountData {
  partnerKey: string
  invoiceId: InvoiceId
  locationId: LocationId
}

/** @param partner another account, which goes live with a key of its own */
export async function fillAccount(db: RelayDatabase, owner: AccountId, partner: AccountId): Promise<AccountData> {
  const stores = openStores(db)
  const nowMs = systemClock.now()
  const locationId = newId('loc', nowMs)
  const invoiceId = newId('inv', nowMs)
  const partnerKey = await db.unit(async (tx) => {
    for (const account of [owner, partner])
      await stores.accounts.change(tx, account, { plan: 'starter', live_approved_at: nowMs - 70 * DAY_MS })
    const merchantId = newId('mer', nowMs)
    await stores.merchants.insert(tx, {
      ...{ id: merchantId, account_id: owner, public_id: LIVE_RESTAURANT, environment: 'live', name: 'Casa Nina' },
      ...{ time_zone: 'Europe/Madrid', prep_minutes: 12, fire_at_horizon_ms: DAY_MS, created_at: nowMs },
    })
    await stores.locations.insert(tx, {
      ...{ id: locationId, merchant_id: merchantId, name: 'Harbour', is_default: 1, created_at: nowMs },
    })
    await stores.fixtures.addItems(tx, [
      {
        ...{ merchant_id: merchantId, ums_id: 'UMS-SOUP', name: 'Soup', kind: 'item', price_cents: 895 },
        ...{ prep_minutes: 6, station: 'fry', category: 'Starters', silenced_at: null },
      },
    ])
    await tx
      .insertInto('gateways')
      .values({
        ...{ id: newId('gw', nowMs), location_id: locationId, name: 'Kitchen box', token_hash: 'none', shard: 0 },
        ...{ acked_seq: 0, last_seq: 0, session_epoch: 0, presence: 'offline', app_version: '1.4.0' },
        ...{ last_seen_at: nowMs - HOUR_MS, created_at: nowMs },
      })
      .execute()
    const scopes = ['orders:read', 'orders:write', 'menu:read'] as const
    const ownKey = await issueApiKey(tx, { ...stores, clock: systemClock }, { accountId: owner, environment: 'live' })
    await calls(tx, stores, { accountId: owner, keyId: ownKey.keyId, nowMs })
    await stores.invoices.issue(tx, {
      ...{ id: invoiceId, account_id: owner, month: monthBefore(nowMs), plan: 'starter', total_cents: 20_900 },
      ...{ issued_at: nowMs - DAY_MS, lines: JSON.stringify(LINES) },
    })
    await stores.latency.put(tx, slices(locationId, nowMs))
    const live = { accountId: partner, environment: 'live', scopes } as const
    return (await issueApiKey(tx, { ...stores, clock: systemClock }, live)).apiKey
  })
  return { partnerKey, invoiceId, locationId }
}

const LINES = [
  { description: 'Starter plan', quantity: 1, unitPrice: 199, amount: 199 },
  { description: 'Calls above 100,000', quantity: 200, unitPrice: 0.05, amount: 10 },
]

type Unit = Parameters<Stores['usage']['add']>[0]

/** A few thousand calls on every day of the month before, and of this month up to now. */
async function calls(
  tx: Unit,
  { usage }: Stores,
  { accountId, keyId, nowMs }: { accountId: AccountId; keyId: KeyId; nowMs: number },
): Promise<void> {
  const today = toIso(nowMs).slice(0, 10)
  const counts = [monthBefore(nowMs), today.slice(0, 7)].flatMap((month) =>
    Array.from({ length: daysIn(month) }, (_, index) => ({
      ...{ accountId, environment: 'live' as const, keyId },
      day: `${month}-${String(index + 1).padStart(2, '0')}`,
      calls: 2_400 + ((index * 977) % 1_900),
    })),
  )
  await usage.add(
    tx,
    counts.filter(({ day }) => day <= today),
  )
}

function monthBefore(nowMs: number): string {
  const firstMs = nowMs - Number(toIso(nowMs).slice(8, 10)) * DAY_MS
  return toIso(firstMs).slice(0, 7)
}

/** Every hour of a week from noon to midnight; Friday evenings are slow. */
function slices(location_id: LocationId, nowMs: number): Slice[] {
  const lastHour = Math.floor(nowMs / HOUR_MS)
  return Array.from({ length: 7 * 24 }, (_, back) => lastHour - back)
    .filter((hour) => hour % 24 >= 12)
    .flatMap((hour) => {
      const isBusy = hour % 24 >= 19
      const of = (ms: number) =>
        Array.from({ length: 30 }, (_, n) => ms * (1 + (n % 10) / 5) * (isBusy ? 2.4 : 1)).reduce<readonly number[]>(
          (counts, one) => withOne(counts, Math.round(one)),
          NO_COUNTS,
        )
      const times = { paper: 620, handOver: 14, firstByte: 40, proof: 560, webhook: 45 } as const
      return [location_id, EVERY_PLACE].flatMap((place) =>
        STAGES.map((stage) => ({
          ...{ location_id: place, minutes: 60 as const, slot: hour * HOUR_MS, stage, counts: [...of(times[stage])] },
        })),
      )
    })
}
