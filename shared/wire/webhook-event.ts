// Webhook events: the nine types of the specification, the envelope, and the print facts that make `order.printed` a proof.
import { z } from 'zod'
import { confirmation, confirmMethod } from '#shared/print-job.ts'

export const WEBHOOK_EVENT_TYPES = [
  'order.accepted',
  'order.printed',
  'order.ready',
  'order.completed',
  'order.voided',
  'order.refunded',
  'sku.silenced',
  'sku.restored',
  'sku.low_stock',
] as const
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number]

/** What we know about the paper. `confirmation` is the weakest of all tickets of the order. */
export const printFacts = z
  .object({
    confirmation,
    method: confirmMethod,
    /** When the last ticket was confirmed, ISO 8601 UTC. */
    printedAt: z.string(),
    attempts: z.number().int(),
    possibleDuplicate: z.boolean(),
    printers: z.array(
      z.object({
        printerId: z.string(),
        name: z.string(),
        confirmation,
        method: confirmMethod,
        firstByteAt: z.string().nullable(),
        printedAt: z.string(),
        attempts: z.number().int(),
        possibleDuplicate: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'PrintFacts' })
export type PrintFacts = z.infer<typeof printFacts>

/** The same bytes at every attempt. `sequence` counts the events of one subject (an order, a SKU) from 1. */
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
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'WebhookEvent' })
export type WebhookEvent = z.infer<typeof webhookEvent>
