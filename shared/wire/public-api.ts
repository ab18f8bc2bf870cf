// The public /v1 contract in zod: the server, the documentation and the tests use the same schemas.
import { z } from 'zod'
import { toCents } from '#shared/money.ts'
import { ORDER_STATUSES, PRINT_STATES } from '#shared/order.ts'
import { printFacts, WEBHOOK_EVENT_TYPES } from './webhook-event.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but a note may have line breaks
const CONTROL_BUT_NEWLINE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/

const NO_CONTROL = { error: 'must not contain control characters' }
// Half a surrogate pair survives JSON as an escape, but UTF-8 cannot hold it: the database and strict receivers would change or refuse it.
const unicode = () => z.string().refine((s) => s.isWellFormed(), { error: 'must be valid Unicode' })
const text = (max: number) =>
  unicode()
    .min(1)
    .max(max)
    .refine((s) => !CONTROL.test(s), NO_CONTROL)
const note = (max: number) =>
  unicode()
    .max(max)
    .refine((s) => !CONTROL_BUT_NEWLINE.test(s), NO_CONTROL)

export const merchantIdField = text(64)
export const umsIdField = text(64)
export const moneyField = z.number().refine((n) => toCents(n) !== null, {
  error: 'must be an amount in dollars from 0 to 99999.99 with at most 2 decimals',
})

export const lineItem = z
  .strictObject({
    umsId: umsIdField,
    qty: z.number().int().min(1).max(999),
    price: moneyField,
    note: note(500).optional(),
    modifiers: z.array(umsIdField).max(50).optional(),
  })
  .meta({ id: 'LineItem' })

/** Names inside were never published, so unknown ones are dropped, not refused. */
export const customer = z
  .object({ name: text(120).optional(), phone: text(32).optional(), email: z.email().max(254).optional() })
  .meta({ id: 'Customer' })

const RFC_3339 = { error: 'must be an RFC 3339 time with Z or an offset' }

export const injectOrder = z
  .strictObject({
    merchantId: merchantIdField,
    orderId: z
      .string()
      .regex(/^[\x21-\x7e]{1,128}$/, { error: 'must be 1 to 128 printable ASCII characters without spaces' }),
    source: text(64),
    items: z.array(lineItem).min(1).max(200),
    total: moneyField,
    customer: customer.optional(),
    tip: moneyField.optional(),
    print: z.boolean().default(true),
    fireAt: z
      .string(RFC_3339)
      .toUpperCase()
      .pipe(z.iso.datetime({ offset: true, ...RFC_3339 }))
      .optional(),
    locationId: text(64).optional(),
  })
  .meta({ id: 'InjectOrder' })
export type InjectOrder = z.infer<typeof injectOrder>

const isoTime = z.string()

export const orderResult = z
  .object({
    status: z.literal('accepted'),
    serviceOrderId: z.string(),
    posOrderId: z.string().nullable(),
    queuedAt: isoTime,
    estimatedReadyAt: isoTime,
    printJobId: z.string().nullable(),
  })
  .meta({ id: 'OrderResult' })
export type OrderResult = z.infer<typeof orderResult>

export const orderResource = z
  .object({
    serviceOrderId: z.string(),
    orderId: z.string(),
    merchantId: z.string(),
    locationId: z.string(),
    source: z.string(),
    status: z.enum(ORDER_STATUSES),
    sequence: z.number().int(),
    items: z.array(
      z.object({
        umsId: z.string(),
        name: z.string(),
        qty: z.number().int(),
        price: z.number(),
        note: z.string().optional(),
        modifiers: z.array(z.string()),
      }),
    ),
    total: z.number(),
    tip: z.number(),
    customer: customer.nullable(),
    print: z.boolean(),
    fireAt: isoTime.nullable(),
    firedAt: isoTime.nullable(),
    queuedAt: isoTime,
    estimatedReadyAt: isoTime,
    printedAt: isoTime.nullable(),
    readyAt: isoTime.nullable(),
    completedAt: isoTime.nullable(),
    voidedAt: isoTime.nullable(),
    voidReason: z.string().nullable(),
    posOrderId: z.string().nullable(),
    printJobId: z.string().nullable(),
    printState: z.enum(PRINT_STATES),
    /** Proof of print; null until something stands on paper. */
    printProof: printFacts.nullable(),
    refundedTotal: z.number(),
    refundable: z.number(),
    refunds: z.array(
      z.object({ refundId: z.string(), amount: z.number(), reason: z.string().nullable(), createdAt: isoTime }),
    ),
    timeline: z.array(z.object({ type: z.string(), at: isoTime })),
  })
  .meta({ id: 'Order' })
export type OrderResource = z.infer<typeof orderResource>

const subscription = z.enum(['*', ...WEBHOOK_EVENT_TYPES])

export const createWebhook = z
  .strictObject({
    merchantId: merchantIdField,
    url: unicode().min(1).max(2048),
    events: z.array(subscription).min(1).max(20).default(['*']),
    description: text(500).optional(),
  })
  .meta({ id: 'CreateWebhook' })
export type CreateWebhook = z.infer<typeof createWebhook>

export const webhookEndpoint = z
  .object({
    webhookId: z.string(),
    merchantId: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string().nullable(),
    status: z.enum(['enabled', 'disabled']),
    createdAt: isoTime,
    lastDeliveryAt: isoTime.nullable(),
    failingSince: isoTime.nullable(),
  })
  .meta({ id: 'WebhookEndpoint' })
export const createdWebhookEndpoint = webhookEndpoint
  .extend({ secret: z.string() })
  .meta({ id: 'CreatedWebhookEndpoint' })

export const merchantQuery = z.strictObject({ merchantId: merchantIdField })

export const errorBody = z
  .looseObject({
    code: z.string(),
    message: z.string(),
    status: z.number().int(),
    requestId: z.string(),
    docUrl: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Error' })
