// The /v1 API of a key about its own account: merchants, usage and cost, revoking keys.
import { z } from 'zod'
import { PAID_PLANS } from '#shared/wire/paid-plans.ts'
import { channelResource } from './catalog.ts'
import { isoTime, merchantIdField, pageFields, pageOf, text } from './fields.ts'

export const PLANS = ['sandbox', ...PAID_PLANS] as const
export type PlanName = (typeof PLANS)[number]

/** These calls are about the account. A client that sends a merchant with every call may send it here too: the key must be allowed to act on it. */
const checkedMerchant = { merchantId: merchantIdField.optional() }

export const merchantResource = z
  .object({
    merchantId: z.string(),
    name: z.string(),
    environment: z.enum(['sandbox', 'live']),
    /** IANA zone. */
    timezone: z.string(),
    /** ISO 4217. */
    currency: z.string(),
    /** The first is the default one. */
    locations: z.array(
      z.object({
        locationId: z.string(),
        name: z.string(),
        gatewayOnline: z.boolean(),
        printers: z.object({ online: z.number().int(), total: z.number().int() }),
      }),
    ),
    channels: z.array(channelResource.pick({ channelId: true, platform: true, name: true, status: true })),
    prepMinutes: z.number().int(),
    features: z.object({ autoSilence: z.boolean(), pos: z.enum(['register', 'http']) }),
  })
  .meta({ id: 'Merchant' })
export type MerchantResource = z.infer<typeof merchantResource>
export const merchantsQuery = z.strictObject({ ...checkedMerchant, ...pageFields }).meta({ id: 'MerchantsQuery' })
export const merchantsPage = pageOf('MerchantsPage', merchantResource)

/** The calling key and its account. */
export const ownKey = z
  .object({
    keyId: z.string(),
    /** Null: it has no name. */
    name: z.string().nullable(),
    account: z.object({ accountId: z.string(), name: z.string() }),
    environment: z.enum(['sandbox', 'live']),
    scopes: z.array(z.string()),
    createdAt: isoTime,
    expiresAt: isoTime.nullable(),
  })
  .meta({ id: 'OwnKey' })

/** An empty object revokes the key that calls; `key` revokes another one of the account, proven by its full text. */
export const revokeKey = z.strictObject({ ...checkedMerchant, key: text(200).optional() }).meta({ id: 'RevokeKey' })
export type RevokeKey = z.infer<typeof revokeKey>
export const revokedKey = z.object({ keyId: z.string(), revokedAt: isoTime }).meta({ id: 'RevokedKey' })
export type RevokedKey = z.infer<typeof revokedKey>

/** Without `month`: the current one, UTC. */
export const usageQuery = z
  .strictObject({
    ...checkedMerchant,
    month: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/, { error: 'must be a month such as 2026-11' })
      .optional(),
  })
  .meta({ id: 'UsageQuery' })

export const invoiceLine = z
  .object({
    description: z.string(),
    quantity: z.number().int(),
    /** Dollars; null where the price is by contract. */
    unitPrice: z.number().nullable(),
    amount: z.number().nullable(),
  })
  .meta({ id: 'InvoiceLine' })
export type InvoiceLine = z.infer<typeof invoiceLine>

/** A draft changes with every call of its month; it is issued when the month has ended. */
export const invoice = z
  .object({
    status: z.enum(['draft', 'issued']),
    lines: z.array(invoiceLine),
    /** Null when a line is by contract. */
    total: z.number().nullable(),
    issuedAt: isoTime.nullable(),
  })
  .meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof invoice>

/** Of the calling key's environment. Sandbox calls are counted and never billed: `invoice` is null, as for a month before the approval. */
export const usage = z
  .object({
    month: z.string(),
    environment: z.enum(['sandbox', 'live']),
    plan: z.enum(PLANS),
    /** Calls a month within the plan; null is unlimited or by contract. */
    included: z.number().int().nullable(),
    calls: z.number().int(),
    overageCalls: z.number().int(),
    overageAmount: z.number().nullable(),
    webhookEvents: z.number().int(),
    days: z.array(z.object({ day: z.string(), calls: z.number().int() })),
    invoice: invoice.nullable(),
  })
  .meta({ id: 'Usage' })
export type Usage = z.infer<typeof usage>
