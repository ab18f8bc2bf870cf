// merchants, locations, items: the restaurants, their kitchens and what they sell.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { overPlan } from '#cloud/billing/plan-limits.ts'
import { planOf } from '#cloud/billing/plans.ts'
import type { Tx } from '#cloud/storage/database.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import type { MerchantsTable } from '#cloud/storage/schema-accounts.ts'
import { toIso } from '#shared/clock.ts'
import { type LocationId, newId } from '#shared/ids.ts'
import { AdminError, type Command, defineCommand } from './command.ts'
import { type AdminContext, audited } from './context.ts'
import {
  accountField,
  currencyField,
  merchantField,
  nameField,
  ownerField,
  requireAccount,
  requireMerchant,
  timeZoneField,
  wholeNumber,
} from './fields.ts'
import { menuWarnings } from './menu-warnings.ts'
import { parseItems } from './parse-items.ts'
import { facts, table } from './print.ts'

const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 200

const publicIdField = z
  .string()
  .regex(/^M-PROD-[A-Z0-9][A-Z0-9-]{0,56}$/, { error: 'must be M-PROD- and capital letters, digits or hyphens' })
  .describe('Public id, M-PROD-...; a random one without it')
const prepField = wholeNumber(600).describe('Minutes that an order usually takes')

function merchantRow(row: MerchantsTable) {
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
    pos: row.pos,
  }
}

/** A location within the plan of the merchant's account. @throws AdminError above it */
async function insertLocation(
  tx: Tx,
  context: AdminContext,
  merchant: Pick<MerchantsTable, 'id' | 'account_id' | 'environment'>,
  location: { name: string; isDefault: boolean },
): Promise<LocationId> {
  const now = context.clock.now()
  if (merchant.environment === 'live') {
    await holdRow(tx, 'accounts', merchant.account_id)
    const plan = planOf(await requireAccount(context, merchant.account_id), 'live')
    const reasons = overPlan(plan, { locations: (await context.locations.countLive(tx, merchant.account_id)) + 1 })
    if (reasons.length > 0) throw new AdminError(`${reasons.join(' ')} \`plans set\` changes plan or contract.`)
  }
  const id = newId('loc', now)
  const row = { merchant_id: merchant.id, name: location.name, is_default: location.isDefault ? 1 : 0 }
  await context.locations.insert(tx, { id, ...row, created_at: now })
  return id
}

const merchantOnly: readonly Command[] = [
  defineCommand({
    name: 'merchants list',
    summary: 'All merchants, newest first',
    options: { account: accountField.optional() },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async ({ merchants }, { account }) => {
      const rows = (await merchants.list(account ?? null)).map(merchantRow)
      return { data: rows, text: table(rows, 'No merchants.') }
    },
  }),

  defineCommand({
    name: 'merchants create',
    summary: 'A live merchant of an approved account, with its first location',
    options: {
      account: accountField,
      name: nameField,
      timeZone: timeZoneField,
      currency: currencyField.default('USD'),
      location: nameField.default('Main').describe('Name of its first location'),
      id: publicIdField.optional(),
      prepMinutes: prepField.default(15),
    },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --name "Bistro Nine" --time-zone America/New_York',
    run: async (context, { account, name, timeZone, currency, location, id, prepMinutes }) => {
      const owner = await requireAccount(context, account)
      if (owner.live_approved_at === null)
        throw new AdminError(
          `${account} is not approved for live. First: accounts approve --account ${account} --plan ...`,
        )
      const publicId = id ?? `M-PROD-${randomBytes(5).toString('hex').toUpperCase()}`
      if ((await context.merchants.named(publicId)).length > 0)
        throw new AdminError(`${publicId} is taken: choose another --id, or leave it out.`)
      const now = context.clock.now()
      const key = newId('mer', now)
      const locationId = await context.db.unit(async (tx) => {
        await context.merchants.insert(tx, {
          id: key,
          account_id: account,
          public_id: publicId,
          environment: 'live',
          name,
          time_zone: timeZone,
          currency,
          prep_minutes: prepMinutes,
          fire_at_horizon_ms: 30 * DAY_MS,
          created_at: now,
        })
        const row = { id: key, account_id: account, environment: 'live' as const }
        const made = await insertLocation(tx, context, row, { name: location, isDefault: true })
        const after = { merchantId: publicId, name, timeZone, currency }
        await audited(tx, context, { accountId: account, action: 'merchant.create', subject: key, after })
        return made
      })
      const data = { merchantId: publicId, name, accountId: account, locationId }
      const next = `Next: items import --merchant ${publicId} --file menu.csv, then gateways code --location ${locationId} --name "Kitchen Pi"`
      return { data, text: `${facts(data)}\n\n${next}` }
    },
  }),

  defineCommand({
    name: 'merchants set',
    summary: 'Change what is said of a merchant',
    options: {
      merchant: merchantField,
      account: ownerField,
      name: nameField.optional(),
      timeZone: timeZoneField.optional(),
      currency: currencyField.optional(),
      prepMinutes: prepField.optional(),
      fireAheadDays: wholeNumber(365)
        .optional()
        .describe('How many days ahead an order may be scheduled (fireAt); 30 at first'),
      autoSilence: z
        .enum(['on', 'off'])
        .optional()
        .describe('Whether stock at 0 silences an item everywhere: on or off'),
    },
    example: '--merchant M-PROD-BISTRO --prep-minutes 20',
    run: async (context, { merchant, account, ...wanted }) => {
      const { name, timeZone, currency, prepMinutes, fireAheadDays, autoSilence } = wanted
      const row = await requireMerchant(context, { merchant, account })
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(timeZone === undefined ? {} : { time_zone: timeZone }),
        ...(currency === undefined ? {} : { currency }),
        ...(prepMinutes === undefined ? {} : { prep_minutes: prepMinutes }),
        ...(fireAheadDays === undefined ? {} : { fire_at_horizon_ms: fireAheadDays * DAY_MS }),
        ...(autoSilence === undefined ? {} : { auto_silence: autoSilence === 'on' ? 1 : 0 }),
      }
      if (Object.keys(change).length === 0) throw new AdminError('Nothing to change: name at least one option.')
      await context.db.unit(async (tx) => {
        await context.merchants.change(tx, row.id, change)
        const entry = { accountId: row.account_id, action: 'merchant.set', subject: row.id }
        await audited(tx, context, { ...entry, before: merchantRow(row), after: change })
      })
      const data = merchantRow({ ...row, ...change })
      return { data, text: facts(data) }
    },
  }),
]

const locationCommands: readonly Command[] = [
  defineCommand({
    name: 'locations list',
    summary: "A merchant's locations, the default one first",
    options: { merchant: merchantField, account: ownerField },
    example: '--merchant M-PROD-BISTRO',
    run: async (context, options) => {
      const merchant = await requireMerchant(context, options)
      const rows = (await context.locations.ofMerchant(merchant.id)).map((location) => ({
        locationId: location.id,
        name: location.name,
        isDefault: location.is_default === 1,
        kitchen: location.kitchen,
        createdAt: toIso(location.created_at),
      }))
      return { data: rows, text: table(rows, 'This merchant has no location.') }
    },
  }),

  defineCommand({
    name: 'locations add',
    summary: 'One more location of a merchant, within the plan',
    options: { merchant: merchantField, account: ownerField, name: nameField },
    example: '--merchant M-PROD-BISTRO --name "Harbour"',
    run: async (context, { name, ...of }) => {
      const merchant = await requireMerchant(context, of)
      const isDefault = (await context.locations.ofMerchant(merchant.id)).length === 0
      const locationId = await context.db.unit(async (tx) => {
        const made = await insertLocation(tx, context, merchant, { name, isDefault })
        const entry = { accountId: merchant.account_id, action: 'location.add', subject: made, after: { name } }
        await audited(tx, context, entry)
        return made
      })
      const data = { locationId, name, merchantId: merchant.public_id }
      return { data, text: facts(data) }
    },
  }),
]

const itemCommands: readonly Command[] = [
  defineCommand({
    name: 'items import',
    summary: 'Add or change catalog items from a CSV or JSON file; stock and silences stay as they are',
    options: {
      merchant: merchantField,
      account: ownerField,
      file: z
        .string()
        .min(1)
        .describe(
          'CSV with a heading line, or JSON array: umsId,name,kind (item or modifier),price,prepMinutes,station,category',
        ),
    },
    reads: 'file',
    example: '--merchant M-PROD-BISTRO --file menu.csv',
    run: async (context, { file, ...of }) => {
      const merchant = await requireMerchant(context, of)
      const items = parseItems(await context.readFile(file))
      const rows = items.map((item) => ({
        merchant_id: merchant.id,
        ums_id: item.umsId,
        name: item.name,
        kind: item.kind,
        price_cents: item.priceCents,
        prep_minutes: item.prepMinutes,
        station: item.station,
        category: item.category,
      }))
      // In pieces: a running relay waits for each, with everything that it does.
      for (let i = 0; i < rows.length; i += ROWS_AT_ONCE)
        await context.db.unit((tx) => context.catalog.put(tx, rows.slice(i, i + ROWS_AT_ONCE)))
      await context.db.unit(async (tx) => {
        const entry = { accountId: merchant.account_id, action: 'items.import', subject: merchant.id }
        await audited(tx, context, { ...entry, after: { items: items.length } })
      })
      const warnings = await menuWarnings(items)
      const data = { merchantId: merchant.public_id, items: items.length, warnings }
      const told = warnings.map(({ message }) => `\nWarning: ${message}`).join('')
      return { data, text: `${items.length} items of ${merchant.public_id} are up to date.${told}` }
    },
  }),
]

export const merchantCommands: readonly Command[] = [...merchantOnly, ...locationCommands, ...itemCommands]
