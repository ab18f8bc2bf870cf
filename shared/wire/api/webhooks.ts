// Webhook endpoints, deliveries and events of the /v1 API.
import { z } from 'zod'
import { webhookEvent } from '#shared/wire/webhook-event.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { CURSOR, isoTime, merchantIdField, pageFields, pageOf, rangeFields, text, timeInput } from './fields.ts'

const url = text(2048)
export const subscriptions = z
  .array(z.enum(['*', ...WEBHOOK_EVENT_TYPES]))
  .min(1)
  .max(20)

export const createWebhook = z
  .strictObject({
    merchantId: merchantIdField,
    url,
    events: subscriptions.default(['*']),
    description: text(500).optional(),
  })
  .meta({ id: 'CreateWebhook' })
export type CreateWebhook = z.infer<typeof createWebhook>

/** What is absent stays. `description: null` removes it. */
export const changeWebhook = z
  .strictObject({
    merchantId: merchantIdField,
    url: url.optional(),
    events: subscriptions.optional(),
    description: text(500).nullable().optional(),
    status: z.enum(['enabled', 'disabled']).optional(),
  })
  .meta({ id: 'ChangeWebhook' })
export type ChangeWebhook = z.infer<typeof changeWebhook>

export const webhookParams = z.object({ webhookId: z.string() }).meta({ id: 'WebhookParams' })

export const webhookEndpoint = z
  .object({
    webhookId: z.string(),
    merchantId: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string().nullable(),
    status: z.enum(['enabled', 'disabled']),
    /** `owner`: by a call. `failing`: by us, after 5 days without one success. */
    disabledReason: z.enum(['owner', 'failing']).nullable(),
    createdAt: isoTime,
    lastDeliveryAt: isoTime.nullable(),
    failingSince: isoTime.nullable(),
    /** `inspector` and `listener` have no address: a page of the dashboard, or a program with a stream, gets what is sent. */
    kind: z.enum(['url', 'inspector', 'listener']),
    /** Null for the other kinds. */
    listener: z
      .object({
        /** A program has its stream open. */
        connected: z.boolean(),
        /** When it is deleted, unless a program connects before; null while one is connected. */
        expiresAt: isoTime.nullable(),
        /** The endpoint whose secret signs. */
        like: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'WebhookEndpoint' })
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>
export const createdWebhookEndpoint = webhookEndpoint
  .extend({ secret: z.string() })
  .meta({ id: 'CreatedWebhookEndpoint' })
export type CreatedWebhookEndpoint = z.infer<typeof createdWebhookEndpoint>
export const webhooksList = z.object({ data: z.array(webhookEndpoint) }).meta({ id: 'WebhooksList' })

export const rotateSecret = z
  .strictObject({ merchantId: merchantIdField, expireOldInHours: z.number().int().min(0).max(168).default(24) })
  .meta({ id: 'RotateSecret' })
export type RotateSecret = z.output<typeof rotateSecret>
export const rotatedSecret = z
  .object({ webhookId: z.string(), secret: z.string(), oldSecretExpiresAt: isoTime })
  .meta({ id: 'RotatedSecret' })
export type RotatedSecret = z.infer<typeof rotatedSecret>

/** Sandbox keys only. The event's data are made up and it carries `test: true`. */
export const testWebhook = z
  .strictObject({ merchantId: merchantIdField, type: z.enum(WEBHOOK_EVENT_TYPES) })
  .meta({ id: 'TestWebhook' })
export const testWebhookResult = z
  .object({ deliveryId: z.string(), eventId: z.string() })
  .meta({ id: 'TestWebhookResult' })
export type TestWebhookResult = z.infer<typeof testWebhookResult>

/** Sends again what failed from `since` (at most 14 days ago) until `until` (default now). */
export const recoverWebhook = z
  .strictObject({ merchantId: merchantIdField, since: timeInput, until: timeInput.optional() })
  .meta({ id: 'RecoverWebhook' })
export type RecoverWebhook = z.infer<typeof recoverWebhook>
export const recoverResult = z.object({ queued: z.number().int() }).meta({ id: 'RecoverResult' })
export type RecoverResult = z.infer<typeof recoverResult>

// ---- deliveries

export const DELIVERY_STATES = ['pending', 'retrying', 'delivered', 'failed'] as const

export const delivery = z
  .object({
    deliveryId: z.string(),
    webhookId: z.string(),
    eventId: z.string(),
    type: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.number().int(),
    createdAt: isoTime,
    /** Null when nothing more is planned. */
    nextAttemptAt: isoTime.nullable(),
    lastStatus: z.number().int().nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof delivery>

/** `from` and `to` are about createdAt. */
export const deliveriesQuery = z
  .strictObject({
    merchantId: merchantIdField,
    state: z.enum(DELIVERY_STATES).optional(),
    type: z.enum(WEBHOOK_EVENT_TYPES).optional(),
    ...rangeFields,
    ...pageFields,
  })
  .meta({ id: 'DeliveriesQuery' })
export type DeliveriesQuery = z.output<typeof deliveriesQuery>
export const deliveriesPage = pageOf('DeliveriesPage', delivery)
export const deliveryParams = z.object({ deliveryId: z.string() }).meta({ id: 'DeliveryParams' })

export const deliveryAttempt = z
  .object({
    number: z.number().int(),
    trigger: z.enum(['schedule', 'manual']),
    at: isoTime,
    ms: z.number().int(),
    status: z.number().int().nullable(),
    error: z.string().nullable(),
    /** The first KiB of the receiver's answer. */
    response: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' })
/** A delivery with its attempts, oldest first, and the event as it is sent. */
export const deliveryDetail = delivery
  .extend({ attempts: z.array(deliveryAttempt), event: webhookEvent })
  .meta({ id: 'DeliveryDetail' })
export type DeliveryDetail = z.infer<typeof deliveryDetail>

// ---- events

/**
 * `subjectId`: a serviceOrderId or a umsId. `from` and `to` are about when it was recorded. With `after` the events are followed: oldest first,
 * in the order of their commits, without `cursor`, `from` and `to`.
 */
export const eventsQuery = z
  .strictObject({
    merchantId: merchantIdField,
    type: z.enum(WEBHOOK_EVENT_TYPES).optional(),
    subjectId: text(64).optional(),
    after: z
      .string()
      .regex(CURSOR, { error: 'must be start, now, the id of an event, or the nextCursor of the page before' })
      .optional(),
    ...rangeFields,
    ...pageFields,
  })
  .meta({ id: 'EventsQuery' })
export type EventsQuery = z.output<typeof eventsQuery>
export const eventsPage = pageOf('EventsPage', webhookEvent)
export const eventParams = z.object({ eventId: z.string() }).meta({ id: 'EventParams' })
