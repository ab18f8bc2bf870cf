// SKUs and channels of the /v1 API.
import { z } from 'zod'
import { channelIdField, isoTime, merchantIdField, pageFields, pageOf, reasonField, text, timeInput } from './fields.ts'

/** Not a platform's channel but orders through this API. Listed with the others, always `synced`. */
export const DIRECT_CHANNEL = 'direct'
/** Why something is silenced: a call, stock that reached 0. */
export const SILENCE_CAUSES = ['call', 'out_of_stock'] as const
/** Why it is live again: a call, `until` passed, stock above 0. */
export const RESTORE_CAUSES = ['call', 'schedule', 'in_stock'] as const

export const skuChannel = z
  .object({
    channelId: z.string(),
    /** The platform's own id of the item; null on `direct`. */
    externalId: z.string().nullable(),
    state: z.enum(['live', 'silenced']),
    silencedAt: isoTime.nullable(),
    silencedUntil: isoTime.nullable(),
    cause: z.enum(SILENCE_CAUSES).nullable(),
    reason: z.string().nullable(),
    /** Whether the platform has confirmed; `failed` is still retried. */
    sync: z.enum(['synced', 'pending', 'failed']),
  })
  .meta({ id: 'SkuChannel' })
export type SkuChannel = z.infer<typeof skuChannel>

export const skuResource = z
  .object({
    umsId: z.string(),
    merchantId: z.string(),
    name: z.string(),
    kind: z.enum(['item', 'modifier']),
    price: z.number().nullable(),
    prepMinutes: z.number().int().nullable(),
    station: z.string().nullable(),
    category: z.string().nullable(),
    /** `silenced`: on one or more channels. */
    state: z.enum(['live', 'silenced']),
    /** Whether an order through this API may hold it now. */
    orderable: z.boolean(),
    /** `quantity` null is not counted. */
    stock: z.object({ quantity: z.number().int().nullable(), lowThreshold: z.number().int() }),
    channels: z.array(skuChannel),
  })
  .meta({ id: 'Sku' })
export type SkuResource = z.infer<typeof skuResource>

export const skuParams = z.object({ umsId: z.string() }).meta({ id: 'SkuParams' })
/** In the order of umsId. `q` is looked for in name and umsId, whatever the case. */
export const skusQuery = z
  .strictObject({
    merchantId: merchantIdField,
    channelId: channelIdField.optional(),
    state: z.enum(['live', 'silenced']).optional(),
    q: text(120).optional(),
    ...pageFields,
  })
  .meta({ id: 'SkusQuery' })
export type SkusQuery = z.output<typeof skusQuery>
export const skusPage = pageOf('SkusPage', skuResource)

const channels = z.array(channelIdField).min(1).max(50)
/** Without `channels`: all of them and `direct`. */
export const silenceSku = z
  .strictObject({
    merchantId: merchantIdField,
    channels: channels.optional(),
    until: timeInput.optional(),
    reason: reasonField.optional(),
  })
  .meta({ id: 'SilenceSku' })
export type SilenceSku = z.infer<typeof silenceSku>
export const restoreSku = z
  .strictObject({ merchantId: merchantIdField, channels: channels.optional() })
  .meta({ id: 'RestoreSku' })
export type RestoreSku = z.infer<typeof restoreSku>

/** `quantity` null stops counting. `lowThreshold` is kept when absent. */
export const setStock = z
  .strictObject({
    merchantId: merchantIdField,
    quantity: z.number().int().min(0).max(1_000_000).nullable(),
    lowThreshold: z.number().int().min(0).max(1_000_000).optional(),
  })
  .meta({ id: 'SetStock' })
export type SetStock = z.infer<typeof setStock>

export const channelResource = z
  .object({
    channelId: z.string(),
    platform: z.string(),
    name: z.string(),
    status: z.enum(['connected', 'disconnected', 'failing']),
    /** Items that are mapped to it. */
    items: z.number().int(),
    silenced: z.number().int(),
  })
  .meta({ id: 'Channel' })
export type ChannelResource = z.infer<typeof channelResource>
export const channelsList = z.object({ data: z.array(channelResource) }).meta({ id: 'ChannelsList' })
