// Merchants and their locations: make, show, change.
import { randomBytes } from 'node:crypto'
import { overPlan } from '#cloud/billing/plan-limits.ts'
import { planOf } from '#cloud/billing/plans.ts'
import { posConfig } from '#cloud/orders/pos-config.ts'
import type { Tx } from '#cloud/storage/database.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import type { MerchantsTable } from '#cloud/storage/schema-accounts.ts'
import { toIso } from '#shared/clock.ts'
import { type LocationId, type MerchantKey, newId } from '#shared/ids.ts'
import { type ControlContext, urlOrigin } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { requireLocation } from './find-gateway.ts'
import { type Handlers, merchantOf } from './handler.ts'
import type { LocationAnswer, MERCHANT_OPERATIONS, MerchantAnswer } from './merchant-list.ts'
import type { OperationInput } from './operations.ts'
import { requireAccount } from './require.ts'
import { refuseStale } from './stale.ts'

const DAY_MS = 86_400_000

type OfMerchant = Exclude<keyof typeof MERCHANT_OPERATIONS, `pos.${string}`>

export const MERCHANT_HANDLERS: Pick<Handlers, OfMerchant> = {
  'merchants.create': async (context, doing, { accountId, name, location, id, ...made }) => {
    const owner = await requireAccount(context, accountId)
    if (owner.live_approved_at === null)
      throw new ControlRefusal('refused', `${accountId} is not approved for live.`, {
        said: { key: 'account.not-live', values: { accountId } },
      })
    const publicId = id ?? `M-PROD-${randomBytes(5).toString('hex').toUpperCase()}`
    if ((await context.merchants.named(publicId)).length > 0) {
      const message = `${publicId} is taken: choose another one, or leave it out.`
      throw new ControlRefusal('refused', message, {
        errors: [{ field: 'id', message }],
        said: { key: 'merchant.id-taken', values: { merchantId: publicId } },
      })
    }
    const now = context.clock.now()
    const key = newId('mer', now)
    await context.merchants.insert(doing.tx, {
      id: key,
      account_id: accountId,
      public_id: publicId,
      environment: 'live',
      name,
      time_zone: made.timeZone,
      currency: made.currency,
      prep_minutes: made.prepMinutes,
      fire_at_horizon_ms: 30 * DAY_MS,
      created_at: now,
    })
    const row = { id: key, account_id: accountId, environment: 'live' as const }
    const locationId = await insertLocation(doing.tx, context, {
      merchant: row,
      location: { name: location, isDefault: true },
    })
    const after = { merchantId: publicId, name, timeZone: made.timeZone, currency: made.currency }
    return {
      answer: { merchantId: publicId, name, accountId, locationId },
      audit: { accountId, action: 'merchant.create', subject: key, after },
    }
  },

  'merchant.get': async (context, doing) => {
    const row = await context.merchants.row(merchantOf(doing).key)
    const config = row.pos === 'http' ? posConfig(row.pos_config) : null
    const posSite = config === null ? null : urlOrigin(config.url)
    return { ...merchantAnswer(row), posSite, locations: await locationsOf(context, row.id) }
  },

  'merchant.save': async (context, doing, { merchantId: _, seen, ...wanted }) => {
    const row = await context.merchants.row(merchantOf(doing).key, doing.tx)
    const { name, timeZone, currency, prepMinutes, fireAheadDays, autoSilence, ...more } = merchantAnswer(row)
    const { notifyReady, notifyLanguage } = more
    const now = { name, timeZone, currency, prepMinutes, fireAheadDays, autoSilence, notifyReady, notifyLanguage }
    refuseStale(now, seen)
    const change = columnsOf(wanted)
    if (Object.keys(change).length === 0)
      throw new ControlRefusal('invalid', 'Nothing to change: name at least one field.', {
        said: { key: 'merchant.nothing' },
      })
    await context.merchants.change(doing.tx, row.id, change)
    const entry = { accountId: row.account_id, action: 'merchant.set' as const, subject: row.id }
    return {
      answer: merchantAnswer({ ...row, ...change }),
      audit: { ...entry, before: merchantAnswer(row), after: change },
    }
  },

  'locations.list': (context, doing) => locationsOf(context, merchantOf(doing).key),

  'locations.add': async (context, doing, { name }) => {
    const { key, ownerAccountId, environment, publicId } = merchantOf(doing)
    const isDefault = (await context.locations.ofMerchant(key)).length === 0
    const row = { id: key, account_id: ownerAccountId, environment }
    const locationId = await insertLocation(doing.tx, context, { merchant: row, location: { name, isDefault } })
    return {
      answer: { locationId, name, merchantId: publicId },
      audit: { accountId: ownerAccountId, action: 'location.add', subject: locationId, after: { name } },
    }
  },

  'locations.rename': async (context, doing, { locationId, name, seen }) => {
    const merchant = merchantOf(doing)
    await holdRow(doing.tx, 'merchants', merchant.key)
    const location = await requireLocation(doing.tx, context, { merchant, id: locationId })
    refuseStale({ name: location.name }, seen)
    await context.locations.rename(doing.tx, locationId, name)
    const entry = { accountId: merchant.ownerAccountId, action: 'location.rename' as const, subject: locationId }
    return { answer: { locationId, name }, audit: { ...entry, before: { name: location.name }, after: { name } } }
  },
}

/** As people are shown it. */
export function merchantAnswer(row: MerchantsTable): MerchantAnswer {
  return {
    merchantId: row.public_id,
    name: row.name,
    environment: row.environment,
    accountId: row.account_id,
    timeZone: row.time_zone,
    currency: row.currency,
    prepMinutes: row.prep_minutes,
    fireAheadDays: row.fire_at_horizon_ms / DAY_MS,
    autoSilence: row.auto_silence === 1,
    notifyReady: row.notify_ready,
    notifyLanguage: row.notify_language,
    pos: row.pos,
  }
}

type Settings = Omit<OperationInput<'merchant.save'>, 'merchantId' | 'seen'>

function columnsOf({ name, timeZone, currency, prepMinutes, fireAheadDays, autoSilence, ...more }: Settings) {
  const { notifyReady, notifyLanguage } = more
  return {
    ...(name === undefined ? {} : { name }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(currency === undefined ? {} : { currency }),
    ...(prepMinutes === undefined ? {} : { prep_minutes: prepMinutes }),
    ...(fireAheadDays === undefined ? {} : { fire_at_horizon_ms: fireAheadDays * DAY_MS }),
    ...(autoSilence === undefined ? {} : { auto_silence: autoSilence ? 1 : 0 }),
    ...(notifyReady === undefined ? {} : { notify_ready: notifyReady }),
    ...(notifyLanguage === undefined ? {} : { notify_language: notifyLanguage }),
  }
}

/** A location within the plan of the merchant's account. @throws ControlRefusal above it */
async function insertLocation(
  tx: Tx,
  context: ControlContext,
  {
    merchant,
    location,
  }: {
    merchant: Pick<MerchantsTable, 'id' | 'account_id' | 'environment'>
    location: { name: string; isDefault: boolean }
  },
): Promise<LocationId> {
  const now = context.clock.now()
  if (merchant.environment === 'live') {
    await holdRow(tx, 'accounts', merchant.account_id)
    const plan = planOf(await requireAccount(context, merchant.account_id), 'live')
    const reasons = overPlan(plan, { locations: (await context.locations.countLive(tx, merchant.account_id)) + 1 })
    if (reasons.length > 0) throw new ControlRefusal('refused', reasons.join(' '), { said: { key: 'plan.over' } })
  }
  const id = newId('loc', now)
  const row = { merchant_id: merchant.id, name: location.name, is_default: location.isDefault ? 1 : 0 }
  await context.locations.insert(tx, { id, ...row, created_at: now })
  return id
}

/** The default one first. */
async function locationsOf(context: ControlContext, key: MerchantKey): Promise<LocationAnswer[]> {
  return (await context.locations.ofMerchant(key)).map((location) => ({
    locationId: location.id,
    name: location.name,
    isDefault: location.is_default === 1,
    kitchen: location.kitchen,
    createdAt: toIso(location.created_at),
  }))
}
