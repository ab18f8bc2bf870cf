// Webhook events: the envelope, and what each type carries.
import { z } from 'zod'
import { alertResource } from './alert-event.ts'
import { RESTORE_CAUSES, SILENCE_CAUSES, skuResource } from './api/catalog.ts'
import { orderResource, refund } from './api/orders.ts'
import { printFacts } from './print-facts.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './webhook-event-names.ts'

const alertData = z.object({ alert: alertResource }).meta({ id: 'AlertEventData' })
const orderData = z.object({ order: orderResource }).meta({ id: 'OrderEventData' })

/** `data` by type: the order, SKU or alert as it was then, and what the event is about. */
export const WEBHOOK_EVENT_DATA = {
  'order.accepted': orderData,
  'order.printed': orderData.extend({ print: printFacts }).meta({ id: 'OrderPrintedData' }),
  'order.ready': orderData,
  'order.completed': orderData,
  'order.voided': orderData,
  'order.refunded': orderData.extend({ refund }).meta({ id: 'OrderRefundedData' }),
  /** `channels`: those that this call or this change of stock silenced. */
  'sku.silenced': z
    .object({
      sku: skuResource,
      channels: z.array(z.string()),
      cause: z.enum(SILENCE_CAUSES),
      until: z.string().nullable(),
      reason: z.string().nullable(),
    })
    .meta({ id: 'SkuSilencedData' }),
  'sku.restored': z
    .object({ sku: skuResource, channels: z.array(z.string()), cause: z.enum(RESTORE_CAUSES) })
    .meta({ id: 'SkuRestoredData' }),
  'sku.low_stock': z
    .object({ sku: skuResource, quantity: z.number().int(), lowThreshold: z.number().int() })
    .meta({ id: 'SkuLowStockData' }),
  'alert.started': alertData,
  'alert.ended': alertData,
} as const satisfies Record<WebhookEventType, z.ZodType>
export type WebhookEventData<T extends WebhookEventType> = z.infer<(typeof WEBHOOK_EVENT_DATA)[T]>

/** The same bytes at every attempt. `sequence` counts the events of one subject (an order, a SKU, an alert) from 1. */
export const webhookEvent = z
  .object({
    id: z.string(),
    type: z.enum(WEBHOOK_EVENT_TYPES),
    /** When it happened: for `order.printed` the time on paper, not of arrival. */
    timestamp: z.string(),
    apiVersion: z.literal('v1'),
    environment: z.enum(['sandbox', 'live']),
    merchantId: z.string(),
    sequence: z.number().int(),
    /** Only on events that were fired by hand in the sandbox. */
    test: z.literal(true).optional(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'WebhookEvent' })
export type WebhookEvent = z.infer<typeof webhookEvent>
